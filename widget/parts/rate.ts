/** Frames per second over the last second, number of dropped frames, and timing of the next figure update. */
const every = 200;

export class Rate {
  #arrivals: number[] = [];
  #writtenAt = -Infinity;
  dropped = 0;

  clear(): void {
    this.#arrivals = [];
    this.dropped = 0;
    this.#writtenAt = -Infinity;
  }

  add(dropped = 0): void {
    const now = performance.now();
    this.#arrivals.push(now);
    while (this.#arrivals[0]! < now - 1000) this.#arrivals.shift();
    this.dropped += dropped;
  }

  /** Milliseconds until the next update: five per second, the first one at once. */
  get wait(): number {
    return Math.max(0, this.#writtenAt + every - performance.now());
  }

  /** The figures are being updated now. */
  written(): void {
    this.#writtenAt = performance.now();
  }

  /** Makes the next update immediate. */
  hurry(): void {
    this.#writtenAt = -Infinity;
  }

  /** A dash until two frames have arrived. */
  get text(): string {
    return this.#arrivals.length > 1 ? String(this.#arrivals.length) : '–';
  }
}

/** Writes a figure into its place below the image, without a render. */
export function writeFigure(box: Element | null, name: string, text: string): void {
  const place = box?.querySelector(`[data-value=${name}]`);
  if (place && place.textContent !== text) place.textContent = text;
}

/** Nothing is known: writes a dash in every place. */
export function emptyFigures(box: Element | null): void {
  for (const place of box?.querySelectorAll('[data-value]') ?? []) place.textContent = '–';
}
