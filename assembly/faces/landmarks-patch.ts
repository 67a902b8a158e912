// What the landmarks of our own models are found in: the box and some room about it, brought to one size, with sums of gray
// from which the mean of any square is four loads. tools/train/patch.mjs is the same arithmetic, number for number.
// About 170 x 170 pixels: a tenth of a millisecond, however large the face is.

/** Standard deviations below this many levels are noise, not contrast. */
const LEAST: f64 = 4;
/** Levels that a standard deviation becomes. */
const CONTRAST: f64 = 64;

/** Bytes that `makePatch` needs for a patch of `side` pixels: its sums, and two numbers a column and place. */
export function patchBytes(side: i32): usize {
  return ((<usize>(side + 1) * (side + 1)) << 2) + ((<usize>(6 * side)) << 2) + 64;
}

function clamp(v: f64, most: i32): f64 {
  return min(<f64>most, max<f64>(0, v));
}

/** Whole pixel of a place along an axis that is averaged over `taps` places a pixel. */
function placeOf(start: f64, step: f64, n: i32, taps: i32, most: i32): i32 {
  return <i32>clamp(floor<f64>(start + ((<f64>n + 0.5) / <f64>taps - 0.5) * step + 0.5), most);
}

/**
 * Sums over all pixels above and to the left, side + 1 in a row, of the square whose pixel (i, j) is at left + i stepX,
 * top + j stepY of the image. Images that are much finer are averaged over up to 3 x 3 places, others interpolated. Returns
 * what gray is multiplied with for a fixed contrast of the part within the margin.
 */
export function makePatch(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  left: f64,
  top: f64,
  stepX: f64,
  stepY: f64,
  side: i32,
  margin: i32,
  sums: usize,
): f64 {
  const pitch = (<usize>(side + 1)) << 2;
  const columns = sums + pitch * (side + 1);
  const taps = <i32>min<f64>(3, nearestOf(max(stepX, stepY)));
  const smooth = taps <= 1;
  // Of each column the first pixel, the second and the weight of that, or the pixel of each place.
  if (smooth)
    for (let i = 0; i < side; i++) {
      const x = clamp(left + <f64>i * stepX, width - 1);
      const k = floor<f64>(x);
      const at = columns + <usize>(12 * i);
      store<i32>(at, <i32>k);
      store<i32>(at, min(<i32>k + 1, width - 1), 4);
      store<i32>(at, <i32>floor<f64>(256 * (x - k)), 8);
    }
  else
    for (let n = 0; n < side * taps; n++)
      store<i32>(columns + ((<usize>n) << 2), placeOf(left, stepX, n, taps, width - 1));
  memory.fill(sums, 0, pitch);
  let total: i64 = 0;
  let squares: i64 = 0;
  const area = taps * taps;
  for (let j = 0; j < side; j++) {
    const own = sums + pitch * (j + 1);
    const inside = j >= margin && j < side - margin;
    store<u32>(own, 0);
    let row: u32 = 0;
    let above: usize = 0;
    let below: usize = 0;
    let third: usize = 0;
    let v = 0;
    if (smooth) {
      const y = clamp(top + <f64>j * stepY, height - 1);
      const upper = floor<f64>(y);
      v = <i32>floor<f64>(256 * (y - upper));
      above = source + <usize>(stride * <i32>upper);
      below = source + <usize>(stride * min(<i32>upper + 1, height - 1));
    } else {
      above = source + <usize>(stride * placeOf(top, stepY, j * taps, taps, height - 1));
      below = source + <usize>(stride * placeOf(top, stepY, j * taps + 1, taps, height - 1));
      if (taps > 2) third = source + <usize>(stride * placeOf(top, stepY, j * taps + 2, taps, height - 1));
    }
    for (let i = 0; i < side; i++) {
      let gray = 0;
      if (smooth) {
        const at = columns + <usize>(12 * i);
        const k = <usize>load<i32>(at);
        const l = <usize>load<i32>(at, 4);
        const u = load<i32>(at, 8);
        const a = <i32>load<u8>(above + k) * (256 - u) + <i32>load<u8>(above + l) * u;
        const b = <i32>load<u8>(below + k) * (256 - u) + <i32>load<u8>(below + l) * u;
        gray = (a * (256 - v) + b * v + 32768) >> 16;
      } else {
        let sum = area >> 1;
        const at = columns + ((<usize>(i * taps)) << 2);
        for (let p = 0; p < taps; p++) {
          const k = <usize>load<i32>(at + ((<usize>p) << 2));
          sum += <i32>load<u8>(above + k) + <i32>load<u8>(below + k);
          if (taps > 2) sum += <i32>load<u8>(third + k);
        }
        gray = sum / area;
      }
      row += gray;
      store<u32>(own + ((<usize>i) << 2), row + load<u32>(own - pitch + ((<usize>i) << 2), 4), 4);
      if (inside && i >= margin && i < side - margin) {
        total += gray;
        squares += gray * gray;
      }
    }
  }
  const n = <f64>((side - 2 * margin) * (side - 2 * margin));
  return CONTRAST / max(LEAST, sqrt<f64>(n * <f64>squares - <f64>total * <f64>total) / n);
}

function nearestOf(v: f64): f64 {
  return floor<f64>(v + 0.5);
}

/** Mean gray of the square of `reach` pixels about a place, times `gain`, as a whole number. */
export function patchFeature(sums: usize, side: i32, x: f64, y: f64, reach: i32, gain: f64): f32 {
  const most = side - 1 - reach;
  const i = <i32>min(<f64>most, max(<f64>reach, floor<f64>(x + 0.5)));
  const j = <i32>min(<f64>most, max(<f64>reach, floor<f64>(y + 0.5)));
  const span = 2 * reach + 1;
  const at = sums + ((<usize>((j - reach) * (side + 1) + i - reach)) << 2);
  const below = at + ((<usize>(span * (side + 1))) << 2);
  const right = (<usize>span) << 2;
  const sum = load<u32>(below + right) - load<u32>(below) - load<u32>(at + right) + load<u32>(at);
  return <f32>floor<f64>((<f64>sum * gain) / <f64>(span * span) + 0.5);
}
