// The packed package, and throw-away projects that have it installed.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { npmCommand, root } from '../../../tools/setup.mjs';
import { packed } from '../../support/package.mjs';
import { run } from './processes.mjs';

const templates = fileURLToPath(new URL('..', import.meta.url));
const recording = path.join(root, 'demo/media/sample.webm');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

const npm = (folder, args, options) => {
  const { program, before } = npmCommand();
  return run(folder, [...before, ...args], { program, ...options });
};

/** A folder for everything of one run: { folder, remove }. By its real name, because tools write that into what they build. */
export function makeScratch() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'foveola-apps-')));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.on('exit', remove); // also when the run is stopped half-way
  return { folder, remove };
}

/** The packed checkout: { tarball, folder, remove }, folder being what is inside, unpacked as npm does. */
export async function pack(scratch) {
  const { tarball, remove } = await packed();
  const holder = path.join(scratch, 'packed');
  mkdirSync(holder);
  await run(holder, ['-xzf', tarball], { program: 'tar' });
  return { tarball, folder: path.join(holder, 'package'), remove };
}

/** All files below a folder, as paths. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));

function link(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to, 'junction');
}

/** Everything that a template names stands in the checkout's node_modules, in the very version: nothing is fetched. */
function linkDependencies(folder, packed) {
  const home = (name) => path.join(root, 'node_modules', name);
  const { dependencies = {}, devDependencies = {} } = read(path.join(folder, 'package.json'));
  const needed = { ...dependencies, ...devDependencies };
  for (const [name, version] of Object.entries(needed)) {
    const installed = existsSync(home(name)) ? read(path.join(home(name), 'package.json')).version : 'nothing';
    if (installed !== version)
      throw new Error(`${path.basename(folder)} needs ${name} ${version}; package-lock.json has ${installed}.`);
  }
  const names = new Set(Object.keys(needed));
  const addDependenciesOf = (file) => {
    for (const name of Object.keys(read(file).dependencies ?? {})) {
      if (names.has(name)) continue;
      names.add(name);
      addDependenciesOf(path.join(home(name), 'package.json'));
    }
  };
  addDependenciesOf(path.join(packed.folder, 'package.json')); // npm lays them beside the package
  for (const name of names) link(home(name), path.join(folder, 'node_modules', name));
  cpSync(packed.folder, path.join(folder, 'node_modules/foveola'), { recursive: true });
}

/** A registry that cannot be reached is no defect of the package. */
export class NoRegistry extends Error {}
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

async function installDependencies(folder, packed) {
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await npm(folder, [...args, packed.tarball], { limit: 480_000 });
  } catch (error) {
    const code = unreachable.exec(error.message)?.[1];
    throw code ? new NoRegistry(`the npm registry is not reachable (${code})`, { cause: error }) : error;
  }
}

/** A copy of a template with the package installed and a recording among the files that are served as they are. */
export async function makeProject(kind, packed, scratch) {
  const folder = path.join(scratch, kind.name);
  cpSync(path.join(templates, kind.source ?? kind.name), folder, { recursive: true });
  const files = path.join(folder, kind.publicFolder ?? 'public');
  mkdirSync(files, { recursive: true });
  cpSync(recording, path.join(files, 'sample.webm'));
  if (kind.linked) linkDependencies(folder, packed);
  else await installDependencies(folder, packed);
  return folder;
}
