/** One face that is being followed. */
import type { Box, Face } from '../results/types.ts';
import { sampleAt, type GrayView } from './iris.ts';
import type { PackedLandmarks } from '../models/landmarks.ts';
import { FaceEyes } from './face-eyes.ts';
import { boxOfShape, mapBox, unmapBox, type Fit } from './landmarks.ts';
import { gridOf, moveBox, moveShape, pointsToFollow, type Motion } from './motion.ts';
import { ShapeSmoother } from './smoothing.ts';

// Whether two faces are one: the middle of a box, made small and of one contrast, against another's, as a correlation. It tells a face
// from what covers it and from those beside it; it is no recognition of persons. `npm run train:eyes` prints how well it tells renders
// apart.

/** Samples on each side. */
const SAMPLES = 12;
/** What is looked at, in sides of the box: its middle is a little lower than that of the box. */
const SPAN = 0.72;
const LOWER = 0.06;

export type Signature = Float32Array;

/** Of mean 0 and length 1; null where nothing is to be seen. */
export function signatureOf(view: GrayView, { x, y, width, height }: Box): Signature | null {
  const signature = new Float32Array(SAMPLES * SAMPLES);
  const step = (SPAN * width) / SAMPLES;
  let sum = 0;
  for (let j = 0; j < SAMPLES; j++)
    for (let i = 0; i < SAMPLES; i++) {
      const [u, v] = [i, j].map((k) => (k + 0.5) / SAMPLES - 0.5) as [number, number];
      const gray = sampleAt(view, x + width * (0.5 + SPAN * u), y + height * (0.5 + LOWER + SPAN * v), step);
      signature[SAMPLES * j + i] = gray;
      sum += gray;
    }
  let squares = 0;
  for (let i = 0; i < signature.length; i++) squares += (signature[i]! -= sum / signature.length) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > SAMPLES)) return null; // less than a gray level a sample
  return signature.map((v) => v / length);
}

/** -1..1. */
export const resemblance = (a: Signature, b: Signature): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** A signature that has taken on some of a newer one. */
export function renewed(old: Signature | null, now: Signature, share: number): Signature {
  if (!old) return now;
  const mixed = old.map((v, i) => v + share * (now[i]! - v));
  const length = Math.sqrt(resemblance(mixed, mixed));
  return length > 0 ? mixed.map((v) => v / length) : now;
}

// Chosen by hand, looking at `npm run bench -- stability faces`.

/** Landmarks that lie further than this from where the flow has them, in sides of the box, are not those of the face. */
const DISAGREEMENT = 0.15;
/** Smallest box that is followed. */
const SMALLEST = 16;
/** A box whose pixels are less like those of the face shows something else: what covers it. */
const COVERED = 0.4;
/** From this resemblance and this confidence of its points on, what it looks like now is taken on, by this share a frame. */
const CLEAR = 0.85;
const TAKEN_ON = 0.05;
/** Confidence that the first look needs. */
const PLAUSIBLE = 0.3;
/** Points of less confidence lie on no face. */
const NO_FACE = 0.1;
/** Frames in a row that may speak against a face. */
const DOUBTS = 4;

/** Share of `a` that lies within the other box. */
function insideOf(a: Box, width: number, height: number): number {
  const w = Math.min(a.x + a.width, width) - Math.max(a.x, 0);
  const h = Math.min(a.y + a.height, height) - Math.max(a.y, 0);
  return (Math.max(0, w) * Math.max(0, h)) / (a.width * a.height);
}

export class FaceTrack {
  id: number;
  /** Of the detector's kind. */
  box: Box;
  /** What it looks like; null until it was seen clearly. */
  signature: Signature | null = null;
  /** How like that it is in this frame, -1..1; NaN where that is not known. */
  alike = NaN;
  /** Where it was when nothing spoke against it. */
  trusted: Box;
  /** Frames since it was found. */
  age = 0;
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
  #eyes = new FaceEyes();
  /** Frames in a row that spoke against it. */
  #doubts = 0;
  /** Another model is to be fitted in the next frame. */
  #due = false;
  /** Where the flow has its landmarks, between `move` and `settle`. */
  #moved: Float32Array | null = null;

  constructor(id: number, model: PackedLandmarks | null, box: Box) {
    this.id = id;
    this.#model = model;
    this.box = this.trusted = box;
  }

  /** Another model, or none, from the next frame on. */
  set model(model: PackedLandmarks | null) {
    this.#model = model;
    this.#due = model !== null;
    this.shape = null;
    this.confidence = NaN;
    this.#smoother = new ShapeSmoother();
    this.#eyes = new FaceEyes();
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

  /**
   * Compares it with what it looked like before. False when it is covered, or gone, and its box shows something else. `alone`: no
   * other face is so near that it may be part of what is seen.
   */
  recognize(view: GrayView, alone = true): boolean {
    const now = signatureOf(view, this.box);
    this.age++;
    this.alike = now && this.signature ? resemblance(now, this.signature) : NaN;
    const against = (this.signature && !now) || this.alike < COVERED || this.confidence < NO_FACE;
    this.#doubts = against ? this.#doubts + 1 : 0;
    if (!against) this.trusted = this.box;
    if (now && alone && !(this.alike < CLEAR) && !(this.confidence < (this.signature ? CLEAR : PLAUSIBLE)))
      this.signature = renewed(this.signature, now, TAKEN_ON);
    return this.#doubts < DOUBTS;
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

  /** `view`: the frame. */
  result(smooth: boolean, timestamp: number, view: GrayView): Face {
    const { id, box, score, detected } = this;
    const { shape, confidence: landmarkConfidence } = this;
    const landmarks = shape && (smooth ? this.#smoother.filter(shape, box.width, timestamp) : shape.slice());
    const eyes = shape && this.#eyes.look(view, shape, landmarkConfidence, timestamp);
    return { id, ...box, score, landmarks, landmarkConfidence, ...eyes, detected };
  }
}

/** Mean distance of corresponding points. */
function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 2) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return (2 * sum) / a.length;
}
