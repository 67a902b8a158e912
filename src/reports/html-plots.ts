/**
 * The diameter over time as SVG. Both eyes have one scale. Blinks, closures, losses and stimuli are marked, and
 * interpolated parts are lighter.
 */
import { escaped } from './check.ts';
import { type EyeReport, isMeasured } from './report.ts';

const WIDTH = 360;
const HEIGHT = 140;
const LEFT = 34;
const RIGHT = 6;
const TOP = 8;
const BOTTOM = 16;
/** Height of the bar for a loss. */
const LOSS = 3;
/** Maximum number of points. More are not visible in print. */
const MOST_POINTS = 1200;

export interface Scale {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
}

/**
 * Round numbers that cover the range from the minimum to the maximum value, about five of them (Heckbert, Graphics
 * Gems, 1990).
 */
export function niceScale(least: number, most: number): Scale {
  const span = most > least ? most - least : Math.max(1, Math.abs(most));
  const raw = span / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.999)!;
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  return { least: ticks[0]!, most: ticks.at(-1)!, ticks };
}

/** Scale for all diameters of these eyes. Null without any diameters. */
export function commonScale(eyes: readonly EyeReport[]): Scale | null {
  let [least, most] = [Infinity, -Infinity];
  for (const { series } of eyes)
    for (let i = 0; i < (series?.diameter.length ?? 0); i++) {
      const value = series!.diameter[i]!;
      if (!Number.isFinite(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  return least <= most ? niceScale(least, most) : null;
}

const place = (value: number) => String(Number(value.toFixed(1)));

/** Returns null without data to draw. `label` is for screen readers. */
export function seriesPlot(eye: EyeReport, scale: Scale, label: string): string | null {
  const { series, events, reflexes } = eye;
  if (!series || series.timestamp.length < 2) return null;
  const count = series.timestamp.length;
  const start = series.timestamp[0]!;
  const duration = (series.timestamp[count - 1]! - start) / 1000 || 1;
  const seconds = niceScale(0, duration).ticks.filter((tick) => tick <= duration);
  const x = (time: number) => LEFT + ((time - start) / 1000 / duration) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + ((scale.most - value) / (scale.most - scale.least)) * (HEIGHT - TOP - BOTTOM);
  const inside = (at: number) => Math.min(WIDTH - RIGHT, Math.max(LEFT, at));
  const path = (drawn: (i: number) => boolean) => {
    const stride = Math.max(1, Math.ceil(count / MOST_POINTS));
    let [text, pen] = ['', 'M'];
    for (let i = 0; i < count; i += stride) {
      if (drawn(i)) {
        text += `${pen}${place(x(series.timestamp[i]!))} ${place(y(series.diameter[i]!))}`;
        pen = 'L';
      } else pen = 'M';
    }
    return text;
  };
  const shut = events.map(({ kind, onset, offset }) => {
    const [from, to] = [inside(x(onset)), inside(x(offset))];
    const top = kind === 'loss' ? HEIGHT - BOTTOM - LOSS : TOP; // a loss is a bar at the bottom
    return `<rect class="${kind}" x="${place(from)}" y="${top}" width="${place(Math.max(0.5, to - from))}" height="${HEIGHT - BOTTOM - top}"/>`;
  });
  const stimuli = reflexes.flatMap(({ onset }) =>
    onset === null ? [] : [`<path class="onset" d="M${place(inside(x(onset)))} ${TOP}V${HEIGHT - BOTTOM}"/>`],
  );
  const across = scale.ticks.map(
    (tick) =>
      `<path class="grid" d="M${LEFT} ${place(y(tick))}H${WIDTH - RIGHT}"/><text x="${LEFT - 4}" y="${place(y(tick) + 3)}" text-anchor="end">${tick}</text>`,
  );
  const along = seconds.map(
    (tick) =>
      `<text x="${place(x(start + 1000 * tick))}" y="${HEIGHT - BOTTOM + 11}" text-anchor="middle">${tick}</text>`,
  );
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">`,
    ...shut,
    ...across,
    ...along,
    ...stimuli,
    `<path class="filled" d="${path((i) => Number.isFinite(series.diameter[i]))}"/>`,
    `<path class="measured" d="${path((i) => isMeasured(series, i))}"/>`,
    '</svg>',
  ].join('');
}
