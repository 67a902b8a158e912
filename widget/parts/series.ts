/**
 * The last seconds of a measurement, kept in rings: time, one value an eye, blink. `window` copies what the chart shows,
 * at most one point a pixel or so, as the arrays that uPlot reads (null is a gap).
 */
export interface Band {
  from: number;
  to: number;
}

export class Series {
  readonly lines: number;
  readonly #capacity: number;
  readonly #time: Float64Array;
  readonly #values: Float64Array[];
  readonly #blink: Uint8Array;
  #count = 0;

  constructor(lines: number, capacity = 4096) {
    this.lines = lines;
    this.#capacity = capacity;
    this.#time = new Float64Array(capacity);
    this.#values = Array.from({ length: lines }, () => new Float64Array(capacity));
    this.#blink = new Uint8Array(capacity);
  }

  get length(): number {
    return Math.min(this.#count, this.#capacity);
  }

  /** Seconds of the newest entry; NaN when empty. */
  get newest(): number {
    return this.#count ? this.#time[(this.#count - 1) % this.#capacity]! : NaN;
  }

  /** `values`: NaN where there is none. Times never go back. */
  push(seconds: number, values: ArrayLike<number>, blink: boolean): void {
    const at = this.#count++ % this.#capacity;
    this.#time[at] = seconds;
    this.#values.forEach((line, i) => (line[at] = values[i] ?? NaN));
    this.#blink[at] = blink ? 1 : 0;
  }

  clear(): void {
    this.#count = 0;
  }

  /** The entries from `from` seconds on: [times, ...lines], thinned to about `points`; gaps stay gaps. */
  window(from: number, points: number): [number[], ...(number | null)[][]] {
    const oldest = this.#count - this.length;
    let first = this.#count;
    while (first > oldest && this.#time[(first - 1) % this.#capacity]! >= from) first--;
    const stride = Math.max(1, Math.ceil((this.#count - first) / points));
    const times: number[] = [];
    const lines = this.#values.map(() => [] as (number | null)[]);
    // On a grid of the count, not of the window: else points would jump as the window moves.
    for (let i = Math.ceil(first / stride) * stride; i < this.#count; i += stride) {
      const at = i % this.#capacity;
      times.push(this.#time[at]!);
      for (let k = 0; k < lines.length; k++) {
        const value = this.#values[k]![at]!;
        lines[k]!.push(Number.isNaN(value) ? null : value);
      }
    }
    return [times, ...lines];
  }

  /** Stretches of blink from `from` seconds on. */
  bands(from: number): Band[] {
    const bands: Band[] = [];
    const oldest = this.#count - this.length;
    let open: Band | null = null;
    for (let i = this.#count - 1; i >= oldest; i--) {
      const at = i % this.#capacity;
      const time = this.#time[at]!;
      if (time < from) break;
      if (this.#blink[at]) {
        if (open) open.from = time;
        else
          bands.push((open = { from: time, to: i + 1 < this.#count ? this.#time[(i + 1) % this.#capacity]! : time }));
      } else open = null;
    }
    return bands;
  }
}
