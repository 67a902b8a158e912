/** The parameters of face detection. Types, checks, sliders and docs are generated from these tables. */
import { checkModelSource, type ModelSource } from '../models/load.ts';
import type { ModelRequest } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { boolean, choice, number, resolveParameters, type Values } from '../runtime/parameters.ts';

/** Size in pixels of the smallest faces that the face verifier was fitted to (lab/faces/judge/). */
const SMALLEST = 24;

export const detectionParameters = {
  scaleFactor: number({ default: 1.1, min: 1.02, max: 2, effect: 'Factor from one window size to the next.' }),
  minNeighbors: number({
    default: 3,
    min: 0,
    max: 100,
    integer: true,
    effect:
      'Number of further windows that a face needs. 0 returns every accepted window. Applies without a second cascade.',
  }),
  minScore: number({
    default: 0.5,
    min: 0,
    max: 1,
    effect: 'Minimum combined score of two cascades. Applies with a second cascade.',
  }),
  minSize: number({
    default: SMALLEST,
    min: 0,
    max: 16384,
    unit: 'px',
    effect: "Minimum side of a face's box. 0 uses the window of the cascade.",
  }),
  maxSize: number({
    default: 0,
    min: 0,
    max: 16384,
    unit: 'px',
    effect: "Maximum side of a face's box. 0 uses the size of the image.",
  }),
  scaling: choice({
    default: 'image',
    values: ['image', 'classifier'],
    effect: 'Scales the image, like OpenCV, or the features of the cascade, like the thesis.',
  }),
  step: number({
    default: 0,
    min: 0,
    max: 2,
    values: [0, 1, 2],
    unit: 'px',
    auto: 0,
    effect: "Distance between windows. 'auto' (0) uses 2, or 1 if the image is scaled to half its size or less.",
  }),
  maxSide: number({
    default: 0,
    min: 0,
    max: 16384,
    integer: true,
    unit: 'px',
    effect:
      'Larger images are searched at this size (the thesis halves them). This is faster but loses small faces. 0 searches at full size.',
  }),
  grouping: choice({
    default: 'similarity',
    values: ['similarity', 'overlap'],
    effect:
      "Windows that form one face: similar position and size (OpenCV's groupRectangles), or any overlap (the thesis).",
  }),
} as const;

/** Those of `detectFaces`. */
export const detectFacesParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'cascades', 'network'],
    effect:
      "'network': a learned network, loaded on first use, finds faces turned by any angle and up to 75° to a side. 'default': the cascades, and faces for which the network has a high score.",
  }),
  ...detectionParameters,
} as const;

export const landmarkParameters = {
  variant: choice({
    default: 'network',
    values: ['network', 'trees'],
    effect:
      "'network': a learned network, also for turned faces if the boxes have a `roll`. 'trees': faster, the default with another `model` or boxKind 'model'.",
  }),
  boxKind: choice({
    default: 'detector',
    values: ['detector', 'model'],
    effect: 'Type of the boxes: from the detector, mapped to the model, or native to the model.',
  }),
} as const;

export type LandmarkValues = Values<typeof landmarkParameters>;

/** Another model, or boxes of its kind, are for trees. */
export function resolveLandmarks(
  where: string,
  given: Record<string, unknown>,
): LandmarkValues & { model: ModelSource } {
  const { source, rest } = splitModel(where, 'model', given);
  const other = source !== undefined && source !== defaultLandmarks;
  const unused = other ? 'model' : given.boxKind === 'model' ? "boxKind 'model'" : null;
  const defaults: Partial<LandmarkValues> = unused ? { variant: 'trees' } : {};
  const values = resolveParameters(landmarkParameters, { ...defaults, ...(rest as Partial<LandmarkValues>) }, where);
  if (unused && values.variant === 'network')
    throw new FoveolaError(
      'invalid-argument',
      `${where}: variant 'network' does not use ${unused}. Leave ${unused} out, or choose variant 'trees'.`,
    );
  return { ...values, model: source ?? (values.variant === 'trees' ? landmarkTrees : defaultLandmarks) };
}
export type DetectionValues = Values<typeof detectionParameters>;

/** Default cascade. */
export const defaultCascade = 'frontalface_alt';

/** Default landmark model, and the trees. */
export const defaultLandmarks = 'landmarks-network';
const landmarkTrees = 'landmarks-68';

/** Default cascade for verification. */
export const defaultVerifier = 'frontalface_alt2';
/** Minimum number of other windows that a face needs before the second cascade is used. */
const WORTH_ASKING = 1;

/** Splits a model from the parameters, so that the rest can be checked by its table. */
export function splitModel<K extends string>(
  where: string,
  name: K,
  given: Record<string, unknown>,
): { source: ModelSource | undefined; rest: Record<string, unknown> } {
  const { [name]: source, ...rest } = given;
  if (source !== undefined && source !== null) checkModelSource(where, name, source);
  return { source: (source ?? undefined) as ModelSource | undefined, rest };
}

/** Cascades that a caller may set. */
export type GivenCascades = Partial<Omit<CascadeSources, 'judged'>>;

/** The cascades of a detection. */
export interface CascadeSources {
  cascade: ModelSource;
  /** Null if only the number of windows of the first cascade counts, like in OpenCV. */
  verifier: ModelSource | null;
  /** Whether to use the face verifier that was fitted to both of these cascades. */
  judged: boolean;
}

/**
 * Splits the cascades from the parameters. The second cascade is used by default, unless the caller sets a cascade, a
 * grouping or a number of neighbors.
 */
function splitCascades(
  where: string,
  given: Record<string, unknown>,
): { sources: CascadeSources; rest: Record<string, unknown> } {
  const { source, rest: others } = splitModel(where, 'cascade', given);
  const { source: second, rest } = splitModel(where, 'verifier', others);
  const own = ['minNeighbors', 'grouping'].some((name) => rest[name] !== undefined) || source !== undefined;
  const left = given.verifier === undefined && !own ? defaultVerifier : null;
  const verifier = second ?? left;
  const few = verifier !== null && rest.minNeighbors === undefined;
  return {
    sources: { cascade: source ?? defaultCascade, verifier, judged: left !== null },
    rest: few ? { ...rest, minNeighbors: WORTH_ASKING } : rest,
  };
}

/** Options that do not apply to a network. */
const cascadeOptions = ['cascade', 'verifier', 'scaleFactor', 'minNeighbors', 'scaling', 'step', 'grouping'];

export type DetectFacesValues = Values<typeof detectFacesParameters> & CascadeSources;

export function resolveDetection(given: Record<string, unknown>): DetectFacesValues {
  const { sources, rest } = splitCascades('detectFaces', given);
  const values = resolveParameters(
    detectFacesParameters,
    rest as Partial<Values<typeof detectFacesParameters>>,
    'detectFaces',
  );
  checkSizes('detectFaces', values);
  const own = cascadeOptions.find((name) => given[name] !== undefined);
  if (own && values.variant === 'network')
    throw new FoveolaError(
      'invalid-argument',
      `detectFaces: variant 'network' does not use ${own}. Leave ${own} out, or choose variant 'cascades'.`,
    );
  // If the caller sets up the cascades, only they decide.
  return { ...values, ...sources, ...(own && { variant: 'cascades' }) };
}

function checkSizes(where: string, { minSize, maxSize }: { minSize: number; maxSize: number }): void {
  if (maxSize && maxSize < minSize)
    throw new FoveolaError('invalid-argument', `${where}: maxSize must not be smaller than minSize. 0 sets no limit.`);
}

const { minSize, maxSide, ...detection } = detectionParameters;

export const faceTrackerParameters = {
  detectEvery: number({
    default: 10,
    min: 1,
    max: 300,
    integer: true,
    unit: 'frames',
    effect: 'Interval between detections. The work is spread over the first half of it. 1 detects in every frame.',
  }),
  maxFaces: number({
    default: 8,
    min: 0,
    max: 1000,
    integer: true,
    effect: 'Maximum number of tracked faces. A result warns if it skips faces. 0 sets no limit.',
  }),
  smoothLandmarks: boolean({
    default: false,
    effect: 'Reduces landmark jitter with a 1 euro filter that moves with the face.',
  }),
  ...detection,
  minSize: { ...minSize, default: 60 },
  maxSide: { ...maxSide, default: 640 },
} as const;

/**
 * Options of `createFaceTracker` for one photograph. The limits above maintain the frame rate of a video. A photograph
 * does not need them.
 */
export const photographFaces = {
  detectEvery: 1,
  maxFaces: 0,
  minSize: minSize.default,
  maxSide: maxSide.default,
} as const;

/** The parameters with these defaults. */
export const photographFaceParameters = {
  ...faceTrackerParameters,
  detectEvery: { ...faceTrackerParameters.detectEvery, default: photographFaces.detectEvery },
  maxFaces: { ...faceTrackerParameters.maxFaces, default: photographFaces.maxFaces },
  minSize,
  maxSide,
} as const;

export type FaceTrackerValues = Values<typeof faceTrackerParameters>;

export function resolveTracker(
  given: Record<string, unknown>,
): FaceTrackerValues & CascadeSources & { model: ModelSource | null | undefined } {
  const where = 'createFaceTracker';
  const { sources, rest } = splitCascades(where, given);
  const { source, rest: table } = splitModel(where, 'model', rest);
  const model = given.model === null ? null : source;
  const values = resolveParameters(faceTrackerParameters, table as Partial<FaceTrackerValues>, where);
  checkSizes(where, values);
  return { ...values, ...sources, model };
}

/** Merges new values of a tracker, which keeps its models. */
export function changedValues(values: FaceTrackerValues, params: Record<string, unknown>): FaceTrackerValues {
  if ('cascade' in params || 'verifier' in params || 'model' in params)
    throw new FoveolaError(
      'invalid-argument',
      'A face tracker keeps its cascades. Create another tracker, or call setModel(model).',
    );
  const { cascade: _, verifier: __, judged: ___, model: ____, ...changed } = resolveTracker({ ...values, ...params });
  return changed;
}

/** Models that are given as bytes need no request. */
const requestsOf = (kind: string, sources: readonly (ModelSource | null | undefined)[]): ModelRequest[] =>
  sources.flatMap((source) =>
    typeof source === 'string' || source instanceof URL ? { kind, source: String(source) } : [],
  );

/** Models to load for a detection with these parameters. */
export function detectionModels(given: Record<string, unknown>): ModelRequest[] {
  const { variant, cascade, verifier } = resolveDetection(given);
  return variant === 'network' ? requestsOf('face-network', ['faces']) : requestsOf('cascade', [cascade, verifier]);
}

/** Models to load for a tracker with these parameters. */
export function trackerModels(given: Record<string, unknown>): ModelRequest[] {
  const { cascade, verifier, model } = resolveTracker(given);
  return [...requestsOf('cascade', [cascade, verifier]), ...requestsOf('landmarks', [model])];
}

/** Models to load for a landmark model. Null means none. Throws 'invalid-argument'. */
export function landmarkRequests(model: unknown): ModelRequest[] {
  if (model === null || model === undefined) return [];
  checkModelSource('setModel', 'the model', model);
  return requestsOf('landmarks', [model]);
}
