/** What is drawn by lot for one face. Every group has its own generator: one may be set without changing the others. */
import { Random } from '../../eyes/random.ts';
import { clamp } from '../../eyes/arithmetic.ts';
import { drawWorn, type Worn } from './worn-settings.ts';
import { drawLook, type Look } from './look-settings.ts';
import { drawLight, drawCamera, type Light, type Camera } from './light-settings.ts';

export interface FaceSettings {
  seed: number;
  /** Degrees: yaw > 0 turns the nose to the right of the picture, pitch > 0 lowers it, roll > 0 turns against the clock. */
  yaw: number;
  pitch: number;
  roll: number;
  /** From the camera to the middle of the face, cm. */
  distance: number;
  /** Coefficients of the modes of identity. */
  identity: number[];
  /** Factors of the whole head's width and height, of the jaw's width, and a lengthening of the chin in cm. */
  width: number;
  length: number;
  jaw: number;
  chin: number;
  /** 0..1: a child's face, of large eyes over a small nose and jaw. */
  young: number;
  /** Weights of expressions by name. */
  expression: Record<string, number>;
  /** How far each lid is closed, 0..1: left, right. */
  blink: [number, number];
  /** Of the eyes in the head, degrees: to the person's left, up. */
  gaze: [number, number];
  look: Look;
  worn: Worn;
  light: Light;
  camera: Camera;
}

/** At least this share of each coefficient's normal distribution: 2.6 sigma. */
const IDENTITY_MOST = 2.6;

export function drawSettings(seed: number): FaceSettings {
  const [shape, pose, mimic] = [1, 2, 3].map((k) => new Random(seed, k));
  const head = drawPose(pose);
  const look = drawLook(new Random(seed, 4));
  return {
    seed,
    ...head,
    identity: Array.from({ length: 100 }, () => clipped(shape, IDENTITY_MOST)),
    width: 1 + 0.05 * clipped(shape, 2.2),
    length: 1 + 0.055 * clipped(shape, 2.2),
    jaw: 0.09 * clipped(shape, 2),
    chin: 0.65 * clipped(shape, 2) - 0.1,
    young: shape.unit() < 0.25 ? shape.unit() : 0,
    ...drawExpression(mimic, head),
    look,
    worn: drawWorn(new Random(seed, 5), look.manly),
    light: drawLight(new Random(seed, 6)),
    camera: drawCamera(new Random(seed, 7)),
  };
}

/** Standard normal value, drawn again while it is farther out than `most`. */
function clipped(random: Random, most: number): number {
  for (;;) {
    const value = random.normal();
    if (Math.abs(value) <= most) return value;
  }
}

function drawPose(random: Random): Pick<FaceSettings, 'yaw' | 'pitch' | 'roll' | 'distance'> {
  const wide = random.unit() < 0.28;
  return {
    yaw: wide ? random.uniform(-47, 47) : clamp(random.normal(0, 14), -47, 47),
    pitch: wide ? clamp(random.normal(2, 14), -28, 28) : clamp(random.normal(2, 8), -28, 28),
    roll: clamp(random.normal(0, wide ? 11 : 7), -25, 25),
    distance: 38 * Math.pow(220 / 38, Math.pow(random.unit(), 0.65)),
  };
}

const SPARSE = (
  'browDown browInnerUp browOuterUp cheekPuff cheekSquint eyeSquint eyeWide mouthDimple mouthFrown mouthLowerDown ' +
  'mouthPress mouthSmile mouthStretch mouthUpperUp noseSneer'
).split(' ');
const SINGLE = (
  'jawForward jawLeft jawRight jawOpen mouthClose mouthFunnel mouthLeft mouthPucker mouthRight mouthRollLower ' +
  'mouthRollUpper mouthShrugLower mouthShrugUpper'
).split(' ');

function drawExpression(
  random: Random,
  { yaw, pitch }: Pick<FaceSettings, 'yaw' | 'pitch'>,
): Pick<FaceSettings, 'expression' | 'blink' | 'gaze'> {
  const expression: Record<string, number> = {};
  const add = (name: string, weight: number) => {
    expression[name] = clamp((expression[name] ?? 0) + weight, 0, 1);
  };
  /** Both sides, rarely quite alike. */
  const both = (name: string, weight: number) => {
    const tilt = random.uniform(-0.15, 0.15) * weight;
    add(`${name}_L`, weight + tilt);
    add(`${name}_R`, weight - tilt);
  };
  const kind = random.unit();
  if (kind < 0.48) {
    const smile = random.uniform(0.25, 1);
    both('mouthSmile', smile);
    both('cheekSquint', smile * random.uniform(0.2, 0.8));
    both('eyeSquint', smile * random.uniform(0, 0.6));
    if (random.unit() < 0.5) both('mouthStretch', smile * random.uniform(0, 0.7));
    if (random.unit() < 0.65) {
      both('mouthUpperUp', smile * random.uniform(0.2, 0.7));
      both('mouthLowerDown', smile * random.uniform(0, 0.6));
      add('jawOpen', random.uniform(0, 0.14));
    }
    if (random.unit() < 0.12) add('jawOpen', random.uniform(0.1, 0.35)); // laughing
  } else if (kind < 0.63) {
    add('jawOpen', random.uniform(0.01, random.unit() < 0.25 ? 0.8 : 0.18));
    if (random.unit() < 0.4) add('mouthFunnel', random.uniform(0, 0.6));
    if (random.unit() < 0.3) add('mouthPucker', random.uniform(0, 0.6));
    if (random.unit() < 0.4) both('mouthStretch', random.uniform(0, 0.5));
    if (random.unit() < 0.4) both('mouthLowerDown', random.uniform(0, 0.5));
  } else if (kind < 0.85)
    for (let i = random.integer(2, 6); i > 0; i--) {
      if (random.unit() < 0.65) both(random.pick(SPARSE), 0.85 * random.unit());
      else add(random.pick(SINGLE), 0.6 * random.unit());
    }
  if (random.unit() < 0.25) both('browInnerUp', random.uniform(0, 0.7));
  if (random.unit() < 0.2) both('browOuterUp', random.uniform(0, 0.7));
  if (random.unit() < 0.25) both('browDown', random.uniform(0, 0.7));
  if (random.unit() < 0.15) both('eyeSquint', random.uniform(0, 0.7));
  if (random.unit() < 0.12) both('eyeWide', random.uniform(0, 0.8));

  const lids = random.unit();
  let blink: [number, number] = [0, 0];
  if (lids < 0.1) blink = [1, 1];
  else if (lids < 0.3) {
    const closed = random.uniform(0.1, 0.85);
    blink = [clamp(closed + random.normal(0, 0.05), 0, 1), clamp(closed + random.normal(0, 0.05), 0, 1)];
  } else if (lids < 0.32) blink = random.unit() < 0.5 ? [1, random.uniform(0, 0.3)] : [random.uniform(0, 0.3), 1];
  // To the camera as a rule, or wherever.
  const away = random.unit() < 0.45;
  const gaze: [number, number] = away
    ? [clamp(random.normal(0, 14), -32, 32), clamp(random.normal(-3 - 0.5 * Math.max(0, pitch), 8), -30, 18)]
    : [clamp(-yaw + random.normal(0, 3), -32, 32), clamp(pitch + random.normal(0, 3), -22, 18)];
  if (gaze[1] < 0) both('eyeLookDown', clamp(-gaze[1] / 30, 0, 0.8));
  else both('eyeLookUp', clamp(gaze[1] / 30, 0, 0.7));
  return { expression, blink, gaze };
}
