/** A face of an image cut out and turned upright, for networks and for cascades that know only upright faces. */
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';

/** A square in the image that is turned clockwise. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly turn: number;
}

/** A crop of `side` x `side` pixels, `margin` times as wide as the square. */
export interface Look {
  readonly side: number;
  readonly margin: number;
}

/** Maximum number of samples across a pixel of the crop. */
const MOST_SAMPLES = 6;

/** The box of a detector, with the rotation of the face in radians, clockwise, if it is known. */
export type UprightBox = Box & { readonly roll?: number };

export function squareOfBox({ x, y, width, height, roll = 0 }: UprightBox): Square {
  return { x: x + width / 2 - 0.5, y: y + height / 2 - 0.5, side: (width + height) / 2, turn: roll };
}

export const boxOfSquare = ({ x, y, side, turn }: Square): UprightBox => ({
  ...{ x: x + 0.5 - side / 2, y: y + 0.5 - side / 2, width: side, height: side },
  roll: turn,
});

/** Place in the image of the pixel at `u`, `v` of the crop. */
export function placed({ x, y, side, turn }: Square, look: Look, u: number, v: number): [number, number] {
  const scale = (side * look.margin) / look.side;
  const [dx, dy] = [(u - (look.side - 1) / 2) * scale, (v - (look.side - 1) / 2) * scale];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [x + c * dx - s * dy, y + s * dx + c * dy];
}

/**
 * The upright face as gray levels. Each pixel is the mean of samples that are at most two pixels of the image apart.
 * Borders are continued.
 */
export function uprightCrop(
  u8: Uint8Array,
  { address, stride, width, height }: Plane,
  square: Square,
  look: Look,
): Float32Array {
  const scale = (square.side * look.margin) / look.side;
  const samples = Math.min(MOST_SAMPLES, Math.max(1, Math.ceil(scale / 2)));
  const across = look.side * samples;
  const [x0, y0] = placed(square, look, -0.5 + 0.5 / samples, -0.5 + 0.5 / samples);
  const c = (Math.cos(square.turn) * scale) / samples;
  const s = (Math.sin(square.turn) * scale) / samples;
  const share = 1 / samples ** 2;
  const out = new Float32Array(look.side * look.side);
  for (let v = 0; v < across; v++) {
    const row = look.side * ((v / samples) | 0);
    for (let u = 0; u < across; u++) {
      const x = Math.min(width - 1, Math.max(0, x0 + c * u - s * v));
      const y = Math.min(height - 1, Math.max(0, y0 + s * u + c * v));
      const i = x | 0;
      const j = y | 0;
      const right = i < width - 1 ? 1 : 0;
      const at = address + j * stride + i;
      const below = j < height - 1 ? at + stride : at;
      const top = u8[at]! + (u8[at + right]! - u8[at]!) * (x - i);
      const bottom = u8[below]! + (u8[below + right]! - u8[below]!) * (x - i);
      out[row + ((u / samples) | 0)]! += share * (top + (bottom - top) * (y - j));
    }
  }
  return out;
}
