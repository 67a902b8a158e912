import { clamp } from './arithmetic.ts';
import type { Stroke } from './scene.ts';

const PIECES = 10;

/** The curve as PIECES straight pieces: x, y, half width for each of PIECES + 1 points. */
export function polyline(s: Stroke): Float64Array {
  const points = new Float64Array((PIECES + 1) * 3);
  for (let i = 0; i <= PIECES; i++) {
    const t = i / PIECES;
    const a = (1 - t) * (1 - t);
    const b = 2 * t * (1 - t);
    const c = t * t;
    points[i * 3] = a * s.x0 + b * s.x1 + c * s.x2;
    points[i * 3 + 1] = a * s.y0 + b * s.y1 + c * s.y2;
    points[i * 3 + 2] = 0.5 * (s.width + (s.tip - s.width) * t);
  }
  return points;
}

/** Half width minus distance, the largest over the pieces: positive inside the hair. */
export function depthInside(points: Float64Array, x: number, y: number): number {
  let best = -1e9;
  for (let i = 0; i + 5 < points.length; i += 3) {
    const ax = points[i];
    const ay = points[i + 1];
    const dx = points[i + 3] - ax;
    const dy = points[i + 4] - ay;
    const t = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy + 1e-12), 0, 1);
    const ex = x - ax - t * dx;
    const ey = y - ay - t * dy;
    const half = points[i + 2] + (points[i + 5] - points[i + 2]) * t;
    const depth = half - Math.sqrt(ex * ex + ey * ey);
    if (depth > best) best = depth;
  }
  return best;
}

/** Paints a hair; opacity falls over one pixel at its edge. Thinner than a pixel it fades instead. */
export function paintStroke(image: Float32Array, width: number, height: number, stroke: Stroke): void {
  const points = polyline(stroke);
  for (let i = 0; i + 5 < points.length; i += 3) {
    const ax = points[i];
    const ay = points[i + 1];
    const bx = points[i + 3];
    const by = points[i + 4];
    const reach = Math.max(points[i + 2], points[i + 5]) + 1;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx) - reach));
    const right = Math.min(width - 1, Math.floor(Math.max(ax, bx) + reach));
    const top = Math.max(0, Math.ceil(Math.min(ay, by) - reach));
    const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by) + reach));
    const dx = bx - ax;
    const dy = by - ay;
    const scale = 1 / (dx * dx + dy * dy + 1e-12);
    const last = i + 8 >= points.length;
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const raw = ((x - ax) * dx + (y - ay) * dy) * scale;
        // each piece owns the half-open range of its parameter; the ends own their caps
        if ((raw < 0 && i > 0) || (raw >= 1 && !last)) continue;
        const t = clamp(raw, 0, 1);
        const ex = x - ax - t * dx;
        const ey = y - ay - t * dy;
        const half = points[i + 2] + (points[i + 5] - points[i + 2]) * t;
        const distance = Math.sqrt(ex * ex + ey * ey);
        const cover = clamp(half + 0.5 - distance, 0, Math.min(1, 2 * half));
        if (cover <= 0) continue;
        const p = y * width + x;
        image[p] += (stroke.level - image[p]) * cover * stroke.opacity;
      }
    }
  }
}
