/**
 * Sparse pyramidal Lucas-Kanade in the fixed point of assembly/flow/track-points.ts, sample by sample: gray levels with 5
 * bits after the point, derivatives with none, weights of 14 bits; frames mirrored at their borders.
 */
import type { Reference, ReferenceImage, ReferenceValue } from './image.ts';
import { levelsOf } from './pyramid.ts';

type Params = {
  window: number;
  levels: number;
  iterations: number;
  epsilon: number;
  minEigenvalue: number;
  forwardBackward?: boolean;
};

const f = Math.fround;

function mirrored(i: number, n: number): number {
  if (n === 1) return 0;
  const k = Math.abs(i) % (2 * n - 2);
  return k < n ? k : 2 * n - 2 - k;
}

const at = ({ width, height, data }: ReferenceImage, x: number, y: number) =>
  data[mirrored(y, height) * width + mirrored(x, width)]!;

/** Half-way cases to the even number. */
const nearest = (v: number) => {
  const low = Math.floor(v);
  return v - low > 0.5 || (v - low === 0.5 && low % 2) ? low + 1 : low;
};

/** Of the four samples around a place with this fraction. */
function weightsOf(a: number, b: number): [number, number, number, number] {
  const [one, other] = [f(1 - a), f(1 - b)];
  const w = [
    [one, other],
    [a, other],
    [one, b],
  ].map(([p, q]) => nearest(f(f(p! * q!) * 16384))) as [number, number, number];
  return [...w, 16384 - w[0] - w[1] - w[2]];
}

/** Samples of an image and its Scharr derivatives (0 outside of it), with a margin that windows reach into. */
class Samples {
  readonly width: number;
  readonly height: number;
  readonly gray: Int32Array;
  readonly #margin: number;
  #derivatives: [Int32Array, Int32Array] | null = null;

  constructor(image: ReferenceImage, margin: number) {
    this.width = image.width;
    this.height = image.height;
    this.#margin = margin;
    this.gray = this.#planeOf((x, y) => at(image, x, y));
  }

  get #stride(): number {
    return this.width + 2 * this.#margin;
  }

  #planeOf(sample: (x: number, y: number) => number): Int32Array {
    const plane = new Int32Array(this.#stride * (this.height + 2 * this.#margin));
    for (let y = -this.#margin, i = 0; y < this.height + this.#margin; y++)
      for (let x = -this.#margin; x < this.width + this.#margin; x++, i++) plane[i] = sample(x, y);
    return plane;
  }

  derivatives(): [Int32Array, Int32Array] {
    return (this.#derivatives ??= [this.#derivative(true), this.#derivative(false)]);
  }

  #derivative(across: boolean): Int32Array {
    const { width, height, gray } = this;
    const [along, next] = across ? [1, this.#stride] : [this.#stride, 1];
    const step = (i: number) => gray[i + along]! - gray[i - along]!;
    return this.#planeOf((x, y) => {
      if (x < 0 || y < 0 || x >= width || y >= height) return 0;
      const i = (y + this.#margin) * this.#stride + x + this.#margin;
      return 3 * (step(i - next) + step(i + next)) + 10 * step(i);
    });
  }

  /** A window of one of the planes whose first sample lies at (x, y), shifted by `shift` bits. */
  window(plane: Int32Array, [x, y]: readonly [number, number], window: number, shift: number): Float64Array {
    const [ix, iy] = [Math.floor(x), Math.floor(y)];
    const [a, b, c, d] = weightsOf(f(x - ix), f(y - iy));
    const out = new Float64Array(window * window);
    for (let j = 0, k = 0; j < window; j++)
      for (let i = 0; i < window; i++, k++) {
        const p = (iy + j + this.#margin) * this.#stride + ix + i + this.#margin;
        const q = p + this.#stride;
        const sum = plane[p]! * a + plane[p + 1]! * b + plane[q]! * c + plane[q + 1]! * d;
        out[k] = (sum + (1 << (shift - 1))) >> shift;
      }
    return out;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

interface Found {
  x: number;
  y: number;
  status: number;
  error: number;
}

function trackPoint(
  from: Samples[],
  to: Samples[],
  point: readonly [number, number],
  start: readonly [number, number],
  { window, iterations, epsilon, minEigenvalue }: Params,
): Found {
  const half = window >> 1;
  const coarsest = f(1 / (1 << (from.length - 1)));
  let [x, y] = [f(start[0] * coarsest), f(start[1] * coarsest)];
  let status = 1;
  let error = 0;
  for (let level = from.length - 1; level >= 0; level--) {
    const image = from[level]!;
    const { width, height } = image;
    const outside = (a: number, b: number) => !(a >= -window && a < width && b >= -window && b < height);
    if (level < from.length - 1) [x, y] = [f(2 * x), f(2 * y)];
    const scale = f(1 / (1 << level));
    const place = [f(f(point[0] * scale) - half), f(f(point[1] * scale) - half)] as const;
    const lost = () => (status = level > 0 ? status : 0);
    if (outside(Math.floor(place[0]), Math.floor(place[1]))) {
      lost();
      continue;
    }
    const gray = image.window(image.gray, place, window, 9);
    const [ix, iy] = image.derivatives().map((plane) => image.window(plane, place, window, 14)) as [
      Float64Array,
      Float64Array,
    ];
    const [xx, xy, yy] = [dot(ix, ix) / 2 ** 20, dot(ix, iy) / 2 ** 20, dot(iy, iy) / 2 ** 20];
    const determinant = xx * yy - xy * xy;
    const smaller = (xx + yy - Math.sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / (2 * window * window);
    if (f(smaller) < f(minEigenvalue) || f(determinant) < 2 ** -23) {
      lost();
      continue;
    }
    const target = to[level]!;
    const moved = (a: number, b: number) => target.window(target.gray, [a, b], window, 9);
    let [nextX, nextY] = [f(x - half), f(y - half)];
    let last = [0, 0] as [number, number];
    for (let k = 0; k < iterations; k++) {
      if (outside(Math.floor(nextX), Math.floor(nextY))) {
        lost();
        break;
      }
      const difference = moved(nextX, nextY).map((v, i) => v - gray[i]!);
      const [bx, by] = [dot(difference, ix) / 2 ** 20, dot(difference, iy) / 2 ** 20];
      const step = [f((xy * by - yy * bx) / determinant), f((xy * bx - xx * by) / determinant)] as [number, number];
      [nextX, nextY] = [f(nextX + step[0]), f(nextY + step[1])];
      [x, y] = [f(nextX + half), f(nextY + half)];
      if (f(f(step[0] * step[0]) + f(step[1] * step[1])) <= f(f(epsilon) * f(epsilon))) break;
      if (k > 0 && Math.abs(f(step[0] + last[0])) < f(0.01) && Math.abs(f(step[1] + last[1])) < f(0.01)) {
        [x, y] = [f(x - step[0] / 2), f(y - step[1] / 2)];
        break;
      }
      last = step;
    }
    if (level > 0 || !status) continue;
    const end = [f(x - half), f(y - half)] as const;
    if (outside(Math.floor(end[0]), Math.floor(end[1]))) status = 0;
    else error = moved(...end).reduce((sum, v, i) => sum + Math.abs(v - gray[i]!), 0) / (32 * window * window);
  }
  return { x, y, status, error };
}

export function trackAll(
  previous: ReferenceImage,
  next: ReferenceImage,
  points: Float32Array,
  initial: Float32Array,
  params: Params,
): Found[] {
  const [from, to] = [previous, next].map((frame) =>
    // A window lies within its side of the image.
    levelsOf(frame, params).map((level) => new Samples(level, params.window + 1)),
  ) as [Samples[], Samples[]];
  const start = initial.length ? initial : points;
  return Array.from({ length: points.length / 2 }, (_, i) =>
    trackPoint(from, to, [points[2 * i]!, points[2 * i + 1]!], [start[2 * i]!, start[2 * i + 1]!], params),
  );
}

export function trackPoints(
  [previous, next, points, initial]: readonly [ReferenceImage, ReferenceImage, Float32Array, Float32Array],
  params: Params,
): ReferenceValue[] {
  const found = trackAll(previous, next, points, initial, params);
  const places = Float32Array.from(found.flatMap(({ x, y }) => [x, y]));
  const status = Uint8Array.from(found, (one) => one.status);
  const error = Float32Array.from(found, (one) => (one.status ? one.error : NaN));
  if (!params.forwardBackward) return [places, status, error, new Float32Array(0)];
  const back = trackAll(next, previous, places, new Float32Array(0), params);
  const far = Float32Array.from(found, (one, i) =>
    one.status && back[i]!.status ? Math.hypot(back[i]!.x - points[2 * i]!, back[i]!.y - points[2 * i + 1]!) : NaN,
  );
  return [places, status, error, far];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'flow/track-points': trackPoints,
};
