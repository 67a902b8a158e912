/**
 * Who sends the engine a frame: all elements that share it take turns, the one that has waited longest first, so that the
 * wait within the engine is that of a frame or two, however many elements there are.
 */

export class Turns {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  get free(): boolean {
    return this.#room && !this.#waiting.size;
  }

  /** Several wait: who takes long makes all of them late. */
  get crowded(): boolean {
    return this.#waiting.size > 1;
  }

  /** Of one element the next frame is read while one is computed; where several wait, this would make each wait longer. */
  get #room(): boolean {
    return this.#underWay < (this.crowded ? 1 : 2);
  }

  /** `send` is called when it is its turn; once, however often it was asked for. It may find that nothing waits any more. */
  wait(send: () => void): void {
    this.#waiting.add(send);
  }

  /** A frame was sent. */
  add(frame: Promise<unknown>): void {
    this.#underWay++;
    void frame.finally(() => {
      this.#underWay--;
      for (const send of this.#waiting) {
        if (!this.#room) return;
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
