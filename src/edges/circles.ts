/**
 * Circles by Hough voting. Every edge pixel votes, for each radius, at the offsets (r cos t, r sin t) of directions t.
 * The center and radius with the most votes win. The kernel computes the same counts starting from the centers.
 * Sources: "Parallel pupil tracking", section 2.4, and Duda and Hart, CACM 15(1), 1972.
 */
import type { ResultBackend } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Image, Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Block, Scope } from '../runtime/scope.ts';
import { circleOffsets, directionsOf, octantOf, OCTANTS, type CircleValues } from './parameters.ts';

/** Center and radius in pixels, and the number of directions with an edge on the circle. */
export interface VotedCircle {
  x: number;
  y: number;
  r: number;
  votes: number;
  /** Backend that computed the circle, in a result of the engine. */
  backend?: ResultBackend;
}

/** Region to search for centers. Edges count everywhere. */
export interface CenterRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CircleSearch extends Pick<CircleValues, 'minRadius' | 'maxRadius' | 'angleStep'> {
  readonly region?: CenterRegion;
  /**
   * If true, the samples of the edges hold their directions of increasing brightness (edgeOctants). Then only the edges
   * of a dark disc vote for its center, and they vote for no other point.
   */
  readonly oriented?: boolean;
}

/** Part of the region that is inside the image. Width and height are 0 or less if they do not intersect. */
export function clippedRegion(width: number, height: number, { region }: CircleSearch): CenterRegion {
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
/** Maximum number of centers in the list of one radius. If there are more, the threshold rises. */
const CAPACITY = 4096;

/** Centers in one direction that the kernel checks in the time that a plain kernel has for one pixel. */
const CENTERS = 5000;
/** Cost of the radii that are counted between two progress reports. */
const CHUNK = 160_000;
/** Centers times directions of the radii that are listed together. */
const PART = 8e8;

/** Sorts by decreasing votes, then by radius, then in raster order. */
const order = (a: VotedCircle, b: VotedCircle) => b.votes - a.votes || a.r - b.r || a.y - b.y || a.x - b.x;

/**
 * Step for an order of directions. Every first part of this order covers the turn evenly, so a center that lacks votes
 * shows early.
 */
function leapOf(directions: number): number {
  const coprime = (a: number, b: number): boolean => (b ? coprime(b, a % b) : a === 1);
  let leap = Math.max(1, Math.round(directions * 0.382));
  while (!coprime(leap, directions)) leap++;
  return leap;
}

/** Cache of the last requested circles. Trackers request the same circles in every frame. */
const known = { angleStep: NaN, circles: new Map<number, Int32Array>() };
const MOST_KNOWN = 1024;

/** dx, dy and the octant of the direction from the edge to the center, for every direction in the kernel's order. */
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

/** An edge image as bits, ready for any number of calls of the kernel. */
interface Bits {
  /** Starts at the edge image's first pixel. */
  readonly bits: Image;
  readonly offsets: Block;
  readonly directions: number;
  readonly radii: number;
}

/** Offsets in bytes from a center to the bits of each direction's edges. */
function offsetTable(
  { minRadius, maxRadius, angleStep, oriented }: CircleSearch,
  { stride, copyBytes, padBytes }: { stride: number; copyBytes: number; padBytes: number },
): Int32Array {
  const table = new Int32Array((maxRadius - minRadius + 1) * directionsOf(angleStep).count);
  for (let radius = minRadius, k = 0; radius <= maxRadius; radius++) {
    const circle = offsetsOf(radius, angleStep);
    for (let n = 0; n < circle.length; n += 3) {
      // An edge votes at (x + dx, y + dy), so a center reads (x - dx, y - dy).
      const bit = 8 * padBytes - circle[n]!;
      const image = oriented ? circle[n + 2]! : 0;
      table[k++] = ((bit & 7) + 8 * image) * copyBytes - circle[n + 1]! * stride + (bit >> 3);
    }
  }
  return table;
}

function* bitsOf(scope: Scope, edges: Plane, search: CircleSearch): Plan<Bits> {
  const { width, height } = edges;
  const { minRadius, maxRadius, angleStep, oriented = false } = search;
  if (minRadius > maxRadius)
    throw new FoveolaError(
      'invalid-argument',
      `houghCircles: minRadius (${minRadius}) must not exceed maxRadius (${maxRadius}).`,
    );
  if (Math.max(width, height) > 65535)
    throw new FoveolaError(
      'image-too-large',
      `houghCircles: the image has ${width}x${height} pixels. Scale it down to at most 65535 per side.`,
    );
  const padBytes = (maxRadius + 7) >> 3;
  // Padding on the right: a vector of 128 centers, all moved by a radius, and the word that the shifted copies read.
  const stride = (2 * padBytes + ((width + 7) >> 3) + 16 + 8 + 15) & ~15;
  const rows = height + 2 * maxRadius;
  const copyBytes = rows * stride;
  const images = oriented ? OCTANTS : 1;
  const { address } = scope.block(8 * copyBytes * images + 16);
  for (let i = 0; i < images; i++) {
    const bits = { address: address + 8 * copyBytes * i, stride };
    const which = oriented ? 1 << i : 255;
    yield* scope.kernels.edgeBits(
      { source: edges, which, bits, copyBytes, width, height, padBytes, padRows: maxRadius },
      { rows, minimumBand: 64, cost: 2 * stride },
    );
  }
  return {
    bits: { address: address + maxRadius * stride, stride },
    offsets: scope.table(offsetTable(search, { stride, copyBytes, padBytes })),
    directions: directionsOf(angleStep).count,
    radii: maxRadius - minRadius + 1,
  };
}

/**
 * Votes for each radius: a record of four numbers (number of centers, then x, y and votes of the best one), then the
 * list.
 */
interface Found {
  readonly words: Int32Array;
  readonly shorts: Uint16Array;
}

/**
 * Counts centers with `least` votes or more, up to `capacity` for each radius. If the capacity is 0, finds only the
 * best one.
 */
function* vote(
  scope: Scope,
  edges: Plane,
  { bits, offsets, directions, radii }: Bits,
  search: CircleSearch,
  { least, capacity }: { least: number; capacity: number },
  progress: (done: number) => void = () => {},
): Plan<Found> {
  const { x, y, width, height } = clippedRegion(edges.width, edges.height, search);
  const bytes = radii * (RECORD + 8 * capacity);
  const results = scope.block(bytes);
  const best = scope.zeros(4);
  const region = { x0: x, x1: x + width, top: y, bottom: y + height };
  const cost = (Math.max(1, width) * Math.max(1, height) * directions) / CENTERS;
  const step = Math.max(1, Math.floor(CHUNK / cost));
  for (let from = 0; from < radii; from += step) {
    progress(from / radii);
    yield* scope.kernels.circleVotes(
      { bits, offsets, directions, ...region, least: Math.max(1, least), best, capacity, results },
      { rows: [from, Math.min(radii, from + step)], minimumBand: 1, cost },
    );
  }
  const { buffer } = scope.arena.memory;
  return {
    words: new Int32Array(buffer, results.address, bytes >> 2),
    shorts: new Uint16Array(buffer, results.address, bytes >> 1),
  };
}

/**
 * Returns the circle with the most votes in an edge image (u8 in the arena, edges non-zero), or null if nothing votes.
 * Ties: the smallest circle, then the first in raster order. Errors: 'invalid-argument', 'image-too-large'.
 */
export const bestCircle = (scope: Scope, edges: Plane, search: CircleSearch, least = 1): Plan<VotedCircle | null> =>
  scope.part(function* (inner) {
    const bits = yield* bitsOf(inner, edges, search);
    const { words } = yield* vote(inner, edges, bits, search, { least, capacity: 0 }, (done) => scope.progress(done));
    const found: VotedCircle[] = [];
    for (let i = 0; i < bits.radii; i++) {
      const [x, y, votes] = [words[4 * i + 1]!, words[4 * i + 2]!, words[4 * i + 3]!];
      if (votes > 0) found.push({ x, y, r: search.minRadius + i, votes });
    }
    return found.sort(order)[0] ?? null;
  });

/**
 * Returns every center and radius with at least `least` votes, sorted by decreasing votes. If one radius has more than
 * `capacity` of them, `least` rises for all radii until they fit. If even the highest vote count is that frequent, the
 * first ones in raster order of each radius are returned.
 */
export const circleCandidates = (
  scope: Scope,
  edges: Plane,
  search: CircleSearch,
  least: number,
  capacity = CAPACITY,
): Plan<VotedCircle[]> =>
  scope.part(function* (inner) {
    const bits = yield* bitsOf(inner, edges, search);
    const each = RECORD + 8 * capacity;
    for (let wanted = Math.max(1, least); ;) {
      const { words, shorts } = yield* vote(inner, edges, bits, search, { least: wanted, capacity });
      const list: VotedCircle[] = [];
      let most = 0;
      let full = false;
      for (let i = 0; i < bits.radii; i++) {
        const count = words[(i * each) >> 2]!;
        most = Math.max(most, words[((i * each) >> 2) + 3]!);
        full ||= count > capacity;
        for (let k = 0, at = (i * each + RECORD) >> 1; k < Math.min(count, capacity); k++, at += 4)
          list.push({ x: shorts[at]!, y: shorts[at + 1]!, r: search.minRadius + i, votes: shorts[at + 2]! });
      }
      if (!full || wanted >= most) return list.sort(order);
      wanted = Math.min(most, Math.ceil(wanted * 1.25 + 1));
    }
  });

/** Minimum number of votes of a circle. */
export const leastVotes = ({ minSupport, angleStep }: Pick<CircleValues, 'minSupport' | 'angleStep'>): number =>
  Math.max(1, Math.ceil(minSupport * directionsOf(angleStep).count - 1e-9));

/** Returns the first `max` circles by decreasing votes, without near duplicates. */
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

/** Splits the radii into parts that are listed together, see PART. */
export function* radiiInParts(
  edges: Plane,
  { minRadius, maxRadius, angleStep }: CircleSearch,
): Generator<[number, number]> {
  const work = edges.width * edges.height * directionsOf(angleStep).count;
  const step = Math.max(1, Math.floor(PART / work));
  for (let from = minRadius; from <= maxRadius; from += step) yield [from, Math.min(maxRadius, from + step - 1)];
}
