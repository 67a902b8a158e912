/**
 * An S3-compatible store: AWS, or any other with AWS_ENDPOINT_URL (MinIO, Ceph, Garage). Requests are signed by
 * aws4fetch.
 */
import type { Queue, RedisOptions } from 'bullmq';
import { FoveolaError } from '../../node/index.ts';
import type { Job } from '../job-key.ts';
import { bad } from '../plan.ts';
import { AwsClient } from 'aws4fetch';
import type { StoredFile } from '../inputs.ts';

// Redis and BullMQ, which users install if they need them.

/** Data stored in Redis: location of the input, requested analysis, location of the result. Never pixels. */
export interface QueuedJob extends Job {
  /** With --no-file-names: where the input is. `input` is then its hash. */
  copy?: string;
  /** Version of foveola that queued it. Another version produces other results. */
  version: string;
}

/** Data of a finished job that Redis keeps. */
export interface Done {
  frames: number;
  milliseconds: number;
  engineMilliseconds: number;
}

export type JobQueue = Queue<QueuedJob, Done>;

/** Error code of a package that is not installed. */
const NOT_FOUND = 'ERR_MODULE_NOT_FOUND';

/** @throws {FoveolaError} (rejects) 'invalid-argument' (not installed) */
export async function installed<T>(packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== NOT_FOUND) throw cause;
    throw bad(`This needs packages that are not installed: npm install ${packages}`, cause);
  }
}

export const bullmq = () => installed('bullmq ioredis', () => import('bullmq'));

/** The URL without its password. */
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, '//');

/**
 * Options for a connection, after Redis has answered once.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (no Redis at this URL, a wrong password)
 */
export async function redisAt(url: string): Promise<RedisOptions> {
  if (!/^rediss?:\/\/./.test(url)) throw bad(`--redis must be redis://HOST:PORT or rediss://..., not ${shown(url)}.`);
  const { Redis } = await installed('bullmq ioredis', () => import('ioredis'));
  const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  let failure: unknown;
  probe.on('error', (error) => (failure = error));
  try {
    await probe.connect();
    await probe.ping();
  } catch (cause) {
    const why = (failure ?? cause) as NodeJS.ErrnoException;
    throw bad(
      `No Redis answers at ${shown(url)} (${why.code ?? why.message}). Start one with redis-server, or name it with --redis.`,
      why,
    );
  } finally {
    probe.disconnect();
  }
  return { url, maxRetriesPerRequest: null };
}

/** `create`: creates the queue if there is none with this name. */
export async function openQueue(
  { redis, queue: name }: { redis: string; queue: string },
  { create = false } = {},
): Promise<JobQueue> {
  if (name === '' || name.includes(':')) throw bad(`--queue must be a name without colons, not '${name}'.`);
  const { Queue } = await bullmq();
  const queue: JobQueue = new Queue(name, { connection: await redisAt(redis), skipMetasUpdate: !create });
  queue.on('error', () => {}); // it reconnects, and failed operations report their errors themselves
  if (!create && (await queue.getMeta()).version === undefined) {
    await queue.close();
    throw bad(
      `No queue '${name}' exists at ${shown(redis)}. Create it with foveola queue, or name another with --queue.`,
    );
  }
  return queue;
}

/** Errors after which the same job may succeed, on this machine later or on another machine. */
const passing: ReadonlySet<string> = new Set([
  'internal',
  'out-of-memory',
  'storage-failed',
  'model-load',
  'asset-missing',
]);

export const mayPass = (error: { code: string }): boolean => passing.has(error.code);

/** A temporary error. The job may succeed at another time. */
export const later = (text: string, cause?: unknown) => new FoveolaError('storage-failed', text, { cause });

/** Retries of one request. The queue also repeats the job. */
const RETRIES = 3;

/** The store refuses access, so any other job would fail as well. */
export class StoreRefused extends FoveolaError {
  constructor(text: string) {
    super('invalid-argument', text);
  }
}

/** s3://bucket/folder without a slash at its end. @throws {FoveolaError} 'invalid-argument' */
export function storeAddress(text: string): string {
  const address = text.replace(/\/+$/, '');
  if (!/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/.+)?$/.test(address))
    throw bad(`--store must be s3://bucket/folder, not ${text}.`);
  return address;
}

let client: AwsClient | undefined;

/** @throws {StoreRefused} the environment contains no keys */
export function signing(): AwsClient {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new StoreRefused('s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.');
  return (client ??= new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    ...{ service: 's3', region: region(), retries: RETRIES },
  }));
}

const region = () => process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1';

/** URL of an object. With AWS the bucket is part of the host name, elsewhere it is part of the path. */
function objectUrl(address: string): string {
  const [, bucket, name = ''] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(address)!;
  if (/^\.\.?$/.test(bucket!) || name.split('/').some((part) => part === '.' || part === '..'))
    throw bad(`${address} cannot be requested because it contains . or .. as a path part.`);
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region()}.amazonaws.com`;
  return `${base}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The response if it succeeded, or null if the object does not exist.
 * @throws {FoveolaError} (rejects) StoreRefused (no permission), 'storage-failed' (the network, a store that is down)
 */
async function request(
  method: string,
  address: string,
  { query = '', ...rest }: { query?: string; body?: Blob; headers?: Record<string, string> } = {},
): Promise<Response | null> {
  const signed = signing();
  const url = `${objectUrl(address)}${query}`;
  let answer: Response;
  try {
    answer = await signed.fetch(url, { method, ...rest });
  } catch (cause) {
    throw later(`${new URL(url).origin} does not answer (${reason(cause)}).`, cause);
  }
  if (answer.ok) return answer;
  await answer.body?.cancel();
  if (answer.status === 404 && method !== 'PUT') return null;
  if (answer.status === 412) return null; // only for a new object, but it exists
  const text = `The store answers ${answer.status} to ${method} ${address}.`;
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) throw later(text);
  throw new StoreRefused(`${text} Check the bucket and the AWS_ variables of the environment.`);
}

export const getObject = (address: string): Promise<Response | null> => request('GET', address);
export const hasObject = async (address: string): Promise<boolean> => (await request('HEAD', address)) !== null;
export const removeObject = (address: string): Promise<unknown> => request('DELETE', address);
/** `onlyNew`: returns false if an object of this name exists. Stores without conditional writes replace it. */
export async function putObject(address: string, data: Blob, onlyNew = false): Promise<boolean> {
  const answer = await request('PUT', address, { body: data, ...(onlyNew && { headers: { 'if-none-match': '*' } }) });
  await answer?.body?.cancel();
  return answer !== null;
}

/** Number of bytes that identify a file's kind. */
const HEADER = 4096;

/** The five entities of XML. Keys are URL-encoded if the store supports it. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The objects below s3://bucket/folder/, sorted by name, without hidden ones.
 * @throws {FoveolaError} (rejects) 'invalid-argument' (none found), StoreRefused, 'storage-failed'
 */
export async function listObjects(folder: string): Promise<StoredFile[]> {
  const [, bucket, prefix = ''] = /^(s3:\/\/[^/]+)\/?(.*)$/.exec(folder)!;
  const found: StoredFile[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix, ...(token && { 'continuation-token': token }) };
    const answer = await request('GET', bucket!, {
      query: `?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`, // encoded like in the signature
    });
    const text = (await answer?.text()) ?? '';
    const coded = /<EncodingType>url</.test(text);
    const plain = (value: string) => value.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
    for (const [, entry] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const written = plain(/<Key>(.*?)<\/Key>/s.exec(entry!)![1]!);
      const key = coded ? decodeURIComponent(written.replaceAll('+', ' ')) : written;
      const name = key.slice(prefix.length);
      if (name === '' || name.endsWith('/') || /(^|\/)\./.test(name)) continue;
      const address = `${bucket}/${key}`;
      found.push({ path: address, name, header: () => headerOf(address, Number(/<Size>(\d+)</.exec(entry!)?.[1])) });
    }
    const next = /<NextContinuationToken>(.*?)</.exec(text)?.[1];
    token = next === undefined ? undefined : plain(next);
  }
  if (!found.length) throw bad(`No files exist below ${folder}. Check the bucket and the folder.`);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An empty object has no first bytes to request. */
async function headerOf(address: string, size: number): Promise<Blob> {
  if (!size) return new Blob([]);
  const answer = await request('GET', address, { headers: { range: `bytes=0-${HEADER - 1}` } });
  return (await answer?.blob()) ?? new Blob([]);
}

/** fetch reports only that it failed. The reason is in its cause. */
export const reason = (error: unknown): string => {
  const { cause = error } = error as Error;
  return (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
};
