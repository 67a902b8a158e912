/** Directions of rays and normals, as tables of cos and sin. */

/** The arc of the second stage: 50 degrees to either side (paper 000, section 2.3). */
const ARC = (50 * Math.PI) / 180;

/** n directions around the circle, the first one turned by a part of the way to the second. */
export const rayDirections = (n: number, turned = 0): Float32Array =>
  directions(n, (i) => (2 * Math.PI * (i + turned)) / n);

/** The n directions of the second stage, relative to the way back. */
export const arcDirections = (n: number): Float32Array =>
  directions(n, (i) => (n === 1 ? 0 : ARC * ((2 * i) / (n - 1) - 1)));

function directions(n: number, angle: (i: number) => number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, k) => (k & 1 ? Math.sin : Math.cos)(angle(k >> 1)));
}
