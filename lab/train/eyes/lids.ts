/** Lids for training and measuring: as in the wide set, or at a height that hides any share of the pupil. */
import { makeLids, projectEye, type Pose, type Subject } from '../../eyes/eye.ts';
import { fitClosure } from '../../eyes/hard-set.ts';
import type { Random } from '../../eyes/random.ts';
import { lidShare } from '../../eyes/truth.ts';

export function closeLids(random: Random, subject: Subject, pose: Pose, blink: boolean): void {
  if (blink || random.unit() < 0.45) return fitClosure(random, subject, pose, blink);
  const wanted = random.unit() < 0.2 ? random.uniform(0.75, 1) : random.uniform(0, 0.75);
  const { pupil } = projectEye(pose);
  let low = -0.1;
  pose.closure = 1;
  for (let i = 0; i < 12; i++) {
    const middle = (low + pose.closure) / 2;
    if (lidShare(pupil, makeLids(subject, { ...pose, closure: middle })) >= wanted) pose.closure = middle;
    else low = middle;
  }
}
