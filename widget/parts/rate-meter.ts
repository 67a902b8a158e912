/** How many frames a second, and when it is time to write figures again. */
const EVERY = 200;

export class RateMeter {
  #times: number[] = [];
  #written = -Infinity;

  count(): void {
    const now = performance.now();
    this.#times.push(now);
    while (this.#times[0]! < now - 1000) this.#times.shift();
  }

  /** Whether figures are to be written: five times a second, and the first time. */
  due(): boolean {
    const now = performance.now();
    if (now - this.#written < EVERY) return false;
    this.#written = now;
    return true;
  }

  get text(): string {
    return this.#times.length > 1 ? String(this.#times.length) : '–';
  }

  clear(): void {
    this.#times = [];
    this.#written = -Infinity;
  }
}
