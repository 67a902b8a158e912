/**
 * The same persons again and again, as a camera sees them within a minute: eyes that are open and look about, half closed, closed.
 * Who they are, their light and what they wear stays; the head moves a little.
 */
import { clamp } from '../../eyes/arithmetic.ts';
import { Random } from '../../eyes/random.ts';
import type { FaceRecord } from '../render/face.ts';
import { drawFraming, grayOf, type Renderer } from '../render/face.ts';
import { drawSettings, type FaceSettings } from '../render/settings.ts';
import { packShard } from '../render/dataset.ts';

/** How many of each person, and how far the lids are closed there, at random between these. */
const KINDS = [
  { count: 5, blink: [0, 0.1] },
  { count: 1, blink: [0.2, 0.8] },
  { count: 2, blink: [1, 1] },
] as const;

export const MOMENTS = KINDS.reduce((sum, { count }) => sum + count, 0);
/** Persons of a file. */
export const PERSONS = 5;
/** Pixels a side. */
export const SIDE = 240;

export interface Moment extends FaceRecord {
  /** The same for all pictures of one person. */
  person: number;
}

/** What is drawn for one person. */
function momentsOf(seed: number): FaceSettings[] {
  const base = drawSettings(seed);
  const random = new Random(seed, 21);
  const lids = Object.fromEntries(Object.entries(base.expression).filter(([name]) => !name.startsWith('eyeLook')));
  return KINDS.flatMap(({ count, blink: [least, most] }) =>
    Array.from({ length: count }, () => {
      const closed = random.uniform(least, most);
      const gaze: [number, number] = [clamp(random.normal(0, 15), -32, 32), clamp(random.normal(-3, 9), -28, 18)];
      const down = gaze[1] < 0 ? clamp(-gaze[1] / 30, 0, 0.8) : 0;
      const up = gaze[1] > 0 ? clamp(gaze[1] / 30, 0, 0.7) : 0;
      const looks = { eyeLookDown_L: down, eyeLookDown_R: down, eyeLookUp_L: up, eyeLookUp_R: up };
      return {
        ...base,
        yaw: clamp(0.7 * base.yaw + random.normal(0, 5), -47, 47),
        pitch: clamp(0.7 * base.pitch + random.normal(0, 4), -28, 28),
        roll: clamp(base.roll + random.normal(0, 3), -25, 25),
        expression: { ...lids, ...looks },
        blink: [closed, closed] as [number, number],
        gaze,
      };
    }),
  );
}

/** One file: PERSONS persons, MOMENTS pictures of each, one person after the other. */
export function renderPersons(renderer: Renderer, first: number): Uint8Array {
  const records: Moment[] = [];
  const pictures = new Uint8Array(PERSONS * MOMENTS * SIDE * SIDE);
  const points = new Float32Array(PERSONS * MOMENTS * 136);
  for (let person = first; person < first + PERSONS; person++) {
    const seed = (Math.imul(47, 0x9e3779b1) + person) | 0;
    for (const settings of momentsOf(seed)) {
      const face = renderer.render(settings, drawFraming(seed, SIDE));
      pictures.set(grayOf(face.data), records.length * SIDE * SIDE);
      points.set(face.points, records.length * 136);
      records.push({ ...face.record, person });
    }
  }
  return packShard({ side: SIDE, records, pictures, points });
}
