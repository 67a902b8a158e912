// Scenes with faces at known positions: the portrait of test/media and a rendered head, cut out and drawn on a picture.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { importTs } from '../../tools/import-ts.mjs';
import { generator, normal } from '../../tools/random.mjs';
import { root } from '../../tools/setup.mjs';
import { readGrayPng } from './png-reader.mjs';

/** A head: a picture, the head's middle there, and half of the sides of the cut. */
const portrait = () => ({
  image: readGrayPng(path.join(root, 'test/media/portrait.png')),
  ...{ x: 222, y: 110, across: 66, down: 88 },
});

/** Another person, from the face model of test/media. */
async function another() {
  const { drawSettings, grayOf, readModel, Renderer } = await importTs('lab/faces/render/index.ts');
  const model = readModel(gunzipSync(readFileSync(path.join(root, 'test/media/face-model.bin.gz'))));
  const drawn = drawSettings(12);
  const straight = { yaw: 0, pitch: 0, roll: 0, distance: 120, blink: [0, 0], gaze: [0, 0], expression: {} };
  const worn = { ...drawn.worn, hat: null, glasses: null, mask: null, hand: null, things: [] };
  const { data } = new Renderer(model).render(
    { ...drawn, ...straight, worn },
    { width: 220, height: 220, side: 106, x: 110, y: 120 },
  );
  return { image: { width: 220, height: 220, data: grayOf(data) }, ...{ x: 110, y: 112, across: 66, down: 88 } };
}

export const heads = async () => [portrait(), await another()];

/** Pixels of noise, moved about from frame to frame. */
const TILE = 1 << 16;
const tiles = new Map();
function noiseOf(sigma) {
  const random = generator(3);
  if (!tiles.has(sigma))
    tiles.set(
      sigma,
      Float32Array.from({ length: TILE }, () => sigma * normal(random)),
    );
  return tiles.get(sigma);
}

const backdrop = (width, height) => {
  const random = generator(9);
  const waves = Array.from({ length: 6 }, () => [random(), random(), random(), random()].map((v) => 2 * v - 1));
  return Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [(i % width) / 90, Math.floor(i / width) / 90];
    return 118 + waves.reduce((sum, [a, b, c, d]) => sum + 9 * d * Math.sin(3 * a * x + 3 * b * y + 6 * c), 0);
  });
};
const backdrops = new Map();

/** Lays a head, `scale` times as large, with its middle at (x, y). */
function layHead(out, width, height, { image, across, down, ...middle }, { x, y, scale = 1 }) {
  const [left, right] = [x - across * scale, x + across * scale].map(Math.round);
  const [top, bottom] = [y - down * scale, y + down * scale].map(Math.round);
  for (let j = Math.max(0, top); j < Math.min(height, bottom); j++)
    for (let i = Math.max(0, left); i < Math.min(width, right); i++) {
      const [u, v] = [(i - x) / scale, (j - y) / scale];
      // A soft edge, without the sharp line of a cut.
      const share = Math.min(1, 8 * (1 - Math.hypot(u / across, v / down)));
      if (share <= 0) continue;
      const [px, py] = [middle.x + u, middle.y + v];
      const [ix, iy] = [Math.floor(px), Math.floor(py)];
      if (ix < 0 || iy < 0 || ix >= image.width - 1 || iy >= image.height - 1) continue;
      const at = iy * image.width + ix;
      const upper = image.data[at] + (px - ix) * (image.data[at + 1] - image.data[at]);
      const next = at + image.width;
      const lower = image.data[next] + (px - ix) * (image.data[next + 1] - image.data[next]);
      const k = j * width + i;
      out[k] += share * (upper + (py - iy) * (lower - upper) - out[k]);
    }
}

/**
 * A frame: heads from the farthest to the nearest, `[head, { x, y, scale }]`, then covers, `{ x, y, width, height, gray }`.
 * Covers hide everything behind them.
 */
export function sceneOf({ width, height }, placed, covers = [], { noise = 2, frame = 0 } = {}) {
  const size = `${width}x${height}`;
  if (!backdrops.has(size)) backdrops.set(size, backdrop(width, height));
  const out = backdrops.get(size).slice();
  for (const [head, place] of placed) layHead(out, width, height, head, place);
  for (const { x, y, width: w, height: h, gray } of covers)
    for (let j = Math.max(0, Math.round(y)); j < Math.min(height, Math.round(y + h)); j++)
      for (let i = Math.max(0, Math.round(x)); i < Math.min(width, Math.round(x + w)); i++)
        out[j * width + i] = gray + 20 * Math.sin((i - x) / 7) * Math.sin((j - y) / 9);
  const added = noiseOf(noise);
  const data = new Uint8Array(out.length);
  for (let k = 0, from = (frame * 7919) % TILE; k < data.length; k++, from = (from + 31) % TILE)
    data[k] = Math.min(255, Math.max(0, out[k] + added[from] + 0.5));
  return { width, height, data };
}

/** Frames before, during and after: half a second, two seconds and half a second at 30 frames per second. */
const [BEFORE, HIDDEN, AFTER] = [20, 60, 25];

/**
 * What happens to heads, frame by frame. Each: `frames`, `at(i)`: places of the heads (null: gone), the nearest last; `covers(i)`.
 */
export const happenings = {
  'covered for two seconds': {
    frames: BEFORE + HIDDEN + AFTER,
    at: () => [{ x: 200, y: 135 }],
    covers: (i) => (i >= BEFORE && i < BEFORE + HIDDEN ? [{ x: 110, y: 20, width: 180, height: 240, gray: 90 }] : []),
  },
  'covered for two seconds by something that slides over it': {
    frames: BEFORE + HIDDEN + AFTER + 10,
    at: () => [{ x: 200, y: 135 }],
    covers: (i) => [{ x: Math.max(-190, Math.min(110, -190 + 30 * (i - BEFORE), 110 - 30 * (i - BEFORE - HIDDEN - 10))), y: 20, width: 180, height: 240, gray: 90 }], // prettier-ignore
  },
  'covered for two seconds while it moves on': {
    frames: BEFORE + HIDDEN + AFTER,
    at: (i) => [{ x: 110 + 2.6 * i, y: 130 + 0.1 * i }],
    covers: (i) => (i >= BEFORE && i < BEFORE + HIDDEN ? [{ x: 60, y: 10, width: 360, height: 250, gray: 90 }] : []),
  },
  'behind a pillar that it walks past for two seconds': {
    frames: 150,
    at: (i) => [{ x: 80 + 2.2 * i, y: 135 }],
    covers: () => [{ x: 165, y: 0, width: 140, height: 270, gray: 70 }],
  },
  'two that cross': {
    frames: 100,
    at: (i) => [
      { x: 110 + 2.6 * i, y: 140 },
      { x: 370 - 2.6 * i, y: 132 },
    ],
    covers: () => [],
  },
  'two that cross, the other one in front': {
    frames: 100,
    order: [1, 0],
    at: (i) => [
      { x: 110 + 2.6 * i, y: 140 },
      { x: 370 - 2.6 * i, y: 132 },
    ],
    covers: () => [],
  },
  'one behind the other, who leaves for good': {
    frames: 100,
    at: (i) => [i < 50 ? { x: Math.min(110 + 6 * i, 330), y: 138 } : null, { x: 330, y: 132 }],
    covers: () => [],
  },
  'one leaves, another takes the place': {
    frames: 110,
    at: (i) => [i < 30 ? { x: 200, y: 135 } : null, i >= 60 ? { x: 200, y: 132 } : null],
    covers: () => [],
  },
};

const SIZE = { width: 480, height: 270 };

/**
 * Plays it to a tracker; `images` of a happening keeps the frames for the next time. @returns for each frame the ids on the heads: `ids[i][k]`, or null; and the number of faces that are
 * not on a head
 */
export async function play(tracker, own, { frames, at, covers, order = [0, 1], images = [] }, watch = () => {}) {
  const ids = [];
  let stray = 0;
  for (let i = 0; i < frames; i++) {
    const places = at(i);
    const placed = order.flatMap((k) => (places[k] ? [[own[k], places[k]]] : []));
    const hidden = covers(i);
    const image = (images[i] ??= sceneOf(SIZE, placed, hidden, { frame: i }));
    const began = performance.now();
    const { faces } = await tracker.process(image, { timestamp: (1000 * i) / 30 });
    watch(performance.now() - began, image, faces);
    const free = new Set(faces);
    // The nearest first: it hides another head at its position.
    ids.push(places.map(() => null));
    for (const k of [...order].reverse()) {
      const place = places[k];
      if (!place) continue;
      const on = [...free].find((f) => Math.hypot(f.x + f.width / 2 - place.x, f.y + f.height / 2 - place.y) < 40);
      if (!on) continue;
      free.delete(on);
      ids[i][k] = on.id;
    }
    stray += free.size;
  }
  return { ids, stray };
}

/** Ids of a head at its beginning and at its end: the first that it had, and the last. */
export const endsOf = (ids, k) => {
  const own = ids.map((frame) => frame[k]).filter((id) => id != null);
  return [own[0] ?? null, own.at(-1) ?? null, new Set(own).size];
};

/** A picture made smaller, by the mean of the pixels that it covers. */
function smaller({ width, height, data }, scale) {
  const [w, h] = [Math.floor(width * scale), Math.floor(height * scale)];
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let [sum, count] = [0, 0];
      for (let v = Math.floor(y / scale); v < Math.min(height, (y + 1) / scale); v++)
        for (let u = Math.floor(x / scale); u < Math.min(width, (x + 1) / scale); u++, count++)
          sum += data[v * width + u];
      out[y * w + x] = sum / count;
    }
  return { width: w, height: h, data: out };
}

/** Pictures of faces in rows on a gray wall, `gap` pixels apart. */
export function crowdOf(faces, { columns, rows, scale, gap }) {
  const small = faces.map(({ image }) => smaller(image, scale));
  const pitch = small[0].width + gap;
  const [width, height] = [columns * pitch, rows * pitch];
  const data = new Uint8Array(width * height).fill(128);
  for (let k = 0; k < columns * rows; k++) {
    const one = small[(k + Math.floor(k / columns)) % small.length];
    const at = Math.floor(k / columns) * pitch * width + (k % columns) * pitch + (gap >> 1) * (width + 1);
    for (let y = 0; y < one.height; y++)
      data.set(one.data.subarray(y * one.width, (y + 1) * one.width), at + y * width);
  }
  return { width, height, data };
}
