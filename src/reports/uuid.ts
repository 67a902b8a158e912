/** Names for what goes into a record: UUIDs (RFC 9562), and DICOM UIDs made of them (PS3.5, B.2). */
import { shown } from '../runtime/check.ts';
import { FoveolaError } from '../runtime/error.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const isUuid = (text: unknown): text is string => typeof text === 'string' && form.test(text);

/** A random one. crypto.randomUUID is there on secure pages only. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The `index`th name (1..65535) that belongs to this one, always the same: its last two bytes are changed. */
export function derivedUuid(uuid: string, index: number): string {
  const last = (parseInt(uuid.slice(-4), 16) ^ index).toString(16);
  return uuid.slice(0, -4) + last.padStart(4, '0');
}

/** At most 44 characters of the 64 that a UID may have. */
export const uidOf = (uuid: string): string => `2.25.${BigInt(`0x${uuid.replaceAll('-', '')}`)}`;

const uidForm = /^(?=.{1,64}$)[0-2](\.(0|[1-9]\d*))+$/;
export const isUid = (text: unknown): text is string => typeof text === 'string' && uidForm.test(text);

/** The caller's UUID in lower case, or a new one. Throws 'invalid-argument'. */
export function uuidFrom(given: string | undefined, what: string): string {
  if (given === undefined) return newUuid();
  const uuid = typeof given === 'string' && given.toLowerCase();
  if (!isUuid(uuid)) throw new FoveolaError('invalid-argument', `${what} must be a UUID, not ${shown(given)}.`);
  return uuid;
}
