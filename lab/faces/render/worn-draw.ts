/** How what is worn is drawn beyond plain triangles: strands, lenses, things before the face, and what throws shadows. */
import { noiseTile, TILE } from '../../eyes/texture.ts';
import { draw, type Drawing, type Projection, type Samples } from './raster.ts';
import { Part, type Mesh } from './scene.ts';
import type { FaceSettings } from './settings.ts';

const MASK = TILE - 1;

/** Whether a strand of hair, or a lash, is at a place of its surface. */
export function keepHair(mesh: Mesh, { worn, look, seed }: FaceSettings): NonNullable<Drawing['keep']> {
  const fine = noiseTile(1);
  const medium = noiseTile(4);
  const { rest, triangles, part } = mesh;
  const ragged = (worn.hair?.ragged ?? 0) * (worn.hair?.fringe?.ragged ?? 1);
  const wind = worn.hair?.fringe ? 1 : 0.6;
  return (t, second, third) => {
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    const of = (k: number) => rest[a + k] + second * (rest[b + k] - rest[a + k]) + third * (rest[c + k] - rest[a + k]);
    const [u, v, w] = [of(0), of(1), of(2)];
    const at = (tile: Float32Array, x: number, y: number) =>
      tile[((Math.floor(y) + seed) & MASK) * TILE + ((Math.floor(x) + (seed >>> 9)) & MASK)];
    if (part[t] === Part.lash) return at(fine, 60 * u, 3 * v) > 2.8 - 1.8 * look.lash;
    if (part[t] === Part.hat) return w > 0;
    return w + ragged * (0.35 * at(fine, 11 * u, 1.2 * v) + 0.4 * wind * at(medium, 8 * u, 1.2 * v)) > 0;
  };
}

/** 1 for each triangle that keeps light off others. */
export function castersOf(mesh: Mesh): Uint8Array {
  const casts = new Uint8Array(mesh.triangleCount);
  for (let t = 0; t < casts.length; t++) {
    const part = mesh.part[t];
    if (part === Part.hair || part === Part.hat) casts[t] = mesh.rest[3 * mesh.triangles[3 * t] + 2] > 0 ? 1 : 0;
    else casts[t] = part <= Part.head || (part > Part.hat && part < Part.lens) ? 1 : 0;
  }
  return casts;
}

/** Lenses over what is behind them: less of it, and a reflection. */
export function paintLenses(
  planes: readonly Float32Array[],
  samples: Samples,
  mesh: Mesh,
  seen: Projection,
  { worn, light, seed }: FaceSettings,
): void {
  const { glasses } = worn;
  if (!glasses) return;
  const { rest, triangles } = mesh;
  const { front, up } = light.sky;
  draw(samples, mesh, seen, {
    wanted: (part) => part === Part.lens,
    twoSided: true,
    keep: (t, second, third, x, y) => {
      const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
      const of = (k: number) =>
        rest[a + k] + second * (rest[b + k] - rest[a + k]) + third * (rest[c + k] - rest[a + k]);
      const [u, v] = [of(0), of(1)];
      const stripe = Math.sin(2.2 * u + 1.7 * v + (seed & 63) / 10);
      const at = y * samples.width + x;
      for (let k = 0; k < 3; k++)
        planes[k][at] =
          planes[k][at] * glasses.clear +
          glasses.reflection *
            0.5 *
            (0.5 * (front[k] + up[k]) * (0.4 + 0.6 * Math.max(0, v)) + (stripe > 0.55 ? up[k] : 0));
      return false;
    },
  });
}

/** Flat things between the camera and the face: a microphone, a cup, somebody's shoulder. */
export function paintThings(
  planes: readonly Float32Array[],
  width: number,
  height: number,
  points: Float32Array,
  part: number,
  level: number,
  { worn, seed }: FaceSettings,
): void {
  const tile = noiseTile(2);
  const [left, right] = [points[0] * part, points[32] * part];
  const [mx, my] = [((points[60] + points[54]) * part) / 2, ((points[61] + points[55]) * part) / 2];
  const side = Math.max(20, Math.abs(right - left));
  for (const thing of worn.things) {
    const [c, s] = [Math.cos(thing.angle), Math.sin(thing.angle)];
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at++) {
        const dx = (x - mx) / side - thing.x;
        const dy = (y - my) / side - thing.y;
        const a = (c * dx + s * dy) / thing.width;
        const b = (c * dy - s * dx) / thing.height;
        if (thing.round ? a * a + b * b > 0.25 : Math.abs(a) > 0.5 || Math.abs(b) > 0.5) continue;
        const v = 2 * level * thing.level * (1 + 0.15 * tile[((y + seed) & MASK) * TILE + (x & MASK)] - 0.3 * a);
        for (let k = 0; k < 3; k++) planes[k][at] = v;
      }
  }
}

export function wornNames({ worn, look }: FaceSettings): string[] {
  const { glasses, mask, hand, hat, hair, things } = worn;
  const names: string[] = [];
  if (glasses) names.push(glasses.clear < 0.5 ? 'sunglasses' : 'glasses');
  if (mask) names.push('mask');
  if (hand) names.push('hand');
  if (hat) names.push(hat.kind === 'scarf' ? 'scarf' : 'hat');
  if (hair?.fringe) names.push('fringe');
  if (hair && hair.bottom < -4) names.push('long-hair');
  if (!hair) names.push('bald');
  if (Math.max(look.beard.mustache, look.beard.chin, look.beard.cheeks) > 0) names.push('beard');
  if (things.length) names.push('thing');
  return names;
}
