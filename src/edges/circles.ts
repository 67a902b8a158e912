/**
 * Circles by Hough voting: every edge pixel votes, for each radius, at the offsets (r cos t, r sin t) of directions t;
 * centre and radius with most votes win. What is counted is exactly that, but from the centres: see the kernel.
 * Source: "Parallel pupil tracking", section 2.4; Duda and Hart, CACM 15(1), 1972.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { circleOffsets, directionsOf, octantOf, OCTANTS, type CircleValues } from './circle-parameters.ts';

/** Centre and radius in pixels, and the directions in which an edge lies on it. */
export interface VotedCircle {
  x: number;
  y: number;
  r: number;
  votes: number;
}

/** Centres are looked for in here only; edges count wherever they are. */
export interface CentreRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CircleSearch extends Pick<CircleValues, 'minRadius' | 'maxRadius' | 'angleStep'> {
  readonly region?: CentreRegion;
  /**
   * The edges' samples say where it gets brighter (edgeOctants): only the edges of a dark disc vote for its centre, and
   * they vote for nothing else.
   */
  readonly oriented?: boolean;
}

/** The part of the region that lies in the image; width and height are 0 and less where none does. */
export function clippedRegion(width: number, height: number, { region }: CircleSearch): CentreRegion {
  if (!region) return { x: 0, y: 0, width, height };
  const [x, y] = [Math.max(0, region.x), Math.max(0, region.y)];
  return {
    x,
    y,
    width: Math.min(width, region.x + region.width) - x,
    height: Math.min(height, region.y + region.height) - y,
  };
}

const RECORD = 16;
/** Centres of one radius that a list has room for; with more of them the threshold rises. */
const CAPACITY = 4096;

/** By falling votes; of equals the smallest radius, then the first in raster order. */
const order = (a: VotedCircle, b: VotedCircle) => b.votes - a.votes || a.r - b.r || a.y - b.y || a.x - b.x;

/** Directions in an order that spreads any first part of them over the turn: a centre that lacks votes shows early. */
function leapOf(directions: number): number {
  const coprime = (a: number, b: number): boolean => (b ? coprime(b, a % b) : a === 1);
  let leap = Math.max(1, Math.round(directions * 0.382));
  while (!coprime(leap, directions)) leap++;
  return leap;
}

/** The circles that were asked for last, for trackers, which ask for the same ones with every frame. */
const known = { angleStep: NaN, circles: new Map<number, Int32Array>() };
const MOST_KNOWN = 1024;

/** dx, dy and the eighth of a turn of the way from the centre to the edge, for every direction in the kernel's order. */
function offsetsOf(radius: number, angleStep: number): Int32Array {
  if (known.angleStep !== angleStep || known.circles.size >= MOST_KNOWN) {
    known.angleStep = angleStep;
    known.circles.clear();
  }
  let offsets = known.circles.get(radius);
  if (!offsets) {
    const circle = circleOffsets(radius, angleStep);
    const leap = leapOf(circle.length);
    offsets = new Int32Array(3 * circle.length);
    for (let n = 0; n < circle.length; n++) {
      const { dx, dy } = circle[(n * leap) % circle.length]!;
      offsets.set([dx, dy, octantOf(-dx, -dy)], 3 * n);
    }
    known.circles.set(radius, offsets);
  }
  return offsets;
}

/** An edge image as bits, ready for any number of passes of the kernel. */
interface Bits {
  readonly origin: number;
  readonly stride: number;
  readonly offsets: number;
  readonly directions: number;
  readonly radii: number;
}

function withBits<T>(side: WasmSide, edges: Plane, search: CircleSearch, body: (bits: Bits) => T): T {
  const { width, height, stride: srcStride, address } = edges;
  const { minRadius, maxRadius, angleStep, oriented = false } = search;
  if (minRadius > maxRadius)
    throw new FoveolaError(
      'invalid-argument',
      `houghCircles: minRadius (${minRadius}) must not exceed maxRadius (${maxRadius}).`,
    );
  if (Math.max(width, height) > 65535)
    throw new FoveolaError('image-too-large', `Circles in images of up to 65535 pixels, not ${width}x${height}.`);
  const { count: directions } = directionsOf(angleStep);
  const radii = maxRadius - minRadius + 1;
  const padBytes = (maxRadius + 7) >> 3;
  // To the right a vector of 128 centres, all of them moved by a radius, and the word that the shifted copies reach for.
  const stride = (2 * padBytes + ((width + 7) >> 3) + 16 + 8 + 15) & ~15;
  const rows = height + 2 * maxRadius;
  const copyBytes = rows * stride;
  const images = oriented ? OCTANTS : 1;
  return side.temporary(8 * copyBytes * images + 16, (bits) =>
    side.temporary(4 * radii * directions, (offsets) => {
      for (let i = 0; i < images; i++) {
        const to = bits + 8 * copyBytes * i;
        const which = oriented ? 1 << i : 255;
        const args = [address, srcStride, which, to, stride, copyBytes, width, height, padBytes, maxRadius];
        side.bands('edgeBits', rows, args, { minimumBand: 64 });
      }
      const origin = bits + maxRadius * stride;
      const table = new Int32Array(side.arena.memory.buffer, offsets, radii * directions);
      for (let i = 0, k = 0; i < radii; i++) {
        const circle = offsetsOf(minRadius + i, angleStep);
        for (let n = 0; n < circle.length; n += 3) {
          // An edge votes at (x + dx, y + dy), so a centre looks at (x - dx, y - dy).
          const bit = 8 * padBytes - circle[n]!;
          const image = oriented ? circle[n + 2]! : 0;
          table[k++] = ((bit & 7) + 8 * image) * copyBytes - circle[n + 1]! * stride + (bit >> 3);
        }
      }
      return body({ origin, stride, offsets, directions, radii });
    }),
  );
}

/** Runs the kernel; `least` votes and more. Returns the address of its results to `body`. */
function vote<T>(
  side: WasmSide,
  edges: Plane,
  { origin, stride, offsets, directions, radii }: Bits,
  search: CircleSearch,
  { least, capacity }: { least: number; capacity: number },
  body: (words: Int32Array, shorts: Uint16Array) => T,
): T {
  const { x: left, y: top, width, height } = clippedRegion(edges.width, edges.height, search);
  const bytes = radii * (RECORD + 8 * capacity);
  return side.temporary(bytes + 16, (results) => {
    const best = results + bytes;
    side.arena.i32[best >> 2] = 0;
    const centres = [left, left + width, top, top + height, Math.max(1, least)];
    side.bands('circleVotes', radii, [origin, stride, offsets, directions, ...centres, best, capacity, results], {
      scratch: 144,
      minimumBand: 1,
    });
    const { buffer } = side.arena.memory;
    return body(new Int32Array(buffer, results, bytes >> 2), new Uint16Array(buffer, results, bytes >> 1));
  });
}

/**
 * Edges with the directions in which the image gets brighter there, as a new plane: bit i of an edge pixel's sample is
 * set when that direction is within 45 degrees of i * 45 degrees. Two bits for every edge, none where there is no slope.
 */
export function edgeOctants(side: WasmSide, image: Plane, edges: Plane): Plane {
  const { width, height } = edges;
  const out = side.plane(width, height, 'u8');
  const planes = [image.address, image.stride, edges.address, edges.stride, out.address, out.stride];
  side.bands('edgeOctants', height, [...planes, width, height], { minimumBand: 64 });
  return out;
}

/**
 * The circle with most votes in an edge image (u8 on the arena, edges non-zero), or null where nothing votes. Of equals
 * the smallest, then the first in raster order. Errors: 'invalid-argument', 'image-too-large'.
 */
export function bestCircle(side: WasmSide, edges: Plane, search: CircleSearch, least = 1): VotedCircle | null {
  return withBits(side, edges, search, (bits) =>
    vote(side, edges, bits, search, { least, capacity: 0 }, (words) => {
      const found: VotedCircle[] = [];
      for (let i = 0; i < bits.radii; i++) {
        const [x, y, votes] = [words[4 * i + 1]!, words[4 * i + 2]!, words[4 * i + 3]!];
        if (votes > 0) found.push({ x, y, r: search.minRadius + i, votes });
      }
      return found.sort(order)[0] ?? null;
    }),
  );
}

/**
 * Every centre and radius with `least` votes and more, by falling votes. Where one radius has more than `capacity` of
 * them, `least` rises for all until there is room; should even the most votes be that frequent, the first in raster order
 * of each radius are returned.
 */
export function circleCandidates(
  side: WasmSide,
  edges: Plane,
  search: CircleSearch,
  least: number,
  capacity = CAPACITY,
): VotedCircle[] {
  return withBits(side, edges, search, (bits) => {
    let wanted = Math.max(1, least);
    for (;;) {
      const { list, most, full } = vote(side, edges, bits, search, { least: wanted, capacity }, (words, shorts) => {
        const list: VotedCircle[] = [];
        const each = RECORD + 8 * capacity;
        let most = 0;
        let full = false;
        for (let i = 0; i < bits.radii; i++) {
          const count = words[(i * each) >> 2]!;
          most = Math.max(most, words[((i * each) >> 2) + 3]!);
          full ||= count > capacity;
          for (let k = 0, at = (i * each + RECORD) >> 1; k < Math.min(count, capacity); k++, at += 4)
            list.push({ x: shorts[at]!, y: shorts[at + 1]!, r: search.minRadius + i, votes: shorts[at + 2]! });
        }
        return { list, most, full };
      });
      if (!full || wanted >= most) return list.sort(order);
      wanted = Math.min(most, Math.ceil(wanted * 1.25 + 1));
    }
  });
}

/** Votes that a circle needs. */
export const leastVotes = ({ minSupport, angleStep }: Pick<CircleValues, 'minSupport' | 'angleStep'>): number =>
  Math.max(1, Math.ceil(minSupport * directionsOf(angleStep).count - 1e-9));

/** The first `max` of circles by falling votes, no two of them much the same. */
export function distinctCircles(
  circles: readonly VotedCircle[],
  { max, separation }: Pick<CircleValues, 'max' | 'separation'>,
): VotedCircle[] {
  const kept: VotedCircle[] = [];
  for (const circle of [...circles].sort(order)) {
    if (kept.length === max) break;
    const same = kept.some(
      ({ x, y, r }) => Math.hypot(circle.x - x, circle.y - y) < separation && Math.abs(circle.r - r) < separation,
    );
    if (!same) kept.push(circle);
  }
  return kept;
}

/** Centres times directions of a slice, some milliseconds of work. */
const SLICE = 8e8;

/**
 * The circles of an edge image (u8 on the arena, edges non-zero), by falling votes, no two of them much the same, found
 * a few radii at a time: `pause` is awaited in between.
 */
export async function circlesOf(
  side: WasmSide,
  edges: Plane,
  params: CircleValues & { readonly region?: CentreRegion },
  pause: (done: number) => Promise<void> = () => Promise.resolve(),
): Promise<VotedCircle[]> {
  const { minRadius, maxRadius, angleStep, max } = params;
  const work = edges.width * edges.height * directionsOf(angleStep).count;
  const step = Math.max(1, Math.floor(SLICE / work));
  const found: VotedCircle[] = [];
  for (let from = minRadius; from <= maxRadius; from += step) {
    const search = { ...params, minRadius: from, maxRadius: Math.min(maxRadius, from + step - 1) };
    if (max > 1) found.push(...circleCandidates(side, edges, search, leastVotes(params)));
    else {
      const best = bestCircle(side, edges, search, (found[0]?.votes ?? leastVotes(params) - 1) + 1);
      if (best) found[0] = best;
    }
    await pause((from - minRadius) / (maxRadius - minRadius + 1));
  }
  return distinctCircles(found, params);
}
