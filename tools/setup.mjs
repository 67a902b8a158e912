// Set-up of a fresh clone, without dependencies: installs what package-lock.json lists, then builds what is stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** npm's own record of what is installed agrees with the lock file: so after an `npm install` nothing is done again. */
export function recordAgrees(lock, record) {
  if (!record) return false;
  return Object.entries(lock.packages).every(([name, wanted]) => {
    const installed = record.packages[name];
    if (name === '' || wanted.optional || wanted.link) return true;
    return installed?.version === wanted.version && installed?.integrity === wanted.integrity;
  });
}

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/** Runs `npm ci` when node_modules is missing or does not fit the lock file. Returns whether it ran. */
export function installModules({ folder = root, log = console.log, install = npmCi } = {}) {
  const lockFile = path.join(folder, 'package-lock.json');
  const stamp = path.join(folder, 'node_modules/.lock-hash');
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const stamped = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (stamped) return false;
  const record = readJson(path.join(folder, 'node_modules/.package-lock.json'));
  const ran = !recordAgrees(readJson(lockFile), record);
  if (ran) {
    log('Installing the packages of package-lock.json (npm ci) ...');
    install(folder);
  }
  writeFileSync(stamp, hash);
  return ran;
}

/** How npm is started here: the program, what comes before npm's own arguments, and whether a shell is needed for it. */
export function npmCommand() {
  const own = process.env.npm_execpath;
  const viaNode = own && /npm-cli\.c?js$/.test(own);
  if (viaNode) return { program: process.execPath, before: [own], shell: false };
  return { program: 'npm', before: [], shell: process.platform === 'win32' }; // npm is npm.cmd there
}

function npmCi(folder) {
  // Nothing here needs install scripts; development packages are wanted also where NODE_ENV says production.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { program, before, shell } = npmCommand();
  const { status, error } = spawnSync(program, [...before, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell,
  });
  if (error || status !== 0) {
    const reason = error ? error.message : `exit code ${status}`;
    throw new Error(`npm ci failed (${reason}). Check the connection to the npm registry, then run it again.`);
  }
}

export function checkNode(version = process.versions.node) {
  if (Number(version.split('.')[0]) < 20) throw new Error(`Node ${version} is too old; install Node 20 or newer.`);
}

/**
 * Installs and builds what is missing or stale.
 * @param options.bundles  build dist/*.js as well, not only the kernels
 */
export async function setUp({ bundles = true, log = console.log } = {}) {
  checkNode();
  installModules({ log });
  const { build } = await import('./build.mjs');
  await build({ bundles, types: false, log });
}

/** For the commands: a message instead of a stack where the message says it all. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(process.env.DEBUG ? error : (error?.message ?? error));
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(() => setUp());
