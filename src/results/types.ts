/**
 * Result types of the public API. Coordinates are in source pixels, x right, y down. The center of the first pixel is
 * (0, 0). Angles are in radians, times in milliseconds. With `found: false` the numbers are NaN, never 0.
 */
import type { DicomSource } from './dicom-identity.ts';

export interface GrayImage {
  width: number;
  height: number;
  /** width x height samples, row by row. */
  data: Uint8Array;
}

/** An upright rectangle in pixels. `x` and `y` are its top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Full axes in pixels. `angle` is the angle of the major axis from +x towards +y, in [0, pi). */
export interface Ellipse {
  x: number;
  y: number;
  major: number;
  minor: number;
  angle: number;
}

export interface Circle {
  x: number;
  y: number;
  /** Radius in pixels. */
  r: number;
}

/** The left or the right eye of the person, or unknown. It never means a half of the image. */
export type Laterality = 'left' | 'right' | 'unknown';

export interface Pupil {
  /** The eye of the person. 'unknown' if the tracker has no `view` (two eyes) or `eye` (one eye). */
  eye: Laterality;
  found: boolean;
  /** Confidence that this is a pupil, 0 to 1. */
  confidence: number;
  /** Share of the outline that border points support, 0 to 1. NaN if no pupil was found. */
  outlineConfidence: number;
  x: number;
  y: number;
  /** `ellipse.major` if the fit is 'ellipse' and the ellipse is valid. Otherwise 2 r. */
  diameter: number;
  diameterMm: number | null;
  ellipse: Ellipse | null;
  circle: Circle;
  /**
   * True if the lid covers the pupil, judging from this frame only. The events of later frames contain the final
   * classification.
   */
  blink: boolean;
  /**
   * Number of border points within the vote distance of the fit, and number of all border points. NaN if no pupil was
   * found.
   */
  votes: number;
  points: number;
  /** x, y of each border point. Only with `outline: true`. */
  outline?: Float32Array;
  /** Corneal reflections of lamps, the brightest first. Only with `glints` above 0. */
  glints?: Glint[];
  /** Share of the pupil that the lids cover, 0 to 1. Only with `secondOpinion`, if the network was asked. */
  coveredByLids?: number;
  /** Longer axis of the iris in pixels. Only with `secondOpinion`, if the whole iris is in the image. */
  irisDiameter?: number;
}

/** The corneal reflection of a lamp. */
export interface Glint {
  /** Center, weighted by brightness, in pixels. */
  x: number;
  y: number;
  /** Area in pixels. */
  area: number;
}

/**
 * Why a pupil was not visible for a while. 'blink': a lid, for at most `maxBlink`. 'closure': a lid, for longer.
 * 'loss': the pupil was lost without evidence of a lid.
 */
export type EyeEventKind = 'blink' | 'closure' | 'loss';

/** Each frame without a pupil belongs to one event. Times are in milliseconds on the clock of the results. */
export interface EyeEvent {
  kind: EyeEventKind;
  /** The first frame with the lid over the pupil, or without a pupil. */
  onset: number;
  /**
   * The first frame after the event. If the event is not final: the current frame, which is the last one known to
   * belong to it.
   */
  offset: number;
  /** False while the event lasts. Its kind and its offset may still change. */
  final: boolean;
  /** Index into `pupils`. */
  pupil: number;
  /** The eye of the person. */
  eye: Laterality;
}

/** An event of one eye, without the name of the eye. */
export type EventSpan = Pick<EyeEvent, 'kind' | 'onset' | 'offset' | 'final'>;

/** A span of frames of one eye, by the timestamps of its first and last frame, in milliseconds. */
export interface SpanCorrection {
  /**
   * 'exclude': these frames are not used and have no pupil. 'blink': they are one blink. 'open': they are not part of
   * a blink or closure.
   */
  action: 'exclude' | 'blink' | 'open';
  /** Index into `pupils`. */
  pupil: number;
  from: number;
  to: number;
}

/** The outline of the pupil in one frame, drawn by hand. */
export interface OutlineCorrection {
  action: 'outline';
  /** Index into `pupils`. */
  pupil: number;
  timestamp: number;
  ellipse: Ellipse;
}

/** A manual correction of an analyzed recording. */
export type PupilCorrection = SpanCorrection | OutlineCorrection;

/** The backends that took part in a computation. */
export type ResultBackend = 'gpu' | 'wasm' | 'both';

export interface PupilResult {
  timestamp: number;
  width: number;
  height: number;
  /** With eyes = 2, pupils[0] is in the left half of the image. Its `eye` names the eye of the person. */
  pupils: Pupil[];
  /** Blinks, closures and losses that end with this frame (`final`), and those still in progress. */
  events: EyeEvent[];
  /** Frames dropped since the last result. */
  dropped: number;
  /** The backend that computed it, or both. */
  backend: ResultBackend;
  /** Properties of the frame that reduce the quality of results, as messages. Absent if there are none. */
  warnings?: string[];
  /** The engine's worker crashed before this frame. The tracker restarted from its parameters. Absent otherwise. */
  restarted?: true;
}

/** Measures of the head from the 68 points of a face. */
export interface FaceMeasures {
  /** Radians. Positive if the face is turned to the right of the image. */
  yaw: number;
  /** Radians. Positive if the face looks up. */
  pitch: number;
  /** Radians. Positive if the face is tilted clockwise in the image. */
  roll: number;
  /**
   * Distance of the points from a mean face in this pose: root mean square, relative to the distance of the outer eye
   * corners.
   */
  residual: number;
  /** Height of each eye divided by its frontal width, the left one in the image first. */
  eyes: [EyeOpening, EyeOpening];
  /** Height between the inner lips divided by the mouth's width at rest. */
  mouthOpening: number;
  /** Confidence that was passed to `measureFace`, 0 to 1. NaN if there was none. */
  confidence: number;
  /**
   * Reasons not to trust the points: the face is too small or turned too far, or its model has a low confidence. Empty
   * if there are none.
   */
  warnings: string[];
}

export interface EyeOpening {
  opening: number;
  closed: boolean;
}

/**
 * Gaze direction in the view of the camera, as yaw and pitch, like a head pose. 0, 0 is towards the camera. Coarse,
 * see docs/models.md.
 */
export interface Gaze {
  /** Radians. Positive to the right of the image. */
  yaw: number;
  /** Radians. Positive upwards. */
  pitch: number;
}

/** Landmarks in one box. */
export interface LandmarkFit {
  /** x, y of each point. */
  landmarks: Float32Array;
  /** Probability that the landmarks fit well, 0 to 1. NaN for models without a confidence (docs/models.md). */
  confidence: number;
  /** Expected distance of each point from the true one, in pixels of the source. Absent with trees. */
  errors?: Float32Array;
  /** As for a tracked face. */
  gaze?: Gaze;
}

export interface Face extends Box {
  /** Stays constant from frame to frame, also if a face was lost for a moment. */
  id: number;
  /** Agreement of flow and landmarks that the face is visible, 0 to 1. */
  score: number;
  /** x, y of each point. Null without a landmark model. */
  landmarks: Float32Array | null;
  /**
   * Probability that the landmarks fit well, 0 to 1. NaN without landmarks and for models without a confidence
   * (docs/models.md).
   */
  landmarkConfidence: number;
  /**
   * Opening of each eye relative to its height when open, the left one in the image first: 1 is open, 0 is closed.
   * Absent without 68 trusted landmarks, and until the eyes were visible for a while.
   */
  openness?: [number, number];
  /** Both eyes are closed now. Absent if `openness` is absent. */
  blink?: boolean;
  /** Absent if the irises are not visible because the eyes are closed, too small or turned too far. */
  gaze?: Gaze;
  /** True if a detection that ended with this frame found the face. */
  detected: boolean;
}

export interface FaceResult {
  timestamp: number;
  width: number;
  height: number;
  faces: Face[];
  /** Frames dropped since the last result. */
  dropped: number;
  /** The backend that computed it, or both. Face detection may run on the GPU. Tracking runs on the CPU (WASM). */
  backend: ResultBackend;
  /** Limits that excluded faces, as messages. Absent if there are none. */
  warnings?: string[];
  /** The engine's worker crashed before this frame. The tracker restarted from its parameters. Absent otherwise. */
  restarted?: true;
}

export interface Capabilities {
  backend: 'gpu' | 'wasm';
  gpu: string | null;
  softwareGpu: boolean;
  threads: number;
  simd: boolean;
  crossOriginIsolated: boolean;
  worker: boolean;
  /**
   * The backend that each operation and tracker uses, by method name, and the reason. If the backend is chosen for each
   * call, `why` lists it by size, first as predicted, then as measured, and changes with the calls. 'measured': it
   * differs between sizes.
   */
  backends: Readonly<Record<string, { readonly backend: 'wasm' | 'gpu' | 'measured'; readonly why: string }>>;
  /** Why a capability is off or a fallback was used, as messages. */
  reasons: string[];
}

/** Samples of a map, row by row. */
export interface SampleMap {
  width: number;
  height: number;
  data: Float32Array | Uint32Array;
}

/**
 * Samples without a copy. Row `y` starts at `data[y * stride]`. If there are no gaps between rows, it is a source for
 * every call.
 */
export interface SampleView {
  readonly width: number;
  readonly height: number;
  /** Bytes of gray or RGBA, or the numbers of a map. */
  readonly data: Uint8Array | Float32Array | Uint32Array;
  readonly stride: number;
}

/**
 * A handle to an image held by the engine. It is a source for every call of the engine that created it, without a copy.
 * `format`: 'f32' and 'u32' are maps, which no call accepts as an image. `backend`: where it was when it was created.
 * Calls move it to the backend that needs it.
 */
export interface EngineImage {
  readonly width: number;
  readonly height: number;
  readonly format: 'gray' | 'rgba' | 'f32' | 'u32';
  readonly backend: 'wasm' | 'gpu';
  /**
   * Returns a copy of its samples: GrayImage, ImageData or, for a map, SampleMap.
   * @throws {FoveolaError} (rejects) 'disposed', and 'context-lost' if it was only on the GPU
   */
  read(): Promise<GrayImage | ImageData | SampleMap>;
  /**
   * Returns its samples in the engine's memory, without a copy and for reading only. They are valid until `dispose()`,
   * after which the engine reuses the memory. Null without shared memory (cross-origin isolation and more than one
   * thread), and for an image that was on the GPU when it was created. Use `read()` for those.
   * @throws {FoveolaError} 'disposed'
   */
  view(): SampleView | null;
  /** Releases its memory once the calls that use it have ended. Idempotent. Also available as [Symbol.dispose]. */
  dispose(): void;
}

/** An image decoded without a browser, as returned by `frames` of foveola/node. VideoFrame has the same members. */
export interface DecodedPicture {
  readonly format: string | null;
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Position in the recording, microseconds. */
  readonly timestamp: number;
  clone(): DecodedPicture;
  close(): void;
}

export type Source =
  | HTMLImageElement
  | HTMLVideoElement
  | HTMLCanvasElement
  | OffscreenCanvas
  | ImageBitmap
  | ImageData
  | VideoFrame
  | DecodedPicture
  | Blob
  | GrayImage
  | EngineImage;

/** A target of the object tracker in one frame. */
export interface TrackedObject {
  id: number;
  /** In pixels. Null while the target is not visible. */
  box: Box | null;
  /** Conservative similarity to the learned appearance, 0 to 1. */
  confidence: number;
  /** Whether the model learned from this frame. */
  learning: boolean;
  /** What placed the box. */
  by: 'tracker' | 'detector' | 'both' | 'none';
  /**
   * Rotation of the target in the image since its box was drawn: radians from +x towards +y, -pi to pi. NaN while it is
   * not visible. Absent unless `rotation` is on. `box` does not rotate with it.
   */
  angle?: number;
  /** Only in elements, after a correction by hand: the corrected box, or the track that continues from it. */
  corrected?: 'box' | 'track';
}

/** The values of the first target are also at the top level. */
export interface ObjectResult extends Omit<TrackedObject, 'id'> {
  timestamp: number;
  width: number;
  height: number;
  targets: TrackedObject[];
  /** Frames skipped before this one. */
  dropped: number;
  /**
   * The backend that computed it, or both. The window search may run on the GPU. Point tracking runs on the CPU (WASM).
   */
  backend: ResultBackend;
  /** The engine's worker crashed before this frame. The tracker restarted from its parameters. Absent otherwise. */
  restarted?: true;
}

export interface VesselSegment {
  /** x, y of each point along the center line, with subpixel precision. (0, 0) is the center of the first pixel. */
  points: Float32Array;
  /** Width at each point, in pixels. NaN if the photograph does not show both borders. */
  widths: Float32Array;
  /** Mean of those widths, in pixels. Absent if most of the points have none. */
  width?: number;
  /** Length along the center line, in pixels. */
  length: number;
  /** `width` in micrometers, if the scale is known. */
  widthMicrometres?: number;
  lengthMicrometres?: number;
}

export interface VesselMeasures {
  /** 255 on the center lines. */
  skeleton: GrayImage;
  branchPoints: { x: number; y: number }[];
  segments: VesselSegment[];
}

/**
 * Distance between the centers of neighboring pixels in micrometers, and the attribute of the file that contains it.
 */
export interface PixelSpacing {
  x: number;
  y: number;
  attribute: 'Pixel Spacing' | 'Nominal Scanned Pixel Spacing' | 'Imager Pixel Spacing';
}

/** Properties of an image file in addition to its pixels. */
export interface ImageFileNotes {
  /** 'JPEG', 'PNG', 'TIFF', 'DICOM', ... detected by content, not by file name. */
  format: string;
  /** Bits per sample in the file. The decoded image has 8. */
  bits: number;
  /** Only for DICOM files. The resolution of other files refers to print and screen, not to the eye, and is ignored. */
  spacing: PixelSpacing | null;
  /**
   * Identity of a DICOM image: instance, patient, study, eye, device. Contains personal data. Absent for other files and
   * if the header lacks an identifier.
   */
  dicom?: DicomSource;
  /** Omissions and changes, as messages: further pages, unused bits. */
  notes: string[];
  /** Number of pages of a stack or frames of an animation, including thumbnails and masks. 1 for a photograph. */
  pages: number;
  /** How many of them `frames(file, { everyFrame: true })` reads: those with the size of the first. */
  frames: number;
}

export interface ImageFile extends ImageFileNotes {
  /**
   * The pixels in upright orientation. Gray if the file is gray and not JPEG or 8-bit PNG, otherwise RGBA. A Source.
   */
  image: GrayImage | ImageData;
}

/** Micrometers per pixel of the source, and the origin of this value. */
export interface ImageScale {
  micrometresPerPixel: number;
  /** 'option': the caller. 'file': the pixel spacing of a DICOM file. */
  from: 'option' | 'file';
}

/**
 * `response` is computed when it is first read. It is 1 at the threshold of the mask, before small components were
 * removed. All planes have the size of the source.
 */
/** How visible the vessels of a photograph are. */
export interface ImageQuality {
  /**
   * Expected overlap (Dice) with the mask of a human annotator at the default threshold, 0 to 1, from the network's
   * probabilities.
   */
  agreement: number;
  /** 'good' from an agreement of 0.8, 'fair' from 0.7. */
  grade: 'good' | 'fair' | 'poor';
}

export interface VesselResult extends Partial<VesselMeasures> {
  mask: GrayImage;
  response: Float32Array;
  fieldOfView: GrayImage;
  /** Share of the field of view that the mask covers. */
  fraction: number;
  /** Confidence that this is a fundus photograph and that its vessels were found, 0 to 1. */
  confidence: number;
  /** Image quality, from the learned network. Absent for other variants. */
  quality?: ImageQuality;
  warnings: string[];
  /** The scale used for micrometers. Null or absent if it is not known. */
  scale?: ImageScale | null;
  /** Identity of the DICOM image that was measured. Contains personal data. Absent for other images. */
  dicom?: DicomSource;
  /** The backend that computed it, or both. */
  backend?: ResultBackend;
}
