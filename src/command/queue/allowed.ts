/** The places that a worker may read and write, set at its start (`--allow`). */
import path from 'node:path';
import { isUrl } from '../inputs.ts';
import { bad } from '../plan.ts';

/** Whether a path or an address is allowed. */
export type Allowed = (place: string) => boolean;

/** All paths of this machine, or all addresses of a kind. */
const KINDS = /^(file|https?|s3):$/;

const kindOf = (place: string) => (isUrl(place) ? place.slice(0, place.indexOf(':') + 1).toLowerCase() : 'file:');

const below = (place: string, above: string, separator: string) =>
  place === above || place.startsWith(above.endsWith(separator) ? above : above + separator);

/** Without what follows the path; dots in it are resolved. */
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

/** Without any word: files of this machine, and nothing from elsewhere. @throws {FoveolaError} 'invalid-argument' */
export function allowing(given: readonly string[] = ['file:']): Allowed {
  const rules = given.map(ruleOf);
  return (place) => rules.some((rule) => rule(place));
}
