/** One face that is being followed. */
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Box, Face } from '../results/types.ts';
import { boxOfShape, mapBox, unmapBox, type Fit } from './landmarks.ts';
import { gridOf, moveBox, moveShape, pointsToFollow, type Motion } from './motion.ts';
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
  /** Of the shape; NaN without one. */
  confidence = NaN;
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
  /** Where the flow has its landmarks, between `move` and `settle`. */
  #moved: Float32Array | null = null;

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
    this.confidence = NaN;
    this.#smoother = new ShapeSmoother();
  }

  /** Where the model looks for its landmarks in the frame that it was detected in. */
  get start(): Box {
    return mapBox(this.box, this.#model!);
  }

  /** Landmarks of that box, and with them the face's own box. False when they are no face. */
  begin({ shape, confidence }: Pick<Fit, 'shape' | 'confidence'>): boolean {
    const own = boxOfShape(shape, this.#model!);
    if (!own) return false;
    this.shape = shape;
    this.confidence = confidence;
    this.box = unmapBox(own, this.#model!);
    return true;
  }

  /** To be followed to the next frame. */
  get points(): Float32Array {
    return this.shape ? pointsToFollow(this.shape) : gridOf(this.box);
  }

  /** Moves with the flow: the box, of the model's kind, in which landmarks are to be fitted, if any. Null: it is lost. */
  move(motion: Motion | null): { readonly fit: Box | null } | null {
    this.detected = false;
    if (!motion) return null;
    const { fit, share } = motion;
    this.#smoother.move(fit, this.box);
    this.box = moveBox(this.box, fit);
    this.score = share;
    if (this.shape) {
      this.#moved = moveShape(this.shape, fit);
      const box = boxOfShape(this.#moved, this.#model!);
      return box && { fit: box };
    }
    if (!this.#due) return { fit: null };
    this.#due = false;
    return { fit: this.start };
  }

  /** Ends a move with the landmarks that were asked for. False when the face is lost. */
  settle(
    found: Pick<Fit, 'shape' | 'confidence'> | null,
    { width, height }: { readonly width: number; readonly height: number },
  ): boolean {
    const moved = this.#moved;
    this.#moved = null;
    const fits = found !== null && this.begin(found);
    if (moved) {
      if (!fits) return false;
      const away = distance(moved, found.shape) / this.box.width;
      this.score *= Math.max(0, 1 - away / DISAGREEMENT);
      if (this.score < 0.1) return false;
    }
    return this.box.width >= SMALLEST && insideOf(this.box, width, height) > 0.5;
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
    const { shape, confidence: landmarkConfidence } = this;
    const landmarks = shape && (smooth ? this.#smoother.filter(shape, box.width, timestamp) : shape.slice());
    return { id, ...box, score, landmarks, landmarkConfidence, detected };
  }
}

/** Mean distance of corresponding points. */
function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 2) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return (2 * sum) / a.length;
}
