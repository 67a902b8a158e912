/** The measurement of a chart, and its axes: scales, ticks at round steps, their labels and grid lines. */
import type { NumberFormat } from '../../strings/index.ts';

// A measurement over time in ring buffers: time, values, confidence and position in the recording. Entry numbers
// only grow. Entries from `begin` to `end` are stored. Reading does not allocate.

/** Nine minutes at 120 samples per second. */
const usual = 1 << 16;

/** Nine hours at 60 samples per second. */
const most = 1 << 21;

export class Series {
  readonly lines: number;
  #capacity: number;
  #time: Float64Array;
  #values: Float32Array[];
  #confidence: Float32Array;
  #mediaTime: Float64Array;
  #count = 0;
  /** Becomes larger instead of dropping its first entries, as long as memory allows it. */
  readonly #whole: boolean;

  constructor(lines: number, capacity = usual, whole = false) {
    this.lines = lines;
    this.#capacity = capacity;
    this.#whole = whole;
    this.#time = new Float64Array(capacity);
    this.#values = Array.from({ length: lines }, () => new Float32Array(capacity));
    this.#confidence = new Float32Array(capacity);
    this.#mediaTime = new Float64Array(capacity);
  }

  get begin(): number {
    return Math.max(0, this.#count - this.#capacity);
  }

  get end(): number {
    return this.#count;
  }

  /** Time of the newest entry in seconds. NaN if empty. */
  get newest(): number {
    return this.#count ? this.time(this.#count - 1) : NaN;
  }

  /** `values`, `confidence` (0 to 1) and `mediaTime` (ms) are NaN if unknown. Times never decrease. */
  push(seconds: number, values: ArrayLike<number>, confidence = NaN, mediaTime = NaN): void {
    if (this.#whole && this.#count === this.#capacity && this.#count < most) this.#grow();
    const at = this.#count++ % this.#capacity;
    this.#time[at] = seconds;
    for (let line = 0; line < this.lines; line++) this.#values[line]![at] = values[line] ?? NaN;
    this.#confidence[at] = confidence;
    this.#mediaTime[at] = mediaTime;
  }

  #grow(): void {
    this.#capacity *= 2;
    const larger = <A extends Float32Array | Float64Array>(from: A, to: A): A => {
      to.set(from);
      return to;
    };
    this.#time = larger(this.#time, new Float64Array(this.#capacity));
    this.#mediaTime = larger(this.#mediaTime, new Float64Array(this.#capacity));
    this.#confidence = larger(this.#confidence, new Float32Array(this.#capacity));
    this.#values = this.#values.map((values) => larger(values, new Float32Array(this.#capacity)));
  }

  time(entry: number): number {
    return this.#time[entry % this.#capacity]!;
  }

  value(line: number, entry: number): number {
    return this.#values[line]![entry % this.#capacity]!;
  }

  confidence(entry: number): number {
    return this.#confidence[entry % this.#capacity]!;
  }

  mediaTime(entry: number): number {
    return this.#mediaTime[entry % this.#capacity]!;
  }

  /** First entry at or after `seconds`, or `end` if none exists. Uses bisection. */
  since(seconds: number): number {
    let low = this.begin;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Smallest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, ...) that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const lead = least / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/** Axis from `min` at `start` to `max` at `end`, in device pixels, with ticks at whole multiples of a round step. */
export class Axis {
  start = 0;
  end = 0;
  min = 0;
  max = 1;
  readonly #suffix: string;
  #number: NumberFormat = (value, digits) => value.toFixed(digits);
  #step = 0;
  #decimals = 0;
  // Labels are created when they first appear, not for every drawing.
  #labels = new Map<number, string>();

  constructor(suffix = '') {
    this.#suffix = suffix;
  }

  /** Sets the number format. Labels are created again. */
  set number(number: NumberFormat) {
    if (number === this.#number) return;
    this.#number = number;
    this.#labels.clear();
  }

  /** `space`: minimum distance between ticks. */
  set(min: number, max: number, space: number): void {
    this.min = min;
    this.max = max;
    const step = niceStep(((max - min) * space) / Math.abs(this.end - this.start));
    if (step !== this.#step || this.#labels.size > 100) {
      this.#labels.clear();
      this.#step = step;
      this.#decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    }
  }

  /** Position of `value`. */
  at(value: number): number {
    return this.start + ((value - this.min) / (this.max - this.min)) * (this.end - this.start);
  }

  /** Index of the first tick. Tick k has the value k times the step. */
  get firstTick(): number {
    return Math.ceil(this.min / this.#step - 1e-9) || 0; // -0 would be written with its sign
  }

  get lastTick(): number {
    return Math.floor(this.max / this.#step + 1e-9);
  }

  /** Position of tick k, on a whole pixel. */
  tick(k: number): number {
    return Math.round(this.at(k * this.#step));
  }

  label(k: number): string {
    let label = this.#labels.get(k);
    if (label === undefined) {
      label = this.#number(k * this.#step, this.#decimals) + this.#suffix;
      this.#labels.set(k, label);
    }
    return label;
  }
}

/** Range of the values. It grows as soon as a value leaves it, and shrinks only if much of it is unused. */
export class CalmRange {
  low = 0;
  high = 1;

  reset(): void {
    this.low = 0;
    this.high = 1;
  }

  /** `least` and `greatest` of the visible values. If nothing is visible, they are not in order. */
  fit(least: number, greatest: number): void {
    if (!(least <= greatest)) return;
    const span = Math.max(greatest - least, Math.abs(greatest) * 0.1, 1e-6);
    if (least >= this.low && greatest <= this.high && this.high - this.low < 3.2 * span) return;
    const middle = (least + greatest) / 2;
    this.low = Math.max(least < 0 ? -Infinity : 0, middle - span * 0.8);
    this.high = middle + span * 0.8;
  }
}

export const fontSize = 11;

/** Draws grid and labels of time (below) and value (at the left). `ratio`: device pixels per CSS pixel. */
export function drawAxes(
  context: CanvasRenderingContext2D,
  time: Axis,
  value: Axis,
  unit: string,
  ratio: number,
  colors: { readonly grid: string; readonly muted: string },
): void {
  const hair = Math.max(1, Math.round(ratio));
  const top = value.end;
  const left = time.start;
  context.fillStyle = colors.grid;
  for (let k = time.firstTick; k <= time.lastTick; k++) context.fillRect(time.tick(k), top, hair, value.start - top);
  for (let k = value.firstTick; k <= value.lastTick; k++) context.fillRect(left, value.tick(k), time.end - left, hair);

  context.fillStyle = colors.muted;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const column = left - 8 * ratio;
  for (let k = value.firstTick; k <= value.lastTick; k++) context.fillText(value.label(k), column, value.tick(k));
  const row = value.start + 13 * ratio;
  context.fillText(unit, column, row);
  context.textAlign = 'center';
  // A recording begins at 0. A label is drawn only if it fits completely.
  for (let k = Math.max(0, time.firstTick); k <= time.lastTick; k++) {
    const label = time.label(k);
    const half = label.length * 0.3 * fontSize * ratio;
    const x = time.tick(k);
    if (x - half > left - 4 * ratio && x + half < time.end + 13 * ratio) context.fillText(label, x, row);
  }
}
