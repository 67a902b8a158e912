/** One line of the list of results, and its check: other programs may have written there. */
import { analyses, type AnalysisName } from './analyses/index.ts';
import { parametersHash, type Job, type JobResult } from './job-key.ts';
import { version } from '../node/index.ts';
import { nameFault } from './names.ts';
import { WholeFiles } from './whole-files.ts';

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

/** Lists a result in a file for itself. */
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

/** Files of a result, which have the name of their input in front. */
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

/** From a line of text. */
export function entryFromText(text: string): Entry | null {
  try {
    return entryFrom(JSON.parse(text));
  } catch {
    return null; // torn off, or nested without end
  }
}
