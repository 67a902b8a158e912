/**
 * The inputs of a command: files, folders, patterns and URLs. Each is listed once. Every other argument has a line with
 * the reason.
 */
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { FoveolaError, kindOf } from '../node/index.ts';
import { addressParts, named, nameFault, pathParts, type Unnamed } from './entry.ts';
import { patternOf, visible, walk, type Wanted } from './walk.ts';
import { fileAt, otherKind, unreadable } from './whole-files.ts';

export interface InputFile {
  /** An absolute path, or a URL. */
  path: string;
  /** The path of its results, relative to the folder of results. */
  name: string;
}

export interface Inputs {
  files: InputFile[];
  /** One line for each input that has no result. The line names it. */
  faults: string[];
  /** Number of text files next to recordings, which are skipped. */
  texts: number;
}

/** Lists the files below a folder of a store. `header` returns the first bytes of a file. */
export type StoreList = (folder: string) => Promise<StoredFile[]>;
export interface StoredFile {
  path: string;
  /** Relative to the folder that was listed. */
  name: string;
  header(): Promise<Blob>;
}

export interface InputOptions {
  /** The folder of results. It is skipped in a folder that contains it. */
  out: string;
  /** Whether a file is listed there as a result. */
  isResult(file: string): boolean;
  /** The caller reports the faults, also if there are only faults. */
  unnamed?: boolean;
  /** Allows inputs that are URLs or folders of a store. */
  listStore?: StoreList;
}

export const isUrl = (text: string): boolean => /^(https?|s3):\/\//i.test(text);

/** A bucket, or a URL with a slash at its end. */
const STORE_FOLDER = /^s3:\/\/[^/]+(\/(.*\/)?)?$/;

/**
 * Names of images and recordings. A text file with such a name is a damaged file, not a note next to the recordings.
 */
const MEDIA =
  /\.(3gp|apng|avi|avif|bmp|dcm|dicom|flv|gif|h264|heic|ima|j2k|jfif|jls|jp2|jpe?g|jpx|m2ts|m4v|mj2|mjpeg|mkv|mov|mp4|mpe?g|mts|mxf|ogv|p[abgnp]m|png|tiff?|ts|vob|webm|webp|wmv|y4m)$/i;

const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });

class Gathering {
  readonly #options: InputOptions;
  readonly #found = new Map<string, Unnamed>();
  readonly faults: string[] = [];
  texts = 0;
  /** Number of inputs, including repeated ones. */
  #met = 0;

  constructor(options: InputOptions) {
    this.#options = options;
  }

  get found(): Unnamed[] {
    return [...this.#found.values()];
  }

  /** Processes one argument of the command line. */
  async take(one: string): Promise<void> {
    const [met, faults, texts] = [this.#met, this.faults.length, this.texts];
    try {
      await (isUrl(one) ? this.#address(one) : this.#local(one));
    } catch (error) {
      if (!(error instanceof FoveolaError)) throw error;
      this.faults.push(error.message);
    }
    if (this.#met > met || this.faults.length > faults) return;
    const held = this.texts > texts ? 'only text files' : 'no image or recording';
    this.faults.push(`${one} has ${held} in it. Name the files, or another folder.`);
  }

  #add(file: string, parts: string[], root: number): void {
    this.#met++;
    if (!this.#found.has(file)) this.#found.set(file, { path: file, parts, root });
  }

  async #local(one: string): Promise<void> {
    const about = await stat(one).catch((error: NodeJS.ErrnoException) => error);
    if (about instanceof Error) {
      const pattern = patternOf(one);
      if (!pattern) throw unreadable(one, about);
      const [met, faults] = [this.#met, this.faults.length];
      if (existsSync(pattern.folder)) await this.#folder(pattern.folder, pattern.wanted);
      if (this.#met === met && this.faults.length === faults)
        throw bad(`No file matches ${one}. Check the pattern and put it in quotes.`);
    } else if (about.isDirectory()) await this.#folder(one, visible);
    else if (about.isFile()) {
      const parts = pathParts(one);
      this.#add(path.resolve(one), parts, parts.length - 1);
    } else throw bad(`${one} is ${otherKind(about)}, not a file.`);
  }

  async #folder(folder: string, wanted: Wanted): Promise<void> {
    const [results, own] = await Promise.all(
      [this.#options.out, folder].map((one) => realpath(one).catch(() => path.resolve(one))),
    );
    const { files, faults } = await walk(folder, wanted, own === results ? [] : [results!]);
    this.faults.push(...faults);
    const root = pathParts(folder);
    for (const file of files) {
      const whole = path.resolve(folder, file);
      if (!this.#options.isResult(whole))
        await this.#listed(whole, [...root, ...file.split('/')], root.length, () => fileAt(whole));
    }
  }

  /**
   * Tables and notes are often stored next to recordings. They are skipped and counted, unless they are named
   * explicitly.
   */
  async #listed(file: string, parts: string[], root: number, header: () => Promise<Blob>): Promise<void> {
    if (!MEDIA.test(file) && (await header().then(kindOf).catch(notKnown)).kind === 'text') this.texts++;
    else this.#add(file, parts, root);
  }

  async #address(one: string): Promise<void> {
    const { listStore, out } = this.#options;
    if (!listStore) throw bad(`${one} is a URL. Use foveola queue for URLs.`);
    const address = /^s3:/i.test(one) ? one.replace(/^s3/i, 's3') : webAddress(one);
    const parts = addressParts(address);
    if (!STORE_FOLDER.test(address)) {
      if (parts.length === 1) parts.push('input');
      return this.#add(address, parts, parts.length - 1);
    }
    for (const { path: file, header } of await listStore(address))
      if (!file.startsWith(`${out}/`)) await this.#listed(file, addressParts(file), parts.length, header);
  }
}

/** The URL in its standard form. @throws {FoveolaError} 'invalid-argument' */
export function webAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw bad(`${text} is not a valid URL.`, cause);
  }
  if (url.username || url.password)
    throw bad(`${url.origin}${url.pathname}: a URL must not contain a user name or password.`);
  url.hash = '';
  return url.href;
}

/** If a file cannot be read, its job reports the reason. If a store does not answer, listing ends. */
function notKnown(error: unknown): { kind: 'other' } {
  if (error instanceof FoveolaError && error.code !== 'decode-failed' && error.code !== 'invalid-argument') throw error;
  return { kind: 'other' };
}

/**
 * Lists the inputs in the order of their names. In folders and patterns, hidden files, text files and results are skipped.
 */
export async function inputFiles(given: readonly string[], options: InputOptions): Promise<Inputs> {
  const gathering = new Gathering(options);
  for (const one of given) await gathering.take(one);
  const { faults, texts } = gathering;
  const files: InputFile[] = [];
  for (const file of named(gathering.found)) {
    const fault = nameFault(file.name);
    if (fault) faults.push(`${file.path}: the name of its results, '${file.name}', ${fault}. Rename the input.`);
    else files.push(file);
  }
  return { files, faults, texts };
}
