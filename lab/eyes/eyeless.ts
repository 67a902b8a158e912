import { clamp, smoothStep } from './arithmetic.ts';
import { makeBrow } from './brow.ts';
import { Random } from './random.ts';
import { workspace } from './render.ts';
import { defocus, digitize } from './sensor.ts';
import { paintStroke } from './strokes.ts';
import { noiseTile, TILE } from './texture.ts';
import { eyelessTruth } from './truth.ts';
import type { Lids, Truth } from './scene.ts';

export const EYELESS_KINDS = ['skin', 'face', 'wall', 'noise', 'empty', 'hair', 'blocks', 'lamp'] as const;
export type EyelessKind = (typeof EYELESS_KINDS)[number];

const MASK = TILE - 1;

/** A frame without an eye: what a camera sees beside, before or after one. Kinds follow each other by number. */
export function eyelessFrame(
  random: Random,
  number: number,
  width: number,
  height: number,
  noise: number,
): { kind: EyelessKind; data: Uint8Array; truth: Truth } {
  const kind = EYELESS_KINDS[number % EYELESS_KINDS.length];
  const { image, spare } = workspace(width * height);
  let sigma = noise;
  if (kind === 'empty') sigma = paintEmpty(random, image, noise);
  else if (kind === 'noise') paintNoise(random, image, width, height);
  else if (kind === 'wall') paintWall(random, image, width, height);
  else if (kind === 'blocks') paintBlocks(random, image, width, height);
  else if (kind === 'lamp') paintLamps(random, image, width, height);
  else paintFace(random, image, width, height, kind);
  defocus(image, spare, width, height, 1.5);
  return { kind, data: digitize(image, sigma, random.word()), truth: eyelessTruth() };
}

function fill(image: Float32Array, width: number, height: number, value: (x: number, y: number) => number): void {
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) image[y * width + x] = value(x, y);
}

/** Multiplies by a plane of light with slow folds. */
function shade(random: Random, image: Float32Array, width: number, height: number, depth: number): void {
  const coarse = noiseTile(16);
  const gx = random.uniform(-depth, depth);
  const gy = random.uniform(-depth, depth);
  const ox = random.integer(0, MASK);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const slow = coarse[(((y >> 2) + ox) & MASK) * TILE + (((x >> 2) + ox) & MASK)];
      const light = 1 + gx * ((2 * x) / width - 1) + gy * ((2 * y) / height - 1) + 0.25 * depth * slow;
      image[y * width + x] *= clamp(light, 0.15, 2);
    }
  }
}

function paintEmpty(random: Random, image: Float32Array, noise: number): number {
  image.fill(random.pick([0, 3, 16, 90, 128, 200, 255]));
  return random.unit() < 0.25 ? 0 : noise;
}

function paintNoise(random: Random, image: Float32Array, width: number, height: number): void {
  const tile = noiseTile(random.pick([1, 4, 16]));
  const ox = random.integer(0, MASK);
  const level = random.uniform(60, 150);
  const amplitude = random.uniform(15, 60);
  fill(image, width, height, (x, y) => level + amplitude * tile[((y + ox) & MASK) * TILE + ((x + 3 * ox) & MASK)]);
}

function paintWall(random: Random, image: Float32Array, width: number, height: number): void {
  const fine = noiseTile(1);
  const level = random.uniform(80, 170);
  const brick = random.unit() < 0.6;
  const w = random.uniform(50, 160);
  const h = random.uniform(20, 60);
  const joint = random.uniform(2, 6);
  const depth = random.uniform(-60, 40);
  const slant = random.uniform(-0.08, 0.08);
  fill(image, width, height, (x, y) => {
    const n = level + 5 * fine[(y & MASK) * TILE + (x & MASK)];
    if (!brick) return n;
    const yy = y + slant * x + 2000;
    const row = Math.floor(yy / h);
    const xx = x - slant * y + 2000 + (row % 2) * 0.5 * w;
    const edge = Math.min(yy - row * h, xx % w);
    return n + depth * (1 - smoothStep(joint - 1, joint + 1, edge)) + ((row * 37 + Math.floor(xx / w) * 91) % 13);
  });
  shade(random, image, width, height, 0.4);
}

/** Office and street: boxes and bars of constant level, as a camera that fell off the head sees. */
function paintBlocks(random: Random, image: Float32Array, width: number, height: number): void {
  image.fill(random.uniform(60, 160));
  for (let i = random.integer(12, 30); i > 0; i--) {
    const w = random.uniform(10, 240);
    const h = random.uniform(10, 200);
    const x0 = Math.floor(random.uniform(-40, width - 10));
    const y0 = Math.floor(random.uniform(-40, height - 10));
    const level = random.uniform(10, 220);
    for (let y = Math.max(0, y0); y < Math.min(height, y0 + h); y++)
      for (let x = Math.max(0, x0); x < Math.min(width, x0 + w); x++) image[y * width + x] = level;
  }
  shade(random, image, width, height, 0.3);
}

/** Lamps and their glare in the dark. */
function paintLamps(random: Random, image: Float32Array, width: number, height: number): void {
  image.fill(random.uniform(5, 60));
  for (let i = random.integer(2, 9); i > 0; i--) {
    const cx = random.uniform(0, width);
    const cy = random.uniform(0, height);
    const r = random.uniform(3, 20);
    const glare = random.uniform(20, 90);
    const broad = random.uniform(30, 150);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const d2 = (x - cx) * (x - cx) + (y - cy) * (y - cy);
        image[y * width + x] += glare / (1 + d2 / (broad * broad)) + (d2 < r * r ? 230 : 0);
      }
    }
  }
}

/** Skin with folds, with brows and hair, or with the dark soft blobs of nostrils, mouth and ear. */
function paintFace(random: Random, image: Float32Array, width: number, height: number, kind: EyelessKind): void {
  const fine = noiseTile(1);
  const medium = noiseTile(4);
  const coarse = noiseTile(16);
  const level = random.uniform(90, 170);
  const amplitude = random.uniform(3, 10);
  const ox = random.integer(0, MASK);
  fill(image, width, height, (x, y) => {
    const at = ((y + ox) & MASK) * TILE + ((x + 2 * ox) & MASK);
    const slow = coarse[(((y >> 1) + ox) & MASK) * TILE + (((x >> 1) + ox) & MASK)];
    const glint = fine[at] + medium[at] - 2.1;
    const n = 0.4 * fine[at] + 0.4 * medium[at] + 0.8 * slow;
    return level + amplitude * n + (glint > 0 ? 2 * amplitude * glint : 0);
  });
  const lines = kind === 'skin' ? random.integer(0, 4) : random.integer(1, 3);
  for (let i = 0; i < lines; i++) paintFold(random, image, width, height, level);
  if (kind === 'face') for (let i = random.integer(1, 3); i > 0; i--) paintHollow(random, image, width, height, level);
  shade(random, image, width, height, 0.45);
  if (kind === 'skin') return;
  const lids = { x: random.uniform(100, width - 100), y: random.uniform(200, height), halfWidth: 200 } as Lids;
  for (const stroke of makeBrow(random, lids, random.uniform(10, 18))) paintStroke(image, width, height, stroke);
  if (kind !== 'hair') return;
  const lean = random.uniform(-200, 200);
  const shadeOfHair = random.uniform(15, 60);
  for (let i = random.integer(60, 300); i > 0; i--) {
    const x = random.uniform(-100, width + 100);
    const y = random.uniform(-80, 60);
    paintStroke(image, width, height, {
      x0: x,
      y0: y,
      x1: x + 0.4 * lean + random.normal(0, 30),
      y1: y + random.uniform(60, 200),
      x2: x + lean + random.normal(0, 60),
      y2: y + random.uniform(120, 420),
      width: random.uniform(1, 4),
      tip: 0.6,
      level: shadeOfHair + random.uniform(-10, 30),
      opacity: 0.8,
    });
  }
}

function paintFold(random: Random, image: Float32Array, width: number, height: number, level: number): void {
  const y0 = random.uniform(0, height);
  const bow = random.uniform(-120, 120);
  const slope = random.uniform(-0.5, 0.5);
  const thickness = random.uniform(3, 14);
  const depth = level * random.uniform(0.08, 0.4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = (2 * x) / width - 1;
      const q = (y - y0 - bow * u * u - slope * (x - width / 2)) / thickness;
      image[y * width + x] -= depth / ((1 + q * q) * (1 + q * q));
    }
  }
}

/** A hollow with a ragged, soft border: nostril, ear, mouth. Not an ellipse with an edge. */
function paintHollow(random: Random, image: Float32Array, width: number, height: number, level: number): void {
  const coarse = noiseTile(16);
  const cx = random.uniform(0.1, 0.9) * width;
  const cy = random.uniform(0.1, 0.9) * height;
  const rx = random.uniform(20, 110);
  const ry = rx * random.uniform(0.3, 0.8);
  const slant = random.uniform(-0.6, 0.6);
  const soft = random.uniform(0.25, 0.6);
  const depth = level * random.uniform(0.4, 0.8);
  const ox = random.integer(0, MASK);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = (x - cx) / rx;
      const v = (y - cy - slant * (x - cx)) / ry;
      const ragged = 0.25 * coarse[((y + ox) & MASK) * TILE + ((x + ox) & MASK)];
      const d = Math.sqrt(u * u + v * v) + ragged * (1 + u);
      image[y * width + x] -= depth * (1 - smoothStep(1 - soft, 1 + soft, d));
    }
  }
}
