// What is stale is decided by content, not by clock: a fresh clone, a copied folder or a moved clock change nothing.
// Without dependencies, because the set-up uses it before anything is installed.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

/** Every file below the given paths, sorted; paths that do not exist are left out. */
export function filesBelow(root, paths, keep = () => true) {
  const files = [];
  const visit = (relative) => {
    const stat = statSync(path.join(root, relative), { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(path.join(root, relative))) visit(`${relative}/${name}`);
    else if (stat && keep(relative)) files.push(relative);
  };
  for (const relative of paths) visit(relative);
  return [...new Set(files)].sort();
}

export function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const file of filesBelow(root, paths))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** True when every output exists and `stamp` (a file) holds this fingerprint. */
export function isFresh(root, stamp, print, outputs) {
  try {
    if (readFileSync(path.join(root, stamp), 'utf8').trim() !== print) return false;
  } catch {
    return false;
  }
  return outputs.every((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile());
}

/** Writes a file so that a reader never sees half of it. */
export function writeWhole(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}-${threadId}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
