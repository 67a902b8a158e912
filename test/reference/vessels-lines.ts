/** Terms and response of lines, one pixel after the other. */
import { type Reference, clamp, make, type ReferenceImage } from './image.ts';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** (IH + IV) / 2, (IH - IV) / 2 and ID of the smoothed image, in float64, rounded to whole steps. */
export function lineTerms([source]: readonly ReferenceImage[], params: { sigma: number; scale: number }) {
  const { width, height, data } = source!;
  const { sigma, scale } = params;
  const r = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * r + 1 }, (_, i) => Math.exp(-((i - r) ** 2) / (2 * sigma * sigma)));
  const total = sum(weights);
  const inside = (x: number, y: number) => clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1);
  const convolved = (of: ArrayLike<number>, dx: number, dy: number) =>
    Float64Array.from(of, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      let near = 0;
      for (let k = -r; k <= r; k++) near += (weights[k + r]! / total) * of[inside(x + k * dx, y + k * dy)]!;
      return near;
    });
  const smooth = convolved(convolved(data, 0, 1), 1, 0);
  const l = (x: number, y: number) => smooth[inside(x, y)]!;
  const across = (x: number, y: number) => l(x + 1, y) - 2 * l(x, y) + l(x - 1, y);
  const down = (x: number, y: number) => l(x, y + 1) - 2 * l(x, y) + l(x, y - 1);
  const mixed = (x: number, y: number) => (l(x + 1, y + 1) - l(x - 1, y + 1) - l(x + 1, y - 1) + l(x - 1, y - 1)) / 4;
  const whole = (v: number) => clamp(Math.round(scale * v), -32768, 32767);
  return [
    make(width, height, 'i16', (x, y) => whole((across(x, y) + down(x, y)) / 2)),
    make(width, height, 'i16', (x, y) => whole((across(x, y) - down(x, y)) / 2)),
    make(width, height, 'i16', (x, y) => whole(mixed(x, y))),
  ];
}

/** A product with a factor in 1/32768, rounded. */
const product = (v: number, factor: number) => Math.floor((v * factor + 16384) / 32768);
const short = (v: number) => clamp(v, -32768, 32767);

/** The largest of the sums along twelve lines through a pixel. */
export function lineMaximum(inputs: readonly ReferenceImage[], params: { sigma: number; length: number }) {
  const { width, height } = inputs[0]!;
  const [m, f, d] = inputs.map(({ data }) => data);
  const step = Math.max(1, 0.8 * params.sigma, params.length / 30);
  const half = Math.max(1, Math.round(params.length / 2 / step));
  const count = 2 * half + 1;
  const limit = Math.floor(32767 / count);
  const best = new Float64Array(width * height);
  for (let direction = 0; direction < 12; direction++) {
    // As the pair of the first six, so that halves of pixels are rounded to the same side.
    const angle = (Math.PI * (direction % 6)) / 12 + (direction < 6 ? 0 : Math.PI / 2);
    // Across a line at right angles the same integers count with the other sign.
    const [turn, sign] = direction < 6 ? [2 * angle, -1] : [2 * angle - Math.PI, 1];
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)].map((v) => clamp(Math.round(32768 * v), -32767, 32767));
    const turned = Float64Array.from(m!, (mean, i) => {
      const part = short(product(f![i]!, cos!) + product(d![i]!, sin!));
      return clamp(short(mean + sign * part), -limit, limit);
    });
    const along = new Float64Array(width * height);
    for (let k = -half; k <= half; k++) {
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)].map((part) => Math.round(k * step * part)) as [
        number,
        number,
      ];
      for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y++)
        for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x++)
          along[y * width + x]! += turned[(y + dy) * width + x + dx]!;
    }
    along.forEach((v, i) => (best[i] = Math.max(best[i]!, v)));
  }
  return [make(width, height, 'i16', (x, y) => best[y * width + x]!)];
}

/** Linear interpolation between the centers of blocks of 2^halvings pixels; the first width x height pixels. */
export function lineEnlarge([source]: readonly ReferenceImage[], params: { halvings: number; weight: number }) {
  const { width, height, data } = source!;
  const block = 2 ** params.halvings;
  const around = (i: number, length: number) => {
    const u = clamp((i + 0.5) / block - 0.5, 0, length - 1);
    const low = Math.floor(u);
    return [low, Math.min(low + 1, length - 1), u - low] as const;
  };
  return [
    make(width, height, 'f32', (x, y) => {
      const [left, right, u] = around(x, width);
      const [top, bottom, v] = around(y, height);
      const row = (k: number) => (1 - u) * data[k * width + left]! + u * data[k * width + right]!;
      return params.weight * ((1 - v) * row(top) + v * row(bottom));
    }),
  ];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'vessels/line-enlarge': lineEnlarge,
  'vessels/line-terms': lineTerms,
  'vessels/line-maximum': lineMaximum,
};
