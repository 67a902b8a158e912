/**
 * The cascade, plainly: features are sums over pixels, sums of a stage are added in double precision. At scale 1 a window
 * is judged as OpenCV does it; at other scales the rectangles are rounded and weigh what they would without rounding
 * (thesis, section 4.3.3).
 */
import type { Cascade, CascadeNode } from '../../src/models/cascade.ts';

interface Gray {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

export interface Judgment {
  refused: boolean;
  /** One over (area x standard deviation). */
  varianceNormFactor: number;
  stagesPassed: number;
  stageSums: number[];
}

const leasts = new WeakMap<Gray, number>();

/** Where faint windows count, one with this variance or less is flat: 10 gray levels, less as the picture itself has less than 32. */
export function leastVariance(picture: Gray): number {
  const known = leasts.get(picture);
  if (known !== undefined) return known;
  const { width, height, data } = picture;
  const values = Array.from({ length: 512 }, (_, k) => {
    const [i, j] = [k % 32, Math.floor(k / 32)];
    return data[Math.floor(((j + 0.5) / 16) * height) * width + Math.floor(((i + 0.5) / 32) * width)]!;
  });
  const mean = values.reduce((sum, v) => sum + v, 0) / 512;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 512;
  const least = Math.min(100, Math.max(4, 100 * (variance / 32 ** 2)));
  leasts.set(picture, least);
  return least;
}

/** `least`: variance of a window that is flat. */
export function judgeWindow(cascade: Cascade, image: Gray, x0: number, y0: number, scale = 1, least = 100): Judgment {
  const at = (v: number) => Math.round(v * scale);
  const size = (v: number) => Math.max(1, Math.round(v * scale));
  const pixels = (x: number, y: number, w: number, h: number, value: (v: number) => number) => {
    let sum = 0;
    for (let j = y0 + at(y); j < y0 + at(y) + size(h); j++)
      for (let i = x0 + at(x); i < x0 + at(x) + size(w); i++) sum += value(image.data[j * image.width + i]!);
    return sum;
  };
  const [w, h] = [cascade.width - 2, cascade.height - 2];
  const n = size(w) * size(h);
  const mean = pixels(1, 1, w, h, (v) => v) / n;
  const deviation = Math.sqrt(pixels(1, 1, w, h, (v) => v * v) / n - mean * mean);
  const varianceNormFactor = 1 / (w * h * scale * scale * deviation);
  if (!(deviation ** 2 > least)) return { refused: true, varianceNormFactor, stagesPassed: 0, stageSums: [] };
  const feature = ({ rectangles }: CascadeNode) =>
    rectangles.reduce((sum, r) => {
      const area = (r.width * r.height * scale * scale) / (size(r.width) * size(r.height));
      return sum + r.weight * area * pixels(r.x, r.y, r.width, r.height, (v) => v);
    }, 0);
  const stageSums: number[] = [];
  for (const { threshold, trees } of cascade.stages) {
    let sum = 0;
    for (const nodes of trees) {
      for (let i = 0; ;) {
        const node = nodes[i]!;
        const branch = feature(node) * varianceNormFactor < node.threshold ? node.left : node.right;
        if ('leaf' in branch) {
          sum += branch.leaf;
          break;
        }
        i = branch.node;
      }
    }
    stageSums.push(sum);
    if (sum < threshold - 1e-5)
      return { refused: false, varianceNormFactor, stagesPassed: stageSums.length - 1, stageSums };
  }
  return { refused: false, varianceNormFactor, stagesPassed: stageSums.length, stageSums };
}
