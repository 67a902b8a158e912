/**
 * Fovea: a dark place without vessels, two and a half disc diameters beside the disc and a little below it. Position
 * relative to the disc: Rohrschneider 2004 and Jonas et al. 2015 (4.8 mm at 7.8 degrees below the horizontal, spread
 * 0.3 mm and 3.6 degrees). The diameter of the disc, which is the scale here, varies far more than that (Jonas et al.
 * 1988).
 */
import { extremes, type FoundDisc } from './disc.ts';
import type { SmallPicture } from './small-picture.ts';
import type { Strand } from './strands.ts';

export interface FoundFovea {
  x: number;
  y: number;
  /**
   * How dark and free of vessels it is, compared with the corresponding place on the opposite side of the disc, 0 to 1.
   */
  confidence: number;
}

/** Distance in radii of the disc, and the spread of its logarithm. */
const AWAY = { usual: 5.3, spread: 0.22 };
/** Radians below the horizontal. A tilted head adds to the spread. */
const BELOW = { usual: 0.136, spread: 0.12 };
/** Shares of the disc's radius: the dark area, and the ring around it. */
const DARK = 0.5;
const RING = [1.1, 1.7] as const;
/** Share of a disc-sized circle covered by vessels that halves its darkness score. */
const FULL = 0.06;
/** Difference of the logarithm of brightness to the surroundings that is certain evidence of a fovea. */
const DEEP = 0.08;
/** The rim of the field is also dark. Minimum visible share of the ring. */
const SEEN = 0.95;

/** Mean over a circle or ring. NaN if less than SEEN of it is in the field. */
function meanOf(values: Float32Array, picture: SmallPicture, x: number, y: number, from: number, to: number): number {
  const { width, height, inside } = picture;
  let [sum, count, all] = [0, 0, 0];
  for (let v = Math.ceil(y - to); v <= y + to; v++)
    for (let u = Math.ceil(x - to); u <= x + to; u++) {
      const square = (u - x) ** 2 + (v - y) ** 2;
      if (square > to * to || square < from * from) continue;
      all++;
      if (u < 0 || v < 0 || u >= width || v >= height || !inside[v * width + u]) continue;
      sum += values[v * width + u]!;
      count++;
    }
  return count > SEEN * all ? sum / count : NaN;
}

/** Null if no place beside the disc is darker than its surroundings. */
export function findFovea(picture: SmallPicture, strands: readonly Strand[], disc: FoundDisc): FoundFovea | null {
  const { width, height, green, inside, diameter } = picture;
  const { radius } = disc;
  const reach = Math.max(1, Math.round(0.012 * diameter));
  const closed = extremes(extremes(green, width, height, reach, 1), width, height, reach, -1).map((v) =>
    Math.log(1 + v),
  );
  const best = [-1, 1].map((side) => {
    let found = { x: NaN, y: NaN, score: 0, depth: 0 };
    const step = Math.max(1, radius / 8);
    for (let y = disc.y - 3 * radius; y <= disc.y + 4 * radius; y += step)
      for (let away = 2.5 * radius; away <= 9 * radius; away += step) {
        const x = disc.x + side * away;
        const i = Math.round(y) * width + Math.round(x);
        if (x < 0 || y < 0 || x > width - 1 || y > height - 1 || !inside[i]) continue;
        const distance = Math.hypot(x - disc.x, y - disc.y);
        const angle = Math.atan2(y - disc.y, away);
        const usual =
          Math.exp(-(Math.log(distance / radius / AWAY.usual) ** 2) / (2 * AWAY.spread ** 2)) *
          Math.exp(-((angle - BELOW.usual) ** 2) / (2 * BELOW.spread ** 2));
        if (usual < 0.05) continue;
        const depth =
          meanOf(closed, picture, x, y, RING[0] * radius, RING[1] * radius) -
          meanOf(closed, picture, x, y, 0, DARK * radius);
        if (!(depth > 0)) continue;
        let area = 0;
        for (const s of strands)
          if ((s.x - x) ** 2 + (s.y - y) ** 2 < radius * radius) area += s.length * Math.max(1, s.width);
        const free = 1 / (1 + area / (FULL * Math.PI * radius * radius));
        const score = depth * free * usual;
        if (score > found.score) found = { x, y, score, depth };
      }
    return found;
  });
  const [one, other] = best[0]!.score > best[1]!.score ? [best[0]!, best[1]!] : [best[1]!, best[0]!];
  if (!(one.score > 0)) return null;
  const confidence = (1 - other.score / one.score) * Math.min(1, one.score / DEEP);
  return { x: one.x, y: one.y, confidence };
}
