// Votes from the codes that the GPU computed (glsl/objects/ferns-codes.frag). The learned posteriors are here and
// change with every frame, so only codes are transferred. Sums are computed as in fernVotes, with identical bits.

import { CODES, FERNS } from './windows';

/** Code f of a packed record: four words of codes, and the position with the two remaining bits. */
export function unpackCode(words: usize, place: u32, f: i32): i32 {
  if (f < 8) return <i32>((load<u32>(words + ((<usize>(f >> 1)) << 2)) >>> (13 * (f & 1))) & (CODES - 1));
  const at = words + ((<usize>(f - 8)) << 3);
  return <i32>((load<u32>(at) >>> 26) | ((load<u32>(at, 4) >>> 26) << 6) | (((place >>> (22 + f)) & 1) << 12));
}

/** Votes of the records in blocks y0..y1-1 of `block` records. -1 for records that cannot get to `least`. */
export function codeVotes(
  words: usize,
  places: usize,
  count: i32,
  block: i32,
  posteriors: usize,
  least: f32,
  votes: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const end = min(count, y1 * block);
  for (let k = y0 * block; k < end; k++) {
    const record = words + ((<usize>k) << 4);
    const place = load<u32>(places + ((<usize>k) << 2));
    let sum: f32 = 0;
    let table = posteriors;
    for (let f = 0; f < FERNS; f++) {
      sum += load<f32>(table + ((<usize>unpackCode(record, place, f)) << 2));
      if (sum + <f32>(FERNS - 1 - f) < least) {
        sum = -1;
        break;
      }
      table += CODES << 2;
    }
    store<f32>(votes + ((<usize>k) << 2), sum);
  }
  return 0;
}
