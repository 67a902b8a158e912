// Removes the seams of a filled hole with a screened Poisson equation. It computes colors f whose differences between
// neighbors equal the differences in the sources of the pixels, and which stay near the copied colors c. It minimizes
//
//   sum over neighbors q of p of (f_p - f_q - v_pq)^2 + SCREEN (f_p - c_p)^2,   f fixed where it was known.
//
// v is the difference in the source of the later of the two patches of p and q that contains both. At the corners of
// patches, where neither contains both, it is the difference of the copied colors. Where patches fit, nothing changes.
// Solved by red-black over-relaxation in a fixed order. After Perez, Gangnet, Blake, "Poisson Image Editing", 2003. The
// screening limits an error to about ten pixels from the seam.
//
// Works on the hole's box and one pixel around it (the frame), R, G, B, 0 in four floats.

import { KNOWN } from './fill';
import { Filling } from './picture-record';

const SCREEN: f32 = 1.0 / 64.0;
const RELAXATION: f32 = 1.7;

function color(pixel: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixel))));
}

function offsetOf(origin: u32, width: i32, stride: i32): usize {
  const index = <i32>(origin & 0xfffffff);
  return <usize>((index / width) * stride + ((index % width) << 2));
}

/** The hole's box and one pixel around it, within the image. */
@unmanaged
export class Seams {
  x: i32;
  y: i32;
  width: i32;
  height: i32;
  /** For each of its pixels: colors, the constant part of the equations, and the inverse of the weights, 0 if fixed. */
  values: usize;
  constants: usize;
  inverses: usize;
}

/** The entry of pixel (x, y) in the list of origins (see fill.ts); KNOWN if it was known. */
function originAt(f: Filling, x: i32, y: i32): u32 {
  const i = x - f.boxX;
  const j = y - f.boxY;
  if (i < 0 || j < 0 || i >= f.boxWidth || j >= f.boxHeight) return KNOWN;
  return load<u32>(f.origin + ((<usize>(j * f.boxWidth + i)) << 2));
}

/** Sets up rows y0..y1-1 of the equations. */
export function inpaintBlendStart(filling: usize, seams: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const s = changetype<Seams>(seams);
  const width = f.width;
  const stride = f.stride;
  const source = f.source;
  const image = f.image;
  for (let row = y0; row < y1; row++)
    for (let column = 0; column < s.width; column++) {
      const x = s.x + column;
      const y = s.y + row;
      const at = <usize>(row * s.width + column);
      const copied = color(image + <usize>(y * stride + (x << 2)));
      v128.store(s.values + (at << 4), copied);
      store<f32>(s.inverses + (at << 2), 0);
      const from = originAt(f, x, y);
      if (from === KNOWN) continue;
      const p = source + offsetOf(from, width, stride);
      let sum = f32x4.mul(copied, f32x4.splat(SCREEN));
      let weight: f32 = SCREEN;
      for (let k = 0; k < 4; k++) {
        // Left, right, above, below, as in the bits of the origins.
        const dx = k < 2 ? 2 * k - 1 : 0;
        const dy = k < 2 ? 0 : 2 * k - 5;
        if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= f.height) continue;
        weight += 1;
        const step = dy * stride + (dx << 2);
        const other = originAt(f, x + dx, y + dy);
        if ((from >> (28 + k)) & 1) sum = f32x4.add(sum, f32x4.sub(color(p), color(p + step)));
        else if (other !== KNOWN && (other >> (28 + (k ^ 1))) & 1) {
          const q = source + offsetOf(other, width, stride);
          sum = f32x4.add(sum, f32x4.sub(color(q - step), color(q)));
        } else sum = f32x4.add(sum, f32x4.sub(copied, color(image + <usize>(y * stride + (x << 2) + step))));
      }
      v128.store(s.constants + (at << 4), sum);
      store<f32>(s.inverses + (at << 2), 1 / weight);
    }
  return 0;
}

/** One half of a sweep: pixels with (x + y) & 1 = parity, rows y0..y1-1. */
export function inpaintBlendSweep(seams: usize, parity: i32, y0: i32, y1: i32, scratch: usize): i32 {
  const s = changetype<Seams>(seams);
  const values = s.values;
  const constants = s.constants;
  const inverses = s.inverses;
  const width = s.width;
  const height = s.height;
  const relaxation = f32x4.splat(RELAXATION);
  const below = (<usize>width) << 4;
  for (let row = y0; row < y1; row++)
    for (let column = (row + parity) & 1; column < width; column += 2) {
      const at = <usize>(row * width + column);
      const inverse = load<f32>(inverses + (at << 2));
      if (inverse === 0) continue;
      const p = values + (at << 4);
      let sum = v128.load(constants + (at << 4));
      // A variable pixel at the edge of the frame is at the edge of the image.
      if (column > 0) sum = f32x4.add(sum, v128.load(p - 16));
      if (column < width - 1) sum = f32x4.add(sum, v128.load(p, 16));
      if (row > 0) sum = f32x4.add(sum, v128.load(p - below));
      if (row < height - 1) sum = f32x4.add(sum, v128.load(p + below));
      const old = v128.load(p);
      const wanted = f32x4.mul(sum, f32x4.splat(inverse));
      v128.store(p, f32x4.add(old, f32x4.mul(f32x4.sub(wanted, old), relaxation)));
    }
  return 0;
}

/** Rounds rows y0..y1-1 into the image. Alpha remains the alpha of the copied pixels. */
export function inpaintBlendEnd(filling: usize, seams: usize, y0: i32, y1: i32, scratch: usize): i32 {
  const f = changetype<Filling>(filling);
  const s = changetype<Seams>(seams);
  for (let row = y0; row < y1; row++)
    for (let column = 0; column < s.width; column++) {
      const at = <usize>(row * s.width + column);
      if (load<f32>(s.inverses + (at << 2)) === 0) continue;
      const p = f.image + <usize>((s.y + row) * f.stride + ((s.x + column) << 2));
      const whole = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(s.values + (at << 4))));
      const words = i16x8.narrow_i32x4_s(whole, whole);
      const bytes = <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0);
      store<u32>(p, (bytes & 0xffffff) | (load<u32>(p) & 0xff000000));
    }
  return 0;
}
