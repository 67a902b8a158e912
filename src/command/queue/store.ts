/** An S3-compatible store: AWS's, or with AWS_ENDPOINT_URL any other (MinIO, Ceph, Garage). Requests are signed by aws4fetch. */
import { AwsClient } from 'aws4fetch';
import { FoveolaError } from '../../node/index.ts';
import { bad } from '../plan.ts';
import { later } from './connection.ts';

/** Of one request; the queue tries the job again as well. */
const RETRIES = 3;

/** The store refuses: no other job would fare better. */
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

function signing(): AwsClient {
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

/** Of an object; at AWS the bucket is part of the host's name, elsewhere of the path. */
function objectUrl(address: string): string {
  const [, bucket, name = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address)!;
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region()}.amazonaws.com`;
  return `${base}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The answer where it is good, or null where there is no such object.
 * @throws {FoveolaError} (rejects) StoreRefused (no right), 'storage-failed' (the network, a store that is down)
 */
async function request(method: string, address: string, body?: Blob): Promise<Response | null> {
  const signed = signing();
  const url = objectUrl(address);
  let answer: Response;
  try {
    answer = await signed.fetch(url, { method, body });
  } catch (cause) {
    throw later(`${new URL(url).origin} does not answer (${reason(cause)}).`, cause);
  }
  if (answer.ok) return answer;
  await answer.body?.cancel();
  if (answer.status === 404 && method !== 'PUT') return null;
  const text = `The store answers ${answer.status} to ${method} ${address}.`;
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) throw later(text);
  throw new StoreRefused(`${text} Check the bucket and the AWS_ variables of the environment.`);
}

export const getObject = (address: string): Promise<Response | null> => request('GET', address);
export const hasObject = async (address: string): Promise<boolean> => (await request('HEAD', address)) !== null;
export const removeObject = (address: string): Promise<unknown> => request('DELETE', address);
export const putObject = async (address: string, data: Blob): Promise<void> => {
  await (await request('PUT', address, data))?.body?.cancel();
};

/** fetch says only that it failed; why is in its cause. */
export const reason = (error: unknown): string => {
  const { cause = error } = error as Error;
  return (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
};
