/**
 * The Hough transform for lines on the GPU, equal to the WASM side to the last bit and without blending, which phones do
 * not have for floats: every counter follows its own line through the edge image in bits, and counts the edge pixels
 * whose distance rounds to it. The products of the distance come from a texture, since a GPU would fuse them otherwise.
 *
 * Votes of w x h pixels at n angles: 2 passes of w h fetches for the bits, 1 of n max(w, h) for the products, then one
 * (several for large images) of about 1.2 n w h fetches and 2 n for each edge: 66 million at 640 x 480 and 180 angles.
 * Up: 8 n bytes; nothing is read. Textures: 8 n max(w, h) + w h / 4 bytes besides the counters.
 *
 * Peaks: 1 pass of at most 5 fetches a counter, a scan of some 16 passes (7 fetches a counter), then 4 bytes are read, and
 * 8 for each peak in a list that 20 fetches each look up. Where there are more than are wanted and more than a few, three
 * passes count those of at least so many votes, one byte of the number after the other; 1 kB is read of each.
 */
import bitsFragment from '../../glsl/edges/lines-bits.frag';
import levelsFragment from '../../glsl/edges/lines-levels.frag';
import listFragment from '../../glsl/edges/lines-list.frag';
import peaksFragment from '../../glsl/edges/lines-peaks.frag';
import productsFragment from '../../glsl/edges/lines-products.frag';
import votesFragment from '../../glsl/edges/lines-votes.frag';
import { compactCountPass } from '../image/compact.gpu.ts';
import { scanLinear, scanTotal } from '../image/scan.gpu.ts';
import type { GpuSide, Texture } from '../runtime/gpu/gpu-side.ts';
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

/** Whether the textures of this device hold the image, its products and its counters. */
export const linesFit = (side: GpuSide, { width, height }: Plane, { distances, angles }: AccumulatorShape): boolean =>
  side.fits(width, height) && side.fits(distances + 2, angles + 2);

/** Pixels and angles of one draw: larger ones in parts, so that neither a cancel nor the screen waits for all of them. */
const PART = 1 << 27;

/** Votes of an edge image (u8, edges non-zero) as in lines.ts. */
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

/** Peaks that are read as they are, also where fewer are wanted. */
const FEW = 1024;
/** Entries of a row of their list. */
const COLUMNS = 256;
/** More votes than any counter has. */
const MOST = 2 ** 24;

/** Peaks as pairs of index and votes, in no order of votes. */
interface Peaks {
  readonly list: Texture<'rg32ui'>;
  readonly count: number;
}

/** The peaks of `least` to `most` votes by rising index: the first `wanted` of them. */
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

/** Index and votes of each, as they lie in memory. */
function* readPeaks(scope: Scope, { list, count }: Peaks): Plan<Uint32Array> {
  if (!count) return new Uint32Array(0);
  const bytes = yield* scope.wait(scope.gpu.read(list));
  return new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * count);
}

/** The most votes that at least `wanted` peaks have, and how many have more. */
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

/** Index and votes of the peaks above `threshold`, at least the `max` best of them, equals by their index; unsorted. */
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
