// The edge pixels around a circle, as border points of a search: the evidence for its votes.
import { Search } from '../search/search';

/**
 * Writes edge pixels (non-zero) closer than s.voteDistance to the circle in s to s.px, s.py, in frame coordinates,
 * where the edge image's origin is (originX, originY). Sets s.points and s.votes to their number, at most `capacity`.
 */
export function circleEdges(
  search: usize,
  edges: usize,
  edgesStride: i32,
  width: i32,
  height: i32,
  originX: i32,
  originY: i32,
  capacity: i32,
): i32 {
  const s = changetype<Search>(search);
  const cx = s.cx - <f32>originX;
  const cy = s.cy - <f32>originY;
  const outer = s.r + s.voteDistance;
  const inner = max<f32>(0, s.r - s.voteDistance);
  const left = max(0, <i32>floor<f32>(cx - outer)) & ~15;
  const right = min(width, <i32>ceil<f32>(cx + outer) + 1);
  const bottom = min(height, <i32>ceil<f32>(cy + outer) + 1);
  let n = 0;
  for (let y = max(0, <i32>floor<f32>(cy - outer)); y < bottom; y++) {
    const row = edges + <usize>(y * edgesStride);
    const dy = <f32>y - cy;
    for (let x = left; x < right; x += 16) {
      let bits = i8x16.bitmask(i8x16.ne(v128.load(row + <usize>x), i8x16.splat(0)));
      if (right - x < 16) bits &= (1 << (right - x)) - 1;
      for (; bits; bits &= bits - 1) {
        const column = x + ctz(bits);
        const dx = <f32>column - cx;
        const d = dx * dx + dy * dy;
        if (d >= outer * outer || d <= inner * inner || n == capacity) continue;
        store<f32>(s.px + ((<usize>n) << 2), <f32>(originX + column));
        store<f32>(s.py + ((<usize>n) << 2), <f32>(originY + y));
        n++;
      }
    }
  }
  s.points = n;
  s.votes = n;
  return 0;
}
