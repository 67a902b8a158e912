// Fill front and the two terms of its priority in one pass (Criminisi, Perez, Toyama 2004, equations 1 and 2). Integers
// make both backends agree in every bit and ties exact.
//
// Confidence is in units of 2^-31: the sum over the clipped patch divided by its area, rounded down, minimum 1.
// Gradients are central differences of the gray image (doubled, so integers) if the pixel and its four neighbors are
// known. The isophote at p belongs to the strongest gradient in the patch, rotated by 90 degrees. The normal is the 3x3
// Sobel of the hole. Data: |isophote . normal| * 2^21 / |normal|, where 1 is 2 * 255 * 2^21.

import { Filling } from './picture-record';

/** Confidence of a known pixel. */
export const CERTAIN: u32 = 0x80000000;

/** Rows y0..y1-1 of the image and of the initial confidence: CERTAIN outside the hole, otherwise 0. */
export function inpaintBegin(filling: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const width = f.width;
  for (let y = y0; y < y1; y++) {
    const hole = f.hole + <usize>(y * f.byteStride);
    const out = f.confidence + <usize>(y * f.stride);
    for (let x = 0; x < width; x++) store<u32>(out + (x << 2), load<u8>(hole + x) ? 0 : CERTAIN);
    if (f.image !== f.source)
      memory.copy(f.image + <usize>(y * f.stride), f.source + <usize>(y * f.stride), width << 2);
  }
  return 0;
}

/** C(p): mean confidence over the patch x0..x1, y0..y1, inclusive. */
export function patchConfidence(confidence: usize, stride: i32, x0: i32, y0: i32, x1: i32, y1: i32): u32 {
  let sum: u64 = 0;
  for (let y = y0; y <= y1; y++) {
    let p = confidence + <usize>(y * stride + (x0 << 2));
    const end = p + ((<usize>(x1 - x0)) << 2);
    for (; p <= end; p += 4) sum += load<u32>(p);
  }
  return <u32>max<u64>(1, sum / <u64>((x1 - x0 + 1) * (y1 - y0 + 1)));
}

/** Square of the doubled gradient at (x, y), 0 where it is not defined. Writes the gradient itself to `out`. */
function gradient(gray: usize, hole: usize, stride: i32, width: i32, height: i32, x: i32, y: i32, out: usize): i32 {
  if (x < 1 || y < 1 || x > width - 2 || y > height - 2) return 0;
  const at = <usize>(y * stride + x);
  const h = hole + at;
  if (load<u8>(h) | load<u8>(h - 1) | load<u8>(h, 1) | load<u8>(h - stride) | load<u8>(h + stride)) return 0;
  const g = gray + at;
  const gx = <i32>load<u8>(g, 1) - <i32>load<u8>(g - 1);
  const gy = <i32>load<u8>(g + stride) - <i32>load<u8>(g - stride);
  store<i32>(out, gx);
  store<i32>(out, gy, 4);
  return gx * gx + gy * gy;
}

function holeAt(hole: usize, stride: i32, width: i32, height: i32, x: i32, y: i32): i32 {
  return load<u8>(hole + <usize>(min(max(y, 0), height - 1) * stride + min(max(x, 0), width - 1)));
}

/** A pixel of the hole with a known 4-neighbor. */
function isFront(hole: usize, stride: i32, width: i32, height: i32, x: i32, y: i32): bool {
  if (!holeAt(hole, stride, width, height, x, y)) return false;
  return !(
    holeAt(hole, stride, width, height, x - 1, y) &
    holeAt(hole, stride, width, height, x + 1, y) &
    holeAt(hole, stride, width, height, x, y - 1) &
    holeAt(hole, stride, width, height, x, y + 1)
  );
}

/** Writes confidence and data term of (x, y) to `out` (u32 each). 0 and 0 outside the front. Scratch: 8 bytes. */
export function terms(picture: Filling, x: i32, y: i32, out: usize, scratch: usize): void {
  const gray = picture.gray;
  const hole = picture.hole;
  const stride = picture.byteStride;
  const width = picture.width;
  const height = picture.height;
  const half = picture.half;
  store<u64>(out, 0);
  if (!isFront(hole, stride, width, height, x, y)) return;
  const x0 = max(0, x - half);
  const y0 = max(0, y - half);
  const x1 = min(width - 1, x + half);
  const y1 = min(height - 1, y + half);
  store<u32>(out, patchConfidence(picture.confidence, picture.stride, x0, y0, x1, y1));
  let strongest = 0;
  let gx = 0;
  let gy = 0;
  for (let j = y0; j <= y1; j++)
    for (let i = x0; i <= x1; i++) {
      const square = gradient(gray, hole, stride, width, height, i, j, scratch);
      if (square <= strongest) continue;
      strongest = square;
      gx = load<i32>(scratch);
      gy = load<i32>(scratch, 4);
    }
  const a = holeAt(hole, stride, width, height, x - 1, y - 1);
  const b = holeAt(hole, stride, width, height, x, y - 1);
  const c = holeAt(hole, stride, width, height, x + 1, y - 1);
  const d = holeAt(hole, stride, width, height, x - 1, y);
  const e = holeAt(hole, stride, width, height, x + 1, y);
  const f = holeAt(hole, stride, width, height, x - 1, y + 1);
  const g = holeAt(hole, stride, width, height, x, y + 1);
  const h = holeAt(hole, stride, width, height, x + 1, y + 1);
  const nx = c + 2 * e + h - a - 2 * d - f;
  const ny = f + 2 * g + h - a - 2 * b - c;
  const dot = <u32>abs(gx * ny - gy * nx);
  store<u32>(out, dot * load<u32>(picture.inverse + ((<usize>(nx * nx + ny * ny)) << 2)), 4);
}

/** Rows y0..y1-1 of both terms as two images. */
export function inpaintTerms(
  filling: usize,
  confidenceTerm: usize,
  confidenceTermStride: i32,
  dataTerm: usize,
  dataTermStride: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const f = changetype<Filling>(filling);
  for (let y = y0; y < y1; y++)
    for (let x = 0; x < f.width; x++) {
      terms(f, x, y, scratch, scratch + 8);
      store<u32>(confidenceTerm + <usize>(y * confidenceTermStride + (x << 2)), load<u32>(scratch));
      store<u32>(dataTerm + <usize>(y * dataTermStride + (x << 2)), load<u32>(scratch, 4));
    }
  return 0;
}
