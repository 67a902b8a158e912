import { makeBrow } from './brow.ts';
import { makeLids, makeScene, makeSubject, polar, PUPIL_DEPTH, type Pose, type Subject } from './eye.ts';
import { playScript, type Moment } from './motion.ts';
import { Random } from './random.ts';
import { render } from './render.ts';
import { truthOf } from './truth.ts';
import type { EyeFrame, Spot, Stroke } from './scene.ts';

/** The clip that is shipped: one eye for 8 s with fixations, saccades, a dilation, two blinks; it loops smoothly. */
export const SAMPLE = { width: 640, height: 480, rate: 60, frames: 480, pxPerMm: 17.5, seed: 7 } as const;

export interface SampleMeta {
  set: 'sample';
  index: number;
  /** Milliseconds from the start. */
  time: number;
  pxPerMm: number;
}

interface Session {
  subject: Subject;
  moments: Moment[];
  brow: Stroke[];
}

let session: Session | null = null;

const RIGHT = 0;
const DOWN = -3;

function openSession(): Session {
  if (session) return session;
  const random = new Random(SAMPLE.seed, 1, 5);
  const subject = makeSubject(random, { pupil: 26, iris: 98, sclera: 150, skin: 138 });
  subject.upperLid = 6.3;
  subject.lowerLid = 5.6;
  subject.tilt = -0.04;
  subject.skew = 0.12;
  subject.crease = 4.2;
  subject.irisAmplitude = 6.5;
  subject.skinAmplitude = 6;
  subject.lidShadow = 0.22;
  const moments = playScript(
    {
      rate: SAMPLE.rate,
      frames: SAMPLE.frames,
      start: { yaw: RIGHT, pitch: DOWN, radius: 2.05 },
      saccades: [
        { at: 1.0, yaw: 11, pitch: DOWN },
        { at: 1.75, yaw: -9, pitch: DOWN - 4 },
        { at: 2.4, yaw: 2, pitch: DOWN + 1 },
        { at: 5.15, yaw: -12, pitch: DOWN + 3 },
        { at: 5.75, yaw: 8, pitch: DOWN + 6 },
        { at: 6.3, yaw: 9.2, pitch: DOWN + 5.5 },
        { at: 7.45, yaw: RIGHT, pitch: DOWN },
      ],
      pupil: [
        { at: 2.8, radius: 3.55, tau: 0.45 },
        { at: 6.0, radius: 1.98, tau: 0.28 },
      ],
      blinks: [4.55, 6.95],
    },
    random,
  );
  const lids = makeLids(subject, poseOf(moments[0]));
  return (session = { subject, moments, brow: makeBrow(random, lids, SAMPLE.pxPerMm) });
}

function poseOf(moment: Moment): Pose {
  const degree = Math.PI / 180;
  return {
    width: SAMPLE.width,
    height: SAMPLE.height,
    pxPerMm: SAMPLE.pxPerMm,
    x: SAMPLE.width / 2 - 4,
    y: SAMPLE.height / 2 + 24 + PUPIL_DEPTH * SAMPLE.pxPerMm * 0.05,
    yaw: moment.yaw * degree,
    pitch: moment.pitch * degree,
    restYaw: RIGHT * degree,
    restPitch: DOWN * degree,
    pupilRadiusMm: moment.radius,
    closure: moment.closure,
  };
}

export function sampleFrame(index: number): EyeFrame<SampleMeta> {
  const { subject, moments, brow } = openSession();
  const pose = poseOf(moments[index]);
  const { scene, cornea } = makeScene(subject, pose);
  scene.strokes.push(...brow);
  const k = SAMPLE.pxPerMm;
  const lamp = (angle: number, radius: number): Spot => {
    const p = polar(cornea.x, cornea.y, 1.15 * k, angle);
    return { x: p.x, y: p.y, radius, edge: 1.2, level: 300, halo: 8 };
  };
  const { lids } = scene;
  scene.spots = [lamp(2.5, 4.2), lamp(0.75, 3.8)].filter((spot) => {
    const column = Math.round(spot.x);
    return spot.y > lids.upper[column] + 1 && spot.y < lids.lower[column] - 1;
  });
  scene.illumination = { x: 0.1, y: 0.06, quadratic: 0.1, vignette: 0.05, unevenness: 0.04 };
  scene.defocus = 0.7;
  scene.noise = 1.3;
  scene.noiseSeed = 1000 + index;
  const meta: SampleMeta = { set: 'sample', index, time: (index * 1000) / SAMPLE.rate, pxPerMm: k };
  return { width: SAMPLE.width, height: SAMPLE.height, data: render(scene), truth: truthOf(scene), meta };
}

export function* sampleClip(): Generator<EyeFrame<SampleMeta>> {
  for (let i = 0; i < SAMPLE.frames; i++) yield sampleFrame(i);
}
