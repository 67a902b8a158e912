/**
 * Paper 003 in plain scalar code: Gaussian, second differences in three directions, then algorithm 1, which takes the
 * root once for each eigenvalue; thick vessels as the dark lines of one scale above a level. What the speed-ups are
 * counted from; nothing else uses it.
 */
export interface Directions {
  across: Float32Array;
  down: Float32Array;
  diagonal: Float32Array;
}

function gaussian(gray: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const r = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * r + 1 }, (_, i) => Math.exp(-((i - r) ** 2) / (2 * sigma * sigma)));
  const total = weights.reduce((a, b) => a + b);
  const pass = (source: Float32Array, dx: number, dy: number) => {
    const out = new Float32Array(source.length);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        let sum = 0;
        for (let i = -r; i <= r; i++) {
          const a = Math.min(width - 1, Math.max(0, x + dx * i));
          const b = Math.min(height - 1, Math.max(0, y + dy * i));
          sum += weights[i + r]! * source[b * width + a]!;
        }
        out[y * width + x] = sum / total;
      }
    return out;
  };
  return pass(pass(gray, 0, 1), 1, 0);
}

/** Equations 1 to 4, with the directions put right: see the list of misprints. */
export function directions(gray: Uint8Array, width: number, height: number, sigma: number): Directions {
  const l = gaussian(Float32Array.from(gray, (v) => v / 255), width, height, sigma); // prettier-ignore
  const at = (x: number, y: number) =>
    l[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  const make = () => new Float32Array(l.length);
  const [across, down, diagonal] = [make(), make(), make()];
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      across[i] = at(x + 1, y) - 2 * at(x, y) + at(x - 1, y);
      down[i] = at(x, y + 1) - 2 * at(x, y) + at(x, y - 1);
      diagonal[i] = (at(x + 1, y + 1) - at(x - 1, y + 1) - at(x + 1, y - 1) + at(x - 1, y - 1)) / 4;
    }
  return { across, down, diagonal };
}

/** Algorithm 1. */
export function hessian({ across, down, diagonal }: Directions): [Float32Array, Float32Array] {
  const [low, high] = [new Float32Array(across.length), new Float32Array(across.length)];
  for (let i = 0; i < across.length; i++) {
    low[i] = (down[i]! + across[i]! - Math.sqrt((across[i]! - down[i]!) ** 2 + 4 * diagonal[i]! ** 2)) / 2;
    high[i] = (down[i]! + across[i]! + Math.sqrt((across[i]! - down[i]!) ** 2 + 4 * diagonal[i]! ** 2)) / 2;
  }
  return [low, high];
}

/** 255 on dark lines of this scale, stronger than the level. */
export function darkLines(
  [low, high]: readonly [Float32Array, Float32Array],
  sigma: number,
  level: number,
): Uint8Array {
  return Uint8Array.from(low, (a, i) => {
    const b = high[i]!;
    const [small, large] = Math.abs(a) <= Math.abs(b) ? [a, b] : [b, a];
    return sigma * sigma * (large - Math.abs(small)) > level ? 255 : 0;
  });
}
