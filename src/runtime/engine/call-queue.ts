/**
 * The calls of one tracker, in the order in which the page made them: the page numbers them, so that a source that takes
 * long to read holds its place while later ones arrive. It is the only queue on a frame's way.
 */
const none = () => {};

export class CallQueue {
  /** The number of the next call to begin. */
  #next: number;
  readonly #arrived = new Map<number, () => void>();
  /** The end of the queue: every call starts when the one before it is done, whatever became of it. */
  #tail: Promise<unknown>;
  #closed = false;

  /** @param ready nothing begins before it; `first`: the number of the first call */
  constructor(ready: Promise<unknown>, first = 0) {
    this.#next = first;
    this.#tail = ready.catch(none);
  }

  /** Runs `body` when its turn has come. */
  run<T>(turn: number, body: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        const work = this.#tail.then(body);
        work.then(resolve, reject);
        this.#tail = work.catch(none);
      };
      if (this.#closed) begin();
      else this.#arrive(turn, begin);
    });
  }

  /** The call with this number does not come; nothing happens where it has come. */
  skip(turn: number): void {
    if (turn >= this.#next && !this.#arrived.has(turn)) this.#arrive(turn, none);
  }

  /** Calls that are still missing are not waited for. */
  close(): void {
    this.#closed = true;
    for (const begin of this.#arrived.values()) begin();
    this.#arrived.clear();
  }

  #arrive(turn: number, begin: () => void): void {
    this.#arrived.set(turn, begin);
    for (let call = this.#arrived.get(this.#next); call; call = this.#arrived.get(this.#next)) {
      this.#arrived.delete(this.#next++);
      call();
    }
  }
}
