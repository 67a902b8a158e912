/**
 * The memory of what a target looks like as correlation filters: tables, room for one look, and the filters themselves,
 * which the kernels make and read (assembly/objects/appearance.ts).
 */
import type { WasmSide } from '../runtime/wasm-side.ts';
import { around, CELLS, CHANNELS, hann, HALF_SPECTRUM, labelSpectrum, SPECTRUM, turns } from './filter-tables.ts';
import { RecordView, type RecordOf } from '../runtime/record.ts';
import { AppearanceRecord } from '../runtime/records.ts';

/** Side of the window over the geometric mean of the box's sides; the kernels have the same. */
const PADDING = 2.5;
/** A view reaches a little beyond the box, and ends softly within so many cells. */
const REACH = 1.1;
const SOFT = 3;
/** The first view and so many later ones. */
export const MOST_VIEWS = 8;
/** Bytes of the cells of one channel. */
const PLANE = 4 * CELLS * CELLS;
/** Numerators and denominators of a filter. */
export const FILTER_FLOATS = (SPECTRUM * CHANNELS + HALF_SPECTRUM) / 4;

export class Appearance {
  readonly record: RecordOf<typeof AppearanceRecord>;
  readonly #side: WasmSide;
  readonly #block: number;

  constructor(side: WasmSide, { width, height }: { width: number; height: number }) {
    this.#side = side;
    const { arena } = side;
    const cell = (PADDING * Math.sqrt(width * height)) / CELLS;
    const masks = [hann(), around((REACH * width) / cell, (REACH * height) / cell, SOFT)];
    const head = (AppearanceRecord.bytes + 15) & ~15;
    const tables = 2 * 128 + HALF_SPECTRUM + PLANE * masks.length;
    const room = PLANE * (CHANNELS + 1) + SPECTRUM * CHANNELS;
    const views = 4 * (MOST_VIEWS + 2);
    this.#block = arena.allocate(head + tables + room + 2 * 4 * FILTER_FLOATS + views);
    let at = this.#block;
    const take = (bytes: number) => (at += bytes) - bytes;
    this.record = new RecordView(arena, AppearanceRecord, take(head)).clear().set({
      mask: -1,
      directions: take(128),
      twiddles: take(128),
      channels: take(PLANE * CHANNELS),
      response: take(PLANE),
      spectra: take(SPECTRUM * CHANNELS),
      label: take(HALF_SPECTRUM),
      masks: take(PLANE * masks.length),
      follower: take(4 * FILTER_FLOATS),
      trusted: take(4 * FILTER_FLOATS),
      views: take(views),
    });
    const put = (name: 'directions' | 'twiddles' | 'label' | 'masks', list: Float32Array, after = 0) =>
      arena.f32.set(list, (this.record.get(name) + after) >> 2);
    put('directions', turns(9));
    put('twiddles', turns(16));
    put('label', labelSpectrum());
    masks.forEach((mask, i) => put('masks', mask, PLANE * i));
    for (const name of ['follower', 'trusted'] as const) this.#filter(this.record.get(name)).fill(0);
  }

  get address(): number {
    return this.record.address;
  }

  /** A filter's numbers, in place until the arena grows. */
  #filter(address: number): Float32Array {
    return this.#side.arena.f32.subarray(address >> 2, (address >> 2) + FILTER_FLOATS);
  }

  #newFilter(): number {
    const address = this.#side.arena.allocate(4 * FILTER_FLOATS);
    this.#filter(address).fill(0);
    return address;
  }

  #views(): number[] {
    const at = this.record.get('views') >> 2;
    return Array.from(this.#side.arena.i32.subarray(at, at + this.record.get('viewCount')), (address) => address >>> 0);
  }

  get viewCount(): number {
    return this.record.get('viewCount');
  }

  /** The follower as it was last trusted, then the views; in place until the arena grows. */
  get filters(): Float32Array[] {
    return [this.record.get('trusted'), ...this.#views()].map((address) => this.#filter(address));
  }

  /** Before a view is prepared there must be room for it. */
  makeRoom(): void {
    if (!this.record.get('prepared')) this.record.set({ prepared: this.#newFilter() });
  }

  /** As it was exported: the trusted follower, and the views. */
  load(trusted: Float32Array, views: readonly Float32Array[]): void {
    for (const name of ['trusted', 'follower'] as const) this.#filter(this.record.get(name)).set(trusted);
    for (const values of views) {
      const count = this.record.get('viewCount');
      const view = this.#newFilter();
      this.#filter(view).set(values);
      this.#side.arena.i32[(this.record.get('views') >> 2) + count] = view;
      this.record.set({ viewCount: count + 1 });
    }
  }

  dispose(): void {
    const { arena } = this.#side;
    const prepared = this.record.get('prepared');
    for (const view of this.#views()) arena.free(view);
    if (prepared) arena.free(prepared);
    arena.free(this.#block);
  }
}
