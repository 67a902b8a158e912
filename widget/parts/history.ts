/** What a user did and may take back: settings, a region, a calibration, a marker. */
export interface Deed {
  undo(): void;
  redo(): void;
  /** Deeds of the same key that follow each other closely are one: a slider that is drawn, an arrow key that is held. */
  key?: string;
  /** Done to the source that is open: it cannot be taken back when another one is. */
  ofSource?: boolean;
}

const most = 100;
const together = 800;

export class History {
  #done: Deed[] = [];
  #undone: Deed[] = [];
  #lastAt = -Infinity;

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Remembers what has been done. */
  add(deed: Deed): void {
    const now = performance.now();
    const last = this.#done.at(-1);
    const joins = last && deed.key !== undefined && last.key === deed.key && now - this.#lastAt < together;
    if (joins) this.#done[this.#done.length - 1] = { ...deed, undo: last.undo };
    else this.#done.push(deed);
    if (this.#done.length > most) this.#done.shift();
    this.#undone = [];
    this.#lastAt = now;
  }

  /** Returns whether there was something to take back. */
  undo(): boolean {
    return this.#move(this.#done, this.#undone, 'undo');
  }

  redo(): boolean {
    return this.#move(this.#undone, this.#done, 'redo');
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
  }

  /** The source is gone, and what was done to it. */
  dropSource(): void {
    const stays = ({ ofSource }: Deed) => !ofSource;
    this.#done = this.#done.filter(stays);
    this.#undone = this.#undone.filter(stays);
  }

  #move(from: Deed[], to: Deed[], what: 'undo' | 'redo'): boolean {
    const deed = from.pop();
    if (!deed) return false;
    this.#lastAt = -Infinity;
    deed[what]();
    to.push(deed);
    return true;
  }
}
