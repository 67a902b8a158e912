/**
 * The Hough transform for lines on the GPU, bit for bit equal to the WASM backend. It does not use blending, which
 * phones do not support for floats. Every counter follows its own line through the edge image of bits, and counts the
 * edge pixels whose distance rounds to it. The products for the distance come from a texture, because a GPU would fuse
 * them otherwise.
 *
 * Votes of w x h pixels at n angles: 2 passes of w h fetches for the bits and 1 of n max(w, h) for the products. Then
 * one pass (several for large images) of about 1.2 n w h fetches and 2 n for each edge: 66 million at 640 x 480 and 180
 * angles. Upload: 8 n bytes. Nothing is read back. Textures: 8 n max(w, h) + w h / 4 bytes in addition to the counters.
 *
 * Peaks: 1 pass of at most 5 fetches per counter, and a scan of some 16 passes (7 fetches per counter). Then 4 bytes
 * are read back, and 8 for each peak in a list, which needs 20 fetches per entry. If there are more peaks than
 * requested and more than a few, three passes count the peaks by their number of votes, one byte of the number at a
 * time. Each pass reads back 1 kB.
 */
import bitsFragment from '../../glsl/edges/lines-bits.frag';
import levelsFragment from '../../glsl/edges/lines-levels.frag';
import listFragment from '../../glsl/edges/lines-list.frag';
import peaksFragment from '../../glsl/edges/lines-peaks.frag';
import productsFragment from '../../glsl/edges/lines-products.frag';
import votesFragment from '../../glsl/edges/lines-votes.frag';
import { compactCountPass, scanLinear, scanTotal } from '../image/scan.gpu.ts';
import type { GpuBackend, Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { AccumulatorShape } from './parameters.ts';

const bitsPass = definePass({
  name: 'edges/line-bits',
  fragment: bitsFragment,
  textures: ['edges'],
  uniforms: { down: 'int' },
  outputs: ['bits'],
});
const productsPass = definePass({
  name: 'edges/line-products',
  fragment: productsFragment,
  textures: ['tables'],
  uniforms: {},
  outputs: ['products'],
});
const votesPass = definePass({
  name: 'edges/line-votes',
  fragment: votesFragment,
  textures: ['rows', 'columns', 'tables', 'products'],
  uniforms: { size: 'ivec2', distances: 'int' },
  outputs: ['votes'],
});
const peaksPass = definePass({
  name: 'edges/line-peaks',
  fragment: peaksFragment,
  textures: ['votes'],
  uniforms: { least: 'int', most: 'int' },
  outputs: ['peak'],
});
const listPass = definePass({
  name: 'edges/line-list',
  fragment: listFragment,
  textures: ['counts', 'votes'],
  uniforms: { entries: 'int', columns: 'int' },
  outputs: ['entry'],
});
const levelsPass = definePass({
  name: 'edges/line-levels',
  fragment: levelsFragment,
  textures: ['list'],
  uniforms: { level: 'uint', shift: 'int' },
  outputs: ['count'],
});

/** Whether textures of this device can hold the image, its products and its counters. */
export const linesFit = (
  backend: GpuBackend,
  { width, height }: Plane,
  { distances, angles }: AccumulatorShape,
): boolean => backend.fits(width, height) && backend.fits(distances + 2, angles + 2);

/**
 * Pixels times angles per draw. Larger inputs are drawn in parts, so that neither a cancel nor the screen has to wait
 * for all.
 */
const PART = 1 << 27;

/** Votes of an edge image (u8, edges non-zero), like in lines.ts. */
export function* lineVotesGpu(scope: Scope, edges: Plane, shape: AccumulatorShape): Plan<Plane> {
  const { width, height } = edges;
  const { distances, angles, cosines, sines } = shape;
  const out = scope.gpuPlane(distances + 2, angles + 2, 'i32');
  return yield* scope.part(function* (inner) {
    const bits = (down: number) => {
      const [length, lines] = down ? [height, width] : [width, height];
      const target = inner.texture((length + 31) >> 5, lines, 'u32');
      inner.draw(bitsPass, { targets: [target], textures: { edges }, uniforms: { down } });
      return target;
    };
    const [rows, columns] = [bits(0), bits(1)];
    const tables = inner.texture(angles, 1, 'rg32ui');
    const pairs = Float32Array.from({ length: 2 * angles }, (_, i) => (i % 2 ? sines[i >> 1]! : cosines[i >> 1]!));
    inner.gpu.upload(tables, new Uint8Array(pairs.buffer), 8 * angles);
    const products = inner.texture(Math.max(width, height), angles, 'rg32ui');
    inner.draw(productsPass, { targets: [products], textures: { tables }, uniforms: {} });
    const some = Math.max(1, Math.floor(PART / (width * height)));
    for (let y = 0; y < out.height; y += some) {
      if (y > 0) yield* inner.wait(inner.gpu.fence());
      inner.draw(votesPass, {
        targets: [out],
        textures: { rows, columns, tables, products },
        uniforms: { size: [width, height], distances },
        region: { x: 0, y, width: out.width, height: Math.min(some, out.height - y) },
      });
    }
    return out;
  });
}

/** Number of peaks that are read without counting first, even if fewer are requested. */
const FEW = 1024;
/** Number of entries in a row of the list. */
const COLUMNS = 256;
/** Higher than the votes of any counter. */
const MOST = 2 ** 24;

/** Peaks as pairs of index and votes, not sorted by votes. */
interface Peaks {
  readonly list: Texture<'rg32ui'>;
  readonly count: number;
}

/** Returns the first `wanted` peaks with `least` to `most` votes, by increasing index. */
function* peaksOf(scope: Scope, votes: Plane, least: number, most: number, wanted: number): Plan<Peaks> {
  const { width, height } = votes;
  const found = yield* scope.part(function* (inner) {
    const flags = inner.texture(width, height, 'u8');
    const counts = inner.texture(width, height, 'u32');
    const number = inner.gpuPlane(1, 1, 'u32');
    inner.draw(peaksPass, { targets: [flags], textures: { votes }, uniforms: { least, most } });
    scanLinear(inner, flags, counts, { inclusive: true });
    inner.draw(compactCountPass, { targets: [number], textures: { counts }, uniforms: {} });
    const count = Math.min(wanted, (yield* inner.read(number))[0]!);
    const list = scope.texture(COLUMNS, Math.max(1, Math.ceil(count / COLUMNS)), 'rg32ui');
    const uniforms = { entries: count, columns: COLUMNS };
    inner.draw(listPass, { targets: [list], textures: { counts, votes }, uniforms });
    return { list, count };
  });
  return found;
}

/** Reads index and votes of each peak, in memory order. */
function* readPeaks(scope: Scope, { list, count }: Peaks): Plan<Uint32Array> {
  if (!count) return new Uint32Array(0);
  const bytes = yield* scope.wait(scope.gpu.read(list));
  return new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * count);
}

/** Highest number of votes that at least `wanted` peaks have, and how many peaks have more. */
function* leastVotesOf(scope: Scope, { list }: Peaks, wanted: number): Plan<{ level: number; above: number }> {
  let level = 0;
  let above = 0;
  for (const shift of [16, 8, 0]) {
    const totals = yield* scope.part(function* (inner) {
      const counts = inner.texture(256, list.height, 'u32');
      const total = inner.gpuPlane(256, 1, 'u32');
      inner.draw(levelsPass, { targets: [counts], textures: { list }, uniforms: { level, shift } });
      scanTotal(inner, counts, 'y', total);
      return yield* inner.read(total);
    });
    let digit = 255;
    while (digit > 0 && totals[digit]! < wanted) digit--;
    if (digit < 255) above = totals[digit + 1]!;
    level += digit * 2 ** shift;
  }
  return { level, above };
}

/**
 * Index and votes of the peaks above `threshold`: the `max` best of them and possibly more, ties by index. Unsorted.
 */
export function* linePeaksGpu(scope: Scope, votes: Plane, threshold: number, max: number): Plan<Uint32Array> {
  const all = yield* peaksOf(scope, votes, threshold + 1, MOST, Infinity);
  if (all.count <= Math.max(max, FEW)) return yield* readPeaks(scope, all);
  const { level, above } = yield* leastVotesOf(scope, all, max);
  scope.free(all.list);
  const more = yield* peaksOf(scope, votes, level + 1, MOST, above);
  const equal = yield* peaksOf(scope, votes, level, level, max - above);
  const pairs = new Uint32Array(2 * max);
  pairs.set(yield* readPeaks(scope, more));
  pairs.set(yield* readPeaks(scope, equal), 2 * above);
  return pairs;
}
