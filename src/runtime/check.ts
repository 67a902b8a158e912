/** Checks of the caller's arguments. Each error names the path of the value and the rule that it breaks. */
import { FoveolaError } from './error.ts';

/** A value as text for messages. Also works for values that cannot be converted to a string. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.slice(0, 60)}'`;
  if (typeof value === 'function') return 'a function';
  if (value === null || typeof value !== 'object') return String(value).slice(0, 60);
  try {
    return Array.isArray(value) ? 'an array' : 'an object';
  } catch {
    return 'a revoked proxy';
  }
};

export class Check {
  /** @param call the function that the caller called, for messages */
  constructor(readonly call: string) {}

  fail(path: string, rule: string): never {
    throw new FoveolaError('invalid-argument', `${this.call}: ${path} ${rule}`);
  }

  /** Throws an error that this value broke a rule: 'must be ..., not ...'. */
  protected refuse(path: string, rule: string, value: unknown): never {
    this.fail(path, `must be ${rule}, not ${shown(value)}.`);
  }

  /** A finite number within the limits. Returns null for null, undefined and NaN, which mean "unknown". */
  number(path: string, value: unknown, least = -Infinity, most = Infinity): number | null {
    if (value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value))) return null;
    return this.known(path, value, least, most);
  }

  /** A finite number within the limits. Unknown values are refused. */
  known(path: string, value: unknown, least = -Infinity, most = Infinity): number {
    if (typeof value !== 'number' || !Number.isFinite(value)) this.refuse(path, 'a finite number', value);
    if (value < least || value > most) {
      const range =
        most === Infinity ? `at least ${least}` : least === -Infinity ? `at most ${most}` : `${least} to ${most}`;
      this.fail(path, `must be ${range}, not ${value}.`);
    }
    return value;
  }

  oneOf<T extends string>(path: string, value: unknown, accepted: readonly T[]): T {
    if (!accepted.includes(value as T)) this.refuse(path, accepted.map((one) => `'${one}'`).join(' or '), value);
    return value as T;
  }

  object(path: string, value: unknown): object {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.refuse(path, 'an object', value);
    return value;
  }

  list(path: string, value: unknown, what: string): readonly unknown[] {
    if (!Array.isArray(value)) this.refuse(path, `a list of ${what}`, value);
    return value;
  }
}
