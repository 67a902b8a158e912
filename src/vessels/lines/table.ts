/** Directions and samples of the line response, shared by both backends. */
export const PAIRS = 6;
/** Maximum number of samples on each side of the center. */
const REACH = 15;
export const MOST_SAMPLES = 2 * REACH + 1;

export interface Direction {
  /** Cosine of twice the angle, in 1/32768. */
  readonly cos: number;
  readonly sin: number;
  /** Offsets of the samples along the line and along its perpendicular. */
  readonly along: readonly (readonly [number, number])[];
  readonly across: readonly (readonly [number, number])[];
}

export interface LineTable {
  readonly directions: readonly Direction[];
  /** Number of samples of a line. */
  readonly count: number;
  /** Distance of the farthest sample, in pixels along one axis. */
  readonly reach: number;
  /** Derivatives are clipped here, so that the sum of `count` of them fits into 16 bits. */
  readonly limit: number;
}

const fixed = (value: number) => Math.max(-32767, Math.min(32767, Math.round(32768 * value)));

/** Twelve directions in six perpendicular pairs. Samples on a line of `length` pixels are about 0.8 sigma apart. */
export function lineTable(sigma: number, length: number): LineTable {
  const step = Math.max(1, 0.8 * sigma, length / 2 / REACH);
  const side = Math.max(1, Math.round(length / 2 / step));
  const count = 2 * side + 1;
  const samples = (angle: number) =>
    Array.from({ length: count }, (_, i): [number, number] => [
      Math.round((i - side) * step * Math.cos(angle)),
      Math.round((i - side) * step * Math.sin(angle)),
    ]);
  const directions = Array.from({ length: PAIRS }, (_, i): Direction => {
    const angle = (Math.PI * i) / (2 * PAIRS);
    return {
      cos: fixed(Math.cos(2 * angle)),
      sin: fixed(Math.sin(2 * angle)),
      along: samples(angle),
      across: samples(angle + Math.PI / 2),
    };
  });
  return { directions, count, reach: Math.round(side * step), limit: Math.floor(32767 / count) };
}
