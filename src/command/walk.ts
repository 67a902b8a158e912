/** The files below a folder, each once, and everything there that cannot be read. */
import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { otherKind } from './whole-files.ts';
import picomatch from 'picomatch';

/** Which files of a folder are selected, and which folders are searched. Paths are relative to it, with slashes. */
export interface Wanted {
  enters(folder: string): boolean;
  has(file: string): boolean;
}

const isHidden = (part: string) => part.startsWith('.');
const last = (name: string) => path.posix.basename(name);

/** Everything except hidden files and folders. */
export const visible: Wanted = {
  enters: (folder) => !isHidden(last(folder)),
  has: (file) => !isHidden(last(file)),
};

interface Walk {
  /** Paths relative to the folder, with slashes, sorted by name. */
  files: string[];
  /** One line for each unreadable file or folder, with its name. */
  faults: string[];
}

/** The text of a name that is not UTF-8, with its invalid bytes as codes. */
const coded = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('');

/**
 * Entries of a folder with their names as text. `faults` receives the names that are not UTF-8, because files cannot be
 * opened by the decoded name.
 */
async function entriesOf(folder: string, wanted: (name: string) => boolean, faults: string[]) {
  const entries = new Map<string, Dirent>();
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' as 'utf8' })) {
    const bytes = Buffer.from(entry.name);
    const name = bytes.toString('utf8');
    if (Buffer.from(name, 'utf8').equals(bytes)) entries.set(name, entry);
    else if (wanted(coded(bytes))) faults.push(`${path.join(folder, coded(bytes))}: the name is not UTF-8. Rename it.`);
  }
  return entries;
}

/**
 * Lists the files of a folder. Links to folders are followed last. No folder is read twice, so a cyclic link ends the
 * search there.
 * @param skipped real paths of folders to skip
 */
export async function walk(folder: string, wanted: Wanted, skipped: Iterable<string> = []): Promise<Walk> {
  const seen = new Set(skipped);
  const found: Walk = { files: [], faults: [] };
  const links: string[] = [];
  let waiting = [''];

  const take = async (file: string, entry: Dirent): Promise<void> => {
    const [has, enters] = [wanted.has(file), wanted.enters(file)];
    if (!has && !enters) return;
    let about: Dirent | Stats = entry;
    const linked = entry.isSymbolicLink();
    try {
      if (linked) about = await stat(path.join(folder, file));
    } catch (error) {
      if (has) fault(file, ` is a broken link (${codeOf(error)}).`);
      return;
    }
    if (about.isDirectory()) {
      if (enters) (linked ? links : waiting).push(file);
    } else if (has && about.isFile()) found.files.push(file);
    else if (has) fault(file, ` is ${otherKind(about)}, not a file.`);
  };
  const fault = (file: string, message: string) => found.faults.push(`${path.join(folder, file)}${message}`);
  const read = async (below: string): Promise<void> => {
    const at = path.join(folder, below);
    const real = await realpath(at);
    if (seen.has(real)) return;
    seen.add(real);
    const inside = (name: string) => (below ? `${below}/${name}` : name);
    const both = (name: string) => wanted.has(inside(name)) || wanted.enters(inside(name));
    for (const [name, entry] of await entriesOf(at, both, found.faults)) await take(inside(name), entry);
  };
  do {
    for (let next; (next = waiting.pop()) !== undefined;)
      await read(next).catch((error: unknown) =>
        fault(next!, ` cannot be read (${codeOf(error)}). Check its permissions.`),
      );
    waiting = links.sort().splice(0, 1);
  } while (waiting.length);
  found.files.sort();
  return found;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

// Patterns of files, like in shells: `*`, `?`, `[...]`, `{a,b}`, `**` for any depth.

interface Pattern {
  /** The folder in which the search starts. */
  folder: string;
  wanted: Wanted;
}

/** Its parts between slashes, except slashes inside brackets or braces. */
function segmentsOf(pattern: string): string[] {
  const segments = [''];
  let depth = 0;
  for (const c of pattern) {
    if ('{[('.includes(c)) depth++;
    if ('}])'.includes(c)) depth--;
    if (c === '/' && depth <= 0) segments.push('');
    else segments[segments.length - 1] += c;
  }
  return segments;
}

/** Files that match, and all visible files in folders that match. Null for a plain path. */
export function patternOf(given: string): Pattern | null {
  const text = given.split(path.sep).join('/');
  if (!picomatch.scan(text).isGlob) return null;
  const fixed = text.slice(0, text.search(/[*?[{(!]/)).replace(/[^/]*$/, '');
  const pattern = text.slice(fixed.length);
  const matches = picomatch(pattern);
  const segments = segmentsOf(pattern);
  const steps = segments.map((segment) =>
    segment.includes('**') || segment.includes('/') ? null : picomatch(segment),
  );
  const open = steps.indexOf(null); // after this part it may match any depth

  /** Whether it matches a parent folder. */
  const inside = (parts: readonly string[]): boolean => {
    for (let depth = 1; depth < parts.length; depth++)
      if (matches(parts.slice(0, depth).join('/'))) return !parts.slice(depth).some(isHidden);
    return false;
  };
  const leadsTo = (parts: readonly string[]): boolean =>
    (open >= 0 || parts.length < segments.length) &&
    parts.every((part, i) => (open < 0 || i < open ? steps[i]!(part) : !isHidden(part)));
  const wanted: Wanted = {
    enters: (folder) => {
      const parts = folder.split('/');
      return matches(folder) || inside(parts) || leadsTo(parts);
    },
    has: (file) => matches(file) || inside(file.split('/')),
  };
  return { folder: fixed || '.', wanted };
}
