/** One line of the list of results, and its check, because other programs may have written there. */
import path from 'node:path';
import { analyses, type AnalysisName } from './analyses/index.ts';
import { parametersHash, type Job, type JobResult } from './job-key.ts';
import { version } from '../node/index.ts';
import { WholeFiles } from './whole-files.ts';

// Names of results: the path of a result below the folder of results, with slashes. They follow the paths of the inputs.

/** Start of the names that the command uses itself in the folder of results. */
const OWN = '.foveola';
const LONGEST = 4096;

/** On Windows, these names are devices, dots and spaces at the end are cut off, and a colon starts the name of a stream. */
const reserved =
  /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)|[. ]$|[\\:*?"<>|\u0000-\u001f]/i;

/** Why results cannot have this name, or null. Follows "The name ..." in messages. */
export function nameFault(name: string, windows = process.platform === 'win32'): string | null {
  if (name === '' || name.length > LONGEST) return `must have 1 to ${LONGEST} characters`;
  if (/[\0\p{Cs}]/u.test(name)) return 'has characters that no file name has';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'leaves the folder of results';
  if (parts[0]!.toLowerCase().startsWith(OWN)) return `must not start with ${OWN}`;
  if (windows && parts.some((part) => reserved.test(part))) return 'is not possible on Windows';
  return null;
}

/** The parts of a local path, from the root or drive. */
export const pathParts = (file: string): string[] =>
  path
    .resolve(file)
    .split(path.sep)
    .map((part) => part.replace(/:$/, ''))
    .filter(Boolean);

/** Decodes a part of a URL if the result is a plain name. Otherwise returns the part unchanged. */
function plainPart(coded: string): string {
  try {
    const plain = decodeURIComponent(coded);
    return /[/\\\p{Cc}]/u.test(plain) || nameFault(plain) ? coded : plain;
  } catch {
    return coded; // a % that encodes nothing
  }
}

/** The parts of a URL: the host or bucket, then its path. Keys of a store are not decoded. */
export function addressParts(address: string): string[] {
  const store = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  if (store) return [store[1]!, ...store[2]!.split('/').filter(Boolean)];
  const { host, pathname } = new URL(address);
  return [host, ...pathname.split('/').filter(Boolean).map(plainPart)];
}

/** An input before its result has a name. */
export interface Unnamed {
  /** Absolute path, or URL. */
  path: string;
  /** Its parts, from the root or host. */
  parts: string[];
  /** How many of these are the specified folder, or the folder of the specified file. */
  root: number;
}

/** Equal for two names that some file systems do not distinguish: case and the form of accents are ignored. */
const alike = (name: string) => name.normalize('NFC').toLowerCase();

const namesFrom = (inputs: readonly Unnamed[], start: (one: Unnamed) => number) =>
  inputs.map((one) => ({ path: one.path, name: one.parts.slice(start(one)).join('/') }));

/**
 * Each input with its path relative to the specified folder. If two of them would have the same name, all have their
 * path relative to the folder that contains all specified inputs.
 */
export function named(inputs: readonly Unnamed[]): { path: string; name: string }[] {
  const plain = namesFrom(inputs, ({ root }) => root);
  if (new Set(plain.map(({ name }) => alike(name))).size === plain.length) return plain;
  let common = 0;
  const [first] = inputs;
  const shared = (at: number) => inputs.every(({ parts, root }) => at < root && parts[at] === first!.parts[at]);
  while (shared(common)) common++;
  return namesFrom(inputs, () => common);
}

export interface Entry extends JobResult {
  version: string;
  /** Hash of parameters, options and version. */
  parameters: string;
}

export const entryOf = (job: Job, result: JobResult): Entry => ({
  ...result,
  ...{ input: job.input, name: job.name, version, parameters: parametersHash(job) },
});

export const entriesFolder = '.foveola';

/** The file of one entry, relative to the folder of results. */
export const entryName = ({ analysis, name }: Pick<Job, 'analysis' | 'name'>): string =>
  `${entriesFolder}/${name}.${analysis}.json`;

/** Lists a result in a separate file. */
export async function writeEntry(job: Job, result: JobResult): Promise<void> {
  const files = new WholeFiles(job.out);
  try {
    await files.write(entryName(job), `${JSON.stringify(entryOf(job, result))}\n`);
    await files.replace();
  } catch (error) {
    await files.drop();
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isHash = (value: unknown): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value);
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const isName = (value: unknown): value is string => isText(value) && nameFault(value) === null;

export const isAnalysis = (value: unknown): value is AnalysisName => isText(value) && Object.hasOwn(analyses, value);

/** Files of a result. Their names start with the name of their input. */
const areOutputs = (value: unknown, name: string): value is string[] =>
  Array.isArray(value) && value.every((file) => isName(file) && file.startsWith(`${name}.`));

function errorOf(value: unknown): JobResult['error'] {
  if (!isFields(value)) return undefined;
  return { code: String(value['code']), message: String(value['message']) };
}

/** An entry, or null for anything else: another kind of JSON, or names that leave the folder of results. */
export function entryFrom(value: unknown): Entry | null {
  if (!isFields(value)) return null;
  const { input, name, analysis, status, key, sha256, outputs, hashes, parameters, version: by, summary } = value;
  if (!isText(input) || !isName(name) || !isAnalysis(analysis) || !isText(by)) return null;
  if (!isText(parameters) || !areOutputs(outputs, name)) return null;
  if (!Array.isArray(hashes) || hashes.length !== outputs.length || !hashes.every(isHash)) return null;
  if (status !== 'done' && status !== 'failed') return null;
  if ((status === 'done' || outputs.length > 0) && !(isHash(key) && isHash(sha256))) return null;
  const numbers = Object.entries(isFields(summary) ? summary : {}).filter(([, one]) => typeof one === 'number');
  const error = errorOf(value['error']);
  return {
    ...{ input, name, analysis, status, outputs, hashes, parameters, version: by },
    ...{ key: isHash(key) ? key : '', sha256: isHash(sha256) ? sha256 : '' },
    ...{ frames: numberOf(value['frames']), milliseconds: numberOf(value['milliseconds']) },
    engineMilliseconds: numberOf(value['engineMilliseconds']),
    summary: Object.fromEntries(numbers) as Record<string, number>,
    ...(error && { error }),
  };
}

/** Parses a line of text. */
export function entryFromText(text: string): Entry | null {
  try {
    return entryFrom(JSON.parse(text));
  } catch {
    return null; // truncated, or nested without end
  }
}
