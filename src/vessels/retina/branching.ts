/**
 * Forks: the angle between the two branches, and how their widths go with the trunk's. Area ratio and asymmetry: Patton et al.
 * 2006; exponent: Murray 1926, Sherman 1981 (trunk^x = one^x + other^x; 3 costs least). The widest of the three is the trunk.
 */
import type { MiddleLine } from './strands.ts';

export interface Fork {
  readonly x: number;
  readonly y: number;
  /** Between the two branches, in radians. */
  readonly angle: number;
  /** Widths in pixels, measured beside the fork. */
  readonly trunk: number;
  readonly branches: readonly [number, number];
  /** Sum of the branches' squared widths over the trunk's; 1.26 where the exponent is 3 and the branches are alike. */
  readonly areaRatio: number;
  /** Squared width of the narrower over that of the wider branch. */
  readonly asymmetry: number;
  /** Null where a branch is as wide as the trunk, or beyond 1 to 10. */
  readonly exponent: number | null;
}

/** Widths of the trunk along a branch between which its width and its direction are taken. */
const BESIDE = { from: 1, to: 3 };
/** Points between these with a width that a branch needs. */
const LEAST = 3;
const EXPONENTS = [1, 10] as const;

interface Arm {
  readonly segment: MiddleLine;
  readonly backwards: boolean;
  /** Of the widest vessel at this fork. */
  readonly reach: number;
}

/** Mean width beside the fork, and the way from it. */
function beside({ segment, backwards, reach }: Arm, x: number, y: number) {
  const { points, widths } = segment;
  const count = points.length >> 1;
  let [sum, known, far] = [0, 0, -1];
  for (let k = 0; k < count; k++) {
    const at = backwards ? count - 1 - k : k;
    const away = Math.hypot(points[2 * at]! - x, points[2 * at + 1]! - y);
    if (away > BESIDE.to * reach) break;
    if (away < BESIDE.from * reach) continue;
    far = at;
    if (Number.isNaN(widths[at]!)) continue;
    sum += widths[at]!;
    known++;
  }
  if (known < LEAST || far < 0) return null;
  return { width: sum / known, way: Math.atan2(points[2 * far + 1]! - y, points[2 * far]! - x) };
}

/** Of trunk^x = a^x + b^x, by halving. */
export function junctionExponent(trunk: number, a: number, b: number): number | null {
  const over = (x: number) => (a / trunk) ** x + (b / trunk) ** x - 1;
  let [low, high] = EXPONENTS as readonly [number, number];
  if (!(Math.max(a, b) < trunk) || over(low) < 0 || over(high) > 0) return null;
  for (let k = 0; k < 50; k++) {
    const middle = (low + high) / 2;
    if (over(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const between = (a: number, b: number) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

/** Forks of three vessels; what has another branch point as near as the widths are taken is a crossing or too close to tell. */
export function forksOf(branchPoints: readonly { x: number; y: number }[], segments: readonly MiddleLine[]): Fork[] {
  return branchPoints.flatMap(({ x, y }): Fork[] => {
    const touching = (arm: MiddleLine, at: number, near: number) =>
      Math.hypot(arm.points[2 * at]! - x, arm.points[2 * at + 1]! - y) <= near;
    const ends = segments.flatMap((segment) =>
      [false, true].flatMap((backwards) => {
        const at = backwards ? (segment.points.length >> 1) - 1 : 0;
        return touching(segment, at, Math.max(3, segment.width ?? 0)) ? [{ segment, backwards }] : [];
      }),
    );
    if (ends.length !== 3 || ends.some(({ segment }) => segment.width === undefined)) return [];
    const reach = Math.max(...ends.map(({ segment }) => segment.width!));
    const others = branchPoints.filter((p) => Math.hypot(p.x - x, p.y - y) < BESIDE.to * reach);
    if (others.length > 1) return [];
    const arms = ends.map((end) => beside({ ...end, reach }, x, y));
    if (arms.includes(null)) return [];
    const [trunk, one, other] = arms.map((arm) => arm!).sort((a, b) => b.width - a.width) as [
      { width: number; way: number },
      { width: number; way: number },
      { width: number; way: number },
    ];
    return [
      {
        x,
        y,
        angle: between(one.way, other.way),
        trunk: trunk.width,
        branches: [one.width, other.width],
        areaRatio: (one.width ** 2 + other.width ** 2) / trunk.width ** 2,
        asymmetry: (other.width / one.width) ** 2,
        exponent: junctionExponent(trunk.width, one.width, other.width),
      },
    ];
  });
}
