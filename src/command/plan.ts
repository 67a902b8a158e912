/**
 * Converts the arguments of a command line to jobs. All errors in the arguments are found here, before the first file
 * is read.
 */
import { FoveolaError, operations, methodParameters } from '../node/index.ts';
import { type JobOptions, formats, type Analysis, type Format } from './analyses/analysis.ts';
import { type AnalysisName, analyses } from './analyses/index.ts';
import { sha256Of, textAt } from './whole-files.ts';
import { parseArgs } from 'node:util';
import { inputFiles, type InputOptions, type Inputs } from './inputs.ts';
import { HASHED, type Job } from './job-key.ts';
import type { Claim } from './manifest.ts';
import type { jobOptions } from './usage.ts';

/**
 * Reads parameters from a file: `{ "name": value }`, the saved settings of an element, or its results as JSON with a
 * "parameters" field. Display settings of an element and settings of another filter are skipped.
 */

type GivenParameters = Record<string, unknown>;

interface SettingsFile {
  element?: unknown;
  parameters?: unknown;
}

interface ElementSettings {
  element: string;
  /** Defaults of the element that differ from the command's. */
  defaults?: GivenParameters;
  /** Settings that change only how results are shown. */
  look?: readonly string[];
}

const FILTER = 'foveola-filter';
const elements: Readonly<Record<AnalysisName, ElementSettings>> = {
  pupil: { element: 'foveola-pupil' },
  faces: { element: 'foveola-face', defaults: { smoothLandmarks: true } },
  track: { element: 'foveola-track' },
  vessels: { element: 'foveola-vessels', look: ['opacity', 'color'] },
  edges: { element: FILTER },
  flow: { element: FILTER },
};

/** Equivalents of operations of `<foveola-filter>`. */
const filters: Readonly<Record<string, string>> = { canny: 'edges', hough: 'edges --operation lines', flow: 'flow' };
const filterCalls = ['canny', 'houghLines', 'opticalFlow', 'inpaint'];

const badSettings = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });
const isObject = (value: unknown): value is GivenParameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function fileOf(file: string): Promise<SettingsFile> {
  const text = await textAt(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badSettings(`${file} is not valid JSON: ${(cause as Error).message}.`, cause);
  }
  if (!isObject(value) || !isObject(value['parameters'] ?? value))
    throw badSettings(`${file} must hold an object of parameters: { "name": value }.`);
  return value['parameters'] === undefined ? { parameters: value } : value;
}

/**
 * @param method engine method that the analysis calls
 * @throws {FoveolaError} (rejects) 'invalid-argument'
 */
export async function settingsFrom(
  file: string,
  analysis: AnalysisName,
  options: JobOptions,
  method: string,
): Promise<GivenParameters> {
  const { element, parameters } = await fileOf(file);
  const given = parameters as GivenParameters;
  const own = elements[analysis];
  const ofFilter = own.element === FILTER && (element === FILTER || 'operation' in given);
  if (element !== undefined && element !== own.element)
    throw badSettings(
      `${file} has settings of <${String(element)}>, but foveola ${analysis} needs settings of <${own.element}>.`,
    );
  if (ofFilter) return filterSettings(file, given, analysis, options, method);
  if (element === undefined) return given;
  const kept = Object.entries(given).filter(([name, value]) => value !== null && !own.look?.includes(name));
  return { ...own.defaults, ...Object.fromEntries(kept) };
}

/** Its file contains the settings of every filter that was used. */
function filterSettings(
  file: string,
  { operation, comparisonSettings: _, ...given }: GivenParameters,
  analysis: AnalysisName,
  { operation: wanted = 'canny' }: JobOptions,
  method: string,
): GivenParameters {
  const here = analysis === 'flow' ? 'flow' : wanted === 'canny' ? 'edges' : `edges --operation ${wanted}`;
  const others = Object.values(filters).map((one) => `foveola ${one}`);
  if (operation !== undefined && filters[String(operation)] !== here) {
    const same = filters[String(operation)];
    throw badSettings(
      `${file} has settings of the filter '${String(operation)}' of <${FILTER}>. ${same ? `Use foveola ${same}.` : `The command supports ${others.join(', ')}.`}`,
    );
  }
  if (!Object.values(filters).includes(here))
    throw badSettings(`${file} has settings of <${FILTER}>, which foveola ${here} cannot use: ${others.join(', ')}.`);
  const table = operations.get(method)!.params;
  const known = new Set(filterCalls.flatMap((call) => Object.keys(operations.get(call)!.params)));
  for (const { name, gives, params } of operations.values())
    if (gives === 'image') for (const one of Object.keys(params)) known.add(`${name}.${one}`);
  const taken: GivenParameters = method === 'houghLines' ? { segments: true } : {};
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name))
      throw badSettings(
        `${file}: unknown setting '${name}' of <${FILTER}>. foveola ${here} accepts ${Object.keys(table).join(', ')}.`,
      );
    if (value !== null && Object.hasOwn(table, name)) taken[name] = value;
  }
  return taken;
}

export const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });

/** parseArgs with our error class. */
export function parsed<const O extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw bad(`${(cause as Error).message.split('. ')[0]}. Run foveola --help for the options.`, cause);
  }
}

export const whole = (text: string, name: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1024)
    throw bad(`--${name} must be a whole number from 1, not ${text}.`);
  return value;
};

function boxOf(text: string): JobOptions['box'] {
  const sides = text.split(',').map(Number);
  if (sides.length !== 4 || !sides.every(Number.isFinite) || !(sides[2]! > 0 && sides[3]! > 0))
    throw bad(`--box must be x,y,width,height in pixels of the first frame, not ${text}.`);
  return sides as JobOptions['box'];
}

export interface Plan extends Omit<Inputs, 'files'> {
  jobs: Job[];
}

/** @throws {FoveolaError} (rejects) 'invalid-argument': nothing can be done */
export async function planned(
  analysis: string,
  values: ReturnType<typeof parsed<typeof jobOptions>>['values'],
  inputs: readonly string[],
  where: InputOptions,
): Promise<Plan> {
  if (!Object.hasOwn(analyses, analysis))
    throw bad(`Unknown analysis '${analysis}'. Use one of ${Object.keys(analyses).join(', ')}.`);
  const name = analysis as AnalysisName;
  if (!inputs.length) throw bad(`foveola ${analysis} needs files, folders or patterns.`);
  const format = values.format as Format;
  if (!formats.includes(format)) throw bad(`--format must be one of ${formats.join(', ')}, not ${format}.`);
  const operation = values.operation as JobOptions['operation'];
  if (operation !== undefined && (name !== 'edges' || !['canny', 'lines', 'circles'].includes(operation)))
    throw bad('--operation applies to edges: canny, lines or circles.');
  if (values.fields && name !== 'flow') throw bad('--fields applies to flow.');
  if ((values.box !== undefined) !== (name === 'track'))
    throw bad(
      name === 'track'
        ? 'foveola track needs --box x,y,width,height for the object in the first frame.'
        : '--box applies to track.',
    );
  const options: JobOptions = {
    ...{ format, overlay: values.overlay },
    ...(values.box !== undefined && { box: boxOf(values.box) }),
    ...(operation && { operation }),
    ...(values.fields && { fields: true }),
  };
  const method = analyses[name].method(options);
  const parameters = {
    ...(analyses[name] as Analysis).defaults,
    ...(values.params !== undefined && (await settingsFrom(values.params, name, options, method))),
  };
  try {
    methodParameters(method, parameters);
  } catch (cause) {
    throw bad(`${values.params}: ${(cause as Error).message}`, cause);
  }
  const { files, ...rest } = await inputFiles(inputs, where);
  const [only, ...more] = rest.faults;
  if (!files.length && only !== undefined && !more.length && !where.unnamed) throw bad(only);
  const force = values.force;
  const jobs = files.map(({ path: input, name: of }): Job => {
    return { ...{ analysis: name, input, name: of, parameters, options, out: where.out }, ...(force && { force }) };
  });
  return { ...rest, jobs };
}

/**
 * The jobs without the paths and names of their inputs: `input` and `name` are the hash of its bytes, and `copy` is the
 * path to read. Inputs with equal bytes are one job.
 */
export async function withoutNames({ jobs, faults, ...rest }: Plan, hashOf = sha256Of): Promise<Plan> {
  const found = new Map<string, Job>();
  let unread = faults.length;
  for (const job of jobs) {
    const sha256 = await hashOf(job.input).catch(() => null);
    if (sha256 === null) unread++;
    else if (!found.has(sha256))
      found.set(sha256, { ...job, input: `${HASHED}${sha256}`, name: sha256.slice(0, 32), copy: job.input });
  }
  const fault = `${unread} of the inputs cannot be read. Omit --no-file-names to see which.`;
  return { ...rest, jobs: [...found.values()], faults: unread ? [fault] : [] };
}

/**
 * Finds the existing results of each job, and the name that its input already has in the folder.
 * @throws {FoveolaError} (rejects) 'invalid-argument': results of another input exist under this name. The message
 * names both
 */
export async function claimed(
  jobs: readonly Job[],
  claimOf: (job: Job) => Promise<Claim>,
): Promise<Exclude<Claim, { taken: unknown }>[]> {
  const claims: Exclude<Claim, { taken: unknown }>[] = [];
  const inputs = new Map<string, string>();
  const conflicts: string[] = [];
  for (const job of jobs) {
    const claim = await claimOf(job);
    if ('taken' in claim) {
      conflicts.push(takenBy(job, claim.taken.input));
      continue;
    }
    const { name, out } = claim.job;
    const other = inputs.get(name);
    if (other !== undefined)
      throw bad(
        `Results of ${other} and of ${job.input} would have the same name, ${name}, in ${out}. Use a separate --out for each.`,
      );
    inputs.set(name, job.input);
    claims.push(claim);
  }
  const [first, ...more] = conflicts;
  if (first !== undefined)
    throw bad(
      `${first}${more.length ? ` (and ${more.length} more)` : ''}. Choose another --out, or replace them with --force.`,
    );
  return claims;
}

export const takenBy = ({ out, name, input }: Job, other: string): string =>
  `${out} has results of ${other} under the name ${name}, which ${input} would also use`;
