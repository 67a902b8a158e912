import { clamp } from './arithmetic.ts';
import { codeBlocks, develop, enlarge, interlace, smear, toneOf, type Tone } from './camera.ts';
import { gazeFrom, gazeVector } from './ellipse.ts';
import { eyelessFrame, type EyelessKind } from './eyeless.ts';
import { makeScene, makeSubject, PUPIL_DEPTH, type Pose, type Subject } from './eye.ts';
import { borderSpots, cornealSpots, coverWithLashes, fitClosure, isOpen, setCamera } from './hard-set.ts';
import { makeBrow } from './brow.ts';
import { Random } from './random.ts';
import { paintScene, workspace } from './render.ts';
import { defocus } from './sensor.ts';
import { BorderCover, LASH, LED, LID, truthOf } from './truth.ts';
import { chooseGhosts, chooseLens, chooseMakeup, choosePane, chooseRim } from './worn.ts';
import { paintLens, paintMakeup, paintPane, paintRim, paneShare, type Pane } from './worn.ts';
import type { EyeFrame, Levels, Scene, Spot, Wave } from './scene.ts';

/**
 * Eyes as many cameras see them: worn on the head, close by or on the desk, 160 to 2560 px wide; under infrared light,
 * with bright pupils, or dark irises under visible light; to 50 degrees off axis; makeup, contact lenses, glasses with
 * rims and reflections; motion blur, two fields, few levels, coded blocks. Eight frames a subject: person, camera and
 * light stay, the rest changes. Frame i depends on the seed and i alone.
 */
export const WIDE = { perSubject: 8 } as const;

export interface WideMeta {
  set: 'wide';
  index: number;
  /** Frames of one subject have the same number, whatever the seed. */
  subject: number;
  kind: 'eye' | 'blink' | 'eyeless';
  eyeless: EyelessKind | null;
  view: 'head' | 'close' | 'remote';
  light: 'infrared' | 'visible' | 'bright';
  /** What the tracker is given. */
  polarity: 'dark' | 'bright';
  makeup: boolean;
  glasses: boolean;
  lens: boolean;
  /** Step from pupil to iris in the 8-bit image, levels. */
  contrast: number;
  offAxis: number;
  pxPerMm: number;
}

interface Owner {
  person: Subject;
  view: WideMeta['view'];
  light: WideMeta['light'];
  width: number;
  height: number;
  pxPerMm: number;
  makeup: boolean;
  glasses: boolean;
  lens: boolean;
  brow: boolean;
  ring: boolean;
  sharpness: number;
  tone: Tone;
  blocks: number;
  fields: boolean;
  /** Recorded at half its size and enlarged. */
  enlarged: boolean;
  /** No pupil is an ellipse to the last hundredth. */
  waves: Wave[];
  /** Light from below that fills the cheek, share of the pupil's light. */
  flood: number;
  /** Black border that a digitizer adds, px. */
  border: number;
}

// prettier-ignore
const WIDTHS = [
  160, 160, 192, 192, 192, 224, 256, 256, 320, 320, 320, 320, 400, 400, 480, 480, 640, 640, 640, 640, 640, 800, 800, 960, 1280, 1280,
  1920, 2560,
];

function levelsOf(random: Random, light: WideMeta['light']): Levels {
  const skin = random.uniform(80, 190);
  if (light === 'visible') {
    const pupil = random.uniform(6, 30);
    const iris = pupil + random.uniform(14, 34);
    return { pupil, iris, sclera: random.uniform(110, 200), skin: random.uniform(70, 200) };
  }
  const contrast = random.unit() < 0.25 ? random.uniform(10, 18) : random.uniform(15, 75);
  const dark = random.uniform(Math.max(10, 60 - contrast), 60);
  const sclera = dark + contrast + random.uniform(15, 80);
  if (light === 'bright') return { pupil: dark + contrast + random.uniform(0, 40), iris: dark, sclera, skin };
  return { pupil: dark, iris: dark + contrast, sclera, skin };
}

function makeWaves(random: Random): Wave[] {
  const sigma = random.uniform(0, 0.014);
  return [3, 4, 5, 6, 7].map((k) => ({ k, c: random.normal(0, sigma), s: random.normal(0, sigma) }));
}

/** Options of a trainer: widths of frames, lids, and a listener that receives the drawn scene. */
export interface WideOptions {
  widths?: readonly number[];
  close?: typeof fitClosure;
  drawn?(scene: Scene): void;
}

function makeOwner(subject: number, seed: number, widths: readonly number[]): Owner {
  const random = new Random(seed, subject, 51);
  const light = random.unit() < 0.72 ? 'infrared' : random.unit() < 0.65 ? 'visible' : 'bright';
  const view = random.pick(['head', 'head', 'head', 'close', 'close', 'remote', 'remote'] as const);
  const width = random.pick(widths);
  const height = Math.round(width * random.pick([0.75, 0.75, 0.75, 0.5625, 1, 0.8]));
  const k = width / 640;
  const perMm = { head: [11, 22], close: [20, 34], remote: [7, 12] }[view] as [number, number];
  const person = makeSubject(random, levelsOf(random, light));
  person.irisAmplitude = Math.abs(person.levels.iris - person.levels.pupil) * random.uniform(0.05, 0.16);
  return {
    person,
    view,
    light,
    width,
    height,
    pxPerMm: k * random.uniform(...perMm),
    makeup: random.unit() < 0.3,
    glasses: random.unit() < 0.25,
    lens: random.unit() < 0.2,
    brow: random.unit() < 0.4,
    ring: random.unit() < 0.3,
    sharpness:
      random.unit() < 0.2
        ? Math.sqrt(Math.max(0.4, k)) * random.uniform(1.7, 3.2)
        : Math.sqrt(Math.max(1, k)) * random.uniform(0.35, 1.7),
    tone: {
      gain: random.uniform(0.7, 2.2),
      offset: random.uniform(-20, 20),
      gamma: random.uniform(0.7, 1.5),
      noise: random.unit() < 0.6 ? random.uniform(0.3, 2) : random.uniform(2, 5),
      levels: random.unit() < 0.2 ? random.integer(16, 64) : 256,
    },
    blocks: random.unit() < 0.45 ? random.integer(18, 80) : 0,
    fields: random.unit() < 0.08,
    enlarged: random.unit() < 0.15,
    waves: makeWaves(random),
    flood: random.unit() < 0.3 ? random.uniform(0.3, 1.6) : 0,
    border: random.unit() < 0.12 ? random.integer(2, 9) : 0,
  };
}

/** A line of sight to 50 degrees off the camera's axis; of pupils too small for the view, larger ones. */
function makePose(random: Random, owner: Owner, offAxis: number): Pose {
  const { width, height, pxPerMm } = owner;
  const angle = (offAxis * Math.PI) / 180;
  const gaze = gazeFrom(angle, random.uniform(0, 2 * Math.PI));
  const v = gazeVector(gaze.yaw, gaze.pitch);
  const wide = owner.light === 'visible' ? random.uniform(1.3, 2.8) : random.uniform(1.4, 3.9);
  // The smallest and the largest diameter that trackers look for, with a margin.
  const least = (0.03 * Math.hypot(width, height)) / pxPerMm;
  const most = Math.min(4.4, (0.33 * Math.min(width, height)) / pxPerMm);
  return {
    width,
    height,
    pxPerMm,
    x: width * random.uniform(0.3, 0.7) - PUPIL_DEPTH * pxPerMm * v.x,
    y: height * random.uniform(0.35, 0.65) - PUPIL_DEPTH * pxPerMm * v.y,
    yaw: gaze.yaw,
    pitch: gaze.pitch,
    restYaw: gaze.yaw * 0.8,
    restPitch: gaze.pitch * 0.9,
    pupilRadiusMm: Math.min(most, Math.max(least, wide)),
    closure: 0,
  };
}

/** Reflections before and in the eye: none hides more than a quarter of the pupil's border. */
function choosePanes(random: Random, owner: Owner, scene: Scene): Pane[] {
  const panes: Pane[] = [];
  const count = (owner.light === 'visible' ? random.integer(0, 2) : 0) + (owner.glasses ? random.integer(0, 3) : 0);
  for (let i = 0; i < count; i++) {
    const pane = choosePane(random, scene.pupil, owner.pxPerMm, owner.glasses && i > 0 ? 0.7 : 1);
    if (paneShare(scene.pupil, [...panes, pane]) <= 0.25) panes.push(pane);
  }
  return panes;
}

/** Small glints of the wet margin of the lower lid and of its corners. */
function tears(random: Random, { lids, width }: Scene, k: number): Spot[] {
  const spots: Spot[] = [];
  for (let i = random.unit() < 0.6 ? random.integer(2, 14) : 0; i > 0; i--) {
    const x = lids.x + lids.halfWidth * clamp(random.normal(0, 0.5), -0.95, 0.95);
    if (x < 0 || x > width - 1) continue;
    const radius = k * random.uniform(0.04, 0.22);
    const y = lids.lower[Math.round(x)] + k * random.normal(0.4, 0.5);
    spots.push({ x, y, radius, edge: 0.6 * radius, level: random.uniform(160, 300), halo: 0 });
  }
  return spots;
}

function blacken(data: Uint8Array, width: number, height: number, border: number): void {
  for (let y = 0; y < height; y++) {
    if (y < border || y >= height - border) data.fill(0, y * width, (y + 1) * width);
    data.fill(0, y * width, y * width + border);
    data.fill(0, (y + 1) * width - border, (y + 1) * width);
  }
}

/** The owner's tone, milder where it would leave too little between pupil and iris. */
function exposure(tone: Tone, { pupil, iris }: Levels): { tone: Tone; contrast: number } {
  const step = (t: Tone) => Math.abs(toneOf(t, iris) - toneOf(t, pupil));
  for (let share = 1; share >= 0; share -= 0.25) {
    const mild: Tone = {
      ...tone,
      gain: 1 + share * (tone.gain - 1),
      offset: share * tone.offset,
      gamma: 1 + share * (tone.gamma - 1),
    };
    if (mild.levels < 256) mild.levels = Math.max(mild.levels, Math.ceil(512 / Math.max(1, step(mild))));
    if (step(mild) >= 9 || share === 0) return { tone: mild, contrast: step(mild) };
  }
  throw new Error('unreachable');
}

export function wideFrame(index: number, seed: number, options: WideOptions = {}): EyeFrame<WideMeta> {
  const { widths = WIDTHS, close = fitClosure, drawn } = options;
  const subject = Math.floor(index / WIDE.perSubject);
  const slot = index % WIDE.perSubject;
  const owner = makeOwner(subject, seed, widths);
  const random = new Random(seed, index, 53);
  const { width, height, pxPerMm: k, person } = owner;
  const kind = slot === 7 ? (subject % 2 ? 'blink' : 'eyeless') : slot === 3 ? 'eyeless' : 'eye';
  const scale = width / 640;
  const shake = random.unit() < 0.25 ? scale * random.uniform(1.5, 8) : 0;
  const meta: WideMeta = {
    set: 'wide',
    index,
    subject,
    kind,
    eyeless: null,
    view: owner.view,
    light: owner.light,
    polarity: owner.light === 'bright' ? 'bright' : 'dark',
    makeup: owner.makeup,
    glasses: owner.glasses,
    lens: owner.lens,
    contrast: 0,
    offAxis: 0,
    pxPerMm: k,
  };
  const take = (image: Float32Array, tone: Tone): Uint8Array => {
    smear(image, width, height, shake, random.uniform(0, Math.PI));
    if (owner.fields) interlace(image, width, height, scale * random.uniform(0.5, 3));
    defocus(image, new Float32Array(image.length), width, height, owner.sharpness);
    const data = develop(image, tone, random);
    if (owner.enlarged) enlarge(data, width, height);
    if (owner.border) blacken(data, width, height, owner.border);
    if (owner.blocks) codeBlocks(data, width, height, owner.blocks);
    return data;
  };
  const offAxis = random.uniform(0, 50);
  const pose = makePose(random, owner, kind === 'blink' ? 0.5 * offAxis : offAxis);
  if (kind === 'eyeless') {
    const made = eyelessFrame(random, subject + (slot >> 2), width, height, 0);
    const image = Float32Array.from(made.data);
    if (owner.glasses) paintRim(image, width, height, chooseRim(random, makeScene(person, pose).scene, k));
    const data = take(image, owner.tone);
    return { width, height, data, truth: made.truth, meta: { ...meta, eyeless: made.kind } };
  }
  const own = { ...person };
  close(random, own, pose, kind === 'blink');
  const { scene, cornea } = makeScene(own, pose);
  scene.waves = owner.waves;
  if (owner.brow) scene.strokes.push(...makeBrow(random, scene.lids, k));
  if (owner.makeup) for (const stroke of scene.strokes) stroke.width *= 1.5;
  const cover = new BorderCover(scene.pupil, scene.lids);
  if (kind === 'eye') scene.strokes = coverWithLashes(random, scene, cover, k);
  scene.spots =
    owner.ring && kind === 'eye' ? borderSpots(random, scene.pupil, cover) : cornealSpots(random, cornea, k);
  if (owner.light === 'visible') scene.spots = scene.spots.slice(0, 1);
  if (kind === 'blink' || options.close) scene.spots = scene.spots.filter((s) => isOpen(scene, s));
  setCamera(random, scene);
  scene.illumination.y += owner.flood;
  scene.spots.push(...tears(random, scene, k));
  const makeup = owner.makeup ? chooseMakeup(random, k) : null;
  // Liner goes no nearer to the pupil than the lids do.
  const lens = owner.lens ? chooseLens(random, scene, k) : null;
  const rim = owner.glasses ? chooseRim(random, scene, k) : null;
  const ghosts = owner.glasses && random.unit() < 0.6 ? chooseGhosts(random, scene.pupil, k) : [];
  scene.spots.push(...ghosts);
  const panes = kind === 'eye' ? choosePanes(random, owner, scene) : [];
  const { image } = workspace(width * height);
  paintScene(image, scene, {
    onEye: () => lens && paintLens(image, scene, lens),
    onLids: () => makeup && paintMakeup(image, width, height, scene.lids, makeup),
    before: () => {
      for (const pane of panes) paintPane(image, width, height, pane);
      if (rim) paintRim(image, width, height, rim);
    },
  });
  drawn?.(scene);
  const { tone, contrast } = exposure(owner.tone, scene.levels);
  const data = take(image, tone);
  const truth = truthOf(scene);
  // What hides so much that nobody could say where the border is, is not scored.
  for (const spot of scene.spots) cover.addSpot(spot);
  truth.partial ||= truth.present && cover.share(LID | LASH | LED) + paneShare(scene.pupil, panes) > 0.5;
  return { width, height, data, truth, meta: { ...meta, contrast, offAxis } };
}

export function* wideSet(options: { count: number; seed: number }): Generator<EyeFrame<WideMeta>> {
  for (let i = 0; i < options.count; i++) yield wideFrame(i, options.seed);
}
