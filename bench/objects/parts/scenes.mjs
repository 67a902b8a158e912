// Rendered sequences with known truth, for choosing parameters without the real ones: a piece of one photograph moves over
// another, turns, grows, bends, is lit differently, passes behind a third, leaves the frame, meets its like.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const WIDTH = 320;
const HEIGHT = 240;
/** Photographs of ../shared/data/filters/images: background, target, occluder. */
const photographs = [
  'baboon.jpg',
  'building.jpg',
  'fruits.jpg',
  'home.jpg',
  'left01.jpg',
  'HappyFish.jpg',
  'box_in_scene.png',
  'pic3.png',
];

/** What happens in a scene; times are frames, amounts are shares. */
export const scenes = {
  plain: { seed: 1, speed: 1 },
  small: { seed: 2, side: 24, speed: 1.2 },
  fast: { seed: 3, speed: 4, blur: 0.6 },
  scale: { seed: 4, scale: 0.45, speed: 0.8 },
  turning: { seed: 5, turn: 0.5, bend: 0.12, speed: 1 },
  bending: { seed: 6, bend: 0.3, speed: 1 },
  light: { seed: 7, light: 0.5, speed: 1 },
  occluded: { seed: 8, occluded: [80, 160, 230], speed: 1 },
  hidden: { seed: 9, occluded: [100], long: 80, speed: 0.8, bend: 0.08 },
  leaving: {
    seed: 10,
    away: [
      [90, 150],
      [220, 250],
    ],
    speed: 1,
  },
  alike: { seed: 11, alike: 3, speed: 1, occluded: [150] },
  'alike, leaving': { seed: 12, alike: 2, away: [[100, 170]], speed: 1.2, turn: 0.2 },
  shaking: { seed: 13, shake: 6, speed: 1.2, noise: 8 },
  flat: { seed: 14, contrast: 0.25, noise: 4, speed: 1, occluded: [120] },
  tall: { seed: 15, aspect: 2.4, side: 32, speed: 1.5, away: [[140, 190]], bend: 0.1 },
  tiny: {
    seed: 17,
    side: 14,
    away: [
      [90, 150],
      [220, 250],
    ],
    speed: 1,
  },
  gone: { seed: 16, away: [[120, 300]], speed: 1, alike: 1 },
};
export const sceneFrames = 300;

function random(seed) {
  let s = Math.imul(seed, 2654435761) ^ 0x9e3779b9;
  return () => {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    return (s >>> 0) / 4294967296;
  };
}

const loaded = new Map();
/** A photograph as 640x480 gray. */
function photograph(shared, name) {
  const file = path.join(shared, 'data/filters/images', name);
  if (!loaded.has(file)) {
    const args = ['-v', 'error', '-i', file, '-vf', 'scale=640:480,format=rgb24,format=gray', '-f', 'rawvideo', '-'];
    const { stdout, status, stderr } = spawnSync('ffmpeg', args, { maxBuffer: 2 ** 24 });
    if (status !== 0) throw new Error(`ffmpeg is needed to read the photographs: ${stderr}`);
    loaded.set(file, stdout);
  }
  const pixels = loaded.get(file);
  return (x, y) => {
    const u = Math.min(638, Math.max(0, x));
    const v = Math.min(478, Math.max(0, y));
    const i = Math.floor(u);
    const j = Math.floor(v);
    const at = j * 640 + i;
    const top = pixels[at] + (u - i) * (pixels[at + 1] - pixels[at]);
    const low = pixels[at + 640] + (u - i) * (pixels[at + 641] - pixels[at + 640]);
    return top + (v - j) * (low - top);
  };
}

/** The same form as a recorded sequence: see sequences.mjs. `variant` draws other photographs and paths. */
export function openScene(shared, name, variant = 0) {
  const given = scenes[name];
  const { seed, side = 44, aspect = 1, speed = 1, scale = 0, turn = 0, bend = 0, light = 0, blur = 0 } = given;
  const { occluded = [], long = 24, away = [], alike = 0, shake = 0, contrast = 1, noise = 3 } = given;
  const draw = random(seed + 1000 * variant);
  const pick = () => photographs[Math.floor(draw() * photographs.length)];
  const ground = pick();
  let thing = pick();
  while (thing === ground) thing = pick();
  const backdrop = photograph(shared, ground);
  const texture = photograph(shared, thing);
  const cover = photograph(shared, pick());
  const origin = { x: 60 + draw() * 480, y: 60 + draw() * 320 };
  const phases = Array.from({ length: 8 }, () => draw() * 2 * Math.PI);
  const others = Array.from({ length: alike }, () => ({
    x: origin.x + (draw() - 0.5) * 30,
    y: origin.y + (draw() - 0.5) * 30,
    phases: [draw() * 6.28, draw() * 6.28],
  }));
  const wave = (t, period, phase) => Math.sin((2 * Math.PI * t) / period + phases[phase]);
  const isAway = (t) => away.find(([from, to]) => t >= from && t < to);
  const place = (t) => {
    const period = 160 / speed;
    const size = side * 2 ** (1.6 * scale * (wave(t, 260, 2) - Math.sin(phases[2])) * 0.9);
    let x = WIDTH / 2 + 0.3 * WIDTH * wave(t, period, 0) + 8 * wave(t, period / 3.1, 4);
    const y = HEIGHT / 2 + 0.27 * HEIGHT * wave(t, period * 1.31, 1) + 6 * wave(t, period / 2.7, 5);
    // Out of the frame and back again within 20 frames each.
    const gone = isAway(t);
    if (gone) x += 1.2 * WIDTH * Math.min(1, (t - gone[0]) / 20, gone[1] >= sceneFrames ? 1 : (gone[1] - t) / 20);
    return {
      x,
      y,
      width: size / Math.sqrt(aspect),
      height: size * Math.sqrt(aspect),
      angle: turn * (wave(t, 110, 3) - Math.sin(phases[3])),
    };
  };
  // An occluder passes over the target, or stands on it while it is hidden for long.
  const coverAt = (t, at) => {
    const from = occluded.find((o) => t >= o && t < o + long + 30);
    if (from === undefined) return null;
    const u = t - from;
    const dx = u < 15 ? (u - 15) * 6 : u > 15 + long ? (u - 15 - long) * 6 : 0;
    return { x: at.x + dx, y: at.y, width: at.width * 1.3, height: at.height * 1.3 };
  };
  const visible = (at, hide) => {
    let seen = 0;
    for (let j = 0; j < 12; j++)
      for (let i = 0; i < 12; i++) {
        const x = at.x + ((i + 0.5) / 12 - 0.5) * at.width;
        const y = at.y + ((j + 0.5) / 12 - 0.5) * at.height;
        const out = x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT;
        const under = hide && Math.abs(x - hide.x) < hide.width / 2 && Math.abs(y - hide.y) < hide.height / 2;
        if (!out && !under) seen++;
      }
    return seen / 144;
  };
  const truth = [];
  for (let t = 0; t < sceneFrames; t++) {
    const at = place(t);
    const seen = visible(at, coverAt(t, at));
    truth.push(
      seen < 0.5 ? null : { x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width, height: at.height },
    );
  }
  /** The target's gray value at u, v of -0.5..0.5 of its box, or -1 outside of its outline. */
  const inside = (u, v, t, from, bending) => {
    const p = u + bending * 0.25 * Math.sin(6 * v + t / 9);
    const q = v + bending * 0.25 * Math.sin(5 * u + t / 13);
    if ((2 * p) ** 4 + (2 * q) ** 4 > 1) return -1;
    return texture(from.x + 70 * p, from.y + 70 * q * aspect);
  };
  const render = (t) => {
    const data = new Uint8Array(WIDTH * HEIGHT);
    const grain = random(7 * t + seed + 1);
    const panX = 160 + 60 * wave(t, 400, 6) + shake * wave(t, 7.3, 4);
    const panY = 120 + 40 * wave(t, 330, 7) + shake * wave(t, 5.9, 5);
    const gain = 1 + light * wave(t, 140, 2);
    const at = place(t);
    const hide = coverAt(t, at);
    const drift = { x: (place(t + 1).x - place(t - 1).x) / 2, y: (place(t + 1).y - place(t - 1).y) / 2 };
    const things = others.map((from) => ({
      from,
      x: WIDTH / 2 + 0.36 * WIDTH * Math.sin(t / 37 + from.phases[0]),
      y: HEIGHT / 2 + 0.33 * HEIGHT * Math.sin(t / 29 + from.phases[1]),
      width: at.width,
      height: at.height,
      angle: 0.3,
    }));
    const taps = blur ? 5 : 1;
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) {
        let value = backdrop(panX + x, panY + y);
        for (const other of things) {
          const p = over(other, x, y);
          if (p)
            value =
              Math.max(-1, inside(p.u, p.v, t, other.from, bend)) < 0 ? value : inside(p.u, p.v, t, other.from, bend);
        }
        let sum = 0;
        let weight = 0;
        for (let k = 0; k < taps; k++) {
          const s = taps > 1 ? blur * (k / (taps - 1) - 0.5) : 0;
          const p = over(at, x - s * drift.x, y - s * drift.y);
          const own = p ? inside(p.u, p.v, t, origin, bend) : -1;
          if (own < 0) continue;
          sum += own;
          weight++;
        }
        value += (weight / taps) * ((weight ? sum / weight : 0) - value);
        if (hide && Math.abs(x - hide.x) < hide.width / 2 && Math.abs(y - hide.y) < hide.height / 2)
          value = cover(200 + x - hide.x, 200 + y - hide.y);
        const mixed = 128 + contrast * (value - 128);
        const rough = noise * (grain() + grain() + grain() - 1.5) * 2;
        data[y * WIDTH + x] = Math.max(0, Math.min(255, mixed * gain + rough + 0.5));
      }
    return { width: WIDTH, height: HEIGHT, data };
  };
  const cache = [];
  return { width: WIDTH, height: HEIGHT, frames: sceneFrames, frame: (i) => (cache[i] ??= render(i)), truth };
}

/** Place of a pixel in a thing's own box, -0.5..0.5, or null far outside. */
function over({ x, y, width, height, angle }, px, py) {
  const dx = px - x;
  const dy = py - y;
  if (Math.abs(dx) > width + height || Math.abs(dy) > width + height) return null;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const u = (c * dx + s * dy) / width;
  const v = (c * dy - s * dx) / height;
  return Math.abs(u) < 0.6 && Math.abs(v) < 0.6 ? { u, v } : null;
}
