/** Inputs of jobs: paths as they are, which all machines see alike, and URLs, which are fetched. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FoveolaError } from '../../node/index.ts';
import { isUrl } from '../inputs.ts';
import { sha256Of } from '../job.ts';
import { bad } from '../plan.ts';
import { later } from './connection.ts';
import { getObject, reason } from './store.ts';

/**
 * The bytes at a URL.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (nothing there, no right), 'storage-failed' (may pass)
 */
async function opened(url: string): Promise<Readable> {
  let answer: Response | null;
  if (url.startsWith('s3:')) answer = await getObject(url);
  else {
    try {
      answer = await fetch(url);
    } catch (cause) {
      throw later(`${url} does not answer (${reason(cause)}).`, cause);
    }
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
      throw later(`${url} answers ${answer.status}.`);
  }
  if (!answer?.ok || !answer.body)
    throw bad(`${url} cannot be read (it answers ${answer?.status ?? 404}). Check the address.`);
  return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
}

/** Of a file or of what is at a URL, which is read for it. */
export async function hashOf(input: string): Promise<string> {
  if (!isUrl(input)) return sha256Of(input);
  const sum = createHash('sha256');
  await reading(input, pipeline(await opened(input), sum));
  return sum.digest('hex');
}

/** @throws {FoveolaError} (rejects) 'storage-failed' (the connection broke); what the disk says as it is */
async function reading(url: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === 'write') throw cause;
    throw later(`${url} broke off (${reason(cause)}).`, cause);
  }
}

/**
 * The path of an input on this machine: its own, or `file` with what is at the URL.
 * @throws {FoveolaError} (rejects) as `opened`; 'storage-failed' also where a path is not seen from here
 */
export async function localInput(input: string, file: () => Promise<string>): Promise<string> {
  if (isUrl(input)) {
    const bytes = await opened(input);
    const path = await file();
    await reading(input, pipeline(bytes, createWriteStream(path)));
    return path;
  }
  try {
    await stat(input);
  } catch (cause) {
    // It was there when it was queued: another machine may see it, or this one in a moment.
    const { code } = cause as NodeJS.ErrnoException;
    throw new FoveolaError(
      'storage-failed',
      `${input} cannot be read on ${hostname()} (${code}). Check that this machine has the shared storage at this path.`,
      { cause },
    );
  }
  return input;
}
