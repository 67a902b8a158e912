/**
 * Where a vessel ends: where the photograph along its middle line is half as deep as before. The mask ends somewhere near,
 * and thinning takes half a width more.
 */
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

/** Places beside the middle line, in widths, and what a round end lacks there against the middle, in widths. */
const BESIDE = 0.35;
const ROUND = 0.5 - Math.sqrt(0.25 - BESIDE ** 2);
/** From which share of that on an end is rounder than blur makes it, and over how much more it becomes a circle's. */
const CORNERS = [0.35, 0.4] as const;
const STEP = 0.25;
/** Gray levels that a vessel is deep at least, for its end to be seen. */
const DEPTH = 4;

export interface End {
  readonly x: number;
  readonly y: number;
  /** Unit vector that points out of the vessel. */
  readonly dx: number;
  readonly dy: number;
}

/** How far the vessel goes on beyond its end, or, negative, ends before; 0 where the photograph does not tell. */
export function endBeyond(scope: Scope, gray: Plane, { x, y, dx, dy }: End, vessel: number): number {
  const { u8 } = scope.arena;
  const { width, height, address, stride } = gray;
  const at = (along: number, beside: number): number => {
    const [u, v] = [x + along * dx - beside * dy, y + along * dy + beside * dx];
    if (!(u >= 0 && v >= 0 && u <= width - 1 && v <= height - 1)) return NaN;
    const [left, top] = [Math.min(width - 2, Math.floor(u)), Math.min(height - 2, Math.floor(v))];
    if (left < 0 || top < 0) return NaN;
    const p = address + top * stride + left;
    const [a, b] = [u - left, v - top];
    const upper = u8[p]! + a * (u8[p + 1]! - u8[p]!);
    return upper + b * (u8[p + stride]! + a * (u8[p + stride + 1]! - u8[p + stride]!) - upper);
  };
  const mean = (from: number, to: number, ...beside: number[]) => {
    let [sum, count] = [0, 0];
    for (let t = from; t <= to; t += 2 * STEP)
      for (const v of beside) {
        sum += at(t, v);
        count++;
      }
    return sum / count;
  };
  const far = 2.5 * vessel + 4;
  const near = -0.25 * vessel - 2;
  const back = near - vessel - 3;
  const inside = mean(back, near, -0.2 * vessel, 0, 0.2 * vessel);
  const border = 0.9 * vessel + 3;
  const outside = mean(back, near, -border, border);
  if (!(outside - inside > DEPTH)) return 0;
  const level = (inside + outside) / 2;
  const crossing = (...beside: number[]): number => {
    let before = inside;
    for (let t = near; t <= far; t += STEP) {
      const v = mean(t - 2 * STEP, t + 2 * STEP, ...beside);
      // The vessel leaves the picture.
      if (Number.isNaN(v)) return t;
      if (v >= level) return t - STEP * ((v - level) / Math.max(1e-9, v - before));
      before = v;
    }
    return NaN;
  };
  const tip = crossing(-0.1 * vessel, 0, 0.1 * vessel);
  const sides = (crossing(-BESIDE * vessel) + crossing(BESIDE * vessel)) / 2;
  if (Number.isNaN(tip)) return 0;
  // The middle line of a round end stops at the middle of its circle.
  // Blur rounds the corners of a straight one.
  const round = Math.max(0, Math.min(1, ((tip - sides) / (ROUND * vessel) - CORNERS[0]) / CORNERS[1] || 0));
  return tip - (round * vessel) / 2;
}
