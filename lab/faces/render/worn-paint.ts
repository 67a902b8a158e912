/** How hair and what people wear looks. */
import { TILE } from '../../eyes/texture.ts';
import { Part } from './scene.ts';
import type { FaceSettings } from './settings.ts';
import type { Surface } from './surface.ts';

/** u, v: the coordinates that whoever made the part gave to its vertices. `mask` wraps a place in the noise. */
export function paintWorn(
  part: number,
  u: number,
  v: number,
  { look, worn, seed }: FaceSettings,
  surface: Surface,
  fine: Float32Array,
  mask: number,
): void {
  const noise = (x: number, y: number) =>
    fine[((Math.floor(y) + (seed >>> 5)) & mask) * TILE + ((Math.floor(x) + seed) & mask)];
  const { color } = surface;
  const set = (from: readonly number[], gain: number) => {
    for (let k = 0; k < 3; k++) color[k] = from[k] * gain;
  };
  switch (part) {
    case Part.hair: {
      // u: across the strands, v: along them, both in cm
      const { curls, waves, shine } = worn.hair!;
      const bend = 3 * waves * Math.sin(0.9 * v + 0.3 * u) + 5 * curls * noise(1.2 * u + 77, 1.2 * v);
      const strand = noise(9 * u + bend, (0.7 + 7 * curls) * v);
      const lock = noise(2.2 * u + bend + 200, (0.25 + 2 * curls) * v);
      set(look.hair, Math.max(0.15, 1 + 0.32 * strand + 0.35 * lock));
      surface.gloss = 0.12 * shine * (1 + 0.6 * strand) * (1 - 0.7 * curls);
      surface.sharpness = 9;
      surface.wrap = 0.1;
      break;
    }
    case Part.hat:
      set(worn.hat!.color, 1 + 0.12 * noise(9 * u, 9 * v) + 0.1 * noise(u, v));
      surface.gloss = worn.hat!.kind === 'helmet' ? 0.3 : 0.01;
      break;
    case Part.cloth: {
      const { color: dye, stripes } = worn.cloth;
      const band = Math.sin(1.5 * v) > 0.3 ? 1 - stripes : 1;
      set(dye, band * (1 + 0.1 * noise(6 * u, 6 * v) + 0.12 * noise(0.8 * u, 0.5 * v)));
      break;
    }
    case Part.frame:
      set(worn.glasses?.color ?? [0.5, 0.5, 0.5], 1);
      surface.gloss = 0.25;
      surface.sharpness = 40;
      break;
    case Part.mask: {
      const { color: dye, folds } = worn.mask!;
      set(dye, (1 - 0.25 * folds * (Math.sin(4.2 * v) > 0.85 ? 1 : 0)) * (1 + 0.05 * noise(8 * u, 8 * v)));
      break;
    }
  }
}
