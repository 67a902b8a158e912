/** How many frames are under way: what is left out of, or waited for, where there are enough of them. */
export class UnderWay {
  readonly #most: number;
  readonly #frames = new Set<Promise<unknown>>();

  constructor(most: number) {
    this.#most = most;
  }

  get full(): boolean {
    return this.#frames.size >= this.#most;
  }

  add(frame: Promise<unknown>): void {
    const end = () => void this.#frames.delete(done);
    const done: Promise<void> = frame.then(end, end);
    this.#frames.add(done);
  }

  /** Resolves when there is room for one more. */
  async room(): Promise<void> {
    while (this.full) await Promise.race(this.#frames);
  }

  /** Resolves when none is under way. */
  async none(): Promise<void> {
    await Promise.all(this.#frames);
  }
}
