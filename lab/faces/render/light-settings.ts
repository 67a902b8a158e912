/** Light, background and camera. */
import { Random } from '../../eyes/random.ts';
import { clamp } from '../../eyes/arithmetic.ts';
import { mix, type Color } from './look-settings.ts';

export interface Lamp {
  /** Towards it, in the camera's axes, unit length. */
  towards: [number, number, number];
  color: Color;
  /** Blur of its shadow's edge: cells of the shadow map on each side. */
  soft: number;
}

export interface Light {
  /** Directions with their light, which together stand for the surroundings. */
  sky: { up: Color; down: Color; left: Color; right: Color; front: Color; back: Color };
  lamps: Lamp[];
  background: { kind: number; seed: number; level: number; contrast: number; blur: number; color: Color };
}

export interface Camera {
  /** Mean linear level that the face gets. */
  exposure: number;
  gamma: number;
  /** Strength of the S-curve; below 0 flat. */
  contrast: number;
  black: number;
  white: number;
  balance: Color;
  /** Blur of the lens, of the head's motion: pixels of a 200 px picture; direction in radians. */
  blur: number;
  motion: number;
  motionAngle: number;
  /** The sensor's pixels on 200 px of picture, and its noise in levels of 255. */
  pixels: number;
  noise: number;
  sharpen: number;
  /** JPEG's quality; 100: none. */
  quality: number;
  colored: boolean;
}

const tint = (random: Random, level: number, spread = 0.15): Color => {
  const warm = random.normal(0, spread);
  return [level * (1 + warm), level, level * (1 - warm)].map((v) => Math.max(0, v)) as Color;
};

export function drawLight(random: Random): Light {
  const level = random.uniform(0.25, 1);
  const side = () => tint(random, level * Math.exp(random.normal(0, 0.5)), 0.08);
  const sky = {
    up: tint(random, level * random.uniform(0.8, 2.2), 0.08),
    down: tint(random, level * random.uniform(0.15, 0.9), 0.08),
    left: side(),
    right: side(),
    front: side(),
    back: side(),
  };
  const lamps: Lamp[] = [];
  const kind = random.unit();
  const lamp = (azimuth: number, height: number, power: number) => {
    const [a, e] = [azimuth, height].map((degrees) => (degrees * Math.PI) / 180);
    lamps.push({
      towards: [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)],
      color: tint(random, power, 0.1),
      soft: random.integer(0, 4),
    });
  };
  const key = () => lamp(random.normal(0, 50), random.uniform(-5, 75), random.uniform(0.3, 2.2));
  if (kind < 0.12) {
    // an overcast sky, or a white room
  } else if (kind < 0.24)
    lamp(random.normal(0, 8), random.uniform(0, 12), random.uniform(0.8, 2.5)); // a flash
  else if (kind < 0.34) {
    lamp(random.pick([-1, 1]) * random.uniform(60, 115), random.uniform(-10, 45), random.uniform(1, 4));
    if (random.unit() < 0.4) key();
  } else if (kind < 0.62) key();
  else {
    key();
    lamp(random.uniform(-100, 100), random.uniform(-20, 70), random.uniform(0.2, 1.2));
    if (random.unit() < 0.3) lamp(random.uniform(-160, 160), random.uniform(0, 60), random.uniform(0.5, 2));
  }
  const power = random.unit();
  return {
    sky,
    lamps,
    background: {
      kind: random.integer(0, 5),
      seed: random.word(),
      level: 0.02 + 0.9 * power * power,
      contrast: random.uniform(0.1, 1.2),
      blur: random.unit() < 0.3 ? 0 : random.uniform(1, 12),
      color: mix([1, 1, 1], [random.unit(), random.unit(), random.unit()], random.uniform(0, 0.5)),
    },
  };
}

export function drawCamera(random: Random): Camera {
  const low = random.unit();
  return {
    exposure: clamp(0.25 * Math.exp(random.normal(0, 0.4)), 0.06, 0.65),
    gamma: random.uniform(1.8, 2.5),
    contrast: random.normal(0.3, 0.35),
    black: random.unit() < 0.3 ? random.uniform(0, 0.12) : 0,
    white: random.uniform(0.88, 1.05),
    balance: tint(random, 1, 0.08),
    blur: random.unit() < 0.62 ? random.uniform(0, 0.5) : random.uniform(0.3, 1.4),
    motion: random.unit() < 0.1 ? random.uniform(1, 6) : 0,
    motionAngle: random.uniform(0, Math.PI),
    pixels: low < 0.45 ? 200 : low < 0.85 ? random.uniform(110, 200) : random.uniform(60, 110),
    noise: random.unit() < 0.55 ? random.uniform(0, 2.5) : random.uniform(1, 9),
    sharpen: random.unit() < 0.5 ? random.uniform(0.2, 1) : 0,
    quality: random.unit() < 0.25 ? 100 : random.integer(25, 95),
    colored: random.unit() > 0.06,
  };
}
