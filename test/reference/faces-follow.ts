/** Faces from one frame to the next, plainly: points there and back, a scale and a shift, landmarks of the moved box. */
import type { PackedLandmarks } from '../../src/models/landmarks.ts';
import { unpacked } from './faces-detector.ts';
import { landmarks } from './faces-landmarks.ts';
import type { Reference, ReferenceImage, ReferenceValue } from './image.ts';
import { trackPoints } from './track-points.ts';

interface Pair {
  from: readonly [number, number];
  to: readonly [number, number];
}

const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;

/** Scale and shift with the least squares; null when the points have no spread. */
function fit(pairs: readonly Pair[]): { scale: number; x: number; y: number } | null {
  if (pairs.length < 2) return null;
  const [px, py] = [mean(pairs.map(({ from }) => from[0])), mean(pairs.map(({ from }) => from[1]))];
  const [qx, qy] = [mean(pairs.map(({ to }) => to[0])), mean(pairs.map(({ to }) => to[1]))];
  const spread = mean(pairs.map(({ from: [x, y] }) => (x - px) ** 2 + (y - py) ** 2));
  if (!(spread > 0)) return null;
  const product = mean(pairs.map(({ from: [x, y], to: [u, v] }) => (x - px) * (u - qx) + (y - py) * (v - qy)));
  const scale = product / spread;
  return { scale, x: qx - scale * px, y: qy - scale * py };
}

function motion(from: ReferenceImage, to: ReferenceImage, points: Float32Array, limit: number) {
  const params = { window: 21, levels: 3, iterations: 30, epsilon: 0.01, minEigenvalue: 1e-4, forwardBackward: true };
  const [found, status, , back] = trackPoints([from, to, points, new Float32Array(0)], params) as [
    Float32Array,
    Uint8Array,
    Float32Array,
    Float32Array,
  ];
  const all = Array.from(status, (_, i): Pair & { good: boolean } => ({
    from: [points[2 * i]!, points[2 * i + 1]!],
    to: [found[2 * i]!, found[2 * i + 1]!],
    good: status[i] === 1 && back[i]! < limit,
  }));
  const good = all.filter((pair) => pair.good);
  const first = good.length < 0.4 * all.length ? null : fit(good);
  if (!first) return null;
  const away = good.map(({ from, to }) =>
    Math.hypot(first.scale * from[0] + first.x - to[0], first.scale * from[1] + first.y - to[1]),
  );
  const middle = [...away].sort((a, b) => a - b)[away.length >> 1]!;
  const better = fit(good.filter((_, i) => away[i]! <= Math.max(1, 2.5 * middle))) ?? first;
  return better.scale > 0.7 && better.scale < 1.4 ? better : null;
}

export function followedBoxes([from, to, packed, boxes]: readonly [
  ReferenceImage,
  ReferenceImage,
  PackedLandmarks,
  Float64Array,
]): ReferenceValue[] {
  const model = unpacked.get(packed)!;
  const shapes: number[] = [];
  const followed: number[] = [];
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, side] = [boxes[i]!, boxes[i + 1]!, boxes[i + 2]!];
    // The detector's box, of which the model's is a part or more.
    const own = side / model.box.size;
    const [left, top] = [x + side / 2 - own * (0.5 + model.box.x), y + side / 2 - own * (0.5 + model.box.y)];
    const grid = Float32Array.from({ length: 72 }, (_, k) => {
      const n = k >> 1;
      const share = 0.2 + (0.6 * (k % 2 ? Math.floor(n / 6) : n % 6)) / 5;
      return (k % 2 ? top : left) + own * share;
    });
    const moved = motion(from, to, grid, Math.max(1, 0.02 * own));
    followed.push(moved ? 1 : 0);
    if (!moved) shapes.push(...new Array<number>(2 * model.points).fill(0));
    else {
      const span = moved.scale * (side - 1) + 1;
      const place = { x: moved.scale * x + moved.x, y: moved.scale * y + moved.y, width: span, height: span };
      shapes.push(...landmarks(model, to, place));
    }
  }
  return [Float32Array.from(shapes), Uint8Array.from(followed)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'faces/follow': followedBoxes,
};
