/** Inputs of jobs: paths, which are the same on all machines, and URLs, which are downloaded within limits. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FoveolaError } from '../../node/index.ts';
import { isUrl, webAddress } from '../inputs.ts';
import { bad } from '../plan.ts';
import { sha256Of, stampOf } from '../whole-files.ts';
import type { Allowed } from './check-job.ts';
import { later, getObject, reason, StoreRefused } from './store.ts';

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
