/**
 * Ends of face tracks: boxes that leave the frame, two tracks on one face, and lost faces, which a later face is
 * compared with by appearance, size and distance.
 */
import { overlap } from '../image/numbers.ts';
import type { Box } from '../results/types.ts';
import { eyeTable } from './eye-table.ts';
import { type FaceTrack, resemblance, type Signature } from './face-track.ts';

/** Tracks that ended on one face. Flow and landmarks of two faces that cross may both end on the face in front. */

/** Two tracks with a larger overlap are on one face. */
const ONE = 0.6;

/** `alike` is the similarity to the known appearance, NaN if it is unknown. Ids increase. */
export interface FollowedTrack {
  readonly id: number;
  readonly box: Box;
  readonly alike: number;
}

/** Whether track a matches the face better. If they are equal, the older one does. */
const isBetter = (a: FollowedTrack, b: FollowedTrack): boolean => (a.alike - b.alike || b.id - a.id) > 0;

/** Whether another one of `tracks` has the face that this track is on. */
export const isOnAnothers = (track: FollowedTrack, tracks: readonly FollowedTrack[]): boolean =>
  tracks.some((other) => other !== track && overlap(other.box, track.box) > ONE && isBetter(other, track));

/** Boxes of detections that the border of the frame cuts off. */

/** Detections are square (except for rounding), unless the border of the frame cuts them off. */
export const isCut = ({ width, height }: Box): boolean => Math.abs(width - height) > 0.03 * Math.max(width, height);

/**
 * Restores the original size of a box that was cut off at the border of the frame, because the whole face is compared
 * and followed.
 */
export function wholeBox(box: Box): Box {
  if (!isCut(box)) return box;
  const { x, y, width, height } = box;
  const side = Math.max(width, height);
  return { x: x > 0 ? x : x + width - side, y: y > 0 ? y : y + height - side, width: side, height: side };
}

export const lostRule = {
  /** Number of frames for which a lost face is remembered. */
  memory: 300,
  /**
   * Maximum distance of a face from its last position, in its widths: base value, increase per frame, and upper limit.
   */
  near: 1,
  reach: 0.05,
  far: 6,
  /** Maximum ratio of its size to the last size. */
  size: 2,
  /**
   * Number of frames for which a face of unknown appearance is identified by its position. Fewer if it looks different
   * (other light).
   */
  blind: 60,
  briefly: 10,
  /**
   * Minimum similarity of a face that may still be half covered. It waits for another search, at most for this many
   * frames.
   */
  perhaps: 0.3,
  wait: 30,
  /** Decrease of the similarity per width of distance. */
  distance: 0.03,
  /** Minimum number of frames for which a face must have been followed. */
  age: 3,
};

interface Lost {
  readonly id: number;
  readonly box: Box;
  readonly signature: Signature | null;
  readonly frame: number;
  /** A face that may be this one waits until this frame. */
  until: number;
}

/**
 * Comparison of a lost face with a found one: frames since the loss, distance in widths, and similarity (NaN if
 * unknown).
 */
interface Common {
  readonly lost: Lost;
  readonly since: number;
  readonly widths: number;
  readonly looks: number;
}

const distance = (a: Box, b: Box): number =>
  Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);

/** Null if the face is too far away, or if its size is too different. */
function common(lost: Lost, { box, signature }: FaceTrack, frame: number): Common | null {
  const since = frame - lost.frame;
  const widths = distance(lost.box, box) / box.width;
  const size = Math.max(lost.box.width / box.width, box.width / lost.box.width);
  if (size > lostRule.size || widths > Math.min(lostRule.far, lostRule.near + lostRule.reach * since)) return null;
  return { lost, since, widths, looks: signature && lost.signature ? resemblance(signature, lost.signature) : NaN };
}

const worth = ({ looks, widths }: Common) => looks - lostRule.distance * widths;

/** Whether the position identifies the face for a while, without its appearance. */
const isByPlace = ({ looks, since, widths }: Common): boolean =>
  Number.isNaN(looks)
    ? since < lostRule.blind && widths < lostRule.near
    : since < lostRule.briefly && widths < lostRule.near / 2 && looks > 0;

export class LostFaces {
  #lost: Lost[] = [];

  /** Adds a face that was lost in this frame. */
  add({ id, trusted: box, signature, age }: FaceTrack, frame: number): void {
    if (age >= lostRule.age) this.#lost.push({ id, box, signature, frame, until: Infinity });
  }

  /** Removes faces that were lost too long ago. */
  forget(frame: number): void {
    this.#lost = this.#lost.filter((lost) => frame - lost.frame < lostRule.memory);
  }

  /**
   * Returns the id of the lost face that this is. Null if it is not one of them. 'wait' if it is not clearly visible
   * yet, also if the border of the frame cuts it off.
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
