/**
 * Who sends the engine a frame: all elements that share it take turns, the one that has waited longest first, so that the
 * wait within the engine is that of a frame or two, however many elements there are.
 */

/** One is computed, the next one is read meanwhile. */
const mostUnderWay = 2;

export class Turns {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  get free(): boolean {
    return this.#underWay < mostUnderWay && !this.#waiting.size;
  }

  /** `send` is called when it is its turn; once, however often it was asked for. */
  wait(send: () => void): void {
    this.#waiting.add(send);
  }

  leave(send: () => void): void {
    this.#waiting.delete(send);
  }

  /** A frame was sent. */
  add(frame: Promise<unknown>): void {
    this.#underWay++;
    void frame.finally(() => {
      this.#underWay--;
      for (const send of this.#waiting) {
        if (this.#underWay >= mostUnderWay) return;
        this.#waiting.delete(send);
        send();
      }
    });
  }
}

const known = new WeakMap<object, Turns>();

/** Those of an engine. */
export function turnsOf(engine: object): Turns {
  let turns = known.get(engine);
  if (!turns) known.set(engine, (turns = new Turns()));
  return turns;
}
