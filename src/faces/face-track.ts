/** One face that is being followed. */
import type { FlowPyramid } from '../flow/pyramid.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box, Face } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { boxOfShape, fitLandmarks, mapBox, unmapBox } from './landmarks.ts';
import { gridOf, motionOf, moveBox, moveShape, pointsToFollow } from './motion.ts';
import { ShapeSmoother } from './smoothing.ts';

// Chosen by hand, looking at `npm run bench -- stability faces`.

/** Landmarks that lie further than this from where the flow has them, in sides of the box, are not those of the face. */
const DISAGREEMENT = 0.15;
/** Smallest box that is followed. */
const SMALLEST = 16;

/** Share of `a` that lies within the other box. */
function insideOf(a: Box, width: number, height: number): number {
  const w = Math.min(a.x + a.width, width) - Math.max(a.x, 0);
  const h = Math.min(a.y + a.height, height) - Math.max(a.y, 0);
  return (Math.max(0, w) * Math.max(0, h)) / (a.width * a.height);
}

export class FaceTrack {
  readonly id: number;
  /** Of the detector's kind. */
  box: Box;
  shape: Float32Array | null = null;
  /** 0..1: how well flow and landmarks agree on the face. */
  score = 1;
  /** Confirmed by a detection that ended with this frame. */
  detected = true;
  /** Detections since the last one that confirmed it. */
  unconfirmed = 0;
  #model: PackedLandmarks | null;
  #smoother = new ShapeSmoother();
  /** Another model is to be fitted in the next frame. */
  #due = false;

  constructor(id: number, model: PackedLandmarks | null, box: Box) {
    this.id = id;
    this.#model = model;
    this.box = box;
  }

  /** Another model, or none, from the next frame on. */
  set model(model: PackedLandmarks | null) {
    this.#model = model;
    this.#due = model !== null;
    this.shape = null;
    this.#smoother = new ShapeSmoother();
  }

  /** Begins in the frame that it was detected in. */
  *begin(scope: Scope, frame: Plane): Plan<void> {
    if (this.#model) yield* this.#fit(scope, frame, mapBox(this.box, this.#model));
  }

  /** Landmarks of a box of the model's kind, and with them the face's own box. False when they are no face. */
  *#fit(scope: Scope, frame: Plane, box: Box): Plan<boolean> {
    const [shape] = yield* fitLandmarks(scope, frame, [box], this.#model!);
    const own = boxOfShape(shape!, this.#model!);
    if (!own) return false;
    this.shape = shape!;
    this.box = unmapBox(own, this.#model!);
    return true;
  }

  /** Follows the face to the next frame; false when it is lost. */
  *follow(scope: Scope, previous: FlowPyramid, next: FlowPyramid): Plan<boolean> {
    const points = this.shape ? pointsToFollow(this.shape) : gridOf(this.box);
    const motion = yield* motionOf(scope, previous, next, points, this.box);
    this.detected = false;
    if (!motion) return false;
    const { fit, share } = motion;
    this.#smoother.move(fit, this.box);
    this.box = moveBox(this.box, fit);
    this.score = share;
    if (this.shape) {
      const moved = moveShape(this.shape, fit);
      const box = boxOfShape(moved, this.#model!);
      if (!box || !(yield* this.#fit(scope, next.planes[0]!, box))) return false;
      const away = distance(moved, this.shape) / this.box.width;
      this.score *= Math.max(0, 1 - away / DISAGREEMENT);
      if (this.score < 0.1) return false;
    } else if (this.#due) {
      this.#due = false;
      yield* this.#fit(scope, next.planes[0]!, mapBox(this.box, this.#model!));
    }
    return this.box.width >= SMALLEST && insideOf(this.box, next.width, next.height) > 0.5;
  }

  /** A detection of this face, moved to the present frame: corrects a box without landmarks, by small steps. */
  confirm(box: Box): void {
    this.detected = true;
    this.unconfirmed = 0;
    if (this.shape) return;
    const mix = (a: number, b: number) => a + 0.25 * (b - a);
    this.box = {
      x: mix(this.box.x, box.x),
      y: mix(this.box.y, box.y),
      width: mix(this.box.width, box.width),
      height: mix(this.box.height, box.height),
    };
  }

  result(smooth: boolean, timestamp: number): Face {
    const { id, box, score, detected } = this;
    const { shape } = this;
    const landmarks = shape && (smooth ? this.#smoother.filter(shape, box.width, timestamp) : shape.slice());
    return { id, ...box, score, landmarks, detected };
  }
}

/** Mean distance of corresponding points. */
function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 2) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return (2 * sum) / a.length;
}
