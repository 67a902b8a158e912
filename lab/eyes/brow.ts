import { clamp } from './arithmetic.ts';
import type { Random } from './random.ts';
import type { Lids, Stroke } from './scene.ts';

/** Eyebrow: short hairs along an arc above the eye. */
export function makeBrow(random: Random, lids: Lids, k: number): Stroke[] {
  const strokes: Stroke[] = [];
  const height = random.uniform(15, 20) * k;
  const side = random.unit() < 0.5 ? 1 : -1;
  const shade = random.uniform(25, 70);
  const thick = random.uniform(1.5, 3.2) * k;
  for (let i = 0; i < 170; i++) {
    const u = random.uniform(-1, 1);
    const taper = clamp(1.2 - 0.9 * Math.max(0, u * side), 0.2, 1);
    const x = lids.x + u * 1.25 * lids.halfWidth;
    const y = lids.y - height + 4 * k * u * u + random.normal(0, 0.45) * thick * taper;
    const length = k * random.uniform(3, 6);
    const rise = random.uniform(-0.5, 0.1) - 0.4 * (1 - Math.abs(u));
    strokes.push({
      x0: x,
      y0: y,
      x1: x + 0.5 * side * length,
      y1: y + 0.5 * rise * length,
      x2: x + side * length,
      y2: y + 0.3 * rise * length,
      width: k * random.uniform(0.12, 0.22),
      tip: 0.5,
      level: shade + random.uniform(-10, 20),
      opacity: 0.7,
    });
  }
  return strokes;
}
