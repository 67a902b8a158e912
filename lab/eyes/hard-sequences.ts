import { arcTangent } from './arithmetic.ts';
import { eyelessFrame } from './eyeless.ts';
import { makeScene, polar, type Pose } from './eye.ts';
import { HARD, hardEye, setCamera, type HardMeta } from './hard-set.ts';
import { playScript, randomSaccades } from './motion.ts';
import { Random } from './random.ts';
import { render } from './render.ts';
import { truthOf } from './truth.ts';
import type { EyeFrame, Scene, Spot } from './scene.ts';

/** Short recordings at 60 frames a second of the hard set's kind: six LEDs about the cornea, one blink, a gap. */
export const HARD_SEQUENCES = { count: 6, length: 60, rate: 60 } as const;

export interface HardSequenceMeta extends Omit<HardMeta, 'set'> {
  set: 'hard-sequence';
  sequence: number;
  /** Frame number within its sequence, and its time in milliseconds. */
  frame: number;
  time: number;
}

/**
 * All sequences one after another. Sequences 1, 4, ... look away for twelve frames (eyeless); the others blink once.
 * Frames with `truth.partial` (lid over 30 to 80 % of the pupil) are not to be scored.
 */
export function* hardSequences(
  options: { count?: number; length?: number; seed?: number } = {},
): Generator<EyeFrame<HardSequenceMeta>> {
  const count = options.count ?? HARD_SEQUENCES.count;
  for (let s = 0; s < count; s++)
    yield* hardSequence(s, options.length ?? HARD_SEQUENCES.length, options.seed ?? HARD.seed);
}

function* hardSequence(sequence: number, length: number, seed: number): Generator<EyeFrame<HardSequenceMeta>> {
  const random = new Random(seed, sequence, 21);
  const { width, height } = HARD;
  const { rate } = HARD_SEQUENCES;
  const contrast = random.uniform(20, 60);
  const offAxis = random.uniform(0, 28);
  const { subject, pose: rest } = hardEye(random, contrast, offAxis);
  // as in the single frames, only a blink hides the pupil
  subject.upperLid = 7;
  subject.lowerLid = 6;
  const gap = sequence % 3 === 1;
  const seconds = length / rate;
  const moments = playScript(
    {
      rate,
      frames: length,
      start: { yaw: 0, pitch: 0, radius: rest.pupilRadiusMm },
      saccades: randomSaccades(random, seconds, 8),
      pupil: [{ at: 0.2, radius: random.uniform(1.7, 3.7), tau: 0.4 }],
      blinks: gap ? [] : [random.uniform(0.3, 0.5) * seconds],
    },
    random,
  );
  const ring = random.uniform(0.9, 2.2);
  const start = random.uniform(0, 6);
  const size = random.uniform(0.14, 0.24);
  let light: Scene['illumination'] | null = null;
  const gapFrom = Math.floor(0.45 * length);
  for (let frame = 0; frame < length; frame++) {
    const own = new Random(seed, sequence * 100000 + frame, 22);
    const index = sequence * length + frame;
    const time = (frame * 1000) / rate;
    const common = { set: 'hard-sequence' as const, index, sequence, frame, time };
    if (gap && frame >= gapFrom && frame < gapFrom + 12) {
      const made = eyelessFrame(own, 0, width, height, HARD.noise);
      const meta = {
        ...common,
        kind: 'eyeless' as const,
        eyeless: made.kind,
        contrast: 0,
        offAxis: 0,
        pxPerMm: 0,
        spots: [],
      };
      yield { width, height, data: made.data, truth: made.truth, meta };
      continue;
    }
    const moment = moments[frame];
    const degree = Math.PI / 180;
    const pose: Pose = {
      ...rest,
      yaw: rest.yaw + moment.yaw * degree,
      pitch: rest.pitch + moment.pitch * degree,
      pupilRadiusMm: moment.radius,
      closure: moment.closure,
    };
    const { scene, cornea } = makeScene(subject, pose);
    const spots: Spot[] = [];
    for (let i = 0; i < 6; i++) {
      const p = polar(cornea.x, cornea.y, ring * pose.pxPerMm, start + i * 0.8);
      const column = Math.max(0, Math.min(width - 1, Math.round(p.x)));
      if (p.y < scene.lids.upper[column] || p.y > scene.lids.lower[column]) continue;
      spots.push({ x: p.x, y: p.y, radius: size * pose.pxPerMm, edge: 1, level: 290, halo: 5 });
    }
    scene.spots = spots;
    setCamera(own, scene);
    light ??= scene.illumination;
    scene.illumination = light;
    const data = render(scene);
    const truth = truthOf(scene);
    const tilt = scene.pupil.minor / scene.pupil.major;
    const meta = {
      ...common,
      kind: truth.blink ? ('blink' as const) : ('eye' as const),
      eyeless: null,
      contrast,
      offAxis: arcCosineDegrees(tilt),
      pxPerMm: pose.pxPerMm,
      spots: scene.spots,
    };
    yield { width, height, data, truth, meta };
  }
}

function arcCosineDegrees(c: number): number {
  return (arcTangent(Math.sqrt(Math.max(0, 1 - c * c)), c) * 180) / Math.PI;
}
