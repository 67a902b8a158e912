// A release, in two steps and a rehearsal of both:
//   npm run release -- 0.2.0         on main: runs the checks, sets the version, commits and tags
//   npm run release -- --publish     at the tag, on the build service (.github/workflows/release.yml): runs the checks, builds,
//                                    writes build/release (tools/release-files.mjs) and publishes. npm signs where it was built
//   npm run release -- --dry-run     both in a copy of this tree as it is, up to `npm publish --dry-run`. A version may be named
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installModules, main, npmCommand, root } from './setup.mjs';

const numbers = (version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number) ?? null;
const steps = ['major', 'minor', 'patch'];

/** Which place of a version is one higher in the next, those behind it 0: 'major', 'minor', 'patch', or null. */
export function stepOf(current, next) {
  const [a, b] = [numbers(current), numbers(next)];
  if (!a || !b) return null;
  const place = a.findIndex((number, i) => number !== b[i]);
  const follows = place >= 0 && b[place] === a[place] + 1 && b.slice(place + 1).every((number) => number === 0);
  return follows ? steps[place] : null;
}

/** The smallest step that changes of the public interface need. Until 1.0, a minor version may break it. */
export function leastStep(current, { removed, added }) {
  if (current.startsWith('0.')) return removed.length ? 'minor' : 'patch';
  return removed.length ? 'major' : added.length ? 'minor' : 'patch';
}

/** The changelog with what is unreleased under this version; null where nothing is. */
export function released(changelog, version, date) {
  const [head, ...rest] = changelog.split('## Unreleased\n');
  const entries = rest.join('').split('\n## ')[0].trim();
  if (!entries) return null;
  return `${head}## Unreleased\n\n## ${version} (${date})\n${rest.join('')}`;
}

const output = (folder, command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim();
const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Folders of the packages that are published together, the library first. */
const packagesOf = (folder) => [
  '.',
  ...readdirSync(path.join(folder, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((name) => existsSync(path.join(folder, name, 'package.json'))),
];

/** Runs npm, shows its output, and returns it. */
function npm(folder, ...args) {
  const { program, before, shell } = npmCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], shell });
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      process.stdout.write(data);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`npm ${args.join(' ')} ended with exit code ${code}.`)),
    );
  });
}

/** Runs all checks. @returns [command, result] of each, for the notes */
async function runChecks(folder) {
  const results = [];
  for (const args of [['run', 'check'], ['test'], ['run', 'test:apps']]) {
    const lines = (await npm(folder, ...args)).trim().split('\n');
    const checks = lines.flatMap((line) => /^(\w+) +ok\b/.exec(line)?.[1] ?? []);
    results.push([`npm ${args.join(' ')}`, args[1] === 'check' ? `${checks.join(', ')}: ok` : lines.at(-1)]);
  }
  return results;
}

/** Changes of the public interface since the version before. Null if that has no tag in the repository. */
async function apiChanges(version) {
  const { removedLines, reportFile } = await import('./check-api.mjs');
  const { status, stdout: before } = spawnSync('git', ['show', `v${version}:${reportFile}`], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  const after = readFileSync(path.join(root, reportFile), 'utf8'); // `npm run check` compares it with the declarations
  return { removed: removedLines(before, after), added: removedLines(after, before) };
}

/** Writes the version wherever it stands, and the changelog. */
export function setVersion(folder, current, version, date) {
  const change = (file, edit) => {
    const at = path.join(folder, file);
    const before = readFileSync(at, 'utf8');
    const after = edit(before);
    if (!after || after === before) throw new Error(`${file}: version ${current} is not there.`);
    writeFileSync(at, after);
  };
  change('src/results/version.ts', (text) => text.replace(`'${current}'`, `'${version}'`)); // what exports and reports say
  change('CITATION.cff', (text) => text.replace(/^version: .*(\ndate-released: .*)?$/m, `version: ${version}\ndate-released: ${date}`)); // prettier-ignore
  change('CHANGELOG.md', (text) => released(text, version, date));
  const minor = (text) => text.split('.').slice(0, 2).join('.');
  for (const name of packagesOf(folder))
    change(`${name}/package.json`, (text) =>
      text
        .replace(`"version": "${current}"`, `"version": "${version}"`)
        .replace(`"foveola": "${minor(current)}.x"`, `"foveola": "${minor(version)}.x"`),
    );
  change('package-lock.json', (text) => text.replaceAll(/("name": "foveola",\n\s*"version": )"[^"]*"/g, `$1"${version}"`)); // prettier-ignore
}

function commit(folder, version) {
  output(folder, 'git', 'commit', '-am', `Version ${version}`);
  output(folder, 'git', 'tag', '-a', `v${version}`, '-m', `Version ${version}`);
}

/** Builds, runs the checks, writes build/release, and publishes each package. */
async function publish(folder, { checks = runChecks, changes, dryRun }) {
  await npm(folder, 'run', 'build'); // a check and tests read what is built
  const results = await checks(folder);
  const into = path.join(folder, 'build/release');
  rmSync(into, { recursive: true, force: true });
  const tarballs = [];
  for (const name of packagesOf(folder)) {
    if (name !== '.') await npm(folder, 'run', 'build', '--prefix', name);
    const [{ filename }] = JSON.parse(output(folder, process.execPath, 'tools/release-files.mjs', 'pack', name));
    tarballs.push(path.join(into, filename));
  }
  const facts = JSON.stringify({ results, changes });
  execFileSync(process.execPath, ['tools/release-files.mjs', 'notes'], { cwd: folder, input: facts, stdio: ['pipe', 'inherit', 'inherit'] }); // prettier-ignore
  for (const file of tarballs) await npm(folder, 'publish', file, '--access', 'public', dryRun ? '--dry-run' : '--provenance'); // prettier-ignore
}

/** A copy of this tree with its changes, as a repository on main. */
async function copyAsRepository() {
  const [{ copyOfTree }, { sharedFolder }] = await Promise.all([import('./tree-copy.mjs'), import('./serve.mjs')]);
  process.env.FOVEOLA_SHARED = sharedFolder; // the copy is elsewhere
  const folder = copyOfTree('release');
  output(folder, 'git', 'init', '--quiet', '--initial-branch', 'main');
  appendFileSync(path.join(folder, '.git/info/exclude'), '/node_modules\n'); // a link there
  for (const [key, value] of [['user.name', 'release'], ['user.email', 'release@localhost']]) output(folder, 'git', 'config', key, value); // prettier-ignore
  output(folder, 'git', 'add', '--all');
  output(folder, 'git', 'commit', '--quiet', '-m', 'Copy the tree');
  return folder;
}

async function checkVersion(current, version) {
  const step = stepOf(current, version);
  if (!step) throw new Error(`'${version}' does not follow ${current}: npm run release -- X.Y.Z`);
  const changes = await apiChanges(current);
  const least = changes ? leastStep(current, changes) : 'patch';
  if (steps.indexOf(step) > steps.indexOf(least))
    throw new Error(`The public interface has changed since ${current}: this needs a ${least} version.`);
  if (!released(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version, ''))
    throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  return changes;
}

const today = () => new Date().toISOString().slice(0, 10);

const isTagged = (version) => output(root, 'git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`);

/** @param version the next one. A tree at a release rehearses its own version */
export async function dryRun(current, version, checks) {
  if (isTagged(current)) return publish(root, { checks, changes: await changesBefore(), dryRun: true });
  const changes = await checkVersion(current, version);
  const folder = await copyAsRepository();
  try {
    setVersion(folder, current, version, today());
    commit(folder, version);
    await publish(folder, { checks, changes, dryRun: true });
    cpSync(path.join(folder, 'build/release'), path.join(root, 'build/release'), { recursive: true });
  } finally {
    rmSync(path.dirname(folder), { recursive: true, force: true });
  }
  console.log(`Version ${version} could be published. build/release has its files.`);
}

/** Changes of the public interface in the tagged version. */
async function changesBefore() {
  const tags = output(root, 'git', 'tag', '--list', 'v*', '--sort=-version:refname', '--no-contains', 'HEAD');
  return apiChanges(tags.split('\n')[0].slice(1));
}

async function publishTag(current) {
  if (!isTagged(current))
    throw new Error(`This commit does not have the tag v${current}: npm run release -- X.Y.Z makes it.`);
  await publish(root, { changes: await changesBefore(), dryRun: false });
}

async function tagVersion(current, version) {
  await checkVersion(current, version);
  if (output(root, 'git', 'status', '--porcelain')) throw new Error('The tree has changes: commit them first.');
  if (output(root, 'git', 'branch', '--show-current') !== 'main') throw new Error('Releases are made on main.');
  await npm(root, 'run', 'build');
  await runChecks(root);
  setVersion(root, current, version, today());
  commit(root, version);
  console.log(`Version ${version} is tagged. Push main and the tag: the workflow publishes it.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(async () => {
    installModules();
    const options = { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const { version: current } = manifestOf(root);
    const [version = ''] = positionals;
    const [major, minor] = numbers(current);
    if (values['dry-run']) await dryRun(current, version || `${major}.${minor + 1}.0`);
    else if (values.publish) await publishTag(current);
    else await tagVersion(current, version);
  });
