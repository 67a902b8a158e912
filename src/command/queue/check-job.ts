/**
 * Checks a job from Redis. Anyone with access can write there, so nothing is used before it is checked, and only the
 * fields listed here are used.
 */
import path from 'node:path';
import { isUrl, webAddress } from '../inputs.ts';
import { bad } from '../plan.ts';
import { FoveolaError, methodParameters, shown, version } from '../../node/index.ts';
import { formats, type Format, type JobOptions } from '../analyses/analysis.ts';
import { analyses } from '../analyses/index.ts';
import { isAnalysis, isFields, nameFault } from '../entry.ts';
import { HASHED, type Job } from '../job-key.ts';
import { type QueuedJob, storeAddress } from './store.ts';

// The places that a worker may read and write, set at its start (`--allow`).

/** Whether a path or a URL is allowed. */
export type Allowed = (place: string) => boolean;

/** All paths of this machine, or all URLs of a kind. */
const KINDS = /^(file|https?|s3):$/;

const kindOf = (place: string) => (isUrl(place) ? place.slice(0, place.indexOf(':') + 1).toLowerCase() : 'file:');

const below = (place: string, above: string, separator: string) =>
  place === above || place.startsWith(above.endsWith(separator) ? above : above + separator);

/** The URL without the part after the path. Dots in the path are resolved. */
function pageOf(address: string): string {
  if (/^s3:/.test(address)) return address;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function ruleOf(text: string): Allowed {
  if (KINDS.test(text)) return (place) => kindOf(place) === text;
  if (isUrl(text) && URL.canParse(text)) {
    const above = pageOf(text).replace(/\/+$/, '');
    return (place) => isUrl(place) && below(pageOf(place), above, '/');
  }
  if (!path.isAbsolute(text))
    throw bad(`--allow must be a folder, https://HOST, s3://BUCKET, or one of file:, https:, http:, s3:, not ${text}.`);
  const above = path.resolve(text);
  return (place) => !isUrl(place) && below(path.resolve(place), above, path.sep);
}

/** Default: files of this machine, and nothing from elsewhere. @throws {FoveolaError} 'invalid-argument' */
export function allowing(given: readonly string[] = ['file:']): Allowed {
  const rules = given.map(ruleOf);
  return (place) => rules.some((rule) => rule(place));
}

const LONGEST_PLACE = 8192;
const LONGEST_PARAMETERS = 1 << 16;

const refused = (text: string) => new FoveolaError('invalid-argument', `The job is refused: ${text}`);

function textOf(data: Readonly<Record<string, unknown>>, field: string): string {
  const value = data[field];
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_PLACE)
    throw refused(`${field} must be a text of at most ${LONGEST_PLACE} characters, not ${shown(value)}.`);
  return value;
}

const notAllowed = (what: string, place: string) =>
  refused(`${what} ${place} is not allowed here. Start the worker with --allow for it.`);

/** A path or a URL that this worker may use, in its standard form. */
function placeOf(what: string, text: string, allowed: Allowed): string {
  const address = isUrl(text);
  if (!address && !path.isAbsolute(text))
    throw refused(`${what} must be an absolute path or a URL, not ${shown(text)}.`);
  if (/\0/.test(text)) throw refused(`${what} contains a character that paths cannot have.`);
  const place = !address ? path.resolve(text) : /^s3:/i.test(text) ? objectOf(text) : webAddress(text);
  if (!allowed(place)) throw notAllowed(what, place);
  return place;
}

/** Some stores have the bucket in the path. Dots would then lead to another bucket. */
function objectOf(text: string): string {
  if (!/^s3:\/\/[^/]/.test(text) || text.split('/').some((part) => part === '.' || part === '..'))
    throw refused(`${shown(text)} is not a valid store address.`);
  return text;
}

const optionNames = ['format', 'overlay', 'box', 'operation', 'fields'];

function optionsOf(value: unknown, analysis: Job['analysis']): JobOptions {
  if (!isFields(value)) throw refused(`options must be an object, not ${shown(value)}.`);
  const other = Object.keys(value).find((name) => !optionNames.includes(name));
  if (other !== undefined) throw refused(`unknown option ${shown(other)}.`);
  const { format, overlay, box, operation, fields } = value;
  if (!formats.includes(format as Format)) throw refused(`format must be one of ${formats.join(', ')}.`);
  if (typeof overlay !== 'boolean' || ![undefined, true].includes(fields as undefined | true))
    throw refused('overlay and fields must be true or false.');
  const isBox = Array.isArray(box) && box.length === 4 && box.every(Number.isFinite) && box[2] > 0 && box[3] > 0;
  if (analysis === 'track' ? !isBox : box !== undefined) throw refused('box must be four numbers, only for track.');
  if (operation !== undefined && (analysis !== 'edges' || !['canny', 'lines', 'circles'].includes(String(operation))))
    throw refused('operation must be canny, lines or circles, only for edges.');
  if (fields && analysis !== 'flow') throw refused('fields applies only to flow.');
  return {
    ...{ format: format as Format, overlay },
    ...(isBox && { box: box as JobOptions['box'] }),
    ...(operation !== undefined && { operation: operation as JobOptions['operation'] }),
    ...(fields === true && { fields }),
  };
}

/** Parameters that name a model: a shipped one, or one to download. */
const models = ['model', 'cascade', 'verifier'];

function parametersOf(value: unknown, analysis: Job['analysis'], options: JobOptions, allowed: Allowed) {
  if (!isFields(value) || JSON.stringify(value).length > LONGEST_PARAMETERS)
    throw refused(`parameters must be an object of at most ${LONGEST_PARAMETERS} characters.`);
  methodParameters(analyses[analysis].method(options), value);
  for (const name of models) {
    const model = value[name];
    if (typeof model !== 'string' || /^[\w-]+$/.test(model)) continue;
    if (!allowed(placeOf(name, model.replace(/^file:\/\//, ''), allowed))) throw notAllowed(name, model);
  }
  return { ...value };
}

// Two versions of foveola at one queue.

const numbersOf = (text: unknown): number[] | null => {
  const found = typeof text === 'string' ? /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]{1,64})?$/.exec(text) : null;
  return found && found.slice(1, 4).map(Number);
};

/** The version that queued a job, if it is newer than this one. Its workers can process the job, this one cannot. */
export function newerVersion(data: unknown, own: string = version): string | null {
  const by = isFields(data) ? data['version'] : null;
  const [theirs, mine] = [numbersOf(by), numbersOf(own)];
  if (!theirs || !mine) return null;
  const differs = theirs.findIndex((number, i) => number !== mine[i]);
  return differs >= 0 && theirs[differs]! > mine[differs]! ? (by as string) : null;
}

// Jobs whose data is not JSON.

/** What replaces the data of a job that is not JSON, so that it fails with its name. */
export function mendedData(text: string): { name?: string; unreadable: string } {
  const unreadable = text.slice(0, 60);
  const quoted = /"name"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  try {
    return quoted ? { name: JSON.parse(quoted) as string, unreadable } : { unreadable };
  } catch {
    return { unreadable }; // its name is torn, too
  }
}

/** An input that messages call by its hash only, and the place to read it. */
function unnamedInput(input: string, data: Readonly<Record<string, unknown>>, allowed: Allowed) {
  if (!/^[0-9a-f]{64}$/.test(input.slice(HASHED.length))) throw refused('the hash of its input is not valid.');
  try {
    return { input, copy: placeOf('the input', textOf(data, 'copy'), allowed) };
  } catch {
    throw refused('its input is not allowed here. Start the worker with --allow for it.');
  }
}

/** @throws {FoveolaError} 'invalid-argument': the message contains the reason */
export function checkedJob(data: unknown, allowed: Allowed): QueuedJob {
  if (!isFields(data)) throw refused(`it must be an object, not ${shown(data)}.`);
  if ('unreadable' in data)
    throw refused(
      `its data in Redis is not JSON, but ${shown(data['unreadable'])}. Remove it and queue the input again.`,
    );
  const by = textOf(data, 'version');
  if (by !== version)
    throw refused(
      `it is from foveola ${by}, and this is ${version}. Install one version everywhere, then queue it again.`,
    );
  const { analysis, force } = data;
  if (!isAnalysis(analysis)) throw refused(`analysis must be one of ${Object.keys(analyses).join(', ')}.`);
  const name = textOf(data, 'name');
  const fault = nameFault(name);
  if (fault) throw refused(`the name of its results, ${shown(name)}, ${fault}.`);
  const wanted = textOf(data, 'wanted');
  if (!/^[0-9a-f]{64}$/.test(wanted)) throw refused('wanted must be a hash.');
  const options = optionsOf(data['options'], analysis);
  const input = textOf(data, 'input');
  const out = placeOf('the folder of results', textOf(data, 'out'), allowed);
  if (/^https?:/.test(out)) throw refused(`results cannot be stored at ${out}.`);
  return {
    ...{ analysis, name, wanted, options, version: by },
    ...(input.startsWith(HASHED)
      ? unnamedInput(input, data, allowed)
      : { input: placeOf('the input', input, allowed) }),
    out: isUrl(out) ? storeAddress(out) : out,
    parameters: parametersOf(data['parameters'], analysis, options, allowed),
    ...(force === true && { force }),
  };
}

/** The name of a job for messages, whatever its data contains. */
export function nameOf(job: { id?: string; data?: unknown } | undefined): string {
  const { data, id } = job ?? {};
  return isFields(data) && typeof data['name'] === 'string' && data['name'] ? data['name'] : `job ${id ?? ''}`.trim();
}
