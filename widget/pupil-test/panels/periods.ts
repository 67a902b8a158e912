/** Responses after lights and to near targets, and measures of one long period: unrest, dark adaptation. */
import { html, type TemplateResult } from 'lit';
import type { PupilTestResult } from '../test-record.ts';
import { colorName, pupilName } from './names.ts';
import { type Cell, type Numbers, Reasons, table } from './tables.ts';
import type { PanelWords } from './words.ts';

const afterLight = ['sixSecond', 'plateau', 'earlyArea', 'lateArea'] as const;

/** The response after each light, and blue minus red. */
export function afterLightView(words: PanelWords, result: PupilTestResult, number: Numbers): TemplateResult {
  const { measures, steps } = result;
  const { postIllumination: all = [], netPostIllumination: net = [] } = measures;
  if (!all.length) return html``;
  const reasons = new Reasons();
  const row = (name: string, values: Readonly<Record<(typeof afterLight)[number], number>>): Cell[] => [
    name,
    ...afterLight.map((key) =>
      Number.isFinite(values[key]) ? number(values[key], 1) : reasons.missing(words.noAfterLight),
    ),
  ];
  const lightOf = (onset: number) => {
    const step = steps.find((one) => one.onset === onset);
    return words.colors[colorName(step?.stimulus?.color)];
  };
  const rows = [
    ...all.map((one) => row(`${lightOf(one.onset)}, ${pupilName(words, measures, one.pupil, one.eye)}`, one)),
    ...net.map((one) => row(`${words.afterLightNet}, ${pupilName(words, measures, one.pupil, one.eye)}`, one)),
  ];
  const heads = [words.light, ...afterLight.map((key) => words[key])];
  return html`${table(words.afterLight, heads, rows)}${reasons.render(words)}`;
}

export function nearView(words: PanelWords, { measures, unit }: PupilTestResult, number: Numbers): TemplateResult {
  const { near = [], series } = measures;
  if (!near.length) return html``;
  const reasons = new Reasons();
  const digits = unit === 'mm' ? 2 : 1;
  const rows = near.map(({ pupil, eye, far, near: close, constriction, constrictionPercent }, i): Cell[] => [
    `${words.target} ${Math.floor(i / series.length) + 1}, ${pupilName(words, measures, pupil, eye)}`,
    ...[far, close, constriction, constrictionPercent].map((value, k) =>
      Number.isFinite(value) ? number(value, k === 3 ? 1 : digits) : reasons.missing(words.noNear),
    ),
  ]);
  const heads = [words.target, `${words.far}, ${unit}`, `${words.near}, ${unit}`, `${words.constriction}, ${unit}`];
  return html`${table(words.nearResponse, [...heads, `${words.constriction}, %`], rows)}${reasons.render(words)}`;
}

/** Unrest and dark adaptation, one sentence per eye. */
export function periodTexts(
  words: PanelWords,
  { measures, unit }: Pick<PupilTestResult, 'measures' | 'unit'>,
  number: Numbers,
): string[] {
  const digits = unit === 'mm' ? 2 : 1;
  const shown = (value: number, places: number, of: string) =>
    `${Number.isFinite(value) ? number(value, places) : '–'} ${of}`;
  const name = (pupil: number) => pupilName(words, measures, pupil, measures.series[pupil]?.eye ?? 'unknown');
  const { unrest = [], darkAdaptation = [] } = measures;
  return [
    ...unrest.flatMap((one, i) =>
      one
        ? [words.unrest(name(i), shown(one.index, 1, `${unit}/min`), number(one.lowest, 3), number(one.highest, 2))]
        : [],
    ),
    ...darkAdaptation.flatMap((one, i) =>
      one
        ? [
            words.dark(
              name(i),
              shown(one.light, digits, unit),
              shown(one.dark, digits, unit),
              shown(one.t50 / 1000, 1, '').trim(),
            ),
          ]
        : [],
    ),
  ];
}
