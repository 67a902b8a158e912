/**
 * The contrast of a whole picture: the variance of its values at 32 x 16 places, the middles of as many equal parts, times
 * the square of their number. That is a whole number below 2^32: both sides have the same one, and more places would not fit.
 */
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

const [ACROSS, DOWN] = [32, 16] as const;
export const PLACES = ACROSS * DOWN;

/** Of a plane on the arena. */
export function contrastOf({ arena: { u8 } }: Scope, { address, stride, width, height }: Plane): number {
  let [sum, squares] = [0, 0];
  for (let k = 0; k < PLACES; k++) {
    const x = (((k % ACROSS) + 0.5) * width) / ACROSS;
    const y = ((Math.floor(k / ACROSS) + 0.5) * height) / DOWN;
    const v = u8[address + stride * Math.floor(y) + Math.floor(x)]!;
    sum += v;
    squares += v * v;
  }
  return PLACES * squares - sum * sum;
}
