/**
 * Share of the retina that vessels cover, in four quarters around a place: above, below, towards the nose and away from it,
 * each of 90 degrees. Around the disc from its margin to one diameter from it; around the fovea the two rings of the ETDRS
 * chart, 1 to 6 mm across, with a disc of 1.8 mm.
 */
import type { GrayImage } from '../../results/types.ts';
import type { Circle } from './zone.ts';

export interface Quadrants {
  /** 0..1; null where less than half of the quarter is in the field of view. */
  readonly superior: number | null;
  readonly inferior: number | null;
  /** Null as well where it is not known which side the nose is on. */
  readonly nasal: number | null;
  readonly temporal: number | null;
}

/** In radii of the disc. */
export const AROUND = { disc: [1, 3], fovea: [0.5 / 0.9, 3 / 0.9] } as const;
const SEEN = 0.5;

/** `temporal`: -1 to the left, 1 to the right, 0 not known. */
export function quadrantsOf(
  mask: GrayImage,
  fieldOfView: GrayImage,
  { x, y, radius }: Circle,
  [from, to]: readonly [number, number],
  temporal: -1 | 0 | 1,
): Quadrants {
  const { width, height, data } = mask;
  // Above, right, below, left.
  const [all, seen, covered] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  for (let v = Math.ceil(y - to * radius); v <= y + to * radius; v++)
    for (let u = Math.ceil(x - to * radius); u <= x + to * radius; u++) {
      const [dx, dy] = [u - x, v - y];
      const away = Math.hypot(dx, dy);
      if (away < from * radius || away > to * radius) continue;
      const quarter = Math.abs(dy) >= Math.abs(dx) ? (dy < 0 ? 0 : 2) : dx > 0 ? 1 : 3;
      all[quarter]!++;
      const i = v * width + u;
      if (u < 0 || v < 0 || u >= width || v >= height || !fieldOfView.data[i]) continue;
      seen[quarter]!++;
      if (data[i]) covered[quarter]!++;
    }
  const share = (k: number) => (seen[k]! >= SEEN * all[k]! && seen[k] ? covered[k]! / seen[k]! : null);
  const [left, right] = [share(3), share(1)];
  return {
    superior: share(0),
    inferior: share(2),
    nasal: temporal ? (temporal > 0 ? left : right) : null,
    temporal: temporal ? (temporal > 0 ? right : left) : null,
  };
}
