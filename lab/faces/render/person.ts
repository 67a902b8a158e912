/** The mesh of one person with an expression, and what of the face model is worked out once. */
import type { FaceModel } from './model.ts';
import { Mesh } from './scene.ts';
import type { FaceSettings } from './settings.ts';
import { smoothStep } from '../../eyes/arithmetic.ts';

/** Numbers of a vertex that skin is painted by: cm in the neutral face, but for `browAlong`. */
export const Mark = { lip: 0, seam: 1, browAlong: 2, browAbove: 3, lid: 4, fold: 5, count: 6 } as const;

type Point = readonly [number, number];

/** Distance from a line of points. */
export function distanceTo(line: readonly Point[], x: number, y: number): number {
  let least = Infinity;
  for (let i = 0; i + 1 < line.length; i++) {
    const [ax, ay] = line[i];
    const [dx, dy] = [line[i + 1][0] - ax, line[i + 1][1] - ay];
    const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    least = Math.min(least, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return least;
}

function inside(outline: readonly Point[], x: number, y: number): boolean {
  let is = false;
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length];
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) is = !is;
  });
  return is;
}

/** Distance from the edge of an outline, positive inside. */
function depthIn(outline: readonly Point[], x: number, y: number): number {
  const distance = distanceTo([...outline, outline[0]], x, y);
  return inside(outline, x, y) ? distance : -distance;
}

/** The line of the left brow (x > 0) from its inner to its outer end; the right one is its mirror image. */
export class BrowLine {
  private readonly points: Point[];
  private readonly lengths: number[];

  constructor(model: FaceModel) {
    this.points = [22, 23, 24, 25, 26].map((k) => {
      const at = 3 * model.landmarks[k];
      return [model.neutral[at], model.neutral[at + 1]];
    });
    this.lengths = [0];
    for (let i = 0; i < 4; i++) {
      const [[ax, ay], [bx, by]] = [this.points[i], this.points[i + 1]];
      this.lengths.push(this.lengths[i] + Math.hypot(bx - ax, by - ay));
    }
  }

  /** Where a place lies: share of the way along the line, cm above it. Beyond the ends the line goes straight on. */
  locate(x: number, y: number): [number, number] {
    let best: [number, number] = [0, Infinity];
    for (let i = 0; i < 4; i++) {
      const [[ax, ay], [bx, by]] = [this.points[i], this.points[i + 1]];
      const length = this.lengths[i + 1] - this.lengths[i];
      const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
      const along = (x - ax) * dx + (y - ay) * dy;
      const t = Math.max(i === 0 ? -Infinity : 0, Math.min(i === 3 ? Infinity : length, along));
      const [ex, ey] = [x - ax - t * dx, y - ay - t * dy];
      if (Math.hypot(ex, ey) < Math.abs(best[1]))
        best = [(this.lengths[i] + t) / this.lengths[4], Math.sign(dx * ey - dy * ex) * Math.hypot(ex, ey)];
    }
    return best;
  }

  /** The place at this share of the way and cm above. */
  at(share: number, above: number): [number, number] {
    const way = share * this.lengths[4];
    let i = 0;
    while (i < 3 && way > this.lengths[i + 1]) i++;
    const [[ax, ay], [bx, by]] = [this.points[i], this.points[i + 1]];
    const length = this.lengths[i + 1] - this.lengths[i];
    const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
    const t = way - this.lengths[i];
    return [ax + t * dx - above * dy, ay + t * dy + above * dx];
  }
}

/** Corners of a triangle and the weights of the second and third. */
export type Place = [number, number, number, number, number];

/** What does not change from person to person. */
export class Atlas {
  readonly marks: Float32Array;
  readonly brow: BrowLine;
  /** Triangles about the brows. */
  private readonly near: number[] = [];

  constructor(readonly model: FaceModel) {
    this.brow = new BrowLine(model);
    const { neutral, landmarks, triangles, material } = model;
    const at = (k: number): Point => [neutral[3 * landmarks[k]], neutral[3 * landmarks[k] + 1]];
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => at(from + i));
    const mouth = range(48, 60);
    const seam = range(60, 65);
    const eye = range(42, 48);
    const fold: Point[] = [
      [1.75, -0.5],
      [2.5, -1.5],
      [3.15, -2.7],
      [3.35, -3.8],
      [3.1, -4.9],
    ];
    this.marks = new Float32Array(Mark.count * model.skinEnd);
    for (let i = 0; i < model.skinEnd; i++) {
      const [x, y, z] = neutral.subarray(3 * i, 3 * i + 3);
      const front = z > 5;
      const side = Math.abs(x);
      const brow = front ? this.brow.locate(side, y) : [0, 9];
      this.marks.set(
        [
          front ? depthIn(mouth, x, y) : -9,
          front ? distanceTo(seam, x, y) : 9,
          ...brow,
          front ? -depthIn(eye, side, y) : 9,
          front ? distanceTo(fold, side, y) : 9,
        ],
        Mark.count * i,
      );
    }
    for (let t = 0; t < material.length; t++) {
      const at = 3 * triangles[3 * t];
      if (material[t] === 0 && neutral[at + 2] > 5 && neutral[at + 1] > 3 && neutral[at + 1] < 9) this.near.push(t);
    }
  }

  /** Where the front of the neutral face lies at (x, y), about the brows; over a hole the plane of the nearest triangle. */
  find(x: number, y: number): Place {
    const { neutral, triangles } = this.model;
    let best: Place = [0, 0, 0, 0, 0];
    let most = -Infinity;
    for (const t of this.near) {
      const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
      const [bx, by] = [neutral[3 * b] - neutral[3 * a], neutral[3 * b + 1] - neutral[3 * a + 1]];
      const [cx, cy] = [neutral[3 * c] - neutral[3 * a], neutral[3 * c + 1] - neutral[3 * a + 1]];
      const area = bx * cy - cx * by;
      const [ex, ey] = [x - neutral[3 * a], y - neutral[3 * a + 1]];
      const second = (ex * cy - cx * ey) / area;
      const third = (bx * ey - ex * by) / area;
      const least = area > 0.002 ? Math.min(second, third, 1 - second - third) : -Infinity;
      if (least <= most) continue;
      most = least;
      best = [a, b, c, second, third];
      if (most >= 0) break;
    }
    return best;
  }
}

/** Half of the breadth of a neck, cm. */
const NECK = 6.4;
/** Below this height clothes stand for the mesh, cm. */
const CHEST = -15.5;

/** Puts the person's vertices into the mesh, the first of it, in the model's axes. */
export function addPerson(mesh: Mesh, model: FaceModel, settings: FaceSettings): void {
  const { count, neutral, scale, deltas, expressions, triangles, material } = model;
  mesh.clear();
  for (let i = 0; i < count; i++) mesh.vertex(0, 0, 0, neutral[3 * i], neutral[3 * i + 1], neutral[3 * i + 2]);
  for (let t = 0; t < material.length; t++)
    if (neutral[3 * triangles[3 * t] + 1] > CHEST)
      mesh.triangle(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], material[t]);
  const out = mesh.position;
  out.set(neutral);
  const add = (k: number, weight: number) => {
    const from = k * neutral.length;
    const factor = weight * scale[k];
    for (let i = 0; i < neutral.length; i++) out[i] += factor * deltas[from + i];
  };
  settings.identity.slice(0, model.identities).forEach((weight, k) => add(k, weight));
  const { width, length, jaw, chin, young, blink } = settings;
  for (let i = 0; i < 3 * count; i += 3) {
    const y = out[i + 1];
    const low = smoothStep(1, -6, y);
    // a child's lower face is shorter and flatter, its nose small, its cheeks round
    const nose = out[i + 2] > 9.5 ? young * 0.35 * (out[i + 2] - 9.5) * smoothStep(4, 1, y) : 0;
    out[i] *= width * (1 + jaw * low) * (1 + 0.06 * young * smoothStep(3, -1, y));
    out[i + 1] = (y - 0.15 * young * Math.min(0, Math.max(-12, y - 2.5))) * length - chin * smoothStep(-3.5, -7, y);
    out[i + 2] -= nose;
    // the mesh ends in shoulders, which clothes stand for (addBody)
    const wide = Math.abs(neutral[i]);
    if (wide > NECK) out[i] *= 1 - smoothStep(-8.5, -11, neutral[i + 1]) * (1 - NECK / wide);
  }
  const weights = { ...settings.expression, eyeBlink_L: blink[0], eyeBlink_R: blink[1] };
  for (const [name, weight] of Object.entries(weights)) {
    const k = expressions.indexOf(name);
    if (k < 0) throw new Error(`The face model has no expression '${name}'; it has ${expressions.join(', ')}.`);
    if (weight) add(model.identities + k, weight);
  }
}
