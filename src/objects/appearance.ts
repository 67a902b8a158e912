/**
 * The memory of what a target looks like as correlation filters: tables, room for one look, and the filters themselves,
 * which the kernels make and read (assembly/objects/appearance.ts).
 */
import type { RecordOf } from '../runtime/wasm/record.ts';
import { AppearanceRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import {
  around,
  CELLS,
  CHANNELS,
  COLOR_CHANNELS,
  hann,
  HALF_SPECTRUM,
  labelSpectrum,
  SPECTRUM,
  turns,
} from './filter-tables.ts';

/** Side of the window over the geometric mean of the box's sides. */
const PADDING = 2.5;
/** How the follower learns: see the kernels. */
export const APPEARANCE_RULE = { inertia: 6, pull: 0.3 };
/** A view reaches a little beyond the box, and ends softly within so many cells. */
const REACH = 1.1;
const SOFT = 3;
/** The follower's weights end within so many. */
const EDGE = 2;
/** The first view and so many later ones. */
export const MOST_VIEWS = 8;
/** Bytes of the cells of one channel. */
const PLANE = 4 * CELLS * CELLS;
/** Numerators and denominators of a filter. */
export const filterFloats = (colored: boolean) =>
  (SPECTRUM * (colored ? COLOR_CHANNELS : CHANNELS) + HALF_SPECTRUM) / 4;

export class Appearance {
  readonly record: RecordOf<typeof AppearanceRecord>;
  /** Whether it looks at colors. */
  readonly colored: boolean;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
  constructor(scope: Scope, { width, height }: { width: number; height: number }, colored = false) {
    this.#scope = scope;
    this.colored = colored;
    const channels = colored ? COLOR_CHANNELS : CHANNELS;
    const cell = (PADDING * Math.sqrt(width * height)) / CELLS;
    const masks = [
      hann(),
      around((REACH * width) / cell, (REACH * height) / cell, SOFT),
      around(width / cell, height / cell, EDGE),
    ];
    const table = (list: Float32Array) => scope.table(list).address;
    this.record = scope.record(AppearanceRecord, {
      mask: -1,
      channelCount: channels,
      padding: PADDING,
      ...APPEARANCE_RULE,
      directions: table(turns(9)),
      twiddles: table(turns(16)),
      label: table(labelSpectrum()),
      masks: table(Float32Array.from(masks.flatMap((mask) => Array.from(mask)))),
      channels: scope.block(PLANE * channels).address,
      response: scope.block(PLANE).address,
      spectra: scope.block(SPECTRUM * channels).address,
      follower: this.#newFilter(),
      previous: scope.block(SPECTRUM * channels).address,
      slack: scope.block(SPECTRUM * channels).address,
      trusted: this.#newFilter(),
      views: scope.block(4 * (MOST_VIEWS + 2)).address,
    });
  }

  get address(): number {
    return this.record.address;
  }

  /** A filter's numbers, in place until the arena grows. */
  #filter(address: number): Float32Array {
    return this.#scope.f32({ address }, filterFloats(this.colored));
  }

  #newFilter(): number {
    return this.#scope.zeros(4 * filterFloats(this.colored)).address;
  }

  get viewCount(): number {
    return this.record.get('viewCount');
  }

  /** The follower as it was last trusted, then the views; in place until the arena grows. */
  get filters(): Float32Array[] {
    const views = this.#scope.u32({ address: this.record.get('views') }, this.viewCount);
    return [this.record.get('trusted'), ...views].map((address) => this.#filter(address));
  }

  /** Before a view is prepared there must be room for it. */
  makeRoom(): void {
    if (!this.record.get('prepared')) this.record.set({ prepared: this.#newFilter() });
  }

  /** As it was exported: the trusted follower, and the views. */
  load(trusted: Float32Array, views: readonly Float32Array[]): void {
    for (const name of ['trusted', 'follower'] as const) this.#filter(this.record.get(name)).set(trusted);
    for (const values of views) {
      const count = this.viewCount;
      const view = this.#newFilter();
      this.#filter(view).set(values);
      this.#scope.arena.i32[(this.record.get('views') >> 2) + count] = view;
      this.record.set({ viewCount: count + 1 });
    }
  }
}
