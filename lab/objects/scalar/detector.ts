// Votes of the ferns without SIMD and without short cuts.
import { ObjectFrame } from '../../../assembly/objects/frame';
import { CODES, COMPARISONS, FERNS, OFFSET_BYTES, pairAt } from '../../../assembly/objects/windows';
import { WindowSearch } from '../../../assembly/objects/detector-search';

export function fernVotes(
  search: usize,
  frame: usize,
  posteriors: usize,
  least: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const s = changetype<WindowSearch>(search);
  const image = changetype<ObjectFrame>(frame);
  const end = load<i32>(s.batches + <usize>(y1 << 2));
  for (let p = load<i32>(s.batches + <usize>(y0 << 2)); p < end; p++) {
    const pair = pairAt(s.pairs, p);
    const row = image.blurred + <usize>(pair.y * image.blurredStride);
    const lefts = pair.lefts;
    const first = pair.first;
    const own = s.offsets + <usize>(pair.scale * OFFSET_BYTES);
    const count = load<i32>(s.counts + <usize>(p << 2));
    for (let k = 0; k < count; k++) {
      const i = <usize>load<u16>(s.accepted + <usize>((first + k) << 1));
      const window = row + <usize>load<i32>(lefts + (i << 2));
      let sum: f32 = 0;
      let point = own;
      for (let f = 0; f < FERNS; f++) {
        let code = 0;
        for (let c = 0; c < COMPARISONS; c++, point += 8) {
          const a = load<u8>(window + <usize>load<i32>(point));
          const b = load<u8>(window + <usize>load<i32>(point, 4));
          code = (code << 1) | (<i32>(a > b));
        }
        sum += load<f32>(posteriors + <usize>((f * CODES + code) << 2));
      }
      store<f32>(s.votes + <usize>((first + k) << 2), sum);
    }
  }
  return 0;
}
