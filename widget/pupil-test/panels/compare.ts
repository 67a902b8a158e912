/** A test and an earlier one of the same protocol: before and after drops, or at another visit. */
import { html, nothing, type TemplateResult } from 'lit';
import type { VisitTrend } from '../../../src/index.ts';
import type { PupilTestResult } from '../test-record.ts';
import { comparedTests } from './report.ts';
import { type Numbers, table } from './tables.ts';
import type { PanelWords } from './words.ts';

/** Date and time in the language of the page. */
const when = (started: string, language: string) =>
  new Date(started).toLocaleString(language, { dateStyle: 'short', timeStyle: 'short' });

function rowOf(words: PanelWords, number: Numbers) {
  return ({ eye, stimulus, code, unit, visits, change, changeError, changePercent }: VisitTrend) => {
    // Values that are rounded to zero have no sign.
    const plain = (value: number, digits: number) => number(Number(value.toFixed(digits)) || 0, digits);
    const shown = (value: number | null | undefined) => (typeof value === 'number' ? plain(value, unit.digits) : '–');
    const side = eye === 'left' || eye === 'right' ? words[eye] : '';
    const difference = changeError === null ? shown(change) : `${shown(change)} ± ${shown(changeError)}`;
    return [
      [words.compared[code], side, stimulus].filter(Boolean).join(', ') + (unit.text ? `, ${unit.text}` : ''),
      ...[shown(visits[0]!.value), shown(visits[1]!.value), difference],
      changePercent === null ? '–' : `${plain(changePercent, 1)} %`,
    ];
  };
}

/** Nothing without an earlier test, or with one of another protocol. */
export function compareView(
  words: PanelWords,
  result: PupilTestResult,
  earlier: PupilTestResult | null,
  { language, number, millimetresPerPixel }: { language: string; number: Numbers; millimetresPerPixel: number | null },
): TemplateResult | typeof nothing {
  if (!earlier || earlier.protocol.id !== result.protocol.id) return nothing;
  let trends: VisitTrend[];
  try {
    trends = comparedTests([earlier, result], millimetresPerPixel);
  } catch (error) {
    return html`<p class="notice">${words.notComparable((error as Error).message)}</p>`;
  }
  const known = trends.filter(({ code, change }) => code in words.compared && change !== null);
  const [before, after] = [earlier.started, result.started].sort().map((one) => when(one, language));
  const heads = [words.value, words.before, words.after, words.change, '%'];
  return table(words.beforeAfter(before!, after!), heads, known.map(rowOf(words, number)));
}
