/** Frames a second over the last second, and frames that were left out. */
export class Rate {
  #arrivals: number[] = [];
  dropped = 0;

  clear(): void {
    this.#arrivals = [];
    this.dropped = 0;
  }

  add(dropped: number): void {
    const now = performance.now();
    this.#arrivals.push(now);
    while (this.#arrivals[0]! < now - 1000) this.#arrivals.shift();
    this.dropped += dropped;
  }

  /** Null until there are two. */
  get perSecond(): number | null {
    return this.#arrivals.length > 1 ? this.#arrivals.length : null;
  }
}
