/**
 * What an element knows and shows beside its attributes, in one place: its controllers write it, its templates read it, and
 * whatever is written is shown with the element's next update.
 */
export class Store<State extends object> {
  #state: State;
  readonly #changed: () => void;

  constructor(initial: State, changed: () => void) {
    this.#state = initial;
    this.#changed = changed;
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  /** Returns whether anything is other than before. */
  set(changes: Partial<State>): boolean {
    const names = Object.keys(changes) as (keyof State)[];
    if (names.every((name) => Object.is(changes[name], this.#state[name]))) return false;
    this.#state = { ...this.#state, ...changes };
    this.#changed();
    return true;
  }
}
