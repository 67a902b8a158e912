/** The inputs of a command: files, folders and patterns, each file once, with a name for its results. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { FoveolaError, kindOf } from '../node/index.ts';

export interface InputFile {
  /** Or URL. */
  path: string;
  /** Relative, with slashes: where its results go below the folder of results. */
  name: string;
}

const unreadable = (file: string, cause: unknown) =>
  new FoveolaError(
    'invalid-argument',
    `${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)}). Check the path and its permissions.`,
    { cause },
  );

/** @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function fileAt(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** What lies below a folder of a store; `header`: the first bytes of one. */
export type StoreList = (folder: string) => Promise<StoredFile[]>;
export interface StoredFile extends InputFile {
  header(): Promise<Blob>;
}

export const isUrl = (text: string): boolean => /^(https?|s3):\/\//.test(text);

/** A bucket, or what ends in a slash. */
const STORE_FOLDER = /^s3:\/\/[^/]+(\/(.*\/)?)?$/;

/** Of a file that cannot be read its job will say why; of a store that does not answer there is nothing more to ask. */
function notKnown(error: unknown): { kind: 'other' } {
  if (error instanceof FoveolaError && error.code !== 'decode-failed' && error.code !== 'invalid-argument') throw error;
  return { kind: 'other' };
}

/**
 * Files are taken as they are; of folders and patterns every file but hidden ones and texts, in the order of their names. Results lie
 * as the inputs do below the folder, also that of a store, or the fixed part of the pattern.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (nothing there)
 */
export async function inputFiles(
  given: readonly string[],
  exclude: string,
  listStore?: StoreList,
): Promise<InputFile[]> {
  const found = new Map<string, InputFile>();
  const names = new Set<string>();
  const skipped = isUrl(exclude) ? `${exclude}/` : `${path.resolve(exclude)}${path.sep}`;
  /** Tables and notes lie beside recordings: of what is not named itself, texts are left out. */
  const addListed = async (file: string, name: string, header = () => fileAt(file)) => {
    const { kind } = await kindOf(await header()).catch(notKnown);
    if (kind !== 'text') add(file, name);
  };
  const add = (file: string, name: string) => {
    const whole = isUrl(file) ? file : path.resolve(file);
    if (found.has(whole) || whole.startsWith(skipped)) return;
    let unique = name;
    for (let i = 2; names.has(unique); i++) unique = `${name}-${i}`; // two folders may have files of one name
    names.add(unique);
    found.set(whole, { path: whole, name: unique });
  };
  for (const one of given) {
    if (isUrl(one)) {
      if (!listStore) throw new FoveolaError('invalid-argument', `${one} is a URL; foveola queue takes these.`);
      if (STORE_FOLDER.test(one)) {
        for (const { path: file, name, header } of await listStore(one)) await addListed(file, name, header);
        continue;
      }
      add(one, decodeURIComponent(path.posix.basename(new URL(one).pathname)) || 'input');
      continue;
    }
    const about = await stat(one).catch(() => null);
    if (about?.isDirectory()) {
      for (const file of await listed(['**/*'], one)) await addListed(path.join(one, file), file);
    } else if (about) add(one, path.basename(one));
    else if (isDynamicPattern(one)) {
      const pattern = one.split(path.sep).join('/');
      const fixed = pattern.slice(0, pattern.search(/[*?[{(!]/)).replace(/[^/]*$/, '');
      const folder = fixed || '.';
      const files = await listed([pattern.slice(fixed.length)], folder);
      if (!files.length)
        throw new FoveolaError('invalid-argument', `No file is like ${one}. Put the pattern in quotes and check it.`);
      for (const file of files) await addListed(path.join(folder, file), file);
    } else throw unreadable(one, { code: 'ENOENT' });
  }
  return [...found.values()];
}

const listed = async (patterns: string[], cwd: string): Promise<string[]> =>
  (await glob(patterns, { cwd, onlyFiles: true })).sort();
