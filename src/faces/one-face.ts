/** Tracks that ended on one face. Flow and landmarks of two faces that cross may both end on the face in front. */
import { overlap } from '../image/boxes.ts';
import type { Box } from '../results/types.ts';

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
