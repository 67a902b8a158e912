/** Names of flashes and colors, and the reasons why a measure is missing. */
import { type FlashReflex, type Laterality, planOf, type Protocol, type TestMeasures } from '../../../src/index.ts';
import type { PupilTestResult, TestStep } from '../test-record.ts';
import type { PanelWords } from './words.ts';

export type ColorName = 'white' | 'red' | 'orange' | 'yellow' | 'green' | 'cyan' | 'blue' | 'violet' | 'pink';

/** Upper end of the hues of each name, in degrees. */
const hues: readonly (readonly [number, ColorName])[] = [
  [20, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [260, 'blue'],
  [290, 'violet'],
  [340, 'pink'],
  [360, 'red'],
];

/** `color`: `#rrggbb`. Colors of low saturation are white. */
export function colorName(color: string | undefined): ColorName {
  const [r = 1, g = 1, b = 1] = [1, 3, 5].map((at) => parseInt(color?.slice(at, at + 2) || 'ff', 16) / 255);
  const most = Math.max(r, g, b);
  const range = most - Math.min(r, g, b);
  if (range <= most / 4) return 'white';
  const sector = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return hues.find(([end]) => sector * 60 <= end)![1];
}

/** A flash that the person saw. */
export interface Flash {
  readonly step: TestStep;
  /** Position among the flashes of the test, starting at 1. */
  readonly number: number;
  readonly color: ColorName;
  /** Next flash, or Infinity. */
  readonly until: number;
}

export function flashesOf({ steps, protocol }: Pick<PupilTestResult, 'steps' | 'protocol'>): Flash[] {
  const colors = new Map(
    planOf(protocol).map(({ step, path }) => [path, step.type === 'flash' ? step.color : undefined]),
  );
  const seen = steps.filter(({ type, offset }) => type === 'flash' && offset !== null);
  return seen.map((step, i) => ({
    ...{ step, number: i + 1, color: colorName(colors.get(step.path)) },
    until: seen[i + 1]?.onset ?? Infinity,
  }));
}

/** The lit eye, or the measured one if the flash lit both. */
export const eyeOfFlash = ({ step }: Flash, measured: Laterality): Laterality =>
  step.eye === 'left' || step.eye === 'right' ? step.eye : measured;

/** Name of the measured eye. */
export const pupilName = (words: PanelWords, measures: TestMeasures, pupil: number, eye: Laterality): string =>
  eye !== 'unknown' ? words[eye] : measures.series.length === 1 ? words.eye : words.halves[pupil]!;

/** As in `Flash 3, left eye, blue`. */
export function flashName(words: PanelWords, flash: Flash, measured: Laterality, protocol: Protocol): string {
  const eye = eyeOfFlash(flash, protocol.eyes === 2 ? 'unknown' : measured);
  const { label } = flash.step;
  const own = label && !/^(flash|left|right|white|red|orange|yellow|green|cyan|blue|violet|pink)$/i.test(label);
  return [
    `${words.steps.flash} ${flash.number}`,
    ...(eye === 'unknown' ? [] : [words[eye]]),
    words.colors[flash.color],
    ...(own ? [label] : []),
  ].join(', ');
}

export type Measure = keyof Pick<
  FlashReflex,
  'latency' | 'latencyLow' | 'baseline' | 'amplitude' | 'amplitudePercent' | 'peakConstrictionVelocity' | 't75'
>;

const amplitudes: readonly Measure[] = ['amplitude', 'amplitudePercent'];
const timed: readonly Measure[] = ['latency', 'latencyLow', 'peakConstrictionVelocity'];

/** Warnings of `lightReflex` that explain missing measures, the most general first. */
const causes: readonly (readonly [RegExp, keyof PanelWords['reasons'], readonly Measure[]])[] = [
  [/so the baseline is missing/, 'baseline', ['baseline', ...amplitudes, ...timed, 't75']],
  [/around the minimum/, 'minimum', [...amplitudes, ...timed, 't75']],
  [/does not exceed the fluctuation/, 'unclear', [...timed, 't75']],
  [/while the pupil constricts/, 'gap', timed],
  [/Too few samples for a latency/, 'few', ['latency', 'latencyLow']],
  [/recovery occurs after/, 'recovery', ['t75']],
];

/** Why this measure is NaN. */
export function reasonOf(words: PanelWords, { warnings }: Pick<FlashReflex, 'warnings'>, measure: Measure): string {
  const cause = causes.find(([text, , of]) => of.includes(measure) && warnings.some((one) => text.test(one)));
  return cause ? words.reasons[cause[1]] : (warnings[0] ?? words.reasons.unknown);
}

/** Why a flash has no measures at all: the warning of `evaluateTest` about it. */
export function reasonWithout(words: PanelWords, { warnings }: TestMeasures, { step }: Flash): string {
  const start = `${step.label ?? 'flash'} at ${Math.round(step.onset)} ms, `;
  const said = warnings.find((text) => text.startsWith(start));
  return said ? said.slice(said.indexOf(': ') + 2) : words.reasons.unmeasured;
}
