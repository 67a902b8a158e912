// Copies of the tree in which sources may be changed: the files that git knows, what was built, and a link to the packages.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './setup.mjs';

const BUILT = ['dist', 'build'];

/** The folder of a new copy; whoever asks for it removes the folder it lies in. */
export function copyOfTree(name) {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), `foveola-${name}-`)), 'tree');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n'))
    if (file && existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file));
  copyBuilt(root, folder);
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

export function copyBuilt(from, to) {
  for (const built of BUILT) cpSync(path.join(from, built), path.join(to, built), { recursive: true });
}

/** What stands once in a file of the copy is replaced; returns what puts it back, or null where it does not stand there once. */
export function replaceOnce(folder, file, from, to) {
  const at = path.join(folder, file);
  const before = readFileSync(at, 'utf8');
  if (before.split(from).length !== 2) return null;
  writeFileSync(
    at,
    before.replace(from, () => to),
  );
  return () => writeFileSync(at, before);
}
