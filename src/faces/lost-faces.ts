/** Faces that were lost, and which of them one that is found later is: by its looks, its size and how far it can have come. */
import type { Box } from '../results/types.ts';
import { eyeTable } from './eye-table.ts';
import { type FaceTrack, resemblance, type Signature } from './face-track.ts';

/** `npm run bench -- lost faces` chooses `perhaps`, `wait`, `near` and `reach`. */
export const lostRule = {
  /** Frames for which a lost face is remembered. */
  memory: 300,
  /** How far a face may be from where it was, in its widths: so much, for each frame so much more, and no more than this. */
  near: 1,
  reach: 0.05,
  far: 6,
  /** How much larger or smaller it may be. */
  size: 2,
  /** Where its looks are not known a face is known by its place, for so many frames; for fewer where it looks otherwise (other light). */
  blind: 60,
  briefly: 10,
  /** A face that looks like it so far may be half covered still: it waits for another search, no longer than for so many frames. */
  perhaps: 0.3,
  wait: 30,
  /** Resemblance that a width of distance costs. */
  distance: 0.03,
  /** Frames that a face must have been there for. */
  age: 3,
};

interface Lost {
  readonly id: number;
  readonly box: Box;
  readonly signature: Signature | null;
  readonly frame: number;
  /** Frame from which on a face that may be this one need not wait any more. */
  until: number;
}

/** What a lost face has in common with one that was found: how long ago, how many widths away, and their looks (NaN: not known). */
interface Common {
  readonly lost: Lost;
  readonly since: number;
  readonly widths: number;
  readonly looks: number;
}

const distance = (a: Box, b: Box): number =>
  Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);

/** Null where it has come too far, or is of another size. */
function common(lost: Lost, { box, signature }: FaceTrack, frame: number): Common | null {
  const since = frame - lost.frame;
  const widths = distance(lost.box, box) / box.width;
  const size = Math.max(lost.box.width / box.width, box.width / lost.box.width);
  if (size > lostRule.size || widths > Math.min(lostRule.far, lostRule.near + lostRule.reach * since)) return null;
  return { lost, since, widths, looks: signature && lost.signature ? resemblance(signature, lost.signature) : NaN };
}

const worth = ({ looks, widths }: Common) => looks - lostRule.distance * widths;

/** Without its looks it is known by where it is, for a while. */
const isByPlace = ({ looks, since, widths }: Common): boolean =>
  Number.isNaN(looks)
    ? since < lostRule.blind && widths < lostRule.near
    : since < lostRule.briefly && widths < lostRule.near / 2 && looks > 0;

export class LostFaces {
  #lost: Lost[] = [];

  /** One that was lost in this frame. */
  add({ id, trusted: box, signature, age }: FaceTrack, frame: number): void {
    if (age >= lostRule.age) this.#lost.push({ id, box, signature, frame, until: Infinity });
  }

  /** Those that were lost too long ago. */
  forget(frame: number): void {
    this.#lost = this.#lost.filter((lost) => frame - lost.frame < lostRule.memory);
  }

  /**
   * Id of the lost face that this is; null where it is none of them, 'wait' where it is not clearly seen yet, also where the
   * border of the frame cuts it.
   */
  recall(face: FaceTrack, frame: number, isCut: boolean): number | null | 'wait' {
    const near = this.#lost.map((lost) => common(lost, face, frame)).filter((one) => one !== null);
    const [best] = near.filter(({ looks }) => looks >= eyeTable.like).sort((a, b) => worth(b) - worth(a));
    const by = best ?? near.find(isByPlace);
    if (by) {
      this.#lost = this.#lost.filter((lost) => lost !== by.lost);
      return by.lost.id;
    }
    const perhaps = near.filter(({ looks, lost }) => (isCut || looks >= lostRule.perhaps) && frame < lost.until);
    for (const { lost } of perhaps) lost.until = Math.min(lost.until, frame + lostRule.wait);
    return perhaps.length ? 'wait' : null;
  }

  clear(): void {
    this.#lost = [];
  }
}
