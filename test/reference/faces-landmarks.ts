/** Landmarks by regression trees, plainly, in double precision; thesis, section 4.4. The similarity by Umeyama's SVD. */
import type { LandmarkModel } from '../../src/models/landmarks.ts';
import { patchOf, placeIn, squareMean, type Frame, type Gray } from './faces-patch.ts';

/** Angles and singular values of a 2x2 matrix as the thesis has them (equations 4.17 and 4.18). */
function svd(A: number, B: number, C: number, D: number): { beta: number; gamma: number; w1: number; w2: number } {
  const sum = Math.atan2(B - C, A + D);
  const difference = Math.atan2(B + C, A - D);
  const [s, d] = [Math.hypot(A + D, B - C), Math.hypot(A - D, B + C)];
  return { beta: (sum - difference) / 2, gamma: (sum + difference) / 2, w1: (s + d) / 2, w2: (s - d) / 2 };
}

/** Rotation times scale (a, -b; b, a) from p to q, and the shift (Umeyama; thesis, equations 4.8 to 4.16). */
export function umeyama(
  p: ArrayLike<number>,
  q: ArrayLike<number>,
): { a: number; b: number; x: number; y: number } | null {
  const n = p.length / 2;
  const mean = (v: ArrayLike<number>, k: number) => {
    let sum = 0;
    for (let i = k; i < 2 * n; i += 2) sum += v[i]!;
    return sum / n;
  };
  const [px, py, qx, qy] = [mean(p, 0), mean(p, 1), mean(q, 0), mean(q, 1)];
  let [A, B, C, D, spread] = [0, 0, 0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    const [x, y, u, v] = [p[i]! - px, p[i + 1]! - py, q[i]! - qx, q[i + 1]! - qy];
    A += u * x;
    B += u * y;
    C += v * x;
    D += v * y;
    spread += x * x + y * y;
  }
  if (!(spread > 0)) return null;
  const { beta, gamma, w1, w2 } = svd(A, B, C, D);
  // w2 has the determinant's sign, so U S V' is the product of both rotations, and the trace of D S is w1 + w2.
  const angle = -(beta + gamma);
  const c = (w1 + w2) / spread;
  const [a, b] = [c * Math.cos(angle), c * Math.sin(angle)];
  return { a, b, x: qx - (a * px - b * py), y: qy - (b * px + a * py) };
}

/**
 * Points in pixels, for a box of the model's kind. With a patch so many cascades `first` find how the face lies; it is then cut
 * out by that.
 */
export function landmarks(
  model: LandmarkModel,
  image: Gray,
  box: { x: number; y: number; width: number; height: number },
  first = 0,
): number[] {
  let frame: Frame = { corner: [box.x, box.y], across: [box.width - 1, 0], down: [0, box.height - 1] };
  if (first) frame = aligned(model, frame, shapeIn(model, image, frame, first));
  const shape = shapeIn(model, image, frame, model.cascades);
  return shape.flatMap((v, k) => (k % 2 ? [] : placeIn(frame, v, shape[k + 1]!)));
}

/** The shape in the unit square that the frame says. */
function shapeIn(model: LandmarkModel, image: Gray, frame: Frame, cascades: number): number[] {
  const shape = Array.from(model.mean);
  const inner = 2 ** model.depth - 1;
  const { patch } = model;
  const values = patch ? patch.basis.length / shape.length : shape.length;
  const face = patch && patchOf(image, frame, patch);
  for (let c = 0; c < cascades; c++) {
    const { a, b } = umeyama(model.mean, shape)!;
    const gray = Array.from({ length: model.pixels }, (_, i) => {
      const at = c * model.pixels + i;
      const [dx, dy] = [model.deltas[2 * at]!, model.deltas[2 * at + 1]!];
      const u = shape[2 * model.anchors[at]!]! + a * dx - b * dy;
      const v = shape[2 * model.anchors[at]! + 1]! + b * dx + a * dy;
      if (face) return squareMean(face, u, v, patch!.radii[c]!);
      const [x, y] = placeIn(frame, u, v).map((w) => Math.floor(w + 0.5)) as [number, number];
      return x >= 0 && y >= 0 && x < image.width && y < image.height ? image.data[y * image.width + x]! : 0;
    });
    for (let t = 0; t < model.trees; t++) {
      const tree = c * model.trees + t;
      let i = 0;
      while (i < inner) {
        const split = tree * inner + i;
        const [p, q] = [model.splitPixels[2 * split]!, model.splitPixels[2 * split + 1]!];
        i = 2 * i + (gray[p]! - gray[q]! > model.thresholds[split]! ? 1 : 2);
      }
      const leaf = values * (tree * (inner + 1) + i - inner);
      for (let k = 0; k < shape.length; k++)
        if (!patch) shape[k]! += model.leaves[leaf + k]!;
        else for (let d = 0; d < values; d++) shape[k]! += model.leaves[leaf + d]! * patch.basis[d * shape.length + k]!;
    }
  }
  return shape;
}

/** The frame in which the shape has the mean's place, size and turn; the same where no face is so small or large. */
function aligned(model: LandmarkModel, frame: Frame, shape: number[]): Frame {
  const { a, b, x, y } = umeyama(model.mean, shape)!;
  const square = a * a + b * b;
  if (square < 0.04 || square > 25) return frame;
  const corner = placeIn(frame, x, y);
  const side = (u: number, v: number) => placeIn(frame, x + u, y + v).map((w, k) => w - corner[k]!) as [number, number];
  return { corner, across: side(a, b), down: side(-b, a) };
}
