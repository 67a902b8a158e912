/**
 * Several tests of one person: before and after drops, or visits over months. Each value is compared with the same value
 * of the other reports, by eye, stimulus and code.
 */
import { RecordCheck, escaped } from './check.ts';
import { groupsOf, sideText, type Group, type GroupSide } from './groups.ts';
import { moment, policy, style, type HtmlOptions } from './html.ts';
import type { Report } from './report.ts';
import { rounded, type Unit } from './units.ts';

/** A value at one visit: the mean over equal stimuli. */
export interface Visit {
  /** ISO 8601. */
  readonly started: string;
  readonly value: number | null;
  /** Number of averaged values, and the standard error. Null for fewer than two. */
  readonly count: number;
  readonly standardError: number | null;
}

export interface VisitTrend {
  readonly eye: GroupSide | null;
  /** Title of the group, without the number of a stimulus. */
  readonly group: string;
  readonly stimulus: string | null;
  readonly code: string;
  readonly measure: string;
  readonly unit: Unit;
  /** One per report, in the order of time. */
  readonly visits: readonly Visit[];
  /** Last minus first known value, also in percent of the first. Null without both. */
  readonly change: number | null;
  readonly changePercent: number | null;
  /** Standard error of the change, if both visits repeated the stimulus. */
  readonly changeError: number | null;
  /** Slope of a line through three or more visits, per year, with its standard error. */
  readonly perYear: number | null;
  readonly perYearError: number | null;
}

const check: RecordCheck = new RecordCheck('visitTrends');
const YEAR = 365.25 * 86_400_000;

/** These groups do not describe the person, or are means of values that are compared anyway. */
const left: readonly Group['panel'][] = ['recording', 'average'];

function checked(reports: readonly Report[]): Report[] {
  const list = check.objects('reports', reports, 'reports');
  if (list.length < 2) check.fail('reports', `must be two or more, not ${list.length}.`);
  const [first] = list as [Report];
  const persons = { patient: new Set<string>(), subject: new Set<string>() };
  list.forEach(({ kind, unit, patient, about }, i) => {
    if (kind !== first.kind) check.fail(`reports[${i}]`, `must be of the kind '${first.kind}', as the first.`);
    if (unit !== first.unit)
      check.fail(`reports[${i}].unit`, `must be '${first.unit}', as in the first, not '${unit}'.`);
    if (patient) persons.patient.add(patient);
    if (about?.subject) persons.subject.add(about.subject);
  });
  for (const [name, found] of Object.entries(persons))
    if (found.size > 1) check.fail('reports', `must be of one ${name}, not ${[...found].join(' and ')}.`);
  return [...list].sort((a, b) => a.started.localeCompare(b.started));
}

function visitOf(started: string, values: readonly (number | null)[]): Visit {
  const known = values.filter((value) => value !== null);
  const count = known.length;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return {
    started,
    value: count ? mean : null,
    count,
    standardError: count > 1 ? Math.sqrt(variance / count) : null,
  };
}

/** Slope per year. Null for fewer than three visits, or visits at one time. */
function slopeOf(visits: readonly Visit[]): { perYear: number | null; perYearError: number | null } {
  const known = visits.flatMap(({ started, value }) => (value === null ? [] : [[Date.parse(started) / YEAR, value]]));
  const n = known.length;
  const middle = (k: 0 | 1) => known.reduce((sum, one) => sum + one[k]!, 0) / n;
  const [t, v] = [middle(0), middle(1)];
  const spread = known.reduce((sum, [time]) => sum + (time! - t) ** 2, 0);
  if (n < 3 || !(spread > 0)) return { perYear: null, perYearError: null };
  const perYear = known.reduce((sum, [time, value]) => sum + (time! - t) * (value! - v), 0) / spread;
  const rest = known.reduce((sum, [time, value]) => sum + (value! - v - perYear * (time! - t)) ** 2, 0);
  return { perYear, perYearError: Math.sqrt(rest / (n - 2) / spread) };
}

/** One measure while its values are collected: a list per visit. */
type Collected = Pick<VisitTrend, 'eye' | 'group' | 'stimulus' | 'code' | 'measure' | 'unit'> & {
  values: (number | null)[][];
};

/**
 * Compares reports of one person. Throws 'invalid-argument' for fewer than two reports, and for reports of different
 * kinds, units or persons. A stimulus is equal if the reports describe it equally.
 */
export function visitTrends(reports: readonly Report[]): VisitTrend[] {
  const sorted = checked(reports);
  const found = new Map<string, Collected>();
  sorted.forEach((report, visit) => {
    for (const { panel, title, laterality, stimulus, values } of groupsOf(report)) {
      if (left.includes(panel)) continue;
      const group = title.replace(/, (stimulus|target|task) \d+$/, '');
      for (const { measure, unit, value } of values) {
        const key = JSON.stringify([panel, laterality, stimulus, measure.code]);
        const one = found.get(key) ?? {
          ...{ eye: laterality, group, stimulus, code: measure.code, measure: measure.display, unit },
          values: sorted.map(() => []),
        };
        one.values[visit]!.push(value);
        found.set(key, one);
      }
    }
  });
  return [...found.values()].map(({ values, ...about }) => {
    const visits = values.map((list, i) => visitOf(sorted[i]!.started, list));
    const known = visits.filter(({ value }) => value !== null);
    const [first, last] = [known[0], known.at(-1)];
    const change = known.length > 1 ? last!.value! - first!.value! : null;
    const errors = [first?.standardError ?? null, last?.standardError ?? null];
    return {
      ...about,
      visits,
      change,
      changePercent: change === null || !first!.value ? null : (100 * change) / first!.value,
      changeError: change === null || errors.includes(null) ? null : Math.hypot(...(errors as [number, number])),
      ...slopeOf(visits),
    };
  });
}

const SPARK = { width: 90, height: 18, margin: 3 };

/** A line through the visits, with the digits of the table. */
function sparkline(given: readonly Visit[], unit: Unit): string {
  const visits = given.map(({ started, value }) => ({ started, value: value === null ? null : rounded(value, unit) }));
  const times = visits.map(({ started }) => Date.parse(started));
  const known = visits.flatMap(({ value }) => (value === null ? [] : [value]));
  if (known.length < 2) return '';
  const { width, height, margin } = SPARK;
  const place = (value: number, all: readonly number[], size: number) => {
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return margin + (size - 2 * margin) * (most > least ? (value - least) / (most - least) : 0.5);
  };
  const points = visits.flatMap(({ value }, i) =>
    value === null
      ? []
      : [`${place(times[i]!, times, width).toFixed(1)},${(height - place(value, known, height)).toFixed(1)}`],
  );
  return `<svg class="spark" viewBox="0 0 ${width} ${height}" aria-hidden="true"><polyline class="measured" points="${points.join(' ')}"/></svg>`;
}

const cell = (value: number | null, unit: Unit) => (value === null ? '–' : rounded(value, unit).toFixed(unit.digits));
const withError = (value: number | null, error: number | null, unit: Unit) =>
  value === null ? '–' : `${cell(value, unit)}${error === null ? '' : ` ± ${cell(error, unit)}`}`;

function tableOf(trends: readonly VisitTrend[], dates: readonly string[]): string {
  const slopes = trends.some(({ perYear }) => perYear !== null);
  const heads = [...dates, 'Change', '%', ...(slopes ? ['Per year'] : []), 'Unit', 'Course'];
  const rows = trends.map(({ measure, unit, visits, ...one }) => {
    const cells = [
      ...visits.map(({ value }) => cell(value, unit)),
      withError(one.change, one.changeError, unit),
      one.changePercent === null ? '–' : Number(one.changePercent.toFixed(1)).toFixed(1),
      ...(slopes ? [withError(one.perYear, one.perYearError, unit)] : []),
      escaped(unit.text),
    ].map((text) => `<td>${text}</td>`);
    return `<tr><th scope="row">${escaped(measure)}</th>${cells.join('')}<td>${sparkline(visits, unit)}</td></tr>`;
  });
  const head = heads.map((text) => `<th scope="col">${escaped(text)}</th>`).join('');
  return `<table><thead><tr><th></th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Several reports of one person as a page to print: values of each visit, changes, slopes. See `visitTrends`. */
export function toVisitsHtml(reports: readonly Report[], options: Omit<HtmlOptions, 'picture'> = {}): string {
  check.object('options', options);
  const trends = visitTrends(reports);
  const sorted = checked(reports);
  const { notice, software, version, patient, about = {} } = sorted.at(-1)!;
  const name = options.patientName ?? patient ?? about.subject ?? 'not given';
  const keyOf = ({ group, eye, stimulus }: VisitTrend) => `${group}${sideText(eye)}${stimulus ? `: ${stimulus}` : ''}`;
  const sections = [...new Set(trends.map(keyOf))].map((key) => {
    const own = trends.filter((one) => keyOf(one) === key);
    return `<h2>${escaped(key)}</h2>${tableOf(
      own,
      sorted.map(({ started }) => moment(started).slice(0, 16)),
    )}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Visits, ${escaped(moment(sorted.at(-1)!.started))}</title>
<style>${style}.spark { width: 24mm; } td { white-space: nowrap; } td:last-child { width: 26mm; }</style>
</head>
<body>
<main>
<header><div><h1>Visits</h1>${options.heading ? `<p>${escaped(options.heading)}</p>` : ''}<p>${escaped(name)}</p></div><p class="notice">${escaped(notice)}</p></header>
<div class="stack">${sections.join('')}</div>
<footer>
<p>Each value is the mean over equal stimuli. Change: last minus first value, ± its standard error from repeated stimuli. Per year: slope of a line through all visits, ± its standard error.</p>
<p>Reports ${escaped(sorted.map(({ id }) => id).join(', '))}. ${escaped(`${software} ${version}. ${notice}`)}</p>
</footer>
</main>
</body>
</html>
`;
}
