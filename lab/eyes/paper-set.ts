import { clamp, cosine } from './arithmetic.ts';
import { gazeFrom, gazeVector, pointAt } from './ellipse.ts';
import { makeLids, makeScene, makeSubject, polar, PUPIL_DEPTH, projectEye, type Pose, type Subject } from './eye.ts';
import { playScript, randomSaccades, type Moment } from './motion.ts';
import { Random } from './random.ts';
import { render } from './render.ts';
import { BorderCover, LASH, LID, truthOf } from './truth.ts';
import { PAPER, pupilRadii, subjectOf, subjectRadius } from './paper-radii.ts';
import type { EyeFrame, Scene, Spot, Stroke } from './scene.ts';

export interface PaperMeta {
  set: 'paper' | 'paper-sequence';
  index: number;
  subject: number;
  radiusMm: number;
  pxPerMm: number;
  /** Milliseconds; 0 in single images. */
  time: number;
  /** First frame of another subject: the tracker has to start again. */
  cut: boolean;
}

/** Lamps, light and frame position: what stays the same for one subject's session. */
interface Session {
  subject: Subject;
  light: number;
  ringStart: number;
  ringRadius: number;
  lamps: number;
  spot: number;
  x: number;
  y: number;
}

let sessionOf = { number: -1, session: null as Session | null };

export function* paperSet(options: { count?: number; from?: number } = {}): Generator<EyeFrame<PaperMeta>> {
  const from = options.from ?? 0;
  const end = Math.min(PAPER.images, from + (options.count ?? PAPER.images));
  for (let i = from; i < end; i++) yield paperFrame(i);
}

/** What an experiment changes about every image of the set. */
export interface PaperChange {
  /** All pupils are seen from the front, so that they are round. */
  frontal?: boolean;
  /** Factor of the skin's texture. */
  skin?: number;
  /** Share of the border that lids hide at most and lashes at least. */
  hidden?: number;
}

/** Image 0..963. */
export function paperFrame(
  index: number,
  { frontal = false, skin = 1, hidden }: PaperChange = {},
): EyeFrame<PaperMeta> {
  const number = subjectOf(index);
  const random = new Random(PAPER.seed, index, 3);
  const session = openSession(number);
  const radiusMm = pupilRadii()[index];
  const angle = arcCosineOfRatio(1 - (frontal ? 0 : 0.1) * random.unit() * random.unit());
  const gaze = gazeFrom(angle, random.uniform(0, 2 * Math.PI));
  const v = gazeVector(gaze.yaw, gaze.pitch);
  const k = PAPER.pxPerMm;
  const pose: Pose = {
    width: PAPER.width,
    height: PAPER.height,
    pxPerMm: k,
    x: session.x + random.normal(0, 45) - PUPIL_DEPTH * k * v.x,
    y: session.y + random.normal(0, 35) - PUPIL_DEPTH * k * v.y,
    yaw: gaze.yaw,
    pitch: gaze.pitch,
    restYaw: gaze.yaw * 0.8,
    restPitch: gaze.pitch * 0.9,
    pupilRadiusMm: radiusMm,
    closure: 0,
  };
  const subject = { ...session.subject };
  openLids(subject, pose, hidden ?? (random.unit() < 0.12 ? 0.15 : 0), random);
  const { scene, cornea } = makeScene(subject, pose);
  hangLashes(random, scene, hidden ?? (random.unit() < 0.15 ? random.uniform(0.02, 0.12) : 0));
  scene.skinAmplitude *= skin;
  photograph(scene, session, cornea, random, random.uniform(0.85, 1.12), random.word());
  return {
    width: PAPER.width,
    height: PAPER.height,
    data: render(scene),
    truth: truthOf(scene),
    meta: { set: 'paper', index, subject: number, radiusMm, pxPerMm: k, time: 0, cut: true },
  };
}

/**
 * The same subjects as a recording of n frames at 250 a second: runs of 100 frames each with drift, tremor, saccades
 * and pupil unrest; every fifth run (from the second on) has a blink. Subjects follow each other by hard cuts.
 */
export function* paperSequence(n: number): Generator<EyeFrame<PaperMeta>> {
  let moments: Moment[] = [];
  let base: Pose | null = null;
  let strokes: Subject | null = null;
  for (let i = 0; i < n; i++) {
    const run = Math.floor(i / PAPER.run);
    const number = (run * 7) % PAPER.subjects;
    const session = openSession(number);
    if (i % PAPER.run === 0) {
      const random = new Random(PAPER.seed, run, 9);
      const radius = subjectRadius(number);
      moments = playScript(
        {
          rate: PAPER.rate,
          frames: PAPER.run,
          start: { yaw: 0, pitch: 0, radius },
          saccades: randomSaccades(random, PAPER.run / PAPER.rate, 7),
          pupil: [{ at: 0, radius: clamp(radius + random.normal(0, 0.2), 1.7, 4.2), tau: 0.4 }],
          blinks: run % 5 === 1 ? [0.06] : [],
        },
        random,
      );
      base = sequencePose(session, { yaw: 0, pitch: 0, radius: 4.2, closure: 0 });
      strokes = { ...session.subject };
      openLids(strokes, base, 0, random);
    }
    const moment = moments[i % PAPER.run];
    const pose = sequencePose(session, moment);
    const closure = base?.closure ?? 0;
    pose.closure = closure + (1 - closure) * moment.closure;
    const { scene, cornea } = makeScene(strokes ?? session.subject, pose);
    photograph(scene, session, cornea, new Random(PAPER.seed, run, 4), 1, i);
    yield {
      width: PAPER.width,
      height: PAPER.height,
      data: render(scene),
      truth: truthOf(scene),
      meta: {
        set: 'paper-sequence',
        index: i,
        subject: number,
        radiusMm: moment.radius,
        pxPerMm: PAPER.pxPerMm,
        time: (i * 1000) / PAPER.rate,
        cut: i % PAPER.run === 0,
      },
    };
  }
}

function sequencePose(session: Session, moment: Moment): Pose {
  const degree = Math.PI / 180;
  return {
    width: PAPER.width,
    height: PAPER.height,
    pxPerMm: PAPER.pxPerMm,
    x: session.x,
    y: session.y,
    yaw: moment.yaw * degree,
    pitch: moment.pitch * degree,
    restYaw: 0,
    restPitch: 0,
    pupilRadiusMm: moment.radius,
    closure: moment.closure,
  };
}

function openSession(number: number): Session {
  if (sessionOf.number === number && sessionOf.session) return sessionOf.session;
  const random = new Random(PAPER.seed, number, 1);
  const pupil = random.uniform(14, 38);
  const iris = Math.max(pupil + 40, random.uniform(72, 132));
  const levels = { pupil, iris, sclera: iris + random.uniform(25, 70), skin: random.uniform(100, 170) };
  const subject = makeSubject(random, levels);
  subject.irisAmplitude = (iris - pupil) * random.uniform(0.05, 0.13);
  const session: Session = {
    subject,
    light: random.uniform(0.75, 1.2),
    ringStart: random.normal(0, 0.12),
    ringRadius: random.uniform(1.5, 2.1),
    lamps: 12,
    spot: random.uniform(0.075, 0.115),
    x: PAPER.width / 2 + random.normal(0, 40),
    y: PAPER.height / 2 + random.normal(0, 30),
  };
  sessionOf = { number, session };
  return session;
}

/** Widens the opening until the lids hide no more than `limit` of the border. */
function openLids(subject: Subject, pose: Pose, limit: number, random: Random): void {
  pose.closure = limit > 0 ? random.uniform(0.2, 0.45) : random.uniform(-0.05, 0.1);
  const { pupil } = projectEye(pose);
  while (new BorderCover(pupil, makeLids(subject, pose)).share(LID) > limit) {
    pose.closure -= 0.03;
    subject.lowerLid += 0.1;
  }
}

/** A few long lashes over the upper border; lashes that would hide more are left out. */
function hangLashes(random: Random, scene: Scene, wanted: number): void {
  const { pupil, lids } = scene;
  const cover = new BorderCover(pupil, lids);
  scene.strokes = scene.strokes.filter((stroke) => cover.tryStroke(stroke, Math.max(wanted, cover.share(LID))));
  const k = PAPER.pxPerMm;
  for (let i = 0; i < 30 && cover.share(LASH | LID) < wanted; i++) {
    const x = clamp(pupil.x + random.normal(0, 0.5) * pupil.major, 0, scene.width - 1);
    const y = lids.upper[Math.round(x)];
    const end = pointAt(pupil, random.uniform(Math.PI, 2 * Math.PI), random.uniform(0.8, 1));
    const stroke: Stroke = {
      x0: x,
      y0: y,
      x1: (x + end.x) / 2 + random.normal(0, 30),
      y1: y + 0.6 * (end.y - y),
      x2: end.x,
      y2: end.y,
      width: random.uniform(0.1, 0.18) * k,
      tip: 1.5,
      level: random.uniform(25, 55),
      opacity: 0.85,
    };
    if (cover.tryStroke(stroke, wanted + 0.02)) scene.strokes.push(stroke);
  }
}

function photograph(
  scene: Scene,
  session: Session,
  cornea: { x: number; y: number },
  random: Random,
  exposure: number,
  noiseSeed: number,
): void {
  const k = PAPER.pxPerMm;
  const brightness = clamp(session.light * exposure, 0.7, 1.25);
  const { levels } = scene;
  scene.levels = {
    pupil: levels.pupil * brightness,
    iris: levels.iris * brightness,
    sclera: levels.sclera * brightness,
    skin: levels.skin * brightness,
  };
  const spots: Spot[] = [];
  for (let i = 0; i < session.lamps; i++) {
    // the lower half of the ring is lit
    const angle = session.ringStart + (Math.PI * (i + 0.5)) / session.lamps;
    const p = polar(cornea.x, cornea.y, session.ringRadius * k, angle);
    const column = clamp(Math.round(p.x), 0, scene.width - 1);
    if (p.y < scene.lids.upper[column] || p.y > scene.lids.lower[column]) continue;
    spots.push({ x: p.x, y: p.y, radius: session.spot * k, edge: 1.5, level: 290, halo: 6 });
  }
  scene.spots = spots;
  scene.illumination = {
    x: random.normal(0, 0.08),
    y: random.normal(0, 0.08),
    quadratic: random.uniform(0.02, 0.15),
    vignette: random.uniform(0, 0.06),
    unevenness: random.uniform(0.01, 0.04),
  };
  scene.defocus = PAPER.defocus;
  scene.noise = PAPER.noise;
  scene.noiseSeed = noiseSeed;
}

function arcCosineOfRatio(ratio: number): number {
  let low = 0;
  let high = 0.6;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (cosine(middle) > ratio) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
