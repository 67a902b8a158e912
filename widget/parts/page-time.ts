/**
 * How long the page's own thread works for a frame: taking it, sending it, receiving the result, recording, overlay and
 * chart. Everything done between two frames counts for the first of them. Diagnostics, read by `npm run bench`.
 */
export interface PageTimeSummary {
  frames: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  max: number;
  /** Mean milliseconds a frame of each part. */
  parts: Record<string, number>;
}

const kept = 1024;

export class PageTime {
  readonly #frames = new Float64Array(kept);
  #count = 0;
  #current = -1;
  #parts = new Map<string, number>();

  /** Begins the next frame. */
  frame(): void {
    if (this.#current >= 0) this.#frames[this.#count++ % kept] = this.#current;
    this.#current = 0;
  }

  /** Runs `work` and counts its time for the current frame under `part`. */
  measure<T>(part: string, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      const spent = performance.now() - start;
      if (this.#current >= 0) this.#current += spent;
      this.#parts.set(part, (this.#parts.get(part) ?? 0) + spent);
    }
  }

  reset(): void {
    this.#count = 0;
    this.#current = -1;
    this.#parts.clear();
  }

  summary(): PageTimeSummary {
    const frames = Math.min(this.#count, kept);
    const sorted = this.#frames.slice(0, frames).sort();
    const at = (share: number) => (frames ? sorted[Math.min(frames - 1, Math.floor(share * frames))]! : NaN);
    const parts = Object.fromEntries([...this.#parts].map(([name, sum]) => [name, sum / Math.max(1, this.#count)]));
    return { frames, median: at(0.5), p95: at(0.95), max: at(1), parts };
  }
}
