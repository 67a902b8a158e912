/** What is behind the head: made up of slopes, patches, lines and grain. */
import { Random } from '../../eyes/random.ts';
import { defocus } from '../../eyes/sensor.ts';
import { noiseTile, TILE } from '../../eyes/texture.ts';
import type { Light } from './light-settings.ts';

const MASK = TILE - 1;

/** Three planes of `width` x `height` samples, linear; `scale` is samples of a pixel of a 200 px picture. */
export function paintBackdrop(width: number, height: number, scale: number, light: Light): Float32Array[] {
  const { kind, seed, level, contrast, blur, color } = light.background;
  const random = new Random(seed, 8);
  const tone = new Float32Array(width * height);
  const [sx, sy] = [random.normal(0, 0.5), random.normal(0, 0.5)];
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) tone[at] = 1 + sx * (x / width - 0.5) + sy * (y / height - 0.5);
  const patches = kind === 0 ? 0 : random.integer(3, 40);
  for (let i = 0; i < patches; i++) {
    const gain = Math.exp(contrast * random.normal());
    const long = random.unit() < 0.4;
    const [w, h] = long
      ? [random.uniform(0.01, 0.06), random.uniform(0.2, 1.5)]
      : [random.uniform(0.04, 0.5), random.uniform(0.04, 0.5)];
    const upright = kind < 4 || random.unit() < 0.5;
    const angle = upright ? (random.unit() < 0.5 ? 0 : Math.PI / 2) : random.uniform(0, Math.PI);
    patch(tone, width, height, random.unit(), random.unit(), w, h, angle, random.unit() < 0.35, gain);
  }
  const grain = random.unit() < 0.5 ? contrast * random.uniform(0, 0.4) : 0;
  if (grain > 0) {
    const tile = noiseTile(random.pick([1, 2, 4, 16]));
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at++)
        tone[at] *= Math.max(0.2, 1 + grain * tile[((y + seed) & MASK) * TILE + ((x + (seed >>> 9)) & MASK)]);
  }
  if (blur > 0) defocus(tone, new Float32Array(tone.length), width, height, Math.min(7, blur) * scale * 0.5);
  return color.map((share) => tone.map((v) => v * share * level));
}

function patch(
  tone: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  w: number,
  h: number,
  angle: number,
  round: boolean,
  gain: number,
): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let j = 0, at = 0; j < height; j++)
    for (let i = 0; i < width; i++, at++) {
      const [dx, dy] = [i / width - x, j / height - y];
      const [a, b] = [(c * dx + s * dy) / w, (c * dy - s * dx) / h];
      if (round ? a * a + b * b < 0.25 : Math.abs(a) < 0.5 && Math.abs(b) < 0.5) tone[at] *= gain;
    }
}
