/**
 * Result types of the public contract. Coordinates are in source pixels, x right, y down, the center of the first
 * pixel is (0, 0). Angles in radians, times in milliseconds. `found: false` leaves the numbers NaN, never 0.
 */

export interface GrayImage {
  width: number;
  height: number;
  /** width x height samples, row by row. */
  data: Uint8Array;
}

/** An upright rectangle in pixels, from its left upper corner on. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Full axes in pixels; `angle` of the major axis from +x towards +y, in [0, pi). */
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

/** Whose eye: the left or the right one of the person, or not known. Never a side of the picture. */
export type Laterality = 'left' | 'right' | 'unknown';

export interface Pupil {
  /** Of the person; 'unknown' where the tracker has no `view` (two eyes) or `eye` (one). */
  eye: Laterality;
  found: boolean;
  /** 0..1: how sure that this is a pupil. */
  confidence: number;
  /** 0..1: share of the outline that is supported by border points; NaN where no pupil was found. */
  outlineConfidence: number;
  x: number;
  y: number;
  /** `ellipse.major` when the fit is 'ellipse' and the ellipse is valid, else 2 r. */
  diameter: number;
  diameterMm: number | null;
  ellipse: Ellipse | null;
  circle: Circle;
  /** As far as this frame shows it: the lid is over the pupil. What it was in the end, the events of later frames say. */
  blink: boolean;
  /** Border points within the vote distance of the fit, and border points in all; NaN where no pupil was found. */
  votes: number;
  points: number;
  /** x, y of each border point, on request (`outline: true`). */
  outline?: Float32Array;
  /** Mirror images of lamps in the cornea, the brightest first, on request (`glints` above 0). */
  glints?: Glint[];
}

/** The mirror image of a lamp in the cornea. */
export interface Glint {
  /** Center, weighted by brightness, in pixels. */
  x: number;
  y: number;
  /** Pixels. */
  area: number;
}

/**
 * Why a pupil was not seen for a while. 'blink': a lid, up to the limit `maxBlink`. 'closure': a lid, for longer. 'loss': it
 * was lost, and nothing says that it was a lid.
 */
export type EyeEventKind = 'blink' | 'closure' | 'loss';

/** Each frame without a pupil belongs to one event. Times are milliseconds on the clock of the results. */
export interface EyeEvent {
  kind: EyeEventKind;
  /** The first frame with the lid over the pupil, or without a pupil. */
  onset: number;
  /** The first frame after it. Of an event that is not final: this frame, the last one that is known to belong to it. */
  offset: number;
  /** False as long as it lasts: its kind and its offset may change. */
  final: boolean;
  /** Index into `pupils`. */
  pupil: number;
  /** Of the person. */
  eye: Laterality;
}

/** An event of one eye: without whose it is. */
export type EventSpan = Pick<EyeEvent, 'kind' | 'onset' | 'offset' | 'final'>;

/** The sides that something was computed on. */
export type Sides = 'gpu' | 'wasm' | 'both';

export interface PupilResult {
  timestamp: number;
  width: number;
  height: number;
  /** pupils[0] is the left half of the image when eyes = 2; whose eye that is, its `eye` says. */
  pupils: Pupil[];
  /** Blinks, closures and losses that end with this frame (`final`), and those that last. */
  events: EyeEvent[];
  /** Frames that were dropped since the last result. */
  dropped: number;
  /** The side that computed it, or both. */
  side: Sides;
  /** What about the frame stands against good results, in plain words; absent where nothing does. */
  warnings?: string[];
  /** The engine's worker died before this frame: the tracker has started again from its parameters. Absent otherwise. */
  restarted?: true;
}

/** What the 68 points of a face say about the head. */
export interface FaceMeasures {
  /** Radians: positive where the face is turned to the right of the picture. */
  yaw: number;
  /** Radians: positive where it looks up. */
  pitch: number;
  /** Radians: positive where it is tilted clockwise in the picture. */
  roll: number;
  /** How far the points lie from those of a mean face in this pose: root mean square by the outer eye corners' distance. */
  residual: number;
  /** Height of each eye by the width that it has from the front, the left one in the picture first. */
  eyes: [EyeOpening, EyeOpening];
  /** Height between the inner lips by the mouth's width at rest. */
  mouthOpening: number;
  /** 0..1, as it was given to `measureFace`; NaN where it was not. */
  confidence: number;
  /** Why the points are not to be trusted: the face is too small, turned too far, or its model doubts them. Empty where they are. */
  warnings: string[];
}

export interface EyeOpening {
  opening: number;
  closed: boolean;
}

/** Where somebody looks, in the camera's view as a head's yaw and pitch: 0, 0 is towards the camera. Coarse: docs/models.md. */
export interface Gaze {
  /** Radians: positive to the right of the picture. */
  yaw: number;
  /** Radians: positive up. */
  pitch: number;
}

/** Landmarks of one box. */
export interface LandmarkFit {
  /** x, y of each point. */
  landmarks: Float32Array;
  /** 0..1: how likely it is that they lie well; NaN of models that do not tell (docs/models.md). */
  confidence: number;
  /** As of a face that is followed. */
  gaze?: Gaze;
}

export interface Face extends Box {
  /** The same from frame to frame, and for a face that was lost for a moment. */
  id: number;
  /** 0..1: how well flow and landmarks agree that the face is there. */
  score: number;
  /** x, y of each point; null without a landmark model. */
  landmarks: Float32Array | null;
  /** 0..1: how likely it is that the landmarks lie well; NaN without them, and of models that do not tell (docs/models.md). */
  landmarkConfidence: number;
  /**
   * How far each eye is open by its own height when it is open, the left one in the picture first: 1 as then, 0 shut. Absent without
   * 68 landmarks that are trusted, and until the eyes were seen for a while.
   */
  openness?: [number, number];
  /** Both eyes are shut now. Absent where `openness` is. */
  blink?: boolean;
  /** Absent where the irises are not to be seen: eyes that are shut, too small or turned too far. */
  gaze?: Gaze;
  /** A detection that ended with this frame saw it. */
  detected: boolean;
}

export interface FaceResult {
  timestamp: number;
  width: number;
  height: number;
  faces: Face[];
  /** Frames that were dropped since the last result. */
  dropped: number;
  /** The side that computed it, or both: faces may be searched for on the GPU, they are followed on the WASM side. */
  side: Sides;
  /** Limits that left faces out, in plain words; absent where none did. */
  warnings?: string[];
  /** The engine's worker died before this frame: the tracker has started again from its parameters. Absent otherwise. */
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
   * The side that each operation and tracker takes, by the name of its method, and why. Where it is chosen for each call, `why`
   * says it by size, first as predicted, then as measured, and changes as calls come; 'measured': not the same for all sizes.
   */
  sides: Readonly<Record<string, { readonly side: 'wasm' | 'gpu' | 'measured'; readonly why: string }>>;
  /** Why a capability is off or a fallback was taken, in plain words. */
  reasons: string[];
}

/** Samples of a map, row by row. */
export interface SampleMap {
  width: number;
  height: number;
  data: Float32Array | Uint32Array;
}

/** Samples where they lie: the first of row `y` is `data[y * stride]`. Without gaps between rows a source for every call. */
export interface SampleView {
  readonly width: number;
  readonly height: number;
  /** Bytes of gray or RGBA, or the numbers of a map. */
  readonly data: Uint8Array | Float32Array | Uint32Array;
  readonly stride: number;
}

/**
 * An image that stays in the engine: a source for every call of the engine that made it, without a copy. `format`: 'f32'
 * and 'u32' are maps, which no call takes as a picture. `side`: where it was when it was made; calls move it where they
 * need it.
 */
export interface EngineImage {
  readonly width: number;
  readonly height: number;
  readonly format: 'gray' | 'rgba' | 'f32' | 'u32';
  readonly side: 'wasm' | 'gpu';
  /**
   * A copy of its samples: GrayImage, ImageData or, of a map, SampleMap.
   * @throws {FoveolaError} (rejects) 'disposed', and 'context-lost' where it lay on the GPU alone
   */
  read(): Promise<GrayImage | ImageData | SampleMap>;
  /**
   * Its samples in the engine's own memory, without a copy, to be read and not written: until `dispose()`, after which the
   * engine puts other pictures there. Null without shared memory (cross-origin isolation and more than one thread), and
   * for what lay on the GPU when it was made: there is `read()`.
   * @throws {FoveolaError} 'disposed'
   */
  view(): SampleView | null;
  /** Gives its memory back when the calls that were given it have ended. Idempotent. Also as [Symbol.dispose]. */
  dispose(): void;
}

/** A picture that was decoded without a browser: what `frames` of foveola/node gives. VideoFrame has the same members. */
export interface DecodedPicture {
  readonly format: string | null;
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Microseconds into the recording. */
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
  /** In pixels; null while the target is not seen. */
  box: Box | null;
  /** Conservative similarity to the learned appearance, 0..1. */
  confidence: number;
  /** Whether this frame taught the model. */
  learning: boolean;
  /** What placed the box. */
  by: 'tracker' | 'detector' | 'both' | 'none';
  /**
   * How far the target has turned in the picture since its box was drawn: radians from +x towards +y, -pi to pi; NaN while
   * it is not seen. Absent unless `rotation` is on. `box` does not turn with it.
   */
  angle?: number;
}

/** The first target's values stand at the top. */
export interface ObjectResult extends Omit<TrackedObject, 'id'> {
  timestamp: number;
  width: number;
  height: number;
  targets: TrackedObject[];
  /** Frames that were left out before this one. */
  dropped: number;
  /** The side that computed it, or both: windows may be searched on the GPU, points are followed on the WASM side. */
  side: Sides;
  /** The engine's worker died before this frame: the tracker has started again from its parameters. Absent otherwise. */
  restarted?: true;
}

export interface VesselSegment {
  /** x, y of each point along the middle line, in parts of pixels; (0, 0) is the middle of the first. */
  points: Float32Array;
  /** Width at each point, in pixels; NaN where the photograph does not show both borders. */
  widths: Float32Array;
  /** Mean of those widths, in pixels; absent where most of the points have none. */
  width?: number;
  /** Along the middle line, in pixels. */
  length: number;
  /** The same in micrometres where the scale is known. */
  widthMicrometres?: number;
  lengthMicrometres?: number;
}

export interface VesselMeasures {
  /** 255 on the middle lines. */
  skeleton: GrayImage;
  branchPoints: { x: number; y: number }[];
  segments: VesselSegment[];
}

/** Distance between the middles of neighboring pixels in micrometres, and the attribute of the file that says so. */
export interface PixelSpacing {
  x: number;
  y: number;
  attribute: 'Pixel Spacing' | 'Nominal Scanned Pixel Spacing' | 'Imager Pixel Spacing';
}

/** What an image file says beside its pixels. */
export interface ImageFileNotes {
  /** 'JPEG', 'PNG', 'TIFF', 'DICOM', ... by its content, not by its name. */
  format: string;
  /** Of a sample, as the file has it; what is read has 8. */
  bits: number;
  /** Of DICOM files. The resolution of other files is one of print and screen, not of the eye, and is not taken. */
  spacing: PixelSpacing | null;
  /** What was left out or changed, in plain words: further pages, unused bits. */
  notes: string[];
  /** Pages of a stack, frames of an animation, with the thumbnails and masks beside them; 1 for a photograph. */
  pages: number;
  /** How many of them `frames(file, { everyFrame: true })` reads: those that have the size of the first. */
  frames: number;
}

export interface ImageFile extends ImageFileNotes {
  /** The pixels the right way up: gray where the file is gray and not JPEG or 8-bit PNG, else RGBA. A Source. */
  image: GrayImage | ImageData;
}

/** Micrometres per pixel of the source, and who said so. */
export interface ImageScale {
  micrometresPerPixel: number;
  /** 'option': the caller; 'file': the pixel spacing of a DICOM file. */
  from: 'option' | 'file';
}

/** `response`, made when it is first read, is 1 at the level of the mask, before components were cleaned. Planes have the size of the source. */
export interface VesselResult extends Partial<VesselMeasures> {
  mask: GrayImage;
  response: Float32Array;
  fieldOfView: GrayImage;
  /** Share of the field of view that the mask covers. */
  fraction: number;
  /** 0..1: how sure that this is a fundus photograph whose vessels were found. */
  confidence: number;
  warnings: string[];
  /** The scale that micrometres were computed with; null or absent where it is not known. */
  scale?: ImageScale | null;
  /** The side that computed it, or both. */
  side?: Sides;
}
