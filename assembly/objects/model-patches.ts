// The nearest-neighbor part of the object model (Kalal, Mikolajczyk, Matas 2012, section 5.2): 15x15 patches of the
// target and of the background. With S = (NCC + 1) / 2, S+ and S- are the similarities to the nearest positive and
// negative, and S50 is the similarity to the nearest among the first half of the positives:
// - relative: d- / (d- + d+), d = 1 - S (the published program; the paper writes S+ / (S+ + S-))
// - conservative: the relative similarity with S50 in place of S+
//
// Both lists are bounded. A full list forgets a random patch, among the positives one of the later half.
import { patchCorrelations, STORED_BYTES } from './model-correlations';
import { ObjectModel } from './model';
import { below } from './random';

function greatest(list: usize, count: i32): f64 {
  let best: f64 = -1;
  for (let i = 0; i < count; i++) best = max(best, <f64>load<f32>(list + ((<usize>i) << 2)));
  return best;
}

function share(positive: f64, negative: f64, positives: i32, negatives: i32): f64 {
  if (!positives) return 0;
  if (!negatives) return 1;
  const far = 1 - (negative + 1) / 2;
  const near = 1 - (positive + 1) / 2;
  return far + near > 0 ? far / (far + near) : 0.5;
}

/** Sets the similarity fields of the model for a stored patch. */
export function compare(model: ObjectModel, patch: usize): void {
  const list = model.correlations;
  const later = list + ((<usize>model.mostPositives) << 2);
  const positives = model.positiveCount;
  const negatives = model.negativeCount;
  patchCorrelations(patch, model.positives, positives, list);
  patchCorrelations(patch, model.negatives, negatives, later);
  model.nearestPositive = greatest(list, positives);
  model.nearestNegative = greatest(later, negatives);
  model.relative = share(model.nearestPositive, model.nearestNegative, positives, negatives);
  model.conservative = share(greatest(list, (positives + 1) >> 1), model.nearestNegative, positives, negatives);
}

/** Removes patch i from a list that ends at `end`. */
function remove(list: usize, i: i32, count: i32): void {
  const at = list + <usize>i * STORED_BYTES;
  memory.copy(at, at + STORED_BYTES, <usize>(count - 1 - i) * STORED_BYTES);
}

/** Adds a patch of the target. A full list first loses a random one of its later half. */
export function addPositive(model: ObjectModel, patch: usize): void {
  if (model.positiveCount == model.mostPositives) {
    const first = model.mostPositives >> 1;
    remove(model.positives, first + below(model, model.mostPositives - first), model.positiveCount--);
  }
  memory.copy(model.positives + <usize>model.positiveCount * STORED_BYTES, patch, STORED_BYTES);
  model.positiveCount++;
}

/** Adds a patch of the background. A full list first loses a random one. */
export function addNegative(model: ObjectModel, patch: usize): void {
  if (model.negativeCount == model.mostNegatives)
    remove(model.negatives, below(model, model.mostNegatives), model.negativeCount--);
  memory.copy(model.negatives + <usize>model.negativeCount * STORED_BYTES, patch, STORED_BYTES);
  model.negativeCount++;
}

/** Removes the positives whose correlation with a patch is above `same`. */
export function forget(model: ObjectModel, patch: usize, same: f64): void {
  compare(model, patch);
  for (let i = model.positiveCount - 1; i >= 0; i--)
    if (<f64>load<f32>(model.correlations + ((<usize>i) << 2)) > same)
      remove(model.positives, i, model.positiveCount--);
}

/** Moves the last positive, which is also at `patch`, to the front, where forgetting does not remove it. */
export function promote(model: ObjectModel, patch: usize): void {
  memory.copy(model.positives + STORED_BYTES, model.positives, <usize>(model.positiveCount - 1) * STORED_BYTES);
  memory.copy(model.positives, patch, STORED_BYTES);
}
