/** Tracks that ended on one face: flow and landmarks of two that cross may both settle on the one in front. */
import { overlap } from '../image/boxes.ts';
import type { Box } from '../results/types.ts';

/** Two tracks that have more of their boxes in common are on one face. */
const ONE = 0.6;

/** `alike`: resemblance to the looks it is known by, NaN where these are not known. Ids count up. */
export interface FollowedTrack {
  readonly id: number;
  readonly box: Box;
  readonly alike: number;
}

/** The one that the face looks like, or else the older one. */
const isBetter = (a: FollowedTrack, b: FollowedTrack): boolean => (a.alike - b.alike || b.id - a.id) > 0;

/** Whether another one of `tracks` has the face that this one is on. */
export const isOnAnothers = (track: FollowedTrack, tracks: readonly FollowedTrack[]): boolean =>
  tracks.some((other) => other !== track && overlap(other.box, track.box) > ONE && isBetter(other, track));
