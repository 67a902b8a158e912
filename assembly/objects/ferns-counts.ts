// Learned data of the ferns (Kalal, Mikolajczyk, Matas 2012, section 5.3.2): how often a code was an example of the
// target and how often not. A posterior is the share of positives. The vote of a window is the sum over the ferns.
import { unpackCode } from './ferns-confidences';
import { fernCode } from './ferns';
import { ObjectFrame } from './frame';
import { CODES, COMPARISONS, FERNS, OFFSET_BYTES } from './windows';
import { ObjectModel } from './model';
import { Candidate, WindowSearch } from './detector-search';

/** Counts are halved at this value, so that old examples lose weight. */
const FULL: i32 = 4096;
/** Bytes of a list of codes, u16 each. */
export const CODE_BYTES: usize = 32;

/** The sum of the posteriors of 10 codes, 0..10. */
export function fernVote(model: ObjectModel, codes: usize): f64 {
  let sum: f64 = 0;
  for (let f = 0; f < FERNS; f++) {
    const i = <usize>(f * CODES + <i32>load<u16>(codes + ((<usize>f) << 1)));
    sum += <f64>load<f32>(model.posteriors + (i << 2));
  }
  return sum;
}

/** Counts an example. */
export function fernLearn(model: ObjectModel, codes: usize, positive: bool): void {
  for (let f = 0; f < FERNS; f++) {
    const i = <usize>(f * CODES + <i32>load<u16>(codes + ((<usize>f) << 1)));
    const positives = model.fernPositives + (i << 1);
    const negatives = model.fernNegatives + (i << 1);
    let p = <i32>load<u16>(positives) + <i32>positive;
    let n = <i32>load<u16>(negatives) + <i32>!positive;
    if ((positive ? p : n) >= FULL) {
      p >>= 1;
      n >>= 1;
    }
    store<u16>(positives, <u16>p);
    store<u16>(negatives, <u16>n);
    store<f32>(model.posteriors + (i << 2), <f32>(<f64>p / <f64>(p + n)));
  }
}

/** Computes posteriors from the counts, after these were set. */
export function fernPosteriors(model: usize): i32 {
  const m = changetype<ObjectModel>(model);
  for (let i: usize = 0; i < <usize>(FERNS * CODES); i++) {
    const p = <i32>load<u16>(m.fernPositives + (i << 1));
    const n = <i32>load<u16>(m.fernNegatives + (i << 1));
    store<f32>(m.posteriors + (i << 2), p ? <f32>(<f64>p / <f64>(p + n)) : 0);
  }
  return 0;
}

/** The 10 codes of a candidate, u16 each: from the GPU, or from the blurred image. */
export function codesOf(search: WindowSearch, frame: ObjectFrame, window: Candidate, codes: usize): void {
  const record = window.record;
  if (record >= 0) {
    const place = load<u32>(search.places + ((<usize>record) << 2));
    const words = search.words + ((<usize>record) << 4);
    for (let f = 0; f < FERNS; f++) store<u16>(codes + ((<usize>f) << 1), <u16>unpackCode(words, place, f));
    return;
  }
  const at = frame.blurred + <usize>(<i32>window.y * frame.blurredStride + <i32>window.x);
  const offsets = search.offsets + <usize>(window.scale * OFFSET_BYTES);
  for (let f = 0; f < FERNS; f++)
    store<u16>(codes + ((<usize>f) << 1), <u16>fernCode(at, offsets + <usize>(f * COMPARISONS * 8)));
}
