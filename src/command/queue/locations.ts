/** Where queued jobs read and write: inputs and results in folders that all machines share, or in a store. */
import { openAsBlob, createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { entryFromText, entryName, entryOf, writeEntry, type Entry } from '../entry.ts';
import { writeFault } from '../job.ts';
import { parametersHash, type Job, type JobResult } from '../job-key.ts';
import { Manifest, type Claim } from '../manifest.ts';
import { clearParts, isFile, Taken, sha256Of, stampOf } from '../whole-files.ts';
import { getObject, hasObject, putObject, removeObject, later, reason, StoreRefused } from './store.ts';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FoveolaError } from '../../node/index.ts';
import { isUrl, webAddress } from '../inputs.ts';
import { bad } from '../plan.ts';
import type { Allowed } from './check-job.ts';

/**
 * Location for results of queued jobs: a folder that all machines share, or a store. All files of a result are complete
 * before the result is listed. Two machines that run the same job write the same bytes under the same names.
 */

export interface Results {
  /** The folder that `runJob` writes to. `scratch` makes a folder for this job only. */
  folder(job: Job, scratch: () => Promise<string>): Promise<string>;
  /** Finds existing results of a job, or the entry of another input that has its name. */
  claim(job: Job): Promise<Claim>;
  /** `done` is the job that was run, with paths of this machine. */
  keep(job: Job, done: Job, result: JobResult): Promise<void>;
  /**
   * Whether the files of an entry exist unchanged. If so, and the input was moved, they are listed for its new path.
   */
  holds(job: Job, entry: Entry): Promise<boolean>;
  /** Removes files that killed processes left in the folders of their jobs. */
  clear(): Promise<void>;
  /** Paths of all listed results, if these are files of this machine. */
  outputs(): Promise<ReadonlySet<string>>;
}

export const resultsAt = (out: string): Results =>
  out.startsWith('s3:') ? new StoredResults(out) : new FolderResults(out);

class FolderResults implements Results {
  readonly #out: string;
  #manifest: Promise<Manifest> | null = null;
  /** Folders in which jobs ran. */
  readonly #folders = new Set<string>();

  constructor(out: string) {
    this.#out = out;
  }

  async folder(job: Job): Promise<string> {
    await mkdir(this.#out, { recursive: true });
    const folders = [job.name, entryName(job)].map((file) => path.dirname(path.join(this.#out, file)));
    await clearParts(folders.filter((folder) => !this.#folders.has(folder)));
    for (const folder of folders) this.#folders.add(folder);
    return this.#out;
  }

  #list(): Promise<Manifest> {
    return (this.#manifest ??= Manifest.read(this.#out));
  }

  async claim(job: Job): Promise<Claim> {
    const list = await this.#list();
    await list.reload(job);
    return list.claim(job);
  }

  async keep(job: Job, _: Job, result: JobResult): Promise<void> {
    await writeEntry(job, result).catch((error: unknown) => {
      throw writeFault(job, error);
    });
  }

  async holds(job: Job, entry: Entry): Promise<boolean> {
    const { outputs, hashes, input } = entry;
    if (!outputs.every((file, i) => isFile(path.join(this.#out, file), hashes[i]!))) return false;
    if (input !== job.input) await this.keep(job, job, entry);
    return true;
  }

  clear(): Promise<void> {
    return clearParts(this.#folders);
  }

  async outputs(): Promise<ReadonlySet<string>> {
    return (await this.#list()).outputs;
  }
}

class StoredResults implements Results {
  readonly #out: string;

  constructor(out: string) {
    this.#out = out;
  }

  folder(_: Job, scratch: () => Promise<string>): Promise<string> {
    return scratch();
  }

  async claim(job: Job): Promise<Claim> {
    const entry = entryFromText((await (await getObject(this.#at(entryName(job))))?.text()) ?? '');
    if (!entry || entry.status !== 'done') return { job, entry: null };
    if (entry.input !== job.input && !job.force) return { taken: entry };
    const made = entry.outputs.map((file, i) => [file, { of: entry.sha256, hash: entry.hashes[i]! }] as const);
    const isCurrent = entry.input === job.input && entry.parameters === parametersHash(job);
    return { job: { ...job, own: Object.fromEntries(made) }, entry: isCurrent && !job.force ? entry : null };
  }

  async holds(_: Job, { outputs }: Entry): Promise<boolean> {
    return (await Promise.all(outputs.map((file) => hasObject(this.#at(file))))).every(Boolean);
  }

  async keep(job: Job, done: Job, result: JobResult): Promise<void> {
    if (job.own || job.force) await removeObject(this.#at(entryName(job))); // the listed files are replaced now
    for (const file of result.outputs) {
      const data = await openAsBlob(path.join(done.out, file));
      const replaces = job.force || (job.own !== undefined && Object.hasOwn(job.own, file));
      if (!replaces && (await hasObject(this.#at(file)))) await this.#checkSame(job, file, data);
      else if (!(await putObject(this.#at(file), data, !replaces))) await this.#checkSame(job, file, data);
    }
    await putObject(this.#at(entryName(job)), new Blob([JSON.stringify(entryOf(job, result))]));
  }

  /** Another machine may have run the same job. Any other content is not a result of this input. */
  async #checkSame(job: Job, file: string, data: Blob): Promise<void> {
    const there = Buffer.from((await (await getObject(this.#at(file)))?.arrayBuffer()) ?? new ArrayBuffer(0));
    if (!there.equals(Buffer.from(await data.arrayBuffer()))) throw writeFault(job, new Taken(this.#at(file)));
  }

  async clear(): Promise<void> {}

  async outputs(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  #at(name: string): string {
    return `${this.#out}/${name}`;
  }
}

/** Inputs of jobs: paths, which are the same on all machines, and URLs, which are downloaded within limits. */

/** Maximum bytes of one input, and maximum number of redirects. */
const MOST_BYTES = 64 * 2 ** 30;
const MOST_REDIRECTS = 5;
/** A response with fewer bytes in this time (ms) counts as interrupted. Otherwise a very slow one would never end. */
const PATIENCE = 60_000;
const LEAST_BYTES = 1 << 16;

/** One response, up to the start of its body. */
async function asked(address: string): Promise<Response> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    return await fetch(address, { redirect: 'manual', signal: stop.signal });
  } catch (cause) {
    throw later(`${address} does not answer (${reason(cause)}).`, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** A web response, after redirects to allowed URLs. */
async function answerOf(url: string, allowed: Allowed): Promise<Response> {
  let address = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await asked(address);
    const to = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (to === null) return answer;
    await answer.body?.cancel();
    const next = URL.canParse(to, address) ? new URL(to, address).href : '';
    if (!/^https?:/.test(next) || !allowed(webAddress(next)))
      throw bad(`${url} redirects to ${to}, which is not allowed.`);
    address = next;
  }
  throw bad(`${url} redirects more than ${MOST_REDIRECTS} times.`);
}

/**
 * The bytes at a URL.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (not found, no permission, too large), 'storage-failed'
 * (temporary)
 */
async function opened(url: string, allowed: Allowed, limit: number): Promise<Readable> {
  let answer: Response | null;
  if (url.startsWith('s3:')) {
    answer = await getObject(url).catch((error: unknown) => {
      // Another input may be readable.
      throw error instanceof StoreRefused ? bad(error.message, error) : (error as Error);
    });
  } else {
    answer = await answerOf(url, allowed);
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
      throw later(`${url} answers ${answer.status}.`);
  }
  if (!answer?.ok || !answer.body)
    throw bad(`${url} cannot be read (HTTP ${answer?.status ?? 404}). Check the address.`);
  if (Number(answer.headers.get('content-length')) > limit) {
    await answer.body.cancel();
    throw tooLarge(url, limit);
  }
  return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
}

const tooLarge = (url: string, limit: number) =>
  bad(`${url} has more than ${Math.floor(limit / 2 ** 20)} MiB, which is the limit here.`);

/** Passes bytes on, and fails if there are too many or they arrive too slowly. */
function limited(url: string, limit: number): Transform {
  let [bytes, seen] = [0, 0];
  const watch = setInterval(() => {
    if (bytes - seen < LEAST_BYTES) passing.destroy(later(`${url} was interrupted (no more data arrived).`));
    seen = bytes;
  }, PATIENCE).unref();
  const passing = new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      if (bytes > limit) done(tooLarge(url, limit));
      else done(null, piece);
    },
    destroy(error, done) {
      clearInterval(watch);
      done(error);
    },
  });
  return passing;
}

/** @throws {FoveolaError} (rejects) 'storage-failed' (the connection broke). Disk errors are rethrown unchanged */
async function fetched(url: string, allowed: Allowed, limit: number, to: NodeJS.WritableStream): Promise<void> {
  const bytes = await opened(url, allowed, limit);
  try {
    await pipeline(bytes, limited(url, limit), to);
  } catch (cause) {
    if (cause instanceof FoveolaError || (cause as NodeJS.ErrnoException).syscall === 'write') throw cause;
    throw later(`${url} was interrupted (${reason(cause)}).`, cause);
  }
}

/** Hash of a file, or of the bytes at a URL. */
export async function hashOf(input: string): Promise<string> {
  if (!isUrl(input)) return sha256Of(input);
  const sum = createHash('sha256');
  await fetched(input, () => true, MOST_BYTES, sum);
  return sum.digest('hex');
}

/** Half of the free disk space, because other jobs also need space. */
async function roomFor(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(path.dirname(file));
  return (bavail * bsize) / 2;
}

/**
 * The path of an input on this machine: its path, or `file` with the downloaded content of the URL.
 * @throws {FoveolaError} (rejects) like `opened`, and 'storage-failed' if a path is not visible from this machine
 */
export async function localInput(
  input: string,
  allowed: Allowed,
  file: () => Promise<string>,
  limit = MOST_BYTES,
): Promise<string> {
  if (isUrl(input)) {
    const to = await file();
    await fetched(input, allowed, Math.min(limit, await roomFor(to)), createWriteStream(to));
    return to;
  }
  try {
    await stat(input);
  } catch (cause) {
    // The file existed when the job was queued. Another machine may see it, or this one in a moment.
    const { code } = cause as NodeJS.ErrnoException;
    throw new FoveolaError(
      'storage-failed',
      `${input} cannot be read on ${hostname()} (${code}). Check that this machine has the shared storage at this path.`,
      { cause },
    );
  }
  stampOf(input);
  return input;
}
