/** Jobs as plain data, and the keys of their results. */
import { createHash } from 'node:crypto';
import { version } from '../node/index.ts';
import type { JobOptions } from './analyses/analysis.ts';
import type { AnalysisName } from './analyses/index.ts';

/** Start of the identity of an input whose name must not be stored. */
export const HASHED = 'sha256:';

export interface Job {
  analysis: AnalysisName;
  /** Path or URL of the input, or HASHED and the hash of its bytes. */
  input: string;
  /** Path of a copy of its bytes on this machine. */
  copy?: string;
  /** Its name relative to the folder of results. */
  name: string;
  parameters: Record<string, unknown>;
  options: JobOptions;
  /** Folder of results. */
  out: string;
  /** Key and files of existing results. Nothing is done if the key is still valid and the files are unchanged. */
  known?: { key: string; outputs: readonly string[] };
  /** The key that it must have, because it was queued for these bytes. */
  wanted?: string;
  /** Earlier results of the input, by file. These may be replaced. */
  own?: Readonly<Record<string, Made>>;
  /** Repeats the job, and replaces existing results, including results of another input. */
  force?: boolean;
}

/** A file of a result. */
export interface Made {
  /** Hash of the input from which it was made. */
  of: string;
  /** Hash of the file. A file of this name with another hash is a different one. */
  hash: string;
}

/** Result of a job, as stored in the list of results. */
export interface JobResult {
  input: string;
  name: string;
  analysis: AnalysisName;
  status: 'done' | 'known' | 'failed';
  key: string;
  sha256: string;
  /** Files, relative to the folder of results, and their hashes. */
  outputs: string[];
  hashes: string[];
  frames: number;
  /** Total milliseconds, and the part spent in the engine and the decoder. */
  milliseconds: number;
  engineMilliseconds: number;
  summary: Record<string, number>;
  /** Warnings about the result. Missing if there are none. */
  warnings?: string[];
  error?: { code: string; message: string };
}

/** Hash that is the same for equal parameters, regardless of their order. */
export function parametersHash({
  analysis,
  parameters,
  options,
}: Pick<Job, 'analysis' | 'parameters' | 'options'>): string {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value;
  return hash(JSON.stringify(sorted({ analysis, parameters, options, version })));
}

export const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Name for the results of these bytes with these parameters. */
export const keyOf = (sha256: string, job: Pick<Job, 'analysis' | 'parameters' | 'options'>): string =>
  hash(`${sha256} ${parametersHash(job)}`);
