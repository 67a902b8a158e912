// xorshift32 (Marsaglia 2003): equal numbers in every browser, so that a seed determines a track.
import { ObjectModel } from './model';

export function nextRandom(state: u32): u32 {
  state ^= state << 13;
  state ^= state >>> 17;
  return state ^ (state << 5);
}

/** Uniform in [0, 1). */
export function uniform(model: ObjectModel): f64 {
  model.random = nextRandom(model.random);
  return <f64>model.random / 4294967296.0;
}

/** Integer, 0..n-1. */
export function below(model: ObjectModel, n: i32): i32 {
  return <i32>floor(uniform(model) * <f64>n);
}

/** Uniform in [-range, range). */
export function within(model: ObjectModel, range: f64): f64 {
  return (2 * uniform(model) - 1) * range;
}
