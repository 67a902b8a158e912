/** The measures of a test: curves of the flashes, tables, and the reason for each missing value. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FlashReflex } from '../../../src/index.ts';
import type { PupilTestResult } from '../test-record.ts';
import { curvesView } from './curves.ts';
import { afterLightView, nearView, periodTexts } from './periods.ts';
import { type Flash, flashesOf, flashName, type Measure, pupilName, reasonOf, reasonWithout } from './names.ts';
import { type Cell, type Numbers, Reasons, table } from './tables.ts';
import type { PanelWords } from './words.ts';

/** The columns of the table of reflexes. */
function columnsOf(words: PanelWords, unit: string): readonly [Measure, string, number][] {
  const digits = unit === 'mm' ? 2 : 1;
  return [
    ['latency', words.latency, 0],
    ['latencyLow', words.latencyInterval, 0],
    ['baseline', `${words.baseline}, ${unit}`, digits],
    ['amplitude', `${words.amplitude}, ${unit}`, digits],
    ['amplitudePercent', `${words.amplitude}, %`, 1],
    ['peakConstrictionVelocity', `${words.velocity}, ${unit}/s`, digits],
    ['t75', words.recovery, 0],
  ];
}

function reflexesView(words: PanelWords, result: PupilTestResult, number: Numbers): TemplateResult {
  const { measures, unit, protocol } = result;
  const reasons = new Reasons();
  const columns = columnsOf(words, unit);
  const both = measures.series.length > 1;
  const cell = (reflex: FlashReflex, [measure, , digits]: (typeof columns)[number]) => {
    const value = reflex[measure];
    if (!Number.isFinite(value)) return reasons.missing(reasonOf(words, reflex, measure));
    const text = number(value, digits);
    return measure === 'latencyLow' ? words.range(text, number(reflex.latencyHigh, digits)) : text;
  };
  const row = (flash: Flash, pupil: number): Cell[] => {
    const reflex = measures.reflexes!.find((one) => one.pupil === pupil && one.onset === flash.step.onset);
    const eye = reflex?.eye ?? measures.series[pupil]?.eye ?? 'unknown';
    const names = [flashName(words, flash, eye, protocol), ...(both ? [pupilName(words, measures, pupil, eye)] : [])];
    if (reflex) return [...names, ...columns.map((column) => cell(reflex, column))];
    return [...names, ...columns.map(() => reasons.missing(reasonWithout(words, measures, flash)))];
  };
  const rows = flashesOf(result).flatMap((flash) => measures.series.map((_, pupil) => row(flash, pupil)));
  if (!rows.length) return html``;
  const heads = [words.steps.flash, ...(both ? [words.measured] : []), ...columns.map(([, head]) => head)];
  return html`${curvesView(words, result, number)}${table(words.reflexes, heads, rows)}${reasons.render(words)}`;
}

function tasksView(words: PanelWords, { measures, unit }: PupilTestResult, number: Numbers): TemplateResult {
  const reasons = new Reasons();
  const rows = measures.tasks!.map(({ label, pupil, eye, dilation }, i): Cell[] => [
    `${words.task} ${Math.floor(i / measures.series.length) + 1}${label && label !== 'task' ? `, ${label}` : ''}, ${pupilName(words, measures, pupil, eye)}`,
    Number.isFinite(dilation) ? number(dilation, unit === 'mm' ? 3 : 2) : reasons.missing(words.noDilation),
  ]);
  return html`${table(words.tasks, [words.task, `${words.dilation}, ${unit}`], rows)}${reasons.render(words)}`;
}

function figures(words: PanelWords, { measures, unit }: PupilTestResult, number: Numbers): TemplateResult[] {
  const { afferentDefect: defect, anisocoria, hippus = [] } = measures;
  const digits = unit === 'mm' ? 2 : 1;
  const shown = (value: number, places: number) => (Number.isFinite(value) ? number(value, places) : '–');
  const named = (eye: 'left' | 'right' | 'none') => (eye === 'none' ? null : words[eye]);
  return [
    ...(defect ? [words.afferent(shown(defect.score, 2), shown(defect.standardError, 2), named(defect.eye))] : []),
    ...(anisocoria
      ? [words.anisocoria(`${shown(Math.abs(anisocoria.difference), digits)} ${unit}`, named(anisocoria.larger))]
      : []),
    ...hippus.flatMap((one, i) =>
      one
        ? [
            words.hippus(
              pupilName(words, measures, i, one.eye ?? 'unknown'),
              `${shown(one.rms, digits + 1)} ${unit}`,
              shown(one.peakFrequency, 2),
            ),
          ]
        : [],
    ),
    ...periodTexts(words, { measures, unit }, number),
  ].map((text) => html`<p>${text}</p>`);
}

/** Notes and markers. */
function more(words: PanelWords, { measures, markers, eyes }: PupilTestResult, number: Numbers) {
  const { warnings } = measures;
  const first = eyes[0]![0]?.timestamp ?? 0;
  const rows = markers.map(({ label, timestamp }) => [label, number((timestamp - first) / 1000, 3)]);
  const names = [
    ...(warnings.length ? [words.notes(warnings.length)] : []),
    ...(rows.length ? [words.markers(rows.length)] : []),
  ];
  if (!names.length) return nothing;
  return html`<details>
    <summary>${names.join(', ')}</summary>
    ${
      warnings.length
        ? html`<ul class="faults">
            ${warnings.map((text) => html`<li>${text}</li>`)}
          </ul>`
        : nothing
    }
    ${rows.length ? table(words.markers(rows.length), [words.marker, words.markerTime], rows) : nothing}
  </details>`;
}

/** Everything that the protocol asks for. */
export function measuresView(words: PanelWords, result: PupilTestResult, number: Numbers): TemplateResult {
  const { measures } = result;
  return html`${measures.reflexes ? reflexesView(words, result, number) : nothing}
  ${afterLightView(words, result, number)}${nearView(words, result, number)}
  ${figures(words, result, number)}${measures.tasks?.length ? tasksView(words, result, number) : nothing}
  ${more(words, result, number)}`;
}
