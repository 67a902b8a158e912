/** A user action that can be undone: settings, a region, a calibration, a marker. */
export interface Deed {
  undo(): void;
  redo(): void;
  /** Actions with the same key in quick succession count as one: a dragged slider, a held arrow key. */
  key?: string;
  /** The action belongs to the open source, and cannot be undone after another source is opened. */
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

  /** Adds an action. */
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

  /** Returns whether there was something to undo. */
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

  /** The source was closed. Removes its actions. */
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
