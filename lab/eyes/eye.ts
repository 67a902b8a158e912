import { clamp, cosine, sine } from './arithmetic.ts';
import { discImage, gazeVector } from './ellipse.ts';
import type { Ellipse, Levels, Lids, Scene, Stroke } from './scene.ts';
import { irisTexture } from './texture.ts';
import type { Random } from './random.ts';

/** Millimetres of an average eye: distance of pupil and limbus from the center of rotation, iris radius, cornea. */
export const PUPIL_DEPTH = 9.8;
const LIMBUS_DEPTH = 9.5;
export const IRIS_RADIUS = 6;
const CORNEA_DEPTH = 5.6;

/** A lash in its own terms: root along the lid -1..1, direction, length in mm; placed on the lids of each frame. */
export interface Lash {
  root: number;
  lower: boolean;
  /** Sideways share of the direction. */
  fan: number;
  /** Up (1) or hanging over the eye (-1), for the upper lid. */
  lift: number;
  curl: number;
  length: number;
  width: number;
  level: number;
}

/** What does not change from frame to frame. */
export interface Subject {
  seed: number;
  iris: Float32Array;
  levels: Levels;
  lashes: Lash[];
  /** mm: half the distance of the corners, height of the upper and of the lower lid over their line. */
  lidHalfWidth: number;
  upperLid: number;
  lowerLid: number;
  tilt: number;
  skew: number;
  crease: number;
  irisAmplitude: number;
  skinAmplitude: number;
  lidShadow: number;
}

export interface Pose {
  width: number;
  height: number;
  pxPerMm: number;
  /** Image of the center of rotation. */
  x: number;
  y: number;
  /** Line of sight relative to the camera axis; + is right and down. */
  yaw: number;
  pitch: number;
  /** Line of sight about which the lids are drawn. */
  restYaw: number;
  restPitch: number;
  pupilRadiusMm: number;
  closure: number;
}

export function makeSubject(random: Random, levels: Levels): Subject {
  const lashes: Lash[] = [];
  const dense = random.uniform(0.4, 1);
  const long = random.uniform(5, 9);
  const shade = random.uniform(15, 50);
  const clump = random.uniform(0, 0.05);
  for (let i = Math.round(90 * dense); i > 0; i--) {
    const root = random.uniform(-0.92, 0.92);
    const tuft = Math.round(root * 14) / 14;
    lashes.push({
      root,
      lower: false,
      fan: 0.9 * root + (tuft - root) * clump * 40 + random.normal(0, 0.12),
      lift: 1 - Math.abs(random.normal(0, 0.15)),
      curl: random.uniform(0.1, 0.5),
      length: long * random.uniform(0.55, 1.1) * (1 - 0.35 * Math.abs(root)),
      width: random.uniform(0.1, 0.22),
      level: shade + random.uniform(-8, 12),
    });
  }
  for (let i = Math.round(40 * dense); i > 0; i--) {
    const root = random.uniform(-0.8, 0.85);
    lashes.push({
      root,
      lower: true,
      fan: 0.7 * root + random.normal(0, 0.3),
      lift: -1,
      curl: random.uniform(0, 0.3),
      length: 0.4 * long * random.uniform(0.4, 1.1),
      width: random.uniform(0.06, 0.12),
      level: shade + random.uniform(0, 30),
    });
  }
  return {
    seed: random.integer(1, 1 << 20),
    iris: irisTexture(random),
    levels,
    lashes,
    lidHalfWidth: random.uniform(13.5, 16.5),
    upperLid: random.uniform(5.2, 7.2),
    lowerLid: random.uniform(4.6, 6.2),
    tilt: random.uniform(-0.1, 0.1),
    skew: random.uniform(-0.25, 0.25),
    crease: random.uniform(2.5, 6),
    irisAmplitude: random.uniform(3, 8),
    skinAmplitude: random.uniform(3, 9),
    lidShadow: random.uniform(0.1, 0.35),
  };
}

/** Pupil and limbus ellipses and the cornea's center in the image, by rotating the eye about (x, y). */
export function projectEye(pose: Pose): { pupil: Ellipse; limbus: Ellipse; cornea: { x: number; y: number } } {
  const gaze = gazeVector(pose.yaw, pose.pitch);
  const k = pose.pxPerMm;
  const at = (depth: number) => ({ x: pose.x + depth * k * gaze.x, y: pose.y + depth * k * gaze.y });
  const p = at(PUPIL_DEPTH);
  const l = at(LIMBUS_DEPTH);
  return {
    pupil: discImage(p.x, p.y, pose.pupilRadiusMm * k, gaze),
    limbus: discImage(l.x, l.y, IRIS_RADIUS * k, gaze),
    cornea: at(CORNEA_DEPTH),
  };
}

/**
 * Lids: parabolas over the line of the corners. The upper one follows the line of sight down by half; closing brings
 * it to the lower one, which rises a little.
 */
export function makeLids(subject: Subject, pose: Pose): Lids {
  const { width, pxPerMm: k } = pose;
  const rest = gazeVector(pose.restYaw, pose.restPitch);
  const gaze = gazeVector(pose.yaw, pose.pitch);
  const x0 = pose.x + 0.9 * PUPIL_DEPTH * k * rest.x;
  const y0 = pose.y + PUPIL_DEPTH * k * rest.y;
  const follow = PUPIL_DEPTH * k * (gaze.y - rest.y);
  const halfWidth = subject.lidHalfWidth * k;
  const upper = new Float32Array(width);
  const lower = new Float32Array(width);
  const up = subject.upperLid * k - 0.5 * follow;
  const low = subject.lowerLid * k + 0.2 * follow;
  for (let x = 0; x < width; x++) {
    const u = (x - x0) / halfWidth;
    const line = y0 + subject.tilt * (x - x0);
    const bow = 1 - u * u;
    const open = line - up * bow * (1 + subject.skew * u);
    const bottom = line + low * bow * (1 - subject.skew * u);
    const shut = bottom - 0.12 * low * bow * pose.closure;
    upper[x] = open + (shut - open) * pose.closure;
    lower[x] = pose.closure >= 1 ? upper[x] : shut;
  }
  return { x: x0, y: y0, halfWidth, upper, lower, closure: pose.closure };
}

/** A lash on the lids of this frame; a closing lid turns its lashes downwards. */
export function placeLash(lash: Lash, lids: Lids, pxPerMm: number): Stroke {
  const x0 = lids.x + lash.root * lids.halfWidth;
  const column = clamp(Math.round(x0), 0, lids.upper.length - 1);
  const outside = x0 < 0 || x0 > lids.upper.length - 1;
  const bow = outside ? lids.y : (lash.lower ? lids.lower : lids.upper)[column];
  const length = lash.length * pxPerMm;
  const lift = lash.lower ? -1 : lash.lift - (lash.lift + 0.6) * lids.closure;
  const norm = 1 / Math.sqrt(lash.fan * lash.fan + lift * lift + 0.05);
  const dx = lash.fan * norm * length;
  const dy = -lift * norm * length;
  const bend = lash.curl * length * (lash.lower ? -0.3 : 0.6);
  return {
    x0,
    y0: bow,
    x1: x0 + 0.45 * dx,
    y1: bow + 0.35 * dy + 0.5 * bend,
    x2: x0 + dx,
    y2: bow + dy,
    width: Math.max(0.9, lash.width * pxPerMm),
    tip: Math.max(0.35, 0.25 * lash.width * pxPerMm),
    level: lash.level,
    opacity: 0.88,
  };
}

/** Everything but reflections, light, defocus and noise, which the caller sets. */
export function makeScene(subject: Subject, pose: Pose): { scene: Scene; cornea: { x: number; y: number } } {
  const { pupil, limbus, cornea } = projectEye(pose);
  const lids = makeLids(subject, pose);
  const k = pose.pxPerMm;
  const scene: Scene = {
    width: pose.width,
    height: pose.height,
    seed: subject.seed,
    levels: subject.levels,
    pupil,
    limbus,
    irisAmplitude: subject.irisAmplitude,
    skinAmplitude: subject.skinAmplitude,
    iris: subject.iris,
    lids,
    creaseDepth: subject.crease * k * (1 + 1.2 * pose.closure),
    lidShadow: subject.lidShadow,
    strokes: subject.lashes.map((lash) => placeLash(lash, lids, k)),
    spots: [],
    illumination: { x: 0, y: 0, quadratic: 0, vignette: 0, unevenness: 0 },
    defocus: 0,
    noise: 0,
    noiseSeed: 1,
  };
  return { scene, cornea };
}

/** Point at polar coordinates about another. */
export function polar(x: number, y: number, radius: number, angle: number): { x: number; y: number } {
  return { x: x + radius * cosine(angle), y: y + radius * sine(angle) };
}
