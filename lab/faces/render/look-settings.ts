/** Skin, brows, lips, eyes and beard: what is painted on a face. */
import { Random } from '../../eyes/random.ts';
import { clamp } from '../../eyes/arithmetic.ts';

export type Color = [number, number, number];

export interface Look {
  /** 0 the lightest .. 5 the darkest. */
  tone: number;
  /** Share of the light that bare skin gives back, linear red, green, blue. */
  skin: Color;
  manly: boolean;
  /** 0..1: lines and folds. */
  age: number;
  /** Strengths, 0 and up. */
  blotches: number;
  redness: number;
  shine: number;
  /** 1 dull .. 0 wet. */
  roughness: number;
  freckles: number;
  circles: number;
  hair: Color;
  brow: {
    opacity: number;
    color: Color;
    /** Half of the breadth at its thickest, cm. */
    half: number;
    /** Shift up, cm, and of the middle more than of the ends. */
    raise: number;
    arch: number;
    /** Where it begins and ends along the brow's line: 0 at point 21 or 22, 1 at 17 or 26. */
    from: number;
    to: number;
    soft: number;
    joined: number;
  };
  lips: { color: Color; opacity: number; shine: number };
  /** 0..1 each: line along the lids, color above the eye. */
  liner: number;
  shadow: number;
  iris: { color: Color; radius: number; pupil: number };
  sclera: number;
  teeth: number;
  lash: number;
  beard: { stubble: number; mustache: number; chin: number; cheeks: number; ragged: number; color: Color };
  crease: number;
}

/** Of the lightest to the darkest of six groups. */
const TONES: Color[] = [
  [0.68, 0.48, 0.39],
  [0.56, 0.36, 0.27],
  [0.43, 0.26, 0.18],
  [0.3, 0.165, 0.105],
  [0.165, 0.085, 0.052],
  [0.075, 0.042, 0.03],
];

export function skinOf(tone: number): Color {
  const at = clamp(tone, 0, 5);
  const k = Math.min(4, Math.floor(at));
  const f = at - k;
  return [0, 1, 2].map((c) => TONES[k][c] ** (1 - f) * TONES[k + 1][c] ** f) as Color;
}

export const mix = (a: Color, b: Color, share: number): Color =>
  [0, 1, 2].map((k) => a[k] + share * (b[k] - a[k])) as Color;

const HAIR: Color[] = [
  [0.012, 0.01, 0.009],
  [0.03, 0.02, 0.014],
  [0.07, 0.04, 0.022],
  [0.14, 0.085, 0.045],
  [0.36, 0.25, 0.13],
  [0.3, 0.1, 0.04],
  [0.3, 0.3, 0.3],
  [0.6, 0.6, 0.58],
];

export function drawLook(random: Random): Look {
  const tone = random.uniform(-0.49, 5.49);
  const base = skinOf(tone);
  const warm = random.normal(0, 0.05);
  const skin: Color = [base[0] * (1 + warm), base[1], base[2] * (1 - warm)];
  const age = random.unit() ** 1.4;
  const manly = random.unit() < 0.55;
  const dark = tone > 2.5;
  const hair = drawHairColor(random, age, dark);
  const strong = random.unit();
  return {
    tone: clamp(Math.round(tone), 0, 5),
    skin,
    manly,
    age,
    blotches: random.uniform(0.02, 0.14),
    redness: random.uniform(0, 0.3),
    shine: random.unit() ** 1.5 * 0.9,
    roughness: random.uniform(0.25, 0.6),
    freckles: random.unit() < 0.15 ? random.unit() : 0,
    circles: random.uniform(0, 0.35) * (0.5 + age),
    hair,
    brow: {
      opacity: strong < 0.1 ? random.uniform(0.1, 0.4) : random.uniform(0.55, 1),
      color: mix(hair, [0.02, 0.014, 0.01], random.uniform(0.1, 0.9)),
      half: (manly ? 0.38 : 0.31) * random.uniform(0.6, 1.45),
      raise: random.normal(-0.62, 0.17),
      arch: random.normal(0.02, 0.13),
      from: random.uniform(-0.15, 0.05),
      to: random.uniform(0.98, 1.19),
      soft: random.uniform(0.3, 1),
      joined: random.unit() < 0.08 ? random.uniform(0.2, 0.8) : 0,
    },
    lips: drawLips(random, skin, manly),
    liner: manly ? (random.unit() < 0.3 ? 0.3 * random.unit() : 0.05) : random.unit() < 0.6 ? random.unit() : 0.1,
    shadow: !manly && random.unit() < 0.4 ? 0.7 * random.unit() : 0,
    iris: {
      color: dark || random.unit() < 0.6 ? irisDark(random) : irisLight(random),
      radius: random.uniform(0.375, 0.435),
      pupil: random.uniform(0.1, 0.24),
    },
    sclera: random.uniform(0.26, 0.55) * (dark ? 0.75 : 1),
    teeth: random.uniform(0.35, 0.75),
    lash: manly ? random.uniform(0.1, 0.7) : random.uniform(0.4, 1),
    beard: manly ? drawBeard(random, hair) : { stubble: 0, mustache: 0, chin: 0, cheeks: 0, ragged: 0, color: hair },
    crease: random.unit(),
  };
}

function drawHairColor(random: Random, age: number, dark: boolean): Color {
  let color = random.pick(dark ? HAIR.slice(0, 2) : HAIR.slice(0, 6));
  if (random.unit() < 0.04) color = HAIR[4]; // bleached
  const gray = clamp((age - 0.5) * 1.6 + random.normal(0, 0.25), 0, 1);
  color = mix(color, random.unit() < 0.5 ? HAIR[6] : HAIR[7], gray * gray);
  const gain = Math.exp(random.normal(0, 0.25));
  return color.map((c) => Math.min(0.8, c * gain)) as Color;
}

function drawLips(random: Random, skin: Color, manly: boolean): Look['lips'] {
  const painted = !manly && random.unit() < 0.45;
  const natural: Color = [
    skin[0] * random.uniform(0.65, 1),
    skin[1] * random.uniform(0.45, 0.85),
    skin[2] * random.uniform(0.55, 0.95),
  ];
  const stick: Color = [
    random.uniform(0.3, 1.3) * skin[0] + 0.06,
    random.uniform(0.05, 0.6) * skin[1],
    random.uniform(0.1, 0.9) * skin[2] + 0.01,
  ];
  return {
    color: painted ? stick : natural,
    opacity: painted ? random.uniform(0.5, 1) : random.uniform(0.3, 1),
    shine: random.uniform(0, painted ? 1 : 0.5),
  };
}

const irisDark = (random: Random): Color => {
  const v = random.uniform(0.015, 0.09);
  return [v * 1.5, v, v * 0.6];
};
const irisLight = (random: Random): Color => {
  const v = random.uniform(0.1, 0.3);
  return [v * random.uniform(0.6, 1), v, v * random.uniform(0.7, 1.3)];
};

function drawBeard(random: Random, hair: Color): Look['beard'] {
  const kind = random.unit();
  const full = kind < 0.22;
  const some = kind < 0.42;
  const amount = () => random.uniform(0.5, 1);
  return {
    stubble: random.unit() < 0.55 ? random.unit() * 0.55 : 0,
    mustache: full || (some && random.unit() < 0.7) ? amount() : 0,
    chin: full || (some && random.unit() < 0.6) ? amount() : 0,
    cheeks: full ? amount() : 0,
    ragged: random.unit(),
    color: mix(hair, [0.015, 0.011, 0.009], random.uniform(0, 0.5)),
  };
}
