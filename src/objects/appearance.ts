/**
 * What a target looks like, as correlation filters: a follower that changes with it from frame to frame, the follower as
 * it was when it was last trusted, and a bounded memory of views that do not change (long and short memory: Ma et al.
 * 2015).
 */
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { around, CELLS, Correlation, Filter, hann, type Peak } from './correlation.ts';
import type { SharedFrame } from './frame.ts';

/** Side of the window over the geometric mean of the box's sides. */
const PADDING = 2.5;
/** A view reaches a little beyond the box, and ends softly within so many cells. */
const REACH = 1.1;
const SOFT = 3;
/** The first view and so many later ones. */
export const MOST_VIEWS = 8;
const WIDE = 0;
const CLOSE = 1;

/** Where a filter finds the target, and how well it fits there. */
export interface Sight {
  box: Box;
  value: number;
}

const sideOf = ({ width, height }: { width: number; height: number }) => PADDING * Math.sqrt(width * height);

const moved = (box: Box, { dx, dy, value }: Peak): Sight => ({
  box: { ...box, x: box.x + dx, y: box.y + dy },
  value,
});

export class Appearance {
  readonly #side: WasmSide;
  readonly #correlation: Correlation;
  readonly #follower: Filter;
  readonly trusted: Filter;
  readonly views: Filter[] = [];
  /** A view that is kept if it proves right. */
  #prepared: Filter | null = null;

  constructor(side: WasmSide, size: { width: number; height: number }) {
    this.#side = side;
    const cell = sideOf(size) / CELLS;
    const view = around((REACH * size.width) / cell, (REACH * size.height) / cell, SOFT);
    this.#correlation = new Correlation(side, [hann(), view]);
    this.#follower = new Filter(side);
    this.trusted = new Filter(side);
  }

  #look(frame: SharedFrame, box: Box, mask: number): void {
    this.#correlation.observe(frame, { x: box.x + box.width / 2, y: box.y + box.height / 2, side: sideOf(box) });
    this.#correlation.transform(mask);
  }

  /** Where the follower finds the target around `box`. */
  follow(frame: SharedFrame, box: Box): Sight {
    this.#look(frame, box, WIDE);
    return moved(box, this.#correlation.respond(this.#follower, sideOf(box)));
  }

  /** How well the follower as it was last trusted fits around `box`. */
  recognise(frame: SharedFrame, box: Box): number {
    this.#look(frame, box, WIDE);
    return this.#correlation.respond(this.trusted, sideOf(box)).value;
  }

  /** Where the best of the views finds the target around `box`. */
  remember(frame: SharedFrame, box: Box): Sight {
    this.#look(frame, box, CLOSE);
    let best: Peak = { dx: 0, dy: 0, value: 0 };
    for (const view of this.views) {
      const peak = this.#correlation.respond(view, sideOf(box));
      if (peak.value > best.value) best = peak;
    }
    return moved(box, best);
  }

  learn(frame: SharedFrame, box: Box, rate: number): void {
    this.#look(frame, box, WIDE);
    this.#correlation.learn(this.#follower, rate);
  }

  /** The follower is right: it is what `recognise` compares with, and what `restore` goes back to. */
  trust(): void {
    this.trusted.set(this.#follower.values);
  }

  restore(): void {
    this.#follower.set(this.trusted.values);
  }

  /** A view that `keep` may keep. */
  prepare(frame: SharedFrame, box: Box): void {
    this.#look(frame, box, CLOSE);
    const view = (this.#prepared ??= new Filter(this.#side));
    view.empty = true;
    this.#correlation.learn(view, 1);
  }

  /** Keeps the prepared view; a full memory forgets the oldest but the first. */
  keep(): void {
    if (!this.#prepared) return;
    if (this.views.length > MOST_VIEWS) this.views.splice(1, 1)[0]!.dispose();
    this.views.push(this.#prepared);
    this.#prepared = null;
  }

  /** As it was exported: the trusted follower, and the views. */
  load(trusted: Float32Array, views: readonly Float32Array[]): void {
    this.trusted.set(trusted);
    this.restore();
    for (const values of views) {
      const view = new Filter(this.#side);
      view.set(values);
      this.views.push(view);
    }
  }

  dispose(): void {
    this.#correlation.dispose();
    for (const filter of [this.#follower, this.trusted, this.#prepared]) filter?.dispose();
    for (const view of this.views.splice(0)) view.dispose();
  }
}
