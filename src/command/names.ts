/** Names of results: the path of a result below the folder of results, with slashes. They follow the paths of the inputs. */
import path from 'node:path';

/** Start of the names that the command uses itself in the folder of results. */
const OWN = '.foveola';
const LONGEST = 4096;

/** On Windows, these names are devices, dots and spaces at the end are cut off, and a colon starts the name of a stream. */
const reserved =
  /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)|[. ]$|[\\:*?"<>|\u0000-\u001f]/i;

/** Why results cannot have this name, or null. To follow "The name ...". */
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

/** Decodes a part of an address if the result is a plain name. Otherwise returns the part unchanged. */
function plainPart(coded: string): string {
  try {
    const plain = decodeURIComponent(coded);
    return /[/\\\p{Cc}]/u.test(plain) || nameFault(plain) ? coded : plain;
  } catch {
    return coded; // a % that codes nothing
  }
}

/** The parts of an address: the host or bucket, then its path. Keys of a store are not decoded. */
export function addressParts(address: string): string[] {
  const store = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  if (store) return [store[1]!, ...store[2]!.split('/').filter(Boolean)];
  const { host, pathname } = new URL(address);
  return [host, ...pathname.split('/').filter(Boolean).map(plainPart)];
}

/** An input before its result has a name. */
export interface Unnamed {
  /** Absolute path, or address. */
  path: string;
  /** Its parts, from the root or host. */
  parts: string[];
  /** How many of these are the folder that was given, or that holds the file that was given. */
  root: number;
}

/** Equal for two names that some file systems do not distinguish: case and the form of accents are ignored. */
const alike = (name: string) => name.normalize('NFC').toLowerCase();

const namesFrom = (inputs: readonly Unnamed[], start: (one: Unnamed) => number) =>
  inputs.map((one) => ({ path: one.path, name: one.parts.slice(start(one)).join('/') }));

/**
 * Each input with its path below the folder that was given for it. If two of them would have one name, all have their path
 * below the folder that holds everything that was given.
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
