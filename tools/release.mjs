// A release: npm run release -- 0.2.0 [--publish]. Checks first (clean tree on main, a higher version, an entry in
// CHANGELOG.md, check, tests, the packed package in projects), then sets the version and tags it. With --publish the package goes
// to the registry with provenance, which a build service that signs it has to ask for: npm refuses elsewhere.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { main, root } from './setup.mjs';

const numbers = (version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number) ?? null;

/** Whether `next` follows `current` by the rules of semantic versions: one place higher, those behind it 0. */
export function follows(current, next) {
  const [a, b] = [numbers(current), numbers(next)];
  if (!a || !b) return false;
  const place = a.findIndex((number, i) => number !== b[i]);
  return place >= 0 && b[place] === a[place] + 1 && b.slice(place + 1).every((number) => number === 0);
}

/** The changelog with what is unreleased under this version; null where nothing is. */
export function released(changelog, version, date) {
  const [head, ...rest] = changelog.split('## Unreleased\n');
  const entries = rest.join('').split('\n## ')[0].trim();
  if (!entries) return null;
  return `${head}## Unreleased\n\n## ${version} (${date})\n${rest.join('')}`;
}

const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
const output = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(() => {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { publish: { type: 'boolean' } } });
    const [version = ''] = positionals;
    const file = path.join(root, 'package.json');
    const { version: current } = JSON.parse(readFileSync(file, 'utf8'));
    if (!follows(current, version))
      throw new Error(`'${version}' does not follow ${current}: npm run release -- X.Y.Z`);
    if (output('git', 'status', '--porcelain')) throw new Error('The tree has changes: commit them first.');
    if (output('git', 'branch', '--show-current') !== 'main') throw new Error('Releases are made on main.');
    const log = path.join(root, 'CHANGELOG.md');
    const changelog = released(readFileSync(log, 'utf8'), version, new Date().toISOString().slice(0, 10));
    if (!changelog) throw new Error('CHANGELOG.md has nothing under "Unreleased".');
    for (const args of [['run', 'check'], ['test'], ['run', 'test:apps']]) run('npm', ...args);
    writeFileSync(log, changelog);
    const constant = path.join(root, 'src/results/version.ts'); // what exports and reports say
    writeFileSync(constant, readFileSync(constant, 'utf8').replace(`'${current}'`, `'${version}'`));
    const citation = path.join(root, 'CITATION.cff');
    writeFileSync(citation, readFileSync(citation, 'utf8').replace(`version: ${current}`, `version: ${version}`));
    run('npm', 'version', version, '--no-git-tag-version');
    run('npm', 'run', 'build');
    run('git', 'commit', '-am', `Version ${version}`);
    run('git', 'tag', '-a', `v${version}`, '-m', `Version ${version}`);
    if (values.publish) run('npm', 'publish', '--provenance', '--access', 'public');
    console.log(`Version ${version} is tagged${values.publish ? ' and published' : ''}. Push main and the tag.`);
  });
