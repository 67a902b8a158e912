/** Small cascades and images that are made up, from seeded random numbers. */
import type { Branch, Cascade, CascadeNode } from '../../src/models/cascade.ts';

type Random = () => number;

/** A cascade of random features in an odd window; with `trees`, of up to three nodes a tree. */
export function randomCascade(random: Random, { trees = false, stages = 4, width = 12, height = 14 } = {}): Cascade {
  const whole = (n: number) => Math.floor(random() * n);
  const node = (left: Branch, right: Branch): CascadeNode => {
    const w = 2 * (1 + whole(width / 4));
    const h = 2 * (1 + whole(height / 4));
    const [x, y] = [whole(width - w + 1), whole(height - h + 1)];
    const all = { x, y, width: w, height: h, weight: -1 };
    const half = [
      { x, y, width: w / 2, height: h, weight: 2 },
      { x: x + w / 2, y, width: w / 2, height: h, weight: 2 },
      { x, y, width: w, height: h / 2, weight: 2 },
      { x, y: y + h / 2, width: w, height: h / 2, weight: 2 },
    ][whole(4)]!;
    const checkers = [
      { x, y, width: w / 2, height: h / 2, weight: 2 },
      { x: x + w / 2, y: y + h / 2, width: w / 2, height: h / 2, weight: 2 },
    ];
    const rectangles = random() < 0.7 ? [all, half] : [all, ...checkers];
    return { rectangles, tilted: false, threshold: (random() - 0.5) * 0.1, left, right };
  };
  const leaf = () => ({ leaf: random() * 2 - 1 });
  const tree = (): CascadeNode[] => {
    if (!trees || random() < 0.3) return [node(leaf(), leaf())];
    if (random() < 0.5) return [node({ node: 1 }, leaf()), node(leaf(), leaf())];
    return [node({ node: 2 }, { node: 1 }), node(leaf(), leaf()), node(leaf(), leaf())];
  };
  return {
    width,
    height,
    notice: 'made up',
    stages: Array.from({ length: stages }, (_, i) => ({
      threshold: -0.6 - 0.1 * i,
      trees: Array.from({ length: 2 + 2 * i }, tree),
    })),
  };
}

/** Blurred noise with bright and dark places. */
export function randomImage(random: Random, width: number, height: number) {
  const data = new Uint8Array(width * height);
  const [fx, fy, phase] = [0.1 + random() * 0.3, 0.1 + random() * 0.3, random() * 6];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data[y * width + x] = 128 + 70 * Math.sin(x * fx + phase) * Math.cos(y * fy) + 50 * (random() - 0.5);
  return { width, height, data };
}
