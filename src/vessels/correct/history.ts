/** A list of corrections and how much of it counts: undo and redo move the position, nothing is lost until something new is done. */
import type { VesselCorrection } from './corrections.ts';

export class CorrectionHistory {
  #list: readonly VesselCorrection[] = [];
  #position = 0;

  /** Those that count. */
  get current(): readonly VesselCorrection[] {
    return this.#list.slice(0, this.#position);
  }

  get canUndo(): boolean {
    return this.#position > 0;
  }

  get canRedo(): boolean {
    return this.#position < this.#list.length;
  }

  /** What was taken back before it is gone. */
  add(correction: VesselCorrection): void {
    this.#list = [...this.current, correction];
    this.#position = this.#list.length;
  }

  /** Returns what is taken back; null where there is nothing. */
  undo(): VesselCorrection | null {
    return this.canUndo ? this.#list[--this.#position]! : null;
  }

  /** Returns what is done again; null where there is nothing. */
  redo(): VesselCorrection | null {
    return this.canRedo ? this.#list[this.#position++]! : null;
  }

  /** These and no others; they can be taken back one by one. */
  set(corrections: readonly VesselCorrection[]): void {
    this.#list = [...corrections];
    this.#position = this.#list.length;
  }
}
