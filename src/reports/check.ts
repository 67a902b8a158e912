/**
 * Checks of the caller's input, and the escape of text for XML and HTML. Each error names the path of the value and the
 * rule that it breaks.
 */
import { shown, Check } from '../runtime/check.ts';
import { FoveolaError } from '../runtime/error.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for the content of an element or a quoted attribute. Characters that XML cannot represent are left out.
 */
export const escaped = (text: string): string =>
  text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (c) => entities[c]!);

// Identifiers for records: UUIDs (RFC 9562), and DICOM UIDs derived from them (PS3.5, B.2).

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isUuid = (text: unknown): text is string => typeof text === 'string' && form.test(text);

/** Returns a random UUID. crypto.randomUUID is available on secure pages only. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * The UUID number `index` (1 to 65535) derived from this one. It is always the same: its last two bytes are changed.
 */
export function derivedUuid(uuid: string, index: number): string {
  const last = (parseInt(uuid.slice(-4), 16) ^ index).toString(16);
  return uuid.slice(0, -4) + last.padStart(4, '0');
}

/** Has at most 44 of the 64 characters that a UID may have. */
export const uidOf = (uuid: string): string => `2.25.${BigInt(`0x${uuid.replaceAll('-', '')}`)}`;

const uidForm = /^(?=.{1,64}$)[0-2](\.(0|[1-9]\d*))+$/;
const isUid = (text: unknown): text is string => typeof text === 'string' && uidForm.test(text);

/** Returns the caller's UUID in lower case, or a new one. Throws 'invalid-argument'. */
export function uuidFrom(given: string | undefined, what: string): string {
  if (given === undefined) return newUuid();
  const uuid = typeof given === 'string' && given.toLowerCase();
  if (!isUuid(uuid)) throw new FoveolaError('invalid-argument', `${what} must be a UUID, not ${shown(given)}.`);
  return uuid;
}

/** Adds checks for the parts of a record: texts, dates, identifiers, references. */
export class RecordCheck extends Check {
  /** A text without control characters. */
  text(path: string, value: unknown, most = 1024): string | null {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'string') this.refuse(path, 'a text', value);
    if (value.length > most) this.fail(path, `must have at most ${most} characters, not ${value.length}.`);

    return value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
  }

  texts(path: string, value: unknown): string[] {
    if (value === null || value === undefined) return [];
    return this.list(path, value, 'texts').map(
      (one: unknown, i) => this.text(`${path}[${i}]`, one) ?? this.fail(`${path}[${i}]`, 'is missing.'),
    );
  }

  /** Refuses what would not reach the record. */
  names(path: string, value: object, known: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name) || (value as Record<string, unknown>)[name] === undefined) continue;
      this.fail(
        path ? `${path}.${name}` : name,
        `cannot be part of a report. Leave it out. Known: ${known.join(', ')}.`,
      );
    }
  }

  /** A list of objects. Their names and values still have to be checked. */
  objects<T extends object>(path: string, value: readonly T[] | undefined, what: string): readonly T[] {
    this.list(path, value, what).forEach((one, i) => this.object(`${path}[${i}]`, one));
    return value!;
  }

  /** Converts a date, or an ISO 8601 text with date, time and offset, to a UTC text with milliseconds. */
  instant(path: string, value: unknown): string {
    const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
    const isText = typeof value === 'string' && withOffset.test(value);
    const date = value instanceof Date ? value : new Date(isText ? value : NaN);
    if (Number.isNaN(date.getTime()))
      this.refuse(path, "a Date or a text such as '2026-05-04T09:30:00Z', with its offset", value);
    const text = date.toISOString();
    if (text.length !== 24) this.fail(path, `must be in the years 0 to 9999, not ${text}.`);
    return text;
  }

  uid(path: string, value: unknown): string {
    if (!isUid(value)) this.refuse(path, 'a DICOM UID (digits and points, at most 64)', value);
    return value;
  }

  /** 'Patient/42', also after the address of a server, or `urn:uuid:` if the portal uses that form. */
  reference(path: string, value: unknown, type: string): string | null {
    if (value === null || value === undefined) return null;
    const form = new RegExp(
      `^((https?://[^\\s?#]+/)?${type}/[A-Za-z0-9.-]{1,64}(/_history/[A-Za-z0-9.-]{1,64})?|urn:uuid:[0-9a-f-]{36})$`,
    );
    if (typeof value !== 'string' || !form.test(value))
      this.refuse(path, `a FHIR reference such as '${type}/42'`, value);
    return value;
  }

  /** Names and values that JSON can represent. Returns a copy, so that later changes do not affect the report. */
  plain(path: string, value: unknown): Record<string, unknown> {
    this.object(path, value);
    const look = (at: string, one: unknown): void => {
      if (one === null || one === undefined || ['string', 'boolean'].includes(typeof one)) return;
      if (typeof one === 'number') {
        if (!Number.isFinite(one)) this.fail(at, 'must be a finite number or null.');
      } else if (Array.isArray(one)) one.forEach((item, i) => look(`${at}[${i}]`, item));
      else if (typeof one === 'object' && Object.getPrototypeOf(one) === Object.prototype)
        for (const [name, item] of Object.entries(one)) look(`${at}.${name}`, item);
      else this.fail(at, `must be plain data, not ${typeof one === 'object' ? 'an instance of a class' : typeof one}.`);
    };
    look(path, value);
    return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  }
}
