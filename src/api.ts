/** Types of the public contract: the engine, its operations and its trackers. */
import type { VotedCircle } from './edges/circles.ts';
import type { EdgeInput } from './edges/edge-input.ts';
import type { Line } from './edges/lines.ts';
import type { cannyOperation } from './edges/canny-operation.ts';
import type { houghCirclesOperation } from './edges/circles-operation.ts';
import type { houghLinesOperation } from './edges/lines-operation.ts';
import type { trackPointsOperation } from './flow/operations.ts';
import type { opticalFlowOperation, OpticalFlowResult } from './flow/optical-flow.ts';
import type { TrackedPoints } from './flow/sparse.ts';
import type { detectFacesOperation, landmarksOperation } from './faces/operations.ts';
import type { faceTrackerParameters } from './faces/parameters.ts';
import type { FaceBox } from './faces/grouping.ts';
import type { Component } from './image/components.ts';
import type {
  ComponentsResult,
  gaussianOperation,
  IntegralResult,
  medianOperation,
  morphologyOperation,
  pyramidOperation,
  thresholdOperation,
} from './image/operations.ts';
import type { inpaintOperation, InpaintProgress } from './inpaint/operation.ts';
import type {
  featureOperation,
  FeatureResult,
  Sigmas,
  vesselnessOperation,
  VesselnessResult,
} from './vessels/feature-operations.ts';
import type { HessianResult, hessianOperation } from './vessels/hessian-operation.ts';
import type { LoadProgress, ModelSource } from './models/load.ts';
import type { ObjectValues } from './objects/parameters.ts';
import type { vesselsOperation } from './vessels/vessels.ts';
import type { PupilValues, Roi } from './pupil/parameters.ts';
import type {
  Box,
  Capabilities,
  FaceResult,
  GrayImage,
  ObjectResult,
  PupilResult,
  Source,
  VesselResult,
} from './results/types.ts';
import type { ProcessOptions } from './runtime/engine-tracker.ts';
import type { CallOptions } from './runtime/engine.ts';
import type { Given, ParameterTable } from './runtime/parameters.ts';

/** What every tracker has. `process` calls may overlap and resolve in order. */
export interface TrackerHandle<Result, Parameters extends object> {
  process(source: Source, options?: ProcessOptions): Promise<Result>;
  /** Forgets everything about the frames so far. */
  reset(): Promise<void>;
  /** Changes some parameters from the next frame on. */
  setParameters(parameters: Partial<Parameters>): Promise<void>;
  /** Idempotent; afterwards calls reject with 'disposed'. */
  dispose(): Promise<void>;
}

/** Parameters as their table declares them; no calibration and no region are also null. */
export type PupilParameters = Omit<PupilValues, 'millimetresPerPixel' | 'roi'> & {
  millimetresPerPixel: number | null;
  roi: Roi | null;
};

export type PupilTracker = TrackerHandle<PupilResult, PupilParameters>;

/** Long-term tracking of one or several boxes; numbers of targets are 1, 2, ... */
export interface ObjectTracker extends TrackerHandle<ObjectResult, ObjectValues> {
  /** Forgets all targets and begins with this box of this frame, in its pixels; the first `add`. */
  start(source: Source, box: Box): Promise<number>;
  /** Another target in the last frame. */
  add(box: Box): Promise<number>;
  remove(id: number): Promise<void>;
  /** Teaches where a target is in the last frame. */
  correct(id: number, box: Box): Promise<void>;
  /** What was learned of a target, as bytes to be kept. */
  exportModel(id: number): Promise<Uint8Array>;
  /** A target from such bytes; it is looked for from the next frame on. Throws 'model-format' and 'model-checksum'. */
  importModel(bytes: Uint8Array): Promise<number>;
}
export type FaceTrackerParameters = Required<Given<typeof faceTrackerParameters>>;

export interface FaceTracker extends TrackerHandle<FaceResult, FaceTrackerParameters> {
  /**
   * Another landmark model, or none (null). It is loaded while frames go on, and faces have its landmarks from the next
   * frame on; until then, and where it fails, everything stays as it was. `onProgress` is told the share of the bytes and a
   * LoadProgress. Rejects with 'invalid-argument', 'model-load', 'model-format', 'model-checksum', 'disposed', and with
   * 'aborted' after a cancel or another call.
   */
  setModel(model: ModelSource | null, options?: CallOptions): Promise<void>;
}

type Options<O extends { params: ParameterTable }> = Given<O['params']> & CallOptions;

/**
 * Every call returns a promise, which rejects with a FoveolaError: 'invalid-argument' (the message names the parameter
 * and its range), 'source-…', 'decode-failed', 'image-too-large', 'out-of-memory', 'aborted', 'disposed',
 * 'context-lost'. A bad call does not harm the next one.
 */
export interface Engine {
  readonly capabilities: Capabilities;

  gaussian(source: Source, options?: Options<typeof gaussianOperation>): Promise<GrayImage>;
  median(source: Source, options?: Options<typeof medianOperation>): Promise<GrayImage>;
  morphology(source: Source, options?: Options<typeof morphologyOperation>): Promise<GrayImage>;
  threshold(source: Source, options?: Options<typeof thresholdOperation>): Promise<GrayImage>;
  components(source: Source, options?: CallOptions): Promise<ComponentsResult>;
  /** The gray image itself and its halvings. */
  pyramid(source: Source, options?: Options<typeof pyramidOperation>): Promise<GrayImage[]>;
  integral(source: Source, options?: CallOptions): Promise<IntegralResult>;

  /** Edges as 255, all else 0; by default exactly OpenCV's. Thresholds in the wrong order change places. */
  canny(source: Source, options?: Options<typeof cannyOperation>): Promise<GrayImage>;
  /**
   * Lines of Canny's edges by falling votes, as OpenCV's HoughLines; `edges`: true when the source shows edges already,
   * or the edges themselves.
   */
  houghLines(source: Source, options?: Options<typeof houghLinesOperation> & EdgeInput): Promise<Line[]>;
  /** Circles of Canny's edges by falling votes; `edges` as in houghLines. */
  houghCircles(source: Source, options?: Options<typeof houghCirclesOperation> & EdgeInput): Promise<VotedCircle[]>;

  /** The motion of every pixel by dense pyramidal Lucas-Kanade between two frames of the same size. */
  opticalFlow(
    previous: Source,
    next: Source,
    options?: Options<typeof opticalFlowOperation>,
  ): Promise<OpticalFlowResult>;
  /** Follows points, x and y of each, by pyramidal Lucas-Kanade from one frame to the next of the same size. */
  trackPoints(
    previous: Source,
    next: Source,
    points: Float32Array,
    options?: Options<typeof trackPointsOperation>,
  ): Promise<TrackedPoints>;

  /**
   * The image with the mask's pixels (those that are not 0) filled from the rest of it; the others are untouched. Mask
   * and image have one size; an empty mask gives the image back. `onProgress` is called after every patch with the share
   * of the pixels that are filled and an InpaintProgress. An 'aborted' error has the picture so far as `partial`, in
   * which pixels that are not filled yet are those of the image.
   */
  inpaint(source: Source, mask: Source, options?: Options<typeof inpaintOperation>): Promise<ImageData>;
  /**
   * Eigenvalues of the Hessian of the smoothed gray image, for lines and blobs. `derivative`: 'gaussian' takes second
   * differences of the Gaussian, 'sobel' the Laplacian of Sobel derivatives (paper 003), 'gradients' central differences
   * twice, as scikit-image's hessian_matrix.
   */
  hessianEigenvalues(source: Source, options?: Options<typeof hessianOperation>): Promise<HessianResult>;
  /** Strength of dark or bright lines or blobs from these eigenvalues, normalised by sigma^2 (paper 003, figure 1). */
  hessianFeature(source: Source, options?: Options<typeof featureOperation>): Promise<FeatureResult>;
  /**
   * Frangi's vesselness: the largest over `sigmas` (pixels; by default 1, 2 and 3), 0..1. `c` is in gray 0..1. With
   * `bestSigma: true` also the sigma of each pixel's largest response.
   */
  vesselness(source: Source, options?: Options<typeof vesselnessOperation> & Sigmas): Promise<VesselnessResult>;
  /** Vessels of a fundus photograph: mask, response and field of view at its size, how sure, and what to look at. */
  vessels(source: Source, options?: Options<typeof vesselsOperation>): Promise<VesselResult>;

  /**
   * Boxes of faces in source pixels. `cascade`: a shipped one by name ('frontalface_alt', the default,
   * 'frontalface_alt2', 'frontalface_default'), the address of a file, or its bytes (the compact form or OpenCV's XML).
   * `confirm`: a second cascade, which is asked about what the first one finds: faces come with a `score`, best first,
   * and `minScore` decides. It is 'frontalface_alt2' unless `cascade`, `minNeighbors` or `grouping` is given; with null
   * the number of windows alone decides, as in OpenCV. While models are loaded `onProgress` is told the share of their
   * bytes and a LoadProgress; `signal` ends the loading too. Also rejects with 'model-load', 'model-format' and 'model-checksum'.
   */
  detectFaces(
    source: Source,
    options?: Options<typeof detectFacesOperation> & { cascade?: ModelSource; confirm?: ModelSource | null },
  ): Promise<FaceBox[]>;
  /**
   * Landmarks of every box, x and y of each point in source pixels. `model`: the address or the bytes of a landmark model
   * in the compact form or dlib's; none is shipped (docs/models.md).
   */
  landmarks(
    source: Source,
    boxes: readonly Box[],
    options: Options<typeof landmarksOperation> & { model: ModelSource },
  ): Promise<Float32Array[]>;

  /**
   * Loads models ahead of the calls that will name them, and keeps the last few. `onProgress` is told the share of the
   * bytes and a LoadProgress; `signal` ends the loading. Rejects with 'invalid-argument', 'model-load', 'model-format',
   * 'model-checksum', 'aborted' and 'disposed'.
   */
  preload(
    models: { cascade?: string | URL; confirm?: string | URL; model?: string | URL },
    options?: CallOptions,
  ): Promise<void>;

  /**
   * When its models are loaded: `onProgress` is told the share of their bytes and a LoadProgress, `signal` ends that. Who
   * wants boxes at once gives no model here and calls `setModel`. Rejects with 'invalid-argument', 'model-load', 'model-format', 'model-checksum' and
   * 'disposed'. Without `model` the faces have boxes and no landmarks.
   */
  createFaceTracker(
    parameters?: Partial<FaceTrackerParameters> & {
      cascade?: ModelSource;
      confirm?: ModelSource | null;
      model?: ModelSource;
    } & CallOptions,
  ): Promise<FaceTracker>;

  /** At once. Throws 'invalid-argument' (a parameter out of range) and 'disposed'. */
  createPupilTracker(parameters?: Partial<PupilParameters>): PupilTracker;

  /** At once. Throws 'invalid-argument' (a parameter out of range) and 'disposed'. */
  createObjectTracker(parameters?: Partial<ObjectValues>): ObjectTracker;

  /** Idempotent; afterwards every call rejects with code 'disposed'. */
  dispose(): Promise<void>;
}

export type {
  CallOptions,
  Component,
  ComponentsResult,
  EdgeInput,
  FeatureResult,
  InpaintProgress,
  HessianResult,
  FaceBox,
  IntegralResult,
  Line,
  LoadProgress,
  ModelSource,
  OpticalFlowResult,
  ProcessOptions,
  Roi,
  TrackedPoints,
  VesselnessResult,
  VotedCircle,
};
