/**
 * Maps of the eye network (models/eyes.bin, lab/train/eyes). Each cell of 2 x 2 pixels of a reduced image has the probabilities
 * of pupil, iris and the opening between the lids. Hidden parts of pupil and iris count.
 */
import type { Network } from '../../models/network.ts';
import { networkAnswers } from '../../network/run.ts';
import type { Ellipse } from '../../results/types.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Region } from '../search/region.ts';

/** Longer side of the image that the network sees. */
const SIDE = 192;
const CELL = 2;
/** Cells with a lower probability do not count for moments, because there are many of them. */
const LEAST = 0.1;

export interface ProbabilityMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

export interface Maps {
  readonly pupil: ProbabilityMap;
  readonly iris: ProbabilityMap;
  readonly opening: ProbabilityMap;
  /** Gray values that the network saw, without their order. */
  readonly levels: Float32Array;
  /** Cells per pixel of the image, and the position of the image's first pixel in them. */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Mean gray values of a region at another size, a row after the other. */
export function reducedLevels(
  u8: Uint8Array,
  image: Plane,
  region: Region,
  width: number,
  height: number,
): Float32Array {
  const out = new Float32Array(width * height);
  const [sx, sy] = [(region.x1 - region.x0) / width, (region.y1 - region.y0) / height];
  const taps = Math.max(1, Math.ceil(Math.max(sx, sy) - 0.01));
  const share = 1 / (taps * taps);
  const inside = (v: number, low: number, high: number) => Math.min(high - 1, Math.max(low, v));
  for (let v = 0; v < height * taps; v++) {
    const fy = inside(region.y0 + ((v + 0.5) / taps) * sy - 0.5, region.y0, region.y1);
    const j = Math.floor(fy);
    const row = image.address + j * image.stride;
    const below = j + 1 < region.y1 ? row + image.stride : row;
    const to = width * Math.floor(v / taps);
    for (let u = 0; u < width * taps; u++) {
      const fx = inside(region.x0 + ((u + 0.5) / taps) * sx - 0.5, region.x0, region.x1);
      const i = Math.floor(fx);
      const right = i + 1 < region.x1 ? i + 1 : i;
      const top = u8[row + i]! + (u8[row + right]! - u8[row + i]!) * (fx - i);
      const bottom = u8[below + i]! + (u8[below + right]! - u8[below + i]!) * (fx - i);
      out[to + Math.floor(u / taps)]! += share * (top + (bottom - top) * (fy - j));
    }
  }
  return out;
}

export function* mapsOf(scope: Scope, image: Plane, region: Region, network: Network): Plan<Maps> {
  const [across, down] = [region.x1 - region.x0, region.y1 - region.y0];
  const times = SIDE / Math.max(across, down);
  const [width, height] = [across, down].map((side) => Math.max(8, Math.round(side * times))) as [number, number];
  const levels = reducedLevels(scope.arena.u8, image, region, width, height);
  const numbers = yield* scope.part(function* (inner): Plan<Float32Array> {
    const picture = inner.own(inner.runtime.plane(width, height, 'f32', levels));
    return (yield* networkAnswers(inner, picture, network)).numbers;
  });
  const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const map = (k: number): ProbabilityMap => {
    const values = new Float32Array(columns * rows);
    for (let i = 0; i < values.length; i++) values[i] = 1 / (1 + Math.exp(-numbers[3 * i + k]!));
    return { width: columns, height: rows, values };
  };
  const scale = times / CELL;
  return { pupil: map(0), iris: map(1), opening: map(2), levels, scale, x: region.x0, y: region.y0 };
}

/** A position of the image in cells, and back. */
export const cellOf = (v: number, first: number, scale: number): number => (v + 0.5 - first) * scale - 0.5;
const placeOf = (v: number, first: number, scale: number): number => (v + 0.5) / scale - 0.5 + first;

/** Cells that are connected with the most probable object. */
function largest({ width, height, values }: ProbabilityMap): Uint8Array | null {
  const marks = new Uint8Array(values.length);
  let best: number[] = [];
  let most = 0;
  for (let start = 0; start < values.length; start++) {
    if (marks[start] || values[start]! < 0.5) continue;
    const cells = [start];
    marks[start] = 1;
    let sum = 0;
    for (let k = 0; k < cells.length; k++) {
      const at = cells[k]!;
      sum += values[at]!;
      const x = at % width;
      for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width])
        if (next >= 0 && next < width * height && !marks[next] && values[next]! >= 0.5) {
          marks[next] = 1;
          cells.push(next);
        }
    }
    if (sum > most) [most, best] = [sum, cells];
  }
  if (!best.length) return null;
  marks.fill(0);
  for (const at of best) {
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++)
      marks.fill(1, v * width + Math.max(0, x - 2), v * width + Math.min(width, x + 3));
  }
  return marks;
}

export interface Blob {
  /** In pixels of the image: with the moments of the map. */
  readonly ellipse: Ellipse;
  /** It touches the border of the region, so that it may be larger. */
  readonly cut: boolean;
}

/** The object of a map. Null without one. */
export function blobOf(map: ProbabilityMap, { scale, x: left, y: top }: Maps): Blob | null {
  const marks = largest(map);
  if (!marks) return null;
  let [sum, sx, sy, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  let cut = false;
  const { width, height, values } = map;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const p = values[y * width + x]!;
      if (!marks[y * width + x] || p < LEAST) continue;
      cut ||= p > 0.5 && (x === 0 || y === 0 || x === width - 1 || y === height - 1);
      sum += p;
      sx += p * x;
      sy += p * y;
      xx += p * x * x;
      yy += p * y * y;
      xy += p * x * y;
    }
  const [cx, cy] = [sx / sum, sy / sum];
  const [a, b, c] = [xx / sum - cx * cx, yy / sum - cy * cy, xy / sum - cx * cy];
  const half = Math.hypot((a - b) / 2, c);
  const axis = (v: number) => (4 * Math.sqrt(Math.max(1e-3, v))) / scale;
  const angle = Math.atan2(2 * c, a - b) / 2;
  return {
    ellipse: {
      ...{ x: placeOf(cx, left, scale), y: placeOf(cy, top, scale) },
      ...{ major: axis((a + b) / 2 + half), minor: axis((a + b) / 2 - half) },
      angle: angle < 0 ? angle + Math.PI : angle,
    },
    cut,
  };
}

/** Points of equal area along half an axis of an ellipse. */
const ACROSS = 10;

/** Mean of a map over an ellipse of the image. Outside of the map it is `outside`. */
export function meanInside(map: ProbabilityMap, { scale, x, y }: Maps, ellipse: Ellipse, outside = 0): number {
  const [c, s] = [Math.cos(ellipse.angle), Math.sin(ellipse.angle)];
  let [sum, count] = [0, 0];
  for (let j = 0.5 - ACROSS; j < ACROSS; j++)
    for (let i = 0.5 - ACROSS; i < ACROSS; i++) {
      if (i * i + j * j > ACROSS * ACROSS) continue;
      const [u, v] = [(i * ellipse.major) / 2 / ACROSS, (j * ellipse.minor) / 2 / ACROSS];
      count++;
      sum += sampled(
        map,
        cellOf(ellipse.x + c * u - s * v, x, scale),
        cellOf(ellipse.y + s * u + c * v, y, scale),
        outside,
      );
    }
  return sum / count;
}

/** Linear between cells. */
function sampled({ width, height, values }: ProbabilityMap, x: number, y: number, outside: number): number {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return outside;
  const [fx, fy] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  const [i, j] = [Math.floor(fx), Math.floor(fy)];
  const at = j * width + i;
  const right = i + 1 < width ? 1 : 0;
  const below = j + 1 < height ? width : 0;
  const top = values[at]! + (values[at + right]! - values[at]!) * (fx - i);
  const bottom = values[at + below]! + (values[at + below + right]! - values[at + below]!) * (fx - i);
  return top + (bottom - top) * (fy - j);
}
