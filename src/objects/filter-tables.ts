/**
 * Tables of the correlation filters over oriented gradients (assembly/objects/appearance.ts): turns of the unit circle,
 * the spectrum of the wished response, weights of the cells.
 */
/** Cells across the window. */
export const CELLS = 32;
/** Of a target without color, and with it. */
export const CHANNELS = 32;
export const COLOR_CHANNELS = 36;
/** Bytes of the real part of a channel's spectrum, and of all of it. */
export const HALF_SPECTRUM = 4 * CELLS * (CELLS / 2 + 1);
export const SPECTRUM = 2 * HALF_SPECTRUM;
/** Width of the wished peak in cells. */
const SIGMA = 1;

/** Cosine and sine of k pi / n, k = 0..n-1. */
export function turns(n: number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, i) => {
    const angle = ((i >> 1) * Math.PI) / n;
    return i & 1 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** The spectrum of an even Gaussian is real and the product of two. */
export function labelSpectrum(): Float32Array {
  const line = Array.from({ length: CELLS }, (_, u) => {
    let sum = 0;
    for (let x = 0; x < CELLS; x++) {
      const d = Math.min(x, CELLS - x);
      sum += Math.exp((-d * d) / (2 * SIGMA * SIGMA)) * Math.cos((2 * Math.PI * u * x) / CELLS);
    }
    return sum;
  });
  return Float32Array.from({ length: HALF_SPECTRUM / 4 }, (_, i) => line[Math.floor(i / CELLS)]! * line[i % CELLS]!);
}

/** Hann's window. */
export function hann(): Float32Array {
  return Float32Array.from({ length: CELLS * CELLS }, (_, i) => {
    const w = (k: number) => Math.sin((Math.PI * (k + 0.5)) / CELLS) ** 2;
    return w(i % CELLS) * w((i / CELLS) | 0);
  });
}

/** A soft-edged rectangle: 1 inside a target of `width` x `height` cells, falling to 0 within `soft` cells. */
export function around(width: number, height: number, soft: number): Float32Array {
  const edge = (k: number, size: number) => {
    const d = Math.abs(k - (CELLS - 1) / 2) - size / 2;
    return d <= 0 ? 1 : d >= soft ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * d) / soft);
  };
  return Float32Array.from({ length: CELLS * CELLS }, (_, i) => edge(i % CELLS, width) * edge((i / CELLS) | 0, height));
}
