/** The inputs of a command: files, folders and patterns, each file once, with a name for its results. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { FoveolaError, kindOf } from '../node/index.ts';

export interface InputFile {
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

/**
 * Files are taken as they are; of folders and patterns every file but hidden ones and texts, in the order of their names. Results lie
 * as the inputs do below the folder or the fixed part of the pattern.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (nothing there)
 */
export async function inputFiles(given: readonly string[], exclude: string): Promise<InputFile[]> {
  const found = new Map<string, InputFile>();
  const names = new Set<string>();
  const skipped = `${path.resolve(exclude)}${path.sep}`;
  /** Tables and notes lie beside recordings: of what is not named itself, texts are left out. */
  const addListed = async (file: string, name: string) => {
    const { kind } = await kindOf(await fileAt(file)).catch(() => ({ kind: 'other' }));
    if (kind !== 'text') add(file, name);
  };
  const add = (file: string, name: string) => {
    const whole = path.resolve(file);
    if (found.has(whole) || whole.startsWith(skipped)) return;
    let unique = name;
    for (let i = 2; names.has(unique); i++) unique = `${name}-${i}`; // two folders may have files of one name
    names.add(unique);
    found.set(whole, { path: whole, name: unique });
  };
  for (const one of given) {
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
