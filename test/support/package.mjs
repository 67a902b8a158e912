// The npm package as it would be published: built, packed, and unpacked into folders of its own, where it sees only what
// is installed beside it. Nothing is fetched.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from '../../tools/build.mjs';
import { root } from '../../tools/setup.mjs';

// Test files run at the same time; only one of them may build.
async function alone(work) {
  const lock = path.join(root, 'build/.package-lock');
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = Number(readOwner(lock));
      if (owner && !runs(owner)) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  try {
    writeFileSync(path.join(lock, 'pid'), String(process.pid));
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function readOwner(lock) {
  try {
    return readFileSync(path.join(lock, 'pid'), 'utf8');
  } catch {
    return '';
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function npm(args) {
  const own = process.env.npm_execpath;
  const viaNode = own && /npm-cli\.c?js$/.test(own);
  const [command, list] = viaNode ? [process.execPath, [own, ...args]] : ['npm', args];
  const shell = !viaNode && process.platform === 'win32'; // npm is npm.cmd there
  return execFileSync(command, list, { cwd: root, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The folder for the package of a run of tests. tools/test.mjs removes it. */
const kept = process.env.FOVEOLA_RUN && path.join(root, 'build/ts', process.env.FOVEOLA_RUN, 'package');

/** Packs into a folder, once. */
async function packInto(folder) {
  const report = path.join(folder, 'report.json');
  if (!existsSync(report)) {
    mkdirSync(folder, { recursive: true });
    await build({ log: () => {} });
    writeFileSync(report, npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]));
  }
  return JSON.parse(readFileSync(report, 'utf8'))[0];
}

/**
 * Builds what is stale and packs it.
 * @returns { tarball, files: [{ path, size }], unpackedSize, size, remove() }
 */
export async function packed() {
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'foveola-package-'));
  const { filename, files, size, unpackedSize } = await alone(() => packInto(folder));
  const tarball = path.join(folder, filename);
  const remove = () => kept ?? rmSync(folder, { recursive: true, force: true });
  return { tarball, files, size, unpackedSize, remove };
}

/**
 * A project with the package and with those packages of the repository that are named; lit is always there.
 * @param files  its own files by name
 */
export function project({ tarball }, { packages = [], files = {} } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-project-'));
  const modules = path.join(folder, 'node_modules');
  const unpacked = path.join(modules, 'foveola');
  mkdirSync(unpacked, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components', '1']);
  if (status !== 0) throw new Error(`tar: ${stderr}`);
  for (const name of ['lit', ...packages]) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
  }
  const write = (more) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  };
  write({ 'package.json': '{ "type": "module", "private": true }', ...files });
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
