/** The curve of each flash, with the mean of equal flashes. Latency and 75 % recovery are marked. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { epochs, type Epochs, type FlashReflex } from '../../../src/index.ts';
import { meanOf, ticksOf } from '../../tools/curves.ts';
import type { PupilTestResult } from '../test-record.ts';
import { type Flash, flashesOf, flashName, pupilName } from './names.ts';
import type { PanelWords } from './words.ts';

/** Milliseconds before and after a flash that are drawn at most. */
const before = 500;
const after = 8000;

/** Flashes with the same light, measured in one eye. */
export interface Curves {
  readonly pupil: number;
  readonly eye: FlashReflex['eye'];
  readonly flashes: readonly Flash[];
  readonly cut: Epochs;
  readonly reflexes: readonly (FlashReflex | undefined)[];
}

export function curvesOf(result: PupilTestResult): Curves[] {
  const { series, reflexes = [] } = result.measures;
  const groups = new Map<string, Flash[]>();
  for (const flash of flashesOf(result)) {
    const key = `${flash.step.eye} ${flash.color} ${Math.round((flash.step.offset! - flash.step.onset) / 100)}`;
    groups.set(key, [...(groups.get(key) ?? []), flash]);
  }
  return [...groups.values()].flatMap((flashes) =>
    series.flatMap((one, pupil) => {
      if (!one || one.timestamp.length < 2) return [];
      const longest = Math.min(after, ...flashes.map(({ step, until }) => until - step.onset));
      const onsets = flashes.map(({ step }) => step.onset);
      const cut = epochs(one, onsets, { before, after: Math.max(1, longest), baseline: 'none' });
      const own = onsets.map((onset) => reflexes.find((reflex) => reflex.pupil === pupil && reflex.onset === onset));
      const eye = own.find(Boolean)?.eye ?? one.eye ?? 'unknown';
      return [{ pupil, eye, flashes, cut, reflexes: own }];
    }),
  );
}

const size = { width: 420, height: 210, left: 44, right: 8, top: 10, bottom: 34 };

/** All charts have one scale. Null if nothing was measured. */
function rangeOf(curves: readonly Curves[]): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (const { cut } of curves)
    for (const { diameter } of cut.epochs)
      for (const value of diameter)
        if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return null;
  const margin = (high - low) * 0.05 || 1;
  return [Math.max(0, low - margin), high + margin];
}

interface Places {
  x(time: number): number;
  y(value: number): number;
}

const place = (value: number) => String(Number(value.toFixed(1)));

function pathOf({ x, y }: Places, time: ArrayLike<number>, values: ArrayLike<number>): string {
  let [text, pen] = ['', 'M'];
  for (let i = 0; i < time.length; i++) {
    if (Number.isFinite(values[i])) {
      text += `${pen}${place(x(time[i]!))} ${place(y(values[i]!))}`;
      pen = 'L';
    } else pen = 'M';
  }
  return text;
}

/** The value of a curve at a time, by the nearest sample. */
function valueAt({ time }: Epochs, values: ArrayLike<number>, at: number): number {
  const step = time[1]! - time[0]!;
  return values[Math.round((at - time[0]!) / step)] ?? NaN;
}

/** A disc at the latency and a diamond at 75 % recovery, on the curve of the flash. */
function marksOf({ x, y }: Places, cut: Epochs, values: ArrayLike<number>, reflex: FlashReflex | undefined) {
  if (!reflex) return nothing;
  const recovered = reflex.timeToMinimum + reflex.t75;
  const [begins, ends] = [reflex.latency, recovered].map((at) => [at, valueAt(cut, values, at)] as const);
  const known = ([, value]: readonly [number, number]) => Number.isFinite(value);
  return svg`${known(begins!) ? svg`<circle class="latency" cx=${place(x(begins![0]))} cy=${place(y(begins![1]))} r="3.5"></circle>` : nothing}${
    known(ends!)
      ? svg`<path class="recovery" d=${`M${place(x(ends![0]))} ${place(y(ends![1]) - 5)}l5 5l-5 5l-5 -5z`}></path>`
      : nothing
  }`;
}

function axes({ x, y }: Places, [low, high]: [number, number], last: number, digits: (value: number) => string) {
  const { left, width, right, height, bottom } = size;
  return svg`${ticksOf(low, high, 4).map(
    (tick) => svg`<path class="grid" d=${`M${left} ${place(y(tick))}H${width - right}`}></path>
      <text x=${left - 5} y=${place(y(tick) + 3.5)} text-anchor="end">${digits(tick)}</text>`,
  )}${ticksOf(-before / 1000, last / 1000, 6).map(
    (tick) =>
      svg`<text x=${place(x(tick * 1000))} y=${height - bottom + 14} text-anchor="middle">${digits(tick)}</text>`,
  )}`;
}

type Numbers = (value: number, digits: number) => string;

/** A number with the decimals that it needs. */
const plain = (number: Numbers) => (value: number) =>
  number(value, Math.min(3, (String(value).split('.')[1] ?? '').length));

function chart(words: PanelWords, of: Curves, range: [number, number], name: string, unit: string, number: Numbers) {
  const { cut, flashes, reflexes } = of;
  const { width, height, left, right, top, bottom } = size;
  const last = cut.time.at(-1)!;
  const places: Places = {
    x: (time) => left + ((time + before) / (last + before)) * (width - left - right),
    y: (value) => top + ((range[1] - value) / (range[1] - range[0])) * (height - top - bottom),
  };
  const { x } = places;
  const light = Math.min(last, flashes[0]!.step.offset! - flashes[0]!.step.onset);
  const several = flashes.length > 1;
  return html`<figure>
    <figcaption>${name}</figcaption>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${words.curveOf(name, unit)}>
      ${svg`<rect class="light" x=${place(x(0))} y=${top} width=${place(x(light) - x(0))} height=${height - top - bottom}></rect>
      ${axes(places, range, last, plain(number))}
      ${cut.epochs.map(({ diameter }) => svg`<path class=${several ? 'one' : 'mean'} d=${pathOf(places, cut.time, diameter)}></path>`)}
      ${several ? svg`<path class="mean" d=${pathOf(places, cut.time, meanOf(cut))}></path>` : nothing}
      ${cut.epochs.map(({ diameter }, i) => marksOf(places, cut, diameter, reflexes[i]))}
      <text x=${(left + width - right) / 2} y=${height - 4} text-anchor="middle">${words.time}</text>`}
    </svg>
  </figure>`;
}

function legend({ legend: l }: PanelWords, several: boolean): TemplateResult {
  const sign = (name: string, drawing: unknown, text: string) =>
    html`<li><svg viewBox="0 0 20 12" aria-hidden="true" class=${name}>${drawing}</svg>${text}</li>`;
  return html`<ul class="legend">
    ${several ? sign('', svg`<path class="one" d="M0 6H20"></path>`, l.one) : nothing}
    ${sign('', svg`<path class="mean" d="M0 6H20"></path>`, several ? l.mean : l.one)}
    ${sign('', svg`<rect class="light" width="20" height="12"></rect>`, l.light)}
    ${sign('', svg`<circle class="latency" cx="10" cy="6" r="3.5"></circle>`, l.latency)}
    ${sign('', svg`<path class="recovery" d="M10 1l5 5l-5 5l-5 -5z"></path>`, l.recovery)}
  </ul>`;
}

/** The charts of all flashes. Nothing if none was measured. */
export function curvesView(
  words: PanelWords,
  result: PupilTestResult,
  number: Numbers,
): TemplateResult | typeof nothing {
  const curves = curvesOf(result);
  const range = rangeOf(curves);
  if (!range) return nothing;
  const { measures, unit, protocol } = result;
  const name = ({ pupil, eye, flashes }: Curves) => {
    const [first] = flashes as [Flash];
    const lit = flashName(words, first, 'unknown', protocol).split(', ').slice(1).join(', ');
    const stimulus =
      flashes.length > 1 ? words.flashes(flashes.length, lit) : flashName(words, first, 'unknown', protocol);
    const eyeKnown = eye !== 'unknown' || measures.series.length > 1;
    const text = eyeKnown ? `${pupilName(words, measures, pupil, eye)}, ${stimulus}` : stimulus;
    return text[0]!.toUpperCase() + text.slice(1);
  };
  return html`<div class="curves">
      ${curves.map((one) => chart(words, one, range, `${name(one)}, ${unit}`, unit, number))}
    </div>
    ${legend(
      words,
      curves.some(({ flashes }) => flashes.length > 1),
    )}`;
}
