/**
 * Norms for the age of the person, from a table of the caller. foveola ships none: a norm is only valid for the
 * stimulus, the room and the instrument that it was collected with.
 */
import { check } from './report-base.ts';
import type { Measure } from './measures.ts';
import type { NormRow, Norms } from './report.ts';
import { rounded, type Unit } from './units.ts';

/** The norm of one value. */
export interface Norm {
  readonly mean: number;
  readonly deviation: number;
  /** Mean plus and minus 1.96 deviations: 95 % of the values, if they are normally distributed. */
  readonly low: number;
  readonly high: number;
  /** Distance of the value from the mean in deviations. Null if the value is not known. */
  readonly z: number | null;
  readonly fromAge: number | null;
  readonly toAge: number | null;
}

const OLDEST = 150;
const WITHIN = 1.96;
const rowNames = ['code', 'unit', 'fromAge', 'toAge', 'stimulus', 'mean', 'deviation'];

/** Throws 'invalid-argument'. `known`: the codes of all measures. */
export function normsOf(given: Norms | null | undefined, known: readonly string[]): Norms | null {
  if (given === null || given === undefined) return null;
  check.object('norms', given);
  check.names('norms', given, ['age', 'source', 'rows']);
  const text = (path: string, value: unknown) => check.text(path, value) || check.fail(path, 'must be a text.');
  const rows = check.objects('norms.rows', given.rows, 'rows').map((row, i): NormRow => {
    const at = `norms.rows[${i}]`;
    check.names(at, row, rowNames);
    const age = (name: 'fromAge' | 'toAge') => check.number(`${at}.${name}`, row[name], 0, OLDEST);
    const [fromAge, toAge] = [age('fromAge'), age('toAge')];
    if (fromAge !== null && toAge !== null && toAge < fromAge)
      check.fail(`${at}.toAge`, `must be fromAge (${fromAge}) or more, not ${toAge}.`);
    const deviation = check.known(`${at}.deviation`, row.deviation, 0);
    if (!deviation) check.fail(`${at}.deviation`, 'must be above 0.');
    const stimulus = check.text(`${at}.stimulus`, row.stimulus);
    const code = text(`${at}.code`, row.code);
    if (!known.includes(code))
      check.fail(`${at}.code`, `must be the code of a measure, as in reportCsv, not '${code}'.`);
    return {
      ...{ code, unit: text(`${at}.unit`, row.unit) },
      ...(fromAge !== null && { fromAge }),
      ...(toAge !== null && { toAge }),
      ...(stimulus !== null && { stimulus }),
      ...{ mean: check.known(`${at}.mean`, row.mean), deviation },
    };
  });
  return { age: check.known('norms.age', given.age, 0, OLDEST), source: text('norms.source', given.source), rows };
}

/** The first row that applies. */
export function normOf(
  norms: Norms | null,
  { measure, unit, value }: { readonly measure: Measure; readonly unit: Unit; readonly value: number | null },
  stimulus: string | null,
): Norm | null {
  const row = norms?.rows.find(
    (one) =>
      one.code === measure.code &&
      one.unit === unit.ucum &&
      norms.age >= (one.fromAge ?? 0) &&
      norms.age <= (one.toAge ?? OLDEST) &&
      (one.stimulus === undefined || one.stimulus === stimulus),
  );
  if (!row) return null;
  const { mean, deviation, fromAge = null, toAge = null } = row;
  const z = value === null ? null : (value - mean) / deviation;
  return { mean, deviation, low: mean - WITHIN * deviation, high: mean + WITHIN * deviation, z, fromAge, toAge };
}

/** '1.3 deviations above the mean of the norm, 6.1 mm (4.9 mm to 7.3 mm)'. */
export function normText({ norm, unit }: { readonly norm?: Norm; readonly unit: Unit }): string | null {
  if (!norm || norm.z === null) return null;
  const part = (value: number) => `${rounded(value, unit)} ${unit.text}`.trim();
  const distance = `${Math.abs(norm.z).toFixed(1)} deviations ${norm.z < 0 ? 'below' : 'above'}`;
  return `${distance} the mean of the norm, ${part(norm.mean)} (${part(norm.low)} to ${part(norm.high)})`;
}
