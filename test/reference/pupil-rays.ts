/** The two ray stages of Starburst (paper 000, section 2.3), in float32 where the kernel is, so that points are equal. */
import type { Point } from './pupil-search-fits.ts';

export interface RayScene {
  width: number;
  blurred: Uint8Array;
  mask: Uint8Array;
  region: { x0: number; y0: number; x1: number; y1: number };
  /** A step over four pixels counts when it is greater than the whole part of this. */
  gradient: number;
  paper: boolean;
}

const f = Math.fround;

/** Levels along a ray, NaN where masked, from pixel `skip` to where it leaves the region. */
function levels(scene: RayScene, [x, y]: Point, [dx, dy]: Point, skip: number, reach: number): number[] {
  const { x0, y0, x1, y1 } = scene.region;
  // Positions in 1/65536 px.
  const fixed = (v: number) => Math.trunc(f(v * 65536));
  const startX = fixed(f(f(x + f(dx * skip)) + 0.5));
  const startY = fixed(f(f(y + f(dy * skip)) + 0.5));
  const out: number[] = [];
  for (let k = 0; k < reach - skip; k++) {
    const px = Math.floor((startX + k * fixed(dx)) / 65536);
    const py = Math.floor((startY + k * fixed(dy)) / 65536);
    if (px < x0 || py < y0 || px >= x1 || py >= y1) break;
    out.push(scene.mask[py * scene.width + px] ? NaN : scene.blurred[py * scene.width + px]!);
  }
  return out;
}

/** Index of the border among the levels, or -1. */
function border(line: number[], threshold: number, paper: boolean): number {
  const step = (k: number) => {
    const five = line.slice(k - 4, k + 1);
    return k >= 4 && five.length === 5 && !five.some(Number.isNaN) ? five[4]! - five[0]! : NaN;
  };
  for (let k = 0; k < line.length; k++) {
    // Behind a mask: if it is brighter there than before it, the border is hidden.
    if (!paper && k > 0 && !Number.isNaN(line[k]) && Number.isNaN(line[k - 1])) {
      const before = line.slice(0, k).filter((v) => !Number.isNaN(v));
      if (before.length && line[k]! - before[before.length - 1]! > threshold) return -1;
    }
    if (!(step(k) > threshold)) continue;
    let best = k;
    while (!paper && step(best + 1) > step(best)) best++; // to the steepest place
    return best;
  }
  return -1;
}

function cast(scene: RayScene, start: Point, direction: Point, skip: number, reach: number): Point[] {
  const at = border(levels(scene, start, direction, skip, reach), Math.trunc(scene.gradient), scene.paper);
  if (at < 0) return [];
  const t = at + skip - 2;
  return [[f(start[0] + f(direction[0] * t)), f(start[1] + f(direction[1] * t))]];
}

/** Border points of the first stage and, where a third of its rays met a border (or always: paper), of the second. */
export function starburstRays(scene: RayScene, start: Point, rays: Point[], arc: Point[], reach: number): Point[] {
  const first = rays.flatMap((ray) => cast(scene, start, ray, 0, reach));
  if (!scene.paper && first.length * 3 < rays.length) return first;
  const second = first.flatMap(([bx, by]) => {
    const [wx, wy] = [f(start[0] - bx), f(start[1] - by)];
    const length = f(Math.sqrt(f(f(wx * wx) + f(wy * wy))));
    if (length < 2) return [];
    const [ux, uy] = [f(wx / length), f(wy / length)];
    return arc.flatMap(([cos, sin]) =>
      cast(scene, [bx, by], [f(f(ux * cos) - f(uy * sin)), f(f(ux * sin) + f(uy * cos))], 3, 2 * reach),
    );
  });
  return [...first, ...second];
}
