import { eyelessFrame, type EyelessKind } from './eyeless.ts';
import { gazeFrom, gazeVector, pointAt } from './ellipse.ts';
import { makeLids, makeScene, makeSubject, polar, projectEye, type Pose, type Subject, PUPIL_DEPTH } from './eye.ts';
import { makeBrow } from './brow.ts';
import { Random } from './random.ts';
import { render } from './render.ts';
import { BorderCover, LASH, LED, LID, lidShare, truthOf } from './truth.ts';
import type { Ellipse, EyeFrame, Levels, Scene, Spot, Stroke } from './scene.ts';

/**
 * The hard set: 640x480, every frame its own subject, light and view. Noise sigma 4, defocus sigma 1.5 px, pupil to
 * iris contrast 15..60 levels, six or more LED spots over at least 10 % of the border in a third of the frames, lashes
 * over 0..30 % of the border, views to 40 degrees off axis, a tenth blinks (over 80 % covered), a tenth eyeless.
 * Frame i depends on the seed and i alone.
 */
export const HARD = { width: 640, height: 480, noise: 4, defocus: 1.5, count: 300, seed: 20, cycle: 30 } as const;

export interface HardMeta {
  set: 'hard';
  index: number;
  kind: 'eye' | 'led' | 'blink' | 'eyeless';
  eyeless: EyelessKind | null;
  /** Iris minus pupil in levels at the pupil's center. */
  contrast: number;
  /** Angle between line of sight and camera axis, degrees. */
  offAxis: number;
  pxPerMm: number;
  /** Mirror images of lamps, pixels; those that lids cover as well. */
  spots: readonly Spot[];
}

export function* hardSet(options: { count?: number; seed?: number } = {}): Generator<EyeFrame<HardMeta>> {
  const count = options.count ?? HARD.count;
  for (let i = 0; i < count; i++) yield hardFrame(i, options.seed ?? HARD.seed);
}

function kindOf(index: number): HardMeta['kind'] {
  const slot = index % HARD.cycle;
  if (slot % 10 === 4) return 'blink';
  if (slot % 10 === 9) return 'eyeless';
  return slot % 3 === 1 || slot === 2 || slot === 20 ? 'led' : 'eye';
}

/** Sensor noise (levels) and defocus (px); another `take` of the same scene has other noise. */
export interface Camera {
  readonly noise: number;
  readonly defocus: number;
  readonly take?: number;
}

export function hardFrame(index: number, seed: number = HARD.seed, camera: Camera = HARD): EyeFrame<HardMeta> {
  const random = new Random(seed, index, 11);
  const kind = kindOf(index);
  const { width, height } = HARD;
  if (kind === 'eyeless') {
    const made = eyelessFrame(random, Math.floor(index / 10), width, height, camera.noise);
    const meta: HardMeta = {
      set: 'hard',
      index,
      kind,
      eyeless: made.kind,
      contrast: 0,
      offAxis: 0,
      pxPerMm: 0,
      spots: [],
    };
    return { width, height, data: made.data, truth: made.truth, meta };
  }
  const contrast = random.uniform(15, 60);
  const offAxis = random.uniform(0, 40);
  const { subject, pose } = hardEye(random, contrast, offAxis);
  fitClosure(random, subject, pose, kind === 'blink');
  const { scene, cornea } = makeScene(subject, pose);
  if (random.unit() < 0.4) scene.strokes.push(...makeBrow(random, scene.lids, pose.pxPerMm));
  const cover = new BorderCover(scene.pupil, scene.lids);
  if (kind !== 'blink') scene.strokes = coverWithLashes(random, scene, cover, pose.pxPerMm);
  scene.spots = kind === 'led' ? borderSpots(random, scene.pupil, cover) : cornealSpots(random, cornea, pose.pxPerMm);
  if (kind === 'blink') scene.spots = scene.spots.filter((s) => isOpen(scene, s));
  setCamera(random, scene, camera);
  const data = render(scene);
  const meta: HardMeta = {
    set: 'hard',
    index,
    kind,
    eyeless: null,
    contrast,
    offAxis,
    pxPerMm: pose.pxPerMm,
    spots: scene.spots,
  };
  return { width, height, data, truth: truthOf(scene), meta };
}

/** Subject and pose of a hard frame; also the start of the hard sequences. */
export function hardEye(random: Random, contrast: number, offAxis: number): { subject: Subject; pose: Pose } {
  const { width, height } = HARD;
  const dark = random.uniform(Math.max(10, 70 - contrast), 60);
  const levels: Levels = {
    pupil: dark,
    iris: dark + contrast,
    sclera: dark + contrast + random.uniform(15, 70),
    skin: random.uniform(90, 170),
  };
  const subject = makeSubject(random, levels);
  subject.irisAmplitude = contrast * random.uniform(0.05, 0.14);
  const pxPerMm = random.uniform(11, 22);
  const towards = random.uniform(0, 2 * Math.PI);
  const angle = (offAxis * Math.PI) / 180;
  const gaze = gazeFrom(angle, towards);
  const v = gazeVector(gaze.yaw, gaze.pitch);
  const pose: Pose = {
    width,
    height,
    pxPerMm,
    x: width * random.uniform(0.32, 0.68) - PUPIL_DEPTH * pxPerMm * v.x,
    y: height * random.uniform(0.38, 0.62) - PUPIL_DEPTH * pxPerMm * v.y,
    yaw: gaze.yaw,
    pitch: gaze.pitch,
    // the lids stay behind a turned eye by a part of the turn
    restYaw: gaze.yaw * 0.8,
    restPitch: gaze.pitch * 0.9,
    pupilRadiusMm: random.uniform(1.4, 3.9),
    closure: 0,
  };
  return { subject, pose };
}

/** Open eyes: the lids may hide up to 15 % of the border. Blinks: closed, or a slit with over 82 % hidden. */
export function fitClosure(random: Random, subject: Subject, pose: Pose, blink: boolean): void {
  if (blink) {
    pose.closure = 1;
    if (random.unit() < 0.6) return;
    const { pupil } = projectEye(pose);
    const wanted = random.uniform(0.83, 0.97);
    let low = 0;
    for (let i = 0; i < 12; i++) {
      const middle = (low + pose.closure) / 2;
      if (lidShare(pupil, makeLids(subject, { ...pose, closure: middle })) >= wanted) pose.closure = middle;
      else low = middle;
    }
    return;
  }
  const limit = random.unit() < 0.75 ? 0 : 0.15;
  pose.closure = limit > 0 ? random.uniform(0.25, 0.6) : random.uniform(-0.05, 0.3);
  const { pupil } = projectEye(pose);
  while (new BorderCover(pupil, makeLids(subject, pose)).share(LID) > limit) {
    pose.closure -= 0.03;
    subject.lowerLid += 0.15;
  }
}

/** Hairs that hang over the pupil until a random share up to 30 % of the border is hidden; no more by any hair. */
export function coverWithLashes(random: Random, scene: Scene, cover: BorderCover, k: number): Stroke[] {
  const wanted = random.unit() < 0.2 ? 0 : random.uniform(0, 0.3);
  const kept = scene.strokes.filter((stroke) => cover.tryStroke(stroke, Math.max(wanted, cover.share(LID))));
  const { pupil, lids } = scene;
  const radius = pupil.major / 2;
  const shade = random.uniform(20, 50);
  const side = random.uniform(-0.6, 0.6) * radius;
  for (let i = 0; i < 70 && cover.share(LASH | LID) < wanted; i++) {
    const x = pupil.x + side + random.normal(0, 0.9) * radius;
    if (x < 0 || x > scene.width - 1) continue;
    const y = lids.upper[Math.round(x)];
    const end = pointAt(pupil, random.uniform(0, 2 * Math.PI), random.uniform(0.5, 1.1));
    const lean = random.normal(0, 0.25) * radius;
    const stroke: Stroke = {
      x0: x,
      y0: y,
      x1: (x + end.x) / 2 + lean,
      y1: y + 0.7 * (end.y - y),
      x2: end.x + lean,
      y2: end.y - 0.3 * radius,
      width: random.uniform(0.12, 0.24) * k,
      tip: 0.6,
      level: shade + random.uniform(-8, 12),
      opacity: 0.85,
    };
    if (cover.tryStroke(stroke, 0.3)) kept.push(stroke);
  }
  return kept;
}

/** Six to ten spots on the border, together over at least 10.5 % of it. */
export function borderSpots(random: Random, pupil: Ellipse, cover: BorderCover): Spot[] {
  const count = random.integer(6, 10);
  const wanted = random.uniform(0.115, 0.24);
  const start = random.uniform(0, 2 * Math.PI);
  const spread = random.uniform(0.55, 1) * 2 * Math.PI;
  const radius = Math.max(1.8, (wanted * Math.PI * (pupil.major + pupil.minor)) / 2 / (2 * count));
  const spots: Spot[] = [];
  for (let i = 0; i < count; i++) {
    const t = start + ((i + random.uniform(-0.2, 0.2)) * spread) / count;
    const p = pointAt(pupil, t, random.uniform(0.96, 1.05));
    spots.push(spotAt(random, p.x, p.y, radius * random.uniform(0.9, 1.25)));
  }
  for (;;) {
    for (const spot of spots) cover.addSpot(spot);
    if (cover.share(LED) >= 0.105) return spots;
    for (const spot of spots) spot.radius *= 1.08;
  }
}

function spotAt(random: Random, x: number, y: number, radius: number): Spot {
  return {
    x,
    y,
    radius,
    edge: Math.max(0.7, 0.3 * radius),
    level: random.uniform(250, 330),
    halo: random.uniform(0, 12),
  };
}

/** One to four reflections of a usual lamp about the cornea's center; they meet the border where they happen to. */
export function cornealSpots(random: Random, cornea: { x: number; y: number }, k: number): Spot[] {
  const count = random.integer(1, 4);
  const ring = random.uniform(0.5, 2.4) * k;
  const start = random.uniform(0, 2 * Math.PI);
  const spots: Spot[] = [];
  for (let i = 0; i < count; i++) {
    const p = polar(cornea.x, cornea.y, ring, start + i * random.uniform(0.6, 1.6));
    spots.push(spotAt(random, p.x, p.y, k * random.uniform(0.12, 0.32)));
  }
  return spots;
}

export function isOpen(scene: Scene, spot: Spot): boolean {
  const column = Math.round(spot.x);
  if (column < 0 || column >= scene.width) return false;
  return spot.y > scene.lids.upper[column] && spot.y < scene.lids.lower[column];
}

/** Light, defocus and noise of the hard set. */
export function setCamera(random: Random, scene: Scene, camera: Camera = HARD): void {
  scene.illumination = {
    x: random.normal(0, 0.12),
    y: random.normal(0, 0.1),
    quadratic: random.uniform(0, 0.15),
    vignette: random.uniform(0, 0.08),
    unevenness: random.uniform(0.02, 0.08),
  };
  scene.defocus = camera.defocus;
  scene.noise = camera.noise;
  scene.noiseSeed = random.word() + (camera.take ?? 0);
}
