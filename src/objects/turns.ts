/** Frames and calls one after the other: at once when nothing is under way, else when what came before is done. */
const none = () => {};

export class Turns {
  #flying: Promise<void>[] = [];
  /** Calls among them that may change targets. */
  #calls = 0;

  /** Nothing but frames is under way. */
  get steady(): boolean {
    return this.#calls === 0;
  }

  /** Resolves when fewer than `most` are under way. */
  async ready(most: number): Promise<void> {
    while (this.#flying.length >= most) await this.#flying[0];
  }

  /** Runs `body` after all that came before, whatever became of it. */
  next<T>(body: () => Promise<T>): Promise<T> {
    const before = this.#flying.at(-1);
    const turn = before === undefined ? body() : before.then(body);
    const landed: Promise<void> = turn.then(none, none).then(() => {
      this.#flying = this.#flying.filter((one) => one !== landed);
    });
    this.#flying.push(landed);
    return turn;
  }

  /** The same for what is done at once; nothing begins ahead of it. */
  alone<T>(body: () => T): T | Promise<T> {
    if (!this.#flying.length) return body();
    this.#calls++;
    return this.next(async () => {
      this.#calls--;
      return body();
    });
  }
}
