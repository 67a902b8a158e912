/**
 * Parameter tables. One table generates the types, the checks of arguments, the sliders of the elements and the docs.
 */
import { FoveolaError } from './error.ts';

export interface NumberParameter {
  readonly type: 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
  /** Only these values are accepted, for example kernel sizes. */
  readonly values?: readonly number[];
  readonly unit?: string;
  /** 'auto' is also accepted and represents this number. The code receives the number and a slider shows it. */
  readonly auto?: number;
  readonly effect: string;
}
export interface BooleanParameter {
  readonly type: 'boolean';
  readonly default: boolean;
  readonly effect: string;
}
export interface ChoiceParameter<V extends string = string> {
  readonly type: 'choice';
  readonly default: V;
  readonly values: readonly V[];
  readonly effect: string;
}
export type Parameter = NumberParameter | BooleanParameter | ChoiceParameter;
export type ParameterTable = Readonly<Record<string, Parameter>>;

export type Value<P extends Parameter> = P extends NumberParameter
  ? number
  : P extends BooleanParameter
    ? boolean
    : P extends ChoiceParameter<infer V>
      ? V
      : never;
export type Values<T extends ParameterTable> = { -readonly [K in keyof T]: Value<T[K]> };
/** Values that a caller may pass: every value, and 'auto' if the operation can choose a number. */
export type Given<T extends ParameterTable> = {
  -readonly [K in keyof T]?: Value<T[K]> | (T[K] extends { readonly auto: number } ? 'auto' : never);
};

type AutoNumber = NumberParameter & { readonly auto: number };
export function number(p: Omit<AutoNumber, 'type'>): AutoNumber;
export function number(p: Omit<NumberParameter, 'type'>): NumberParameter;
export function number(p: Omit<NumberParameter, 'type'>): NumberParameter {
  return { type: 'number', ...p };
}
export const boolean = (p: Omit<BooleanParameter, 'type'>): BooleanParameter => ({ type: 'boolean', ...p });
export const choice = <const V extends string>(p: {
  default: NoInfer<V>;
  values: readonly V[];
  effect: string;
}): ChoiceParameter<V> => ({ type: 'choice', ...p });

/** The odd numbers from one odd number to another: `values` of a kernel size, which needs a center. */
export const odd = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 2 + 1 }, (_, i) => from + 2 * i);

const bad = (where: string, text: string) => new FoveolaError('invalid-argument', `${where}: ${text}`);

/** For a message. The value may be a nested list, or may not be convertible to text. */
function shown(value: unknown): string {
  try {
    return String(value).slice(0, 60);
  } catch {
    return `a ${typeof value}`;
  }
}

const degrees = (radians: number) => `${Number(((radians * 180) / Math.PI).toPrecision(4))}°`;

function check(where: string, name: string, p: Parameter, value: unknown): void {
  if (p.type === 'boolean') {
    if (typeof value !== 'boolean') throw bad(where, `${name} must be true or false, not ${shown(value)}.`);
    return;
  }
  if (p.type === 'choice') {
    if (!p.values.includes(value as string))
      throw bad(where, `${name} must be one of ${p.values.map((v) => `'${v}'`).join(', ')}, not ${shown(value)}.`);
    return;
  }
  const angle = p.unit === 'rad';
  const range = angle ? ` (${degrees(p.min)} to ${degrees(p.max)})` : '';
  const unit = `${p.unit ? ` ${p.unit}` : ''}${range}${p.auto === undefined ? '' : " or 'auto'"}`;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw bad(where, `${name} must be a finite number from ${p.min} to ${p.max}${unit}, not ${shown(value)}.`);
  if (p.values && !p.values.includes(value))
    throw bad(where, `${name} must be one of ${p.values.join(', ')}${unit}, not ${value}.`);
  if (p.integer && !Number.isInteger(value)) throw bad(where, `${name} must be a whole number, not ${value}.`);
  if (value < p.min || value > p.max)
    throw bad(
      where,
      `${name} must be from ${p.min} to ${p.max}${unit}, not ${value}${angle ? ` (${degrees(value)})` : ''}.`,
    );
}

/** Fills in defaults and checks every value. Throws 'invalid-argument' with the parameter and its range. */
export function resolveParameters<T extends ParameterTable>(
  table: T,
  given: Given<T> | undefined,
  where: string,
): Values<T> {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(table)) out[name] = table[name]!.default;
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const p = Object.hasOwn(table, name) ? table[name] : undefined; // 'constructor' is not a parameter
    if (!p) throw bad(where, `unknown parameter '${shown(name)}'. Known: ${Object.keys(table).join(', ')}.`);
    if (value === 'auto' && p.type === 'number' && p.auto !== undefined) {
      out[name] = p.auto;
      continue;
    }
    check(where, name, p, value);
    out[name] = value;
  }
  return out as Values<T>;
}
