import { clamp, cosine, sine } from './arithmetic.ts';
import { normalTable, Random } from './random.ts';
import { defocus } from './sensor.ts';
import { eyelessTruth } from './truth.ts';
import type { EyeFrame } from './scene.ts';

/**
 * Frames of dark things with corners: squares of a board, polygons, bars. Compact, dark, sharp, and no pupil: what the
 * confidence has to learn to leave. Frame i depends on the seed and i alone.
 */
export interface ShapesMeta {
  set: 'shapes';
  index: number;
  kind: 'board' | 'polygons' | 'bars';
}

type Field = (x: number, y: number) => number;

/** Signed distance (negative inside) to a convex polygon given by outward normals and offsets. */
function polygon(random: Random, width: number, height: number): Field {
  const corners = random.integer(3, 6);
  const r = random.uniform(0.03, 0.2) * Math.min(width, height);
  const cx = random.uniform(0, width);
  const cy = random.uniform(0, height);
  const turn = random.uniform(0, 2 * Math.PI);
  const ratio = random.uniform(0.6, 1);
  const sides = Array.from({ length: corners }, (_, k) => {
    const angle = turn + (2 * Math.PI * (k + random.uniform(-0.15, 0.15))) / corners;
    return { x: cosine(angle), y: sine(angle), d: r * random.uniform(0.85, 1.15) };
  });
  return (x, y) => Math.max(...sides.map((s) => s.x * (x - cx) + (s.y * (y - cy)) / ratio - s.d));
}

function board(random: Random, width: number, height: number): Field {
  const angle = random.uniform(0, Math.PI);
  const c = cosine(angle);
  const s = sine(angle);
  const side = random.uniform(0.07, 0.3) * Math.min(width, height);
  const stretch = random.uniform(0.7, 1);
  const gap = random.unit() < 0.5 ? 0 : random.uniform(0.05, 0.3) * side;
  const ox = random.uniform(0, side);
  return (x, y) => {
    const u = (c * x + s * y + ox + 50 * side) / side;
    const v = (c * y - s * x + ox + 50 * side) / (side * stretch);
    const dark = (Math.floor(u) + Math.floor(v)) % 2 === 0;
    const fu = Math.abs(u - Math.floor(u) - 0.5);
    const fv = Math.abs(v - Math.floor(v) - 0.5);
    const inside = side * (0.5 - Math.max(fu, fv * stretch + 0.5 * (1 - stretch)));
    return dark ? gap - inside : inside + gap;
  };
}

function bar(random: Random, width: number, height: number): Field {
  const angle = random.uniform(0, Math.PI);
  const c = cosine(angle);
  const s = sine(angle);
  const thick = random.uniform(0.02, 0.1) * Math.min(width, height);
  const long = random.uniform(1.5, 8) * thick;
  const cx = random.uniform(0, width);
  const cy = random.uniform(0, height);
  const round = random.unit() < 0.5;
  return (x, y) => {
    const u = Math.abs(c * (x - cx) + s * (y - cy)) - long;
    const v = Math.abs(c * (y - cy) - s * (x - cx));
    return round ? Math.hypot(Math.max(0, u), v) - thick : Math.max(u, v - thick);
  };
}

export function shapesFrame(index: number, seed: number): EyeFrame<ShapesMeta> {
  const random = new Random(seed, index, 37);
  const kind = (['board', 'polygons', 'bars'] as const)[index % 3]!;
  const [width, height] = random.pick([
    [640, 480],
    [320, 240],
    [192, 192],
    [128, 128],
  ] as const);
  const bright = random.uniform(80, 255);
  const image = new Float32Array(width * height).fill(bright);
  const fields =
    kind === 'board'
      ? [board(random, width, height)]
      : Array.from({ length: random.integer(3, 10) }, () => (kind === 'bars' ? bar : polygon)(random, width, height));
  const gx = random.uniform(-0.3, 0.3);
  for (const field of fields) {
    const level = random.uniform(0, 0.75 * bright);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const cover = clamp(0.5 - field(x, y), 0, 1);
        if (cover > 0) image[y * width + x] += cover * (level - image[y * width + x]!);
      }
  }
  for (let i = 0; i < image.length; i++) image[i]! *= 1 + gx * ((i % width) / width - 0.5);
  defocus(image, new Float32Array(image.length), width, height, random.uniform(0, 1.8));
  const noise = random.uniform(0, 5);
  const table = normalTable();
  const data = Uint8Array.from(image, (v) => clamp(v + noise * table[random.word() >>> 20]! + 0.5, 0, 255));
  return { width, height, data, truth: eyelessTruth(), meta: { set: 'shapes', index, kind } };
}
