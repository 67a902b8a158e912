/** Drawn by integers alone, as lab/flow/golden-tracks.py does, so that both have the same bytes. */
const SPACING = 96; // sixteenths of a pixel between the lattice's random values

function lattice(i: number, j: number, seed: number): number {
  let h = (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(seed, 83492791)) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177) >>> 0;
  return (h ^ (h >>> 16)) & 255;
}

export interface Texture {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer>;
}

/** The texture at a place, in sixteenths of a pixel. */
export function textureAt(u: number, v: number, seed: number): number {
  const i = Math.floor(u / SPACING);
  const j = Math.floor(v / SPACING);
  const a = u - i * SPACING;
  const b = v - j * SPACING;
  const top = (SPACING - a) * lattice(i, j, seed) + a * lattice(i + 1, j, seed);
  const low = (SPACING - a) * lattice(i, j + 1, seed) + a * lattice(i + 1, j + 1, seed);
  return Math.floor(((SPACING - b) * top + b * low) / (SPACING * SPACING));
}

/** A window into the texture whose origin lies `shiftX`, `shiftY` sixteenths of a pixel further: it moves by minus that. */
export function texture(width: number, height: number, seed: number, shiftX = 0, shiftY = 0): Texture {
  const data = new Uint8Array(width * height);
  for (let y = 0, k = 0; y < height; y++)
    for (let x = 0; x < width; x++, k++)
      data[k] = textureAt(16 * x + shiftX + 16 * SPACING, 16 * y + shiftY + 16 * SPACING, seed);
  return { width, height, data };
}
