/** Hair, hats, glasses, masks, hands and clothes: what covers a face. */
import { Random } from '../../eyes/random.ts';
import type { Color } from './look-settings.ts';

export interface Worn {
  hair: Hair | null;
  hat: {
    kind: 'cap' | 'beanie' | 'brim' | 'scarf' | 'helmet';
    color: Color;
    height: number;
    tilt: number;
    thick: number;
  } | null;
  glasses: Glasses | null;
  mask: { color: Color; top: number; tight: number; folds: number } | null;
  hand: { azimuth: number; height: number; angle: number; size: number; spread: number } | null;
  cloth: { color: Color; stripes: number; collar: number; turtle: boolean; wide: number };
  /** Flat things before the face. */
  things: { x: number; y: number; width: number; height: number; angle: number; round: boolean; level: number }[];
}

export interface Hair {
  /** Bald to here: the height of the line above the forehead, cm. */
  line: number;
  /** How far the line recedes at the temples, cm. */
  temples: number;
  thick: number;
  top: number;
  /** Down to here at the sides, cm; short hair ends at the ears. */
  bottom: number;
  /** Degrees from the front where side hair begins, left and right. */
  sides: [number, number];
  fringe: { to: number; slope: number; ragged: number } | null;
  curls: number;
  waves: number;
  ragged: number;
  shine: number;
}

export interface Glasses {
  half: number;
  height: number;
  square: number;
  drop: number;
  rim: number;
  rimless: boolean;
  lower: boolean;
  color: Color;
  /** Share of the light that passes, each way. */
  clear: number;
  reflection: number;
  slide: number;
}

const anyColor = (random: Random): Color => {
  const level = random.unit() ** 1.7 * 0.7 + 0.01;
  return [level * random.uniform(0.4, 1.3), level * random.uniform(0.4, 1.3), level * random.uniform(0.4, 1.3)];
};

export function drawWorn(random: Random, manly: boolean): Worn {
  const hatted = random.unit() < 0.14;
  const bald = manly && random.unit() < 0.14;
  const things: Worn['things'] = [];
  if (random.unit() < 0.07)
    for (let i = random.integer(1, 2); i > 0; i--)
      things.push({
        x: random.uniform(-0.6, 0.6),
        y: random.uniform(-0.3, 0.9),
        width: random.uniform(0.08, 0.5),
        height: random.uniform(0.08, 0.5),
        angle: random.uniform(0, 3.14),
        round: random.unit() < 0.5,
        level: random.unit() ** 1.5 * 0.8,
      });
  return {
    hair: bald ? null : drawHair(random, manly),
    hat: hatted
      ? {
          kind: random.pick(['cap', 'beanie', 'brim', 'scarf', 'helmet'] as const),
          color: anyColor(random),
          height: random.uniform(7.6, 10.5),
          tilt: random.uniform(-0.05, 0.12),
          thick: random.uniform(0.4, 1.3),
        }
      : null,
    glasses: random.unit() < 0.24 ? drawGlasses(random) : null,
    mask:
      random.unit() < 0.035
        ? {
            color: random.unit() < 0.5 ? [0.55, 0.65, 0.7] : anyColor(random),
            top: random.uniform(-0.5, 2.2),
            tight: random.uniform(0.15, 0.5),
            folds: random.unit(),
          }
        : null,
    hand:
      random.unit() < 0.07
        ? {
            azimuth: random.uniform(-70, 70),
            height: random.uniform(-8, 4),
            angle: random.uniform(-1, 1),
            size: random.uniform(0.85, 1.15),
            spread: random.uniform(0.02, 0.2),
          }
        : null,
    cloth: {
      color: anyColor(random),
      stripes: random.unit() < 0.2 ? random.uniform(0.2, 0.8) : 0,
      collar: random.unit() < 0.5 ? random.uniform(0.8, 3.5) : 0,
      turtle: random.unit() < 0.08,
      wide: random.uniform(0.85, 1.15),
    },
    things,
  };
}

function drawHair(random: Random, manly: boolean): Hair {
  const long = random.unit() < (manly ? 0.08 : 0.68);
  const afro = random.unit() < 0.1;
  const fringed = random.unit() < (manly ? 0.22 : 0.32);
  const part = random.uniform(-20, 20);
  const opening = random.uniform(42, 92);
  const short = random.unit();
  return {
    line: random.uniform(10, 12) + (manly && random.unit() < 0.3 ? random.uniform(0, 2.5) : 0),
    temples: manly ? random.uniform(0, 2.5) : random.uniform(0, 0.8),
    thick: afro ? random.uniform(1.5, 5) : long ? random.uniform(0.5, 1.8) : 0.15 + 1.1 * short * short,
    top: afro ? random.uniform(1.5, 6) : random.uniform(0.2, 3),
    bottom: long ? random.uniform(-30, -5) : -2,
    sides: long ? [opening + part, opening - part] : [180, 180],
    fringe: fringed
      ? { to: random.uniform(5, 9), slope: random.uniform(-0.075, 0.075), ragged: random.uniform(0.3, 2) }
      : null,
    curls: afro ? random.uniform(0.5, 1) : random.unit() < 0.3 ? random.unit() : 0,
    waves: random.uniform(0, 0.6),
    ragged: random.uniform(0.2, 1),
    shine: random.uniform(0.05, 0.6),
  };
}

function drawGlasses(random: Random): Glasses {
  const dark = random.unit() < 0.3;
  return {
    half: random.uniform(2.1, 3),
    height: random.uniform(1.3, 2.6),
    square: random.uniform(2, 5),
    drop: random.uniform(-0.6, 0.4),
    rim: random.uniform(0.05, 0.22),
    rimless: random.unit() < 0.15,
    lower: random.unit() > 0.15,
    color: random.unit() < 0.6 ? [0.012, 0.012, 0.012] : anyColor(random),
    clear: dark ? random.uniform(0.02, 0.35) : random.uniform(0.88, 1),
    reflection: random.unit() < 0.35 ? random.uniform(0.05, 0.6) : random.uniform(0, 0.06),
    slide: random.unit() < 0.15 ? random.uniform(0.3, 1.4) : 0,
  };
}
