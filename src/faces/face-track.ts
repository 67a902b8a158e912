/** One face that is being followed. */
import type { PointModel } from '../models/landmark-models.ts';
import type { Box, Face } from '../results/types.ts';
import { sampleAt, type GrayView } from './iris.ts';
import { FaceEyes } from './face-eyes.ts';
import { boxAround, boxExpected, boxToFit, isNetwork, type FittedFace } from './point-model.ts';
import { gridOf, moveBox, moveShape, pointsToFollow, type Motion } from './motion.ts';
import { ShapeSmoother } from './smoothing.ts';
import type { UprightBox } from './upright.ts';

// Compares two faces: correlates the center of a box, at low resolution and normalized contrast, with another one. It
// distinguishes a face from an object in front of it and from neighboring faces. It does not recognize people. `npm run
// lab -- train-eyes` prints how well it distinguishes renders.

/** Number of samples per side. */
const SAMPLES = 12;
/** Sampled area, in sides of the box. Its center is slightly lower than the box's. */
const SPAN = 0.72;
const LOWER = 0.06;

export type Signature = Float32Array;

/** Normalizes to mean 0 and length 1. Null without contrast. */
export function signatureOf(view: GrayView, { x, y, width, height, roll = 0 }: UprightBox): Signature | null {
  const signature = new Float32Array(SAMPLES * SAMPLES);
  const step = (SPAN * width) / SAMPLES;
  const [c, s] = [Math.cos(roll), Math.sin(roll)];
  let sum = 0;
  for (let j = 0; j < SAMPLES; j++)
    for (let i = 0; i < SAMPLES; i++) {
      const [u, v] = [i, j].map((k) => (k + 0.5) / SAMPLES - 0.5) as [number, number];
      const [dx, dy] = [width * SPAN * u, height * (LOWER + SPAN * v)];
      const [sx, sy] = [x + width / 2 + c * dx - s * dy, y + height / 2 + s * dx + c * dy];
      const gray = sampleAt(view, sx, sy, step);
      signature[SAMPLES * j + i] = gray;
      sum += gray;
    }
  let squares = 0;
  for (let i = 0; i < signature.length; i++) squares += (signature[i]! -= sum / signature.length) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > SAMPLES)) return null; // less than one gray value per sample
  return signature.map((v) => v / length);
}

/** -1..1. */
export const resemblance = (a: Signature, b: Signature): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** Blends a signature with a share of a newer one. */
export function renewed(old: Signature | null, now: Signature, share: number): Signature {
  if (!old) return now;
  const mixed = old.map((v, i) => v + share * (now[i]! - v));
  const length = Math.sqrt(resemblance(mixed, mixed));
  return length > 0 ? mixed.map((v) => v / length) : now;
}

// These values were set by hand with `npm run lab -- stability faces`.

/** Landmarks farther than this from their flow positions, in sides of the box, do not belong to the face. */
const DISAGREEMENT = 0.15;
/** Minimum size of a box to follow. */
const SMALLEST = 16;
/** A box with a lower similarity to the face shows something else, such as an object that covers it. */
const COVERED = 0.4;
/** Minimum similarity and confidence to update the appearance, and the share of the update per frame. */
const CLEAR = 0.85;
const TAKEN_ON = 0.05;
/** Minimum confidence to store the first appearance. */
const PLAUSIBLE = 0.3;
/** Points with a lower confidence are not on a face. */
const NO_FACE = 0.1;
/** Number of consecutive frames with evidence against a face that ends its track. */
const DOUBTS = 4;

/** Share of `a` that is inside the frame. */
function insideOf(a: Box, width: number, height: number): number {
  const w = Math.min(a.x + a.width, width) - Math.max(a.x, 0);
  const h = Math.min(a.y + a.height, height) - Math.max(a.y, 0);
  return (Math.max(0, w) * Math.max(0, h)) / (a.width * a.height);
}

export class FaceTrack {
  id: number;
  /** Box of the detector's kind. */
  box: Box;
  /** Appearance of the face. Null until it was seen clearly. */
  signature: Signature | null = null;
  /** Similarity to the appearance in this frame, -1..1. NaN if unknown. */
  alike = NaN;
  /** Last box without evidence against it. */
  trusted: Box;
  /** Number of frames since it was found. */
  age = 0;
  shape: Float32Array | null = null;
  /** Confidence of the shape. NaN without one. */
  confidence = NaN;
  /** 0..1: agreement of flow and landmarks on the face. */
  score = 1;
  /** True if a detection that ended with this frame confirmed it. */
  detected = true;
  /** Number of detections since the last one that confirmed it. */
  unconfirmed = 0;
  #model: PointModel | null;
  /** Turn in the image, as far as the detector or the model tells it. */
  #roll = 0;
  #smoother = new ShapeSmoother();
  #eyes = new FaceEyes();
  /** Number of consecutive frames with evidence against it. */
  #doubts = 0;
  /** True if another model must be fitted in the next frame. */
  #due = false;
  /** Landmarks as moved by the flow, between `move` and `settle`. */
  #moved: Float32Array | null = null;

  constructor(id: number, model: PointModel | null, { roll = 0, ...box }: UprightBox) {
    this.id = id;
    this.#model = model;
    this.box = this.trusted = box;
    this.#roll = roll;
  }

  /** Sets another model, or none, for the next frame. */
  set model(model: PointModel | null) {
    this.#model = model;
    this.#due = model !== null;
    this.#roll = 0;
    this.shape = null;
    this.confidence = NaN;
    this.#smoother = new ShapeSmoother();
    this.#eyes = new FaceEyes();
  }

  /** Box where the model starts its landmarks in the frame of the detection. */
  get start(): UprightBox {
    return boxToFit({ ...this.box, roll: this.#roll }, this.#model!);
  }

  /** Sets the landmarks of that box, and updates the face's box from them. Returns false if they are not a face. */
  begin({ shape, confidence }: FittedFace): boolean {
    const around = boxAround(shape, this.#model!);
    if (!around) return false;
    const { roll = 0, ...box } = around;
    this.shape = shape;
    this.confidence = confidence;
    this.box = box;
    this.#roll = roll;
    return true;
  }

  /** Whether it needs no detection: the network is never this confident without a face, and detections miss turned ones. */
  get certain(): boolean {
    return this.#model !== null && isNetwork(this.#model) && this.confidence >= CLEAR;
  }

  /** Points to follow to the next frame. */
  get points(): Float32Array {
    return this.shape ? pointsToFollow(this.shape) : gridOf(this.box);
  }

  /**
   * Moves the face with the flow. Returns the box, of the model's kind, to fit landmarks in, if any. Null if the face
   * is lost.
   */
  move(motion: Motion | null): { readonly fit: UprightBox | null } | null {
    this.detected = false;
    if (!motion) return null;
    const { fit, share } = motion;
    this.#smoother.move(fit, this.box);
    this.box = moveBox(this.box, fit);
    this.score = share;
    if (this.shape) {
      this.#moved = moveShape(this.shape, fit);
      const box = boxExpected(this.#moved, this.#model!);
      return box && { fit: box };
    }
    if (!this.#due) return { fit: null };
    this.#due = false;
    return { fit: this.start };
  }

  /** Ends a move with the requested landmarks. Returns false if the face is lost. */
  settle(found: FittedFace | null, { width, height }: { readonly width: number; readonly height: number }): boolean {
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

  /**
   * Compares the face with its earlier appearance. Returns false if it is covered, or gone, and its box shows something
   * else. `alone` means that no other face is near enough to be visible in the box.
   */
  recognize(view: GrayView, alone = true): boolean {
    const now = signatureOf(view, { ...this.box, roll: this.#roll });
    this.age++;
    this.alike = now && this.signature ? resemblance(now, this.signature) : NaN;
    const against = (this.signature && !now) || this.alike < COVERED || this.confidence < NO_FACE;
    this.#doubts = against ? this.#doubts + 1 : 0;
    if (!against) this.trusted = this.box;
    if (now && alone && !(this.alike < CLEAR) && !(this.confidence < (this.signature ? CLEAR : PLAUSIBLE)))
      this.signature = renewed(this.signature, now, TAKEN_ON);
    return this.#doubts < DOUBTS;
  }

  /**
   * Handles a detection of this face, moved to the current frame. It corrects a box without landmarks in small steps.
   */
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

  /** `view` is the frame. */
  result(smooth: boolean, timestamp: number, view: GrayView): Face {
    const { id, box, score, detected } = this;
    const { shape, confidence: landmarkConfidence } = this;
    const landmarks = shape && (smooth ? this.#smoother.filter(shape, box.width, timestamp) : shape.slice());
    const eyes = shape && this.#eyes.look(view, shape, landmarkConfidence, timestamp);
    return { id, ...box, score, landmarks, landmarkConfidence, ...eyes, detected };
  }
}

/** Mean distance between corresponding points. */
function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 2) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return (2 * sum) / a.length;
}
