/** From the words of a command line to jobs; all that can be wrong with them is found here, before the first file is read. */
import { parseArgs } from 'node:util';
import { FoveolaError, methodParameters } from '../node/index.ts';
import { formats, type Analysis, type Format, type JobOptions } from './analyses/analysis.ts';
import { analyses, type AnalysisName } from './analyses/index.ts';
import { inputFiles, type StoreList } from './inputs.ts';
import type { Job } from './job.ts';
import { settingsFrom } from './settings.ts';
import type { jobOptions } from './usage.ts';

export const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });

/** parseArgs, whose errors are ours. */
export function parsed<const O extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw bad(`${(cause as Error).message.split('. ')[0]}. foveola --help lists the options.`, cause);
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

/** `listStore`: inputs may be URLs, and folders of a store. @throws {FoveolaError} (rejects) 'invalid-argument' */
export async function planned(
  analysis: string,
  values: ReturnType<typeof parsed<typeof jobOptions>>['values'],
  inputs: readonly string[],
  out: string,
  listStore?: StoreList,
): Promise<Job[]> {
  if (!Object.hasOwn(analyses, analysis))
    throw bad(`There is no analysis '${analysis}'. Take one of ${Object.keys(analyses).join(', ')}.`);
  const name = analysis as AnalysisName;
  if (!inputs.length) throw bad(`foveola ${analysis} needs files, folders or patterns.`);
  const format = values.format as Format;
  if (!formats.includes(format)) throw bad(`--format must be one of ${formats.join(', ')}, not ${format}.`);
  const operation = values.operation as JobOptions['operation'];
  if (operation !== undefined && (name !== 'edges' || !['canny', 'lines', 'circles'].includes(operation)))
    throw bad('--operation is of edges: canny, lines or circles.');
  if (values.fields && name !== 'flow') throw bad('--fields is of flow.');
  if ((values.box !== undefined) !== (name === 'track'))
    throw bad(
      name === 'track'
        ? 'foveola track needs --box x,y,width,height: the object in the first frame.'
        : '--box is of track.',
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
  const files = await inputFiles(inputs, out, listStore);
  return files.map(({ path, name: input }) => ({ analysis: name, input: path, name: input, parameters, options, out }));
}
