/**
 * Reads parameters from a file: `{ "name": value }`, the saved settings of an element, or its results as JSON with a
 * "parameters" field. Display settings of an element and settings of another filter are skipped.
 */
import { FoveolaError, operations } from '../node/index.ts';
import type { JobOptions } from './analyses/analysis.ts';
import type { AnalysisName } from './analyses/index.ts';
import { textAt } from './whole-files.ts';

type Parameters = Record<string, unknown>;

interface SettingsFile {
  element?: unknown;
  parameters?: unknown;
}

interface ElementSettings {
  element: string;
  /** Defaults of the element that differ from the command's. */
  defaults?: Parameters;
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

const bad = (text: string, cause?: unknown) => new FoveolaError('invalid-argument', text, { cause });
const isObject = (value: unknown): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function fileOf(file: string): Promise<SettingsFile> {
  const text = await textAt(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw bad(`${file} is not valid JSON: ${(cause as Error).message}.`, cause);
  }
  if (!isObject(value) || !isObject(value['parameters'] ?? value))
    throw bad(`${file} must hold an object of parameters: { "name": value }.`);
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
): Promise<Parameters> {
  const { element, parameters } = await fileOf(file);
  const given = parameters as Parameters;
  const own = elements[analysis];
  const ofFilter = own.element === FILTER && (element === FILTER || 'operation' in given);
  if (element !== undefined && element !== own.element)
    throw bad(
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
  { operation, comparisonSettings: _, ...given }: Parameters,
  analysis: AnalysisName,
  { operation: wanted = 'canny' }: JobOptions,
  method: string,
): Parameters {
  const here = analysis === 'flow' ? 'flow' : wanted === 'canny' ? 'edges' : `edges --operation ${wanted}`;
  const others = Object.values(filters).map((one) => `foveola ${one}`);
  if (operation !== undefined && filters[String(operation)] !== here) {
    const same = filters[String(operation)];
    throw bad(
      `${file} has settings of the filter '${String(operation)}' of <${FILTER}>. ${same ? `Use foveola ${same}.` : `The command supports ${others.join(', ')}.`}`,
    );
  }
  if (!Object.values(filters).includes(here))
    throw bad(`${file} has settings of <${FILTER}>, which foveola ${here} cannot use: ${others.join(', ')}.`);
  const table = operations.get(method)!.params;
  const known = new Set(filterCalls.flatMap((call) => Object.keys(operations.get(call)!.params)));
  for (const { name, gives, params } of operations.values())
    if (gives === 'image') for (const one of Object.keys(params)) known.add(`${name}.${one}`);
  const taken: Parameters = method === 'houghLines' ? { segments: true } : {};
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name))
      throw bad(
        `${file}: unknown setting '${name}' of <${FILTER}>. foveola ${here} accepts ${Object.keys(table).join(', ')}.`,
      );
    if (value !== null && Object.hasOwn(table, name)) taken[name] = value;
  }
  return taken;
}
