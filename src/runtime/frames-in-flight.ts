/**
 * Frames in flight: they enter one after the other, compute side by side and land in the order in which they entered.
 */
const none = () => {};

/** The end of a frame, run when all frames before it have landed. */
export type FrameEnd<T> = () => Promise<T> | T;

export class FramesInFlight {
  #count = 0;
  #entered: Promise<unknown> = Promise.resolve();
  #landed: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];

  get busy(): boolean {
    return this.#count > 0;
  }

  /** `enter` starts a frame; it may wait for the frames before it, if it has to. */
  add<T>(enter: (before: Promise<unknown>) => Promise<FrameEnd<T>>): Promise<T> {
    this.#count++;
    const before = this.#landed;
    const entered = this.#entered.then(() => enter(before));
    this.#entered = entered.catch(none);
    const landed = (async () => {
      try {
        const land = await entered;
        await before;
        return await land();
      } finally {
        this.#count--;
        for (const wake of this.#waiting.splice(0)) wake();
      }
    })();
    this.#landed = landed.catch(none);
    return landed;
  }

  /** A frame that is under way already: the next one enters when it has landed. */
  hold<T>(answer: Promise<T>): Promise<T> {
    return this.add(async () => {
      const result = await answer;
      return () => result;
    });
  }

  /** Resolves when every frame has entered and less than `depth` are in flight. */
  async ready(depth: number): Promise<void> {
    await this.#entered;
    while (this.#count >= depth) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when every frame has landed. */
  landed(): Promise<unknown> {
    return this.#landed;
  }
}
