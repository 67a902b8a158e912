import { makeScene, makeSubject, PUPIL_DEPTH, type Pose } from './eye.ts';
import { playScript, randomSaccades } from './motion.ts';
import { Random } from './random.ts';
import { render } from './render.ts';

/** Short recordings of one eye with one to three blinks, and in every third one an eye that stays shut for longer. */
export const BLINK_CLIPS = { width: 320, height: 240, seconds: 1.6, pxPerMm: 9, seed: 48 } as const;

export interface BlinkClip {
  width: number;
  height: number;
  /** Frames per second. */
  rate: number;
  /** Gray frames, in order of time. */
  frames: Uint8Array[];
  /** Number of blinks, closures included. */
  blinks: number;
}

const rates = [30, 60, 50] as const;

/** The recording of this number. Equal seeds make equal recordings. */
export function blinkClip(index: number, seed: number = BLINK_CLIPS.seed): BlinkClip {
  const { width, height, seconds, pxPerMm } = BLINK_CLIPS;
  const random = new Random(seed, index, 31);
  const rate = rates[index % rates.length]!;
  const subject = makeSubject(random, {
    ...{ pupil: random.uniform(22, 40), iris: random.uniform(85, 125) },
    ...{ sclera: random.uniform(135, 170), skin: random.uniform(115, 160) },
  });
  subject.upperLid = 6.5;
  subject.lowerLid = 5.8;
  const count = 1 + (index % 2);
  // The first and the last may be cut off by the ends of the recording.
  const blinks = Array.from({ length: count }, (_, i) => random.uniform(i - 0.08, i + 0.75) * (seconds / count));
  const start = { yaw: random.uniform(-4, 4), pitch: random.uniform(-6, 0), radius: random.uniform(1.7, 2.8) };
  const script = { rate, frames: Math.round(rate * seconds), start, blinks, pupil: [] };
  const moments = playScript({ ...script, saccades: randomSaccades(random, seconds, 6) }, random);
  const shut = index % 3 === 2 ? random.uniform(0.3, 0.7) : Infinity;
  const degree = Math.PI / 180;
  const frames = moments.map((moment, i) => {
    const pose: Pose = {
      ...{ width, height, pxPerMm, x: width / 2, y: height / 2 + 12 + PUPIL_DEPTH * pxPerMm * 0.05 },
      ...{ yaw: moment.yaw * degree, pitch: moment.pitch * degree, restYaw: 0, restPitch: -3 * degree },
      ...{ pupilRadiusMm: moment.radius, closure: i / rate > shut && i / rate < shut + 0.75 ? 1 : moment.closure },
    };
    const { scene } = makeScene(subject, pose);
    scene.defocus = 0.7;
    scene.noise = 1.5;
    scene.noiseSeed = 1000 * index + i;
    return render(scene);
  });
  return { width, height, rate, frames, blinks: count + Number(shut < Infinity) };
}
