/** A face of an image cut out and turned upright, for networks and for cascades that know only upright faces. */
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

/** A square in the image that is turned clockwise. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly turn: number;
}

/** A crop of `side` x `side` pixels (minimum 4), `margin` times as wide as the square. */
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
 * The upright face as gray levels: bytes or floats. Each pixel is the mean of samples that are at most two pixels of the
 * image apart. Borders are replicated.
 */
export function* uprightCrop(
  scope: Scope,
  source: Plane,
  square: Square,
  look: Look,
  format: 'u8' | 'f32',
): Plan<Plane> {
  const { side, margin } = look;
  const scale = (square.side * margin) / side;
  const samples = Math.min(MOST_SAMPLES, Math.max(1, Math.ceil(scale / 2)));
  const [left, top] = placed(square, look, -0.5 + 0.5 / samples, -0.5 + 0.5 / samples);
  const step = scale / samples;
  const [c, s] = [Math.cos(square.turn) * step, Math.sin(square.turn) * step];
  const target = scope.plane(side, side, format);
  const image = { source, sourceWidth: source.width, sourceHeight: source.height };
  yield* scope.kernels.uprightCrop(
    { ...image, target, side, samples, left, top, c, s, bytes: format === 'u8' },
    { rows: side, cost: side * samples ** 2 },
  );
  return target;
}
