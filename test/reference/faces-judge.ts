/** Gradients about a box and the value of a judge's best template, plainly: 144 cells of 27 numbers. */
import type { FaceJudge } from '../../src/models/face-judge.ts';
import type { ReferenceImage } from './image.ts';

const f = Math.fround;
const angles = Array.from({ length: 9 }, (_, k) => [f(Math.cos((k * Math.PI) / 9)), f(Math.sin((k * Math.PI) / 9))]);

/** Samples in single precision: which direction wins a tie depends on their last bit. */
function sampled(image: ReferenceImage, x: number, y: number, step: number): number[][] {
  const n = Math.max(1, Math.min(3, Math.ceil(f(step - 0.25))));
  const along = (middle: number, i: number, pixels: number) => {
    const offset = f(f(f(i + 0.5) * f(1 / n)) - 25);
    return Math.min(pixels - 1, Math.max(0, f(middle + f(offset * step))));
  };
  const pixel = (i: number, j: number) =>
    image.data[Math.min(j, image.height - 1) * image.width + Math.min(i, image.width - 1)]!;
  const between = (i: number, j: number, share: number) => f(pixel(i, j) + f(share * f(pixel(i + 1, j) - pixel(i, j))));
  return Array.from({ length: 50 }, (_, j) =>
    Array.from({ length: 50 }, (_, i) => {
      let sum = 0;
      for (let b = 0; b < n; b++)
        for (let a = 0; a < n; a++) {
          const [u, v] = [along(x, i * n + a, image.width), along(y, j * n + b, image.height)];
          const [column, row] = [Math.floor(u), Math.floor(v)];
          const upper = between(column, row, f(u - column));
          const lower = between(column, row + 1, f(u - column));
          sum = f(sum + f(upper + f(f(v - row) * f(lower - upper))));
        }
      return f(sum * f(1 / (n * n)));
    }),
  );
}

/** 14 x 14 cells of 18 directions, the outermost only half full. */
function histograms(samples: number[][]): number[][][] {
  const cells = Array.from({ length: 14 }, () => Array.from({ length: 14 }, () => new Array<number>(18).fill(0)));
  for (let j = 0; j < 48; j++)
    for (let i = 0; i < 48; i++) {
      const dx = f(samples[j + 1]![i + 2]! - samples[j + 1]![i]!);
      const dy = f(samples[j + 2]![i + 1]! - samples[j]![i + 1]!);
      const sizes = angles.map(([c, s]) => f(f(dx * c!) + f(dy * s!)));
      const best = Math.max(...sizes.map(Math.abs));
      const k = sizes.findIndex((v) => Math.abs(v) === best);
      for (const [row, down] of [0, 1].map((q) => [Math.floor((j + 2.5) / 4) + q, q] as const))
        for (const [column, across] of [0, 1].map((q) => [Math.floor((i + 2.5) / 4) + q, q] as const)) {
          const [v, u] = [(j + 0.5) / 4 + 0.5, (i + 0.5) / 4 + 0.5].map((at) => at - Math.floor(at)) as [
            number,
            number,
          ];
          const share = (down ? v : 1 - v) * (across ? u : 1 - u);
          cells[row]![column]![sizes[k]! < 0 ? k + 9 : k]! += share * Math.hypot(dx, dy);
        }
    }
  return cells;
}

export function gradientsOfBox(image: ReferenceImage, [x, y, width, height]: readonly number[]): number[] {
  const step = f((1.5 * width!) / 48);
  const cells = histograms(sampled(image, f(x! + (width! - 1) / 2), f(y! + (height! - 1) / 2), step));
  const energy = (cell: number[]) => cell.slice(0, 9).reduce((sum, v, k) => sum + (v + cell[k + 9]!) ** 2, 0);
  const block = (j: number, i: number) =>
    Math.sqrt(400 + [0, 1].flatMap((v) => [0, 1].map((u) => energy(cells[j + v]![i + u]!))).reduce((a, b) => a + b));
  const out: number[] = [];
  for (let j = 1; j <= 12; j++)
    for (let i = 1; i <= 12; i++) {
      const blocks = [block(j - 1, i - 1), block(j - 1, i), block(j, i - 1), block(j, i)];
      const own = cells[j]![i]!;
      const clipped = (v: number) => 0.5 * blocks.reduce((sum, norm) => sum + Math.min(0.2, v / norm), 0);
      out.push(...own.map(clipped), ...own.slice(0, 9).map((v, k) => clipped(v + own[k + 9]!)));
    }
  return out;
}

/** Of a mirrored box; direction k is at k times 20 degrees. */
const mirrored = (template: ArrayLike<number>) => (row: number, column: number, k: number) =>
  template[(10 * row + 9 - column) * 27 + (k < 18 ? (27 - k) % 18 : 18 + ((27 - k) % 9))]!;
const plain = (template: ArrayLike<number>) => (row: number, column: number, k: number) =>
  template[(10 * row + column) * 27 + k]!;

/** The templates and all but the first of them mirrored, each at nine places. */
function bestValue(gradients: readonly number[], { templates }: FaceJudge): number {
  const views = templates.flatMap(({ constant, template }, i) =>
    (i ? [plain, mirrored] : [plain]).map((way) => ({ constant, numberOf: way(template) })),
  );
  const values = views.flatMap(({ constant, numberOf }) =>
    Array.from({ length: 9 }, (_, place) => {
      let sum = constant;
      for (let j = 0; j < 10; j++)
        for (let i = 0; i < 10; i++)
          for (let k = 0; k < 27; k++)
            sum += gradients[27 * (12 * (j + Math.floor(place / 3)) + i + (place % 3)) + k]! * numberOf(j, i, k);
      return sum;
    }),
  );
  return Math.max(...values);
}

export function templateValues([image, [judge], boxes]: readonly [ReferenceImage, readonly FaceJudge[], Float64Array]) {
  const values = Array.from({ length: boxes.length / 4 }, (_, i) =>
    judge ? bestValue(gradientsOfBox(image, Array.from(boxes.subarray(4 * i, 4 * i + 4))), judge) : 0,
  );
  return [Float64Array.from(values)];
}
