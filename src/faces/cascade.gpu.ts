/**
 * The search of one image with one cascade on the GPU (thesis, figures 4.15 and 4.17). All scales are in one atlas, so
 * every step is one pass for any number of scales: integral images, variance map, and the first stages over all
 * windows. Then the remaining windows are repeatedly compacted to a list and tested with the next group of stages. Only
 * the GPU knows how many are left: the vertex shader draws as many rows of a list as there are entries. One read-back
 * at the end returns the windows that passed.
 *
 * Scaling the image results in exactly the windows of the WASM backend. Sums are integers, products are rounded by IEEE
 * 754 (GLSL requires this), and the variance's root and reciprocal are corrected by their remainders. Scaling the
 * classifier adds products with fractions, which a GPU may fuse. A window with a feature within a rounding error of its
 * threshold may have another result.
 */
import { compactCountPass, integralGpu, scanLinear } from '../image/scan.gpu.ts';
import { contrastGpu } from '../image/histogram.gpu.ts';
import type { Cascade } from '../models/cascade.ts';
import type { GpuBackend, Surface, Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Scope } from '../runtime/scope.ts';
import {
  layOut,
  type Atlas,
  type Corner,
  cascadeTexture,
  NODE_ROW,
  varianceRule,
  type CascadeTexture,
} from './cascade-texture.ts';
import {
  gatherFromAll,
  gatherFromList,
  HEAD,
  numberPass,
  passesOf,
  placePass,
  stagePasses,
  survivorsPass,
  variancePass,
} from './cascade-passes.gpu.ts';
import {
  MOST_WINDOWS,
  windowOf,
  windowsOf,
  type CascadeHits,
  planScales,
  type Scale,
  type ScaleOptions,
  flatLimits,
} from './cascade-search.ts';
import { resizeTable } from './resize.ts';

/** Number of texels per row of the read-back, four windows each. */
const FOUND_WIDTH = 64;
const FOUND_ROWS = 1 + Math.ceil(MOST_WINDOWS / (4 * FOUND_WIDTH));
/** Number of entries per row of a list. */
const LIST_WIDTH = 1024;
/** Maximum number of scales. Their numbers are bytes, and one value means none. */
const MOST_SCALES = 255;
/**
 * Number of trees that ends a group of stages. The first group runs over all windows. These values were fastest on
 * hardware.
 */
const GROUPS = [20, 100, 400];
/**
 * Capacity of the list after each group, as a share of all windows. If it is too small, this is detected and the search
 * runs again.
 */
const ROOM = [1, 1 / 2, 1 / 8, 1 / 32];

/** Returns the ends of the groups of stages. */
export function planGroups({ stages }: Cascade, sizes: readonly number[] = GROUPS): number[] {
  const ends: number[] = [];
  let trees = 0;
  stages.forEach((stage, s) => {
    trees += stage.trees.length;
    if (s < stages.length - 1 && trees < (sizes[ends.length] ?? Infinity)) return;
    ends.push(s + 1);
    trees = 0;
  });
  return ends;
}

export interface GpuSearchOptions extends ScaleOptions {
  /** Numbers of trees that end a group of stages, for measurements. */
  readonly groups?: readonly number[];
}

export interface GpuHits extends CascadeHits {
  /** Number of windows that were left after each group of stages. */
  readonly survivors: readonly number[];
}

interface Layout {
  readonly scales: readonly Scale[];
  readonly atlas: Atlas;
}

function layoutOf(
  backend: GpuBackend,
  cascade: Cascade,
  width: number,
  height: number,
  options: ScaleOptions,
): Layout | null {
  const scales = planScales(cascade, width, height, options);
  if (scales.length > MOST_SCALES) return null;
  const sizes = scales.map((s) => (options.scaling === 'image' ? s : { width: s.columns, height: s.rows }));
  // An integral image is one pixel larger.
  const atlas = layOut(sizes, backend.capabilities.maxTextureSize - 1);
  return atlas && { scales, atlas };
}

/** Whether textures of this device can hold the search. */
export const cascadeFits = (
  backend: GpuBackend,
  cascade: Cascade,
  width: number,
  height: number,
  options: ScaleOptions,
) =>
  backend.capabilities.floatTargets &&
  backend.fits(width + 1, height + 1) &&
  layoutOf(backend, cascade, width, height, options) !== null;

const bytesOf = (words: Int32Array | Uint32Array | Int16Array) => new Uint8Array(words.buffer as ArrayBuffer);

/**
 * Searches an image of 8-bit gray. Returns null if more windows passed than can be faces. Then WASM determines which
 * ones are first. It yields after everything is enqueued, before it waits for the result. Searches may overlap.
 */
export function* searchCascadeGpu(
  scope: Scope,
  cascade: Cascade,
  image: Surface,
  options: GpuSearchOptions,
): Plan<GpuHits | null> {
  return yield* scope.part((inner) => new GpuCascadeSearch(inner, cascade, image, options).run());
}

/** Tables of the cascade and of the scales for one search. Its scope frees them. */
class GpuCascadeSearch {
  readonly #scope: Scope;
  readonly #image: Surface;
  readonly #options: ScaleOptions;
  readonly #scales: readonly Scale[];
  readonly #atlas: Atlas;
  readonly #ends: readonly number[];
  readonly #windows: number;
  readonly #model: CascadeTexture;
  /** Nodes of the first group, if all scales share them and they are few. */
  readonly #head: Uint32Array | null;
  readonly #nodes: Texture<'rgba32ui'>;
  readonly #stages: Texture<'rgba32i'>;
  readonly #places: Texture<'rgba32i'>;
  readonly #tables: Texture<'rg16i'> | null = null;

  constructor(scope: Scope, cascade: Cascade, image: Surface, options: GpuSearchOptions) {
    this.#scope = scope;
    this.#image = image;
    this.#options = options;
    const layout = layoutOf(scope.gpu, cascade, image.width, image.height, options)!;
    this.#scales = layout.scales;
    this.#atlas = layout.atlas;
    this.#ends = planGroups(cascade, options.groups);
    this.#windows = windowsOf(this.#scales);
    const ofImage = options.scaling === 'image';
    this.#model = cascadeTexture(cascade, ofImage ? [1] : this.#scales.map(({ scale }) => scale));
    this.#head = this.#headOf(cascade);
    const { nodes, rows, stages } = this.#model;
    this.#nodes = this.#upload(NODE_ROW, rows, 'rgba32ui', nodes);
    this.#stages = this.#upload(cascade.stages.length, 1, 'rgba32i', stages);
    this.#places = this.#upload(4, Math.max(1, this.#scales.length), 'rgba32i', this.#placeTable(cascade));
    if (ofImage && this.#scales.length) this.#tables = this.#resizeTables(image.width, image.height);
  }

  #headOf({ stages }: Cascade): Uint32Array | null {
    const first = stages.slice(0, this.#ends[0]).flatMap(({ trees }) => trees);
    const texels = first.reduce((sum, nodes) => sum + nodes.length, 0) * (this.#model.scaled ? 4 : 2);
    return texels <= HEAD && !this.#model.tableTexels ? this.#model.nodes.slice(0, 4 * HEAD) : null;
  }

  #upload<F extends 'rgba32ui' | 'rgba32i' | 'rg16i'>(
    width: number,
    height: number,
    format: F,
    words: Int32Array | Uint32Array | Int16Array,
  ): Texture<F> {
    const texture = this.#scope.texture(width, height, format);
    this.#scope.gpu.upload(texture, bytesOf(words), words.byteLength / height);
    return texture;
  }

  #placeTable(cascade: Cascade): Int32Array {
    const ofImage = this.#options.scaling === 'image';
    const table = new Int32Array(16 * Math.max(1, this.#scales.length));
    this.#scales.forEach(({ scale, columns, rows, step }, s) => {
      const { x, y } = this.#atlas.corners[s]!;
      const image = ofImage ? [x, y] : [0, 0];
      table.set([x, y, ...image, columns, rows, step, 0, ...varianceRule(cascade, ofImage ? 1 : scale)], 16 * s);
    });
    return table;
  }

  #resizeTables(width: number, height: number): Texture<'rg16i'> {
    const longest = Math.max(...this.#scales.map((s) => Math.max(s.width, s.height)));
    const table = new Int16Array(2 * longest * 2 * this.#scales.length);
    this.#scales.forEach((s, i) => {
      table.set(resizeTable(width, s.width), 2 * longest * 2 * i);
      table.set(resizeTable(height, s.height), 2 * longest * (2 * i + 1));
    });
    return this.#upload(longest, 2 * this.#scales.length, 'rg16i', table);
  }

  /** Draws the numbers of the scales over the atlas, and the images of the scales if images are scaled. */
  #fill(scope: Scope): { scales: Texture<'u8'>; searched: Surface } {
    const { width, height, corners } = this.#atlas;
    const scales = scope.texture(width, height, 'u8');
    scope.gpu.clear([scales], [255, 0, 0, 0]);
    const searched = this.#tables ? scope.texture(width, height, 'u8') : this.#image;
    this.#scales.forEach((s, i) => {
      const { x, y } = corners[i]!;
      if (this.#tables)
        scope.draw(placePass, {
          targets: [searched, scales],
          textures: { source: this.#image, tables: this.#tables },
          uniforms: { origin: [x, y], row: 2 * i, number: i },
          region: { x, y, width: s.width, height: s.height },
        });
      else
        scope.draw(numberPass, {
          targets: [scales],
          textures: {},
          uniforms: { number: i },
          region: { x, y, width: s.columns, height: s.rows },
        });
    });
    return { scales, searched };
  }

  /** Enqueues everything. The promise resolves with the read-back. */
  #enqueue(rooms: readonly number[]): Promise<Uint8Array> {
    return this.#scope.within((scope) => {
      const { width, height } = this.#atlas;
      const { scales, searched } = this.#fill(scope);
      const [sums, squares] = [integralGpu(scope, searched, 'sample'), integralGpu(scope, searched, 'square')];
      const places = this.#places;
      const factors = scope.texture(width, height, 'f32');
      const { faint } = this.#options;
      const contrast = faint ? contrastGpu(scope, this.#image) : sums; // with one limit, its content does not matter
      scope.draw(variancePass, {
        targets: [factors],
        textures: { scales, places, sums, squares, contrast },
        uniforms: { limits: flatLimits(faint) },
      });
      const { tableTexels } = this.#model;
      const passes = stagePasses(this.#model);
      const shared = { scales, places, sums, stages: this.#stages, factors };
      const common = { ...shared, nodes: this.#nodes };
      const verdicts = scope.texture(width, height, 'u8');
      const uniforms = { end: this.#ends[0]!, tableTexels };
      if (this.#head)
        scope.draw(passes.head, {
          targets: [verdicts],
          textures: shared,
          uniforms: { ...uniforms, head: this.#head },
        });
      else scope.draw(passes.first, { targets: [verdicts], textures: common, uniforms });
      let flags = scope.texture(width, height, 'u8');
      const skips = this.#options.scaling === 'image' ? 1 : 0;
      scope.draw(survivorsPass, { targets: [flags], textures: { scales, places, verdicts }, uniforms: { skips } });
      const counters = scope.texture(this.#ends.length, 1, 'u32');
      let list: Texture<'u32'> | null = null;
      for (let counter = 0; ; counter++) {
        const counts: Texture<'u32'> = scope.texture(flags.width, flags.height, 'u32');
        scanLinear(scope, flags, counts, { inclusive: true });
        const region = { x: counter, y: 0, width: 1, height: 1 };
        scope.draw(compactCountPass, { targets: [counters], textures: { counts }, uniforms: {}, region });
        if (counter === this.#ends.length - 1) {
          const found = scope.texture(FOUND_WIDTH, FOUND_ROWS, 'rgba32ui');
          const uniforms = { counter, width: FOUND_WIDTH };
          if (list)
            scope.draw(gatherFromList.found, { targets: [found], textures: { counts, counters, list }, uniforms });
          else scope.draw(gatherFromAll.found, { targets: [found], textures: { counts, counters }, uniforms });
          return scope.gpu.read(found);
        }
        const next = scope.texture(LIST_WIDTH, Math.ceil(rooms[counter]! / LIST_WIDTH), 'u32');
        const size = [next.width, next.height];
        const gather = { targets: [next], uniforms: { counter, size }, count: 6 };
        if (list) scope.draw(gatherFromList.gather, { ...gather, textures: { counts, counters, list } });
        else scope.draw(gatherFromAll.gather, { ...gather, textures: { counts, counters } });
        list = next;
        flags = scope.texture(next.width, next.height, 'u8');
        scope.draw(passes.later, {
          targets: [flags],
          textures: { ...common, list, counters },
          uniforms: { counter, size, range: [this.#ends[counter]!, this.#ends[counter + 1]!], tableTexels },
          count: 6,
          clear: [0, 0, 0, 0],
        });
      }
    });
  }

  *run(): Plan<GpuHits | null> {
    if (!this.#scales.length) return { windows: new Int32Array(0), evaluated: 0, survivors: [] };
    yield* this.#scope.wait(this.#scope.gpu.prepare(passesOf(this.#model, this.#head !== null)));
    for (let roomy = false; ; roomy = true) {
      const least = 4 * LIST_WIDTH;
      const room = (g: number) => (roomy ? 1 : (ROOM[g] ?? ROOM[ROOM.length - 1]!)) * this.#windows;
      const rooms = this.#ends.map((_, g) => Math.ceil(Math.max(Math.min(least, this.#windows), room(g))));
      const read = this.#enqueue(rooms);
      read.catch(() => {}); // reported to the caller that awaits it, if any
      yield* this.#scope.turn();
      const bytes = yield* this.#scope.wait(read);
      const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
      const survivors = [...words.subarray(0, this.#ends.length)];
      const total = survivors[survivors.length - 1]!;
      if (survivors.some((count, g) => g < survivors.length - 1 && count > rooms[g]!)) continue;
      if (total > MOST_WINDOWS) return null;
      const windows = this.#boxesOf(words.subarray(4 * FOUND_WIDTH, 4 * FOUND_WIDTH + total));
      return { windows, evaluated: this.#windows, survivors };
    }
  }

  /** Returns boxes in the order of the WASM backend: by scale, then row, then column. */
  #boxesOf(places: Uint32Array): Int32Array<ArrayBuffer> {
    const { width, corners } = this.#atlas;
    const found: { s: number; x: number; y: number }[] = [];
    for (const place of places) {
      const [px, py] = [place % width, Math.floor(place / width)];
      const inside = ({ x, y }: Corner, { columns, rows }: Scale) =>
        px >= x && py >= y && px < x + columns && py < y + rows;
      const s = this.#scales.findIndex((scale, i) => inside(corners[i]!, scale));
      if (s >= 0) found.push({ s, x: px - corners[s]!.x, y: py - corners[s]!.y });
    }
    found.sort((a, b) => a.s - b.s || a.y - b.y || a.x - b.x);
    return Int32Array.from(found.flatMap(({ s, x, y }) => windowOf(this.#scales[s]!, this.#options.scaling, x, y)));
  }
}
