// Correlation filters of the object tracker: histograms against closed forms, spectra against a plain transform, filters
// against what they were made from.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

const N = 32;
const HALF = 17 * N;

describe('correlation filters', () => {
  let parts;
  let runtime;
  let seed = 1;
  const uniform = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  before(async () => {
    parts = await importTs('test/node/objects-parts.ts');
    runtime = await parts.openRuntime(readFileSync(path.join(root, 'build/kernels.test.wasm')));
  });
  after(() => runtime?.dispose());

  const picture = (width, height, at) => {
    const pixels = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = at(x, y);
    return parts.frameOf(runtime, runtime.plane(width, height, 'u8', pixels));
  };
  const blobs = Array.from({ length: 60 }, () => [uniform(), uniform(), 2 + 5 * uniform(), 160 * uniform() - 80]);
  /** Smooth texture, moved. */
  const texture = (dx, dy) => (x, y) => {
    let sum = 128;
    for (const [u, v, size, height] of blobs)
      sum += height * Math.exp(-((x - dx - 160 * u) ** 2 + (y - dy - 120 * v) ** 2) / (2 * size * size));
    return Math.max(0, Math.min(255, Math.round(sum)));
  };

  it('histograms of a ramp: one direction, the same in every inner cell, none in a plain picture', () => {
    const channels = (at) => {
      const frame = picture(96, 96, at);
      const found = parts.histogramsOf(runtime, frame, { x: 48, y: 48, side: 64 });
      frame.dispose();
      return found;
    };
    const flat = channels(() => 77);
    assert.ok(flat.every((v) => v === 0));
    for (const [at, direction] of [
      [(x) => 2 * x, 0],
      [(x) => 200 - 2 * x, 9],
    ]) {
      const found = channels(at);
      const cell = 16 * N + 16;
      // 0.5 x 4 blocks, clipped at 0.2 each.
      for (let k = 0; k < 27; k++) {
        const wanted = k === direction || k === 18 ? 0.4 : 0;
        assert.ok(Math.abs(found[k * N * N + cell] - wanted) < 1e-6, `channel ${k}: ${found[k * N * N + cell]}`);
      }
    }
  });

  it('histograms of ramps in all quarters: the direction that a plain search finds', () => {
    const plain = (dx, dy) => {
      let best = -1;
      let found = 0;
      for (let k = 0; k < 9; k++) {
        const dot = dx * Math.cos((k * Math.PI) / 9) + dy * Math.sin((k * Math.PI) / 9);
        if (Math.abs(dot) > best) [best, found] = [Math.abs(dot), dot < 0 ? k + 9 : k];
      }
      return found;
    };
    const seen = new Set();
    for (let a = -4; a <= 4; a++)
      for (let b = -4; b <= 4; b++) {
        if (!a && !b) continue;
        const frame = picture(96, 96, (x, y) => Math.max(0, Math.min(255, 128 + a * (x - 48) + b * (y - 48))));
        const found = parts.histogramsOf(runtime, frame, { x: 48, y: 48, side: 32 });
        frame.dispose();
        const direction = plain(a, b);
        seen.add(direction);
        const cell = 16 * N + 16;
        for (let k = 0; k < 27; k++) {
          const wanted = k === direction || k === 18 + (direction % 9) ? 0.4 : 0;
          assert.ok(Math.abs(found[k * N * N + cell] - wanted) < 1e-6, `(${a}, ${b}), channel ${k}`);
        }
      }
    assert.equal(seen.size, 18);
  });

  it('a window that is looked at again under another mask or in another frame is computed again', () => {
    const box = { x: 60, y: 40, width: 36, height: 36 };
    const [first, second] = [picture(160, 120, texture(0, 0)), picture(160, 120, texture(6, 2))];
    const looks = (between) => {
      const appearance = parts.appearanceOf(runtime, box);
      appearance.learn(first, box, 1);
      appearance.trust();
      if (between) appearance.follow(second, { ...box, x: 50 });
      appearance.prepare(first, box);
      appearance.keep();
      const found = [appearance.follow(second, box)];
      if (between) appearance.follow(first, box);
      found.push(appearance.remember(second, box));
      if (between) appearance.remember(first, box);
      found.push(appearance.recognize(second, box), appearance.recognize(first, box));
      appearance.dispose();
      return found;
    };
    assert.deepEqual(looks(false), looks(true));
    const [followed, remembered, recognized, own] = looks(false);
    assert.ok(Math.abs(followed.box.x - box.x - 6) < 1 && Math.abs(remembered.box.x - box.x - 6) < 1);
    assert.ok(recognized.value === followed.value && own.value > recognized.value);
    assert.ok(remembered.value !== followed.value);
    for (const frame of [first, second]) frame.dispose();
  });

  it('the follower stays on a target that stands still before a moving background, and goes with one that moves', () => {
    const box = { x: 62, y: 42, width: 36, height: 36 };
    const [ground, thing] = [texture(0, 0), texture(-70, -50)];
    const inside = (x, y, dx) => x >= box.x + dx && x < box.x + dx + box.width && y >= box.y && y < box.y + box.height;
    const scene = (moved, dx) =>
      picture(160, 120, (x, y) => (inside(x, y, dx) ? thing(x - dx, y) : ground(x - moved, y - moved / 2)));
    const first = scene(0, 0);
    const appearance = parts.appearanceOf(runtime, box);
    appearance.learn(first, box, 1);
    for (const [moved, dx] of [
      [8, 0],
      [-8, 0],
      [0, 6],
      [8, -6],
    ]) {
      const frame = scene(moved, dx);
      const { box: found, value } = appearance.follow(frame, box);
      const what = `background ${moved}, target ${dx}: x ${found.x - box.x}, value ${value}`;
      assert.ok(Math.abs(found.x - box.x - dx) < 1 && Math.abs(found.y - box.y) < 1 && value > 0.5, what);
      frame.dispose();
    }
    first.dispose();
    appearance.dispose();
  });

  it('a flat window teaches nothing: no response, and a number', () => {
    const box = { x: 62, y: 42, width: 36, height: 36 };
    for (const gray of [0, 37, 100, 201, 255]) {
      const frame = picture(160, 120, () => gray);
      const appearance = parts.appearanceOf(runtime, box);
      appearance.learn(frame, box, 1);
      const { value } = appearance.follow(frame, box);
      assert.ok(Math.abs(value) < 1e-3, `gray ${gray}: ${value}`);
      appearance.dispose();
      frame.dispose();
    }
  });

  it('spectra of two packed channels equal a plain transform', () => {
    const channels = Float32Array.from({ length: 2 * N * N }, () => uniform() - 0.5);
    const weights = Float32Array.from({ length: N * N }, uniform);
    const found = parts.spectraOf(runtime, channels, weights);
    for (const c of [0, 1])
      for (let u = 0; u < 17; u += 4)
        for (let v = 0; v < N; v += 5) {
          let re = 0;
          let im = 0;
          for (let y = 0; y < N; y++)
            for (let x = 0; x < N; x++) {
              const value = channels[c * N * N + y * N + x] * weights[y * N + x];
              const angle = (-2 * Math.PI * (u * x + v * y)) / N;
              re += value * Math.cos(angle);
              im += value * Math.sin(angle);
            }
          const at = c * 2 * HALF + u * N + v;
          assert.ok(Math.hypot(found[at] - re, found[at + HALF] - im) < 1e-3, `channel ${c}, ${u}, ${v}`);
        }
  });

  it('a filter finds its example where that has gone, and nothing elsewhere', () => {
    const box = { x: 60, y: 40, width: 36, height: 36 };
    const first = picture(160, 120, texture(0, 0));
    const appearance = parts.appearanceOf(runtime, box);
    appearance.learn(first, box, 1);
    const same = appearance.follow(first, box);
    assert.ok(same.value > 0.7, `${same.value} for its own example`);
    for (const [dx, dy] of [
      [5, -3],
      [-9, 7],
    ]) {
      const next = picture(160, 120, texture(dx, dy));
      const { box: found, value } = appearance.follow(next, box);
      assert.ok(Math.hypot(found.x - box.x - dx, found.y - box.y - dy) < 1, `${found.x}, ${found.y}`);
      assert.ok(value > 0.35, `${value} at ${dx}, ${dy}`);
      next.dispose();
    }
    const other = picture(160, 120, () => 255 * uniform());
    assert.ok(appearance.follow(other, box).value < 0.2);
    // A window that reaches far out of the frame is a window of repeated edges.
    assert.ok(Number.isFinite(appearance.follow(first, { x: -500, y: 900, width: 400, height: 90 }).value));
    appearance.dispose();
    for (const frame of [first, other]) frame.dispose();
  });

  it('memory is bounded and given back', () => {
    const { arena } = runtime;
    const before = arena.used;
    const frame = picture(160, 120, texture(0, 0));
    const appearance = parts.appearanceOf(runtime, { width: 30, height: 30 });
    const sizes = [];
    for (let i = 0; i < 30; i++) {
      appearance.prepare(frame, { x: 4 * i, y: 30, width: 30, height: 30 });
      appearance.keep();
      sizes.push(arena.used);
    }
    assert.equal(sizes.at(-1), sizes[15]);
    assert.equal(appearance.viewCount, 9);
    appearance.dispose();
    frame.dispose();
    assert.equal(arena.used, before);
  });
});
