/**
 * A measurement over time in ring buffers: time, values, confidence and position in the recording. Entry numbers only
 * grow. Entries from `begin` to `end` are stored. Reading does not allocate.
 */

/** Nine minutes at 120 samples per second. */
const usual = 1 << 16;

export class Series {
  readonly lines: number;
  readonly #capacity: number;
  readonly #time: Float64Array;
  readonly #values: Float32Array[];
  readonly #confidence: Float32Array;
  readonly #mediaTime: Float64Array;
  #count = 0;

  constructor(lines: number, capacity = usual) {
    this.lines = lines;
    this.#capacity = capacity;
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
    const at = this.#count++ % this.#capacity;
    this.#time[at] = seconds;
    for (let line = 0; line < this.lines; line++) this.#values[line]![at] = values[line] ?? NaN;
    this.#confidence[at] = confidence;
    this.#mediaTime[at] = mediaTime;
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
