/**
 * A call of each operation and each tracker of the engine, on small pictures, for tests that hold for all of them. They
 * fail where one is missing.
 */
import type { Engine, EngineImage, FoveolaError, GrayImage, Source } from '../../src/index.ts';
import { operations, trackerMethods } from '../../src/runtime/capability.ts';

export interface EveryCall {
  /** The operation or the method that makes the tracker, and what is special. */
  readonly name: string;
  /** Nothing of it runs on the GPU. */
  readonly wasmOnly?: boolean;
  run(engine: Engine, pictures: Pictures): Promise<unknown>;
}

export interface Pictures {
  /** A dark disc on gray, and the same a step further. */
  readonly eye: GrayImage;
  readonly next: GrayImage;
  /** The first as a frame of a video, for which a texture is made at once. */
  readonly frame: VideoFrame;
  /** Dark lines on a bright disc, in color. */
  readonly fundus: ImageData;
  /** A portrait. */
  readonly face: ImageBitmap;
}

const [width, height] = [96, 72];

function disc(shift: number): GrayImage {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const texture = ((x * 7 + y * 13) % 11) + (((x >> 3) + (y >> 3)) % 2 ? 4 : 0);
      const away = Math.hypot(x - 44 - shift, (y - 36) * 1.1);
      data[y * width + x] = (away < 13 ? 20 : away < 26 ? 90 : 170) + texture;
    }
  return { width, height, data };
}

function vessels(): ImageData {
  const picture = new ImageData(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = Math.hypot(x - 48, y - 36) < 34;
      const line = Math.min(Math.abs(y - 30 - 6 * Math.sin(x / 14)), Math.abs(x - 60 - (y - 36) / 3));
      const level = inside ? 150 - Math.round(70 * Math.exp(-line * line)) : 4;
      picture.data.set([level + 40 * Number(inside), level, level >> 1, 255], 4 * (y * width + x));
    }
  return picture;
}

export async function makePictures(): Promise<Pictures> {
  const fundus = vessels();
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')!.putImageData(fundus, 0, 0);
  const photograph = await (await fetch('/test/media/portrait.png')).blob();
  return {
    ...{ eye: disc(0), next: disc(3), fundus },
    frame: new VideoFrame(canvas, { timestamp: 0 }),
    face: await createImageBitmap(photograph, { resizeWidth: 120, resizeQuality: 'high' }),
  };
}

const model = '/test/media/landmarks.bin';
const mask = ({ eye }: Pictures): GrayImage => ({ ...eye, data: eye.data.map((v) => (v < 40 ? 255 : 0)) });

async function tracked(
  tracker: { process(source: Source, options?: object): Promise<unknown>; dispose(): Promise<void> },
  sources: readonly Source[],
): Promise<unknown[]> {
  try {
    const results: unknown[] = [];
    for (const [i, source] of sources.entries()) results.push(await tracker.process(source, { timestamp: 40 * i }));
    return results;
  } finally {
    await tracker.dispose();
  }
}

/** What `use` makes of maps that a call keeps; where they lay on the GPU alone and are lost with it, the call is made again. */
async function withMaps<R extends object, T>(call: () => Promise<R>, use: (maps: R) => Promise<T>): Promise<T> {
  const maps = await call();
  try {
    return await use(maps);
  } catch (error) {
    if ((error as FoveolaError).code !== 'context-lost') throw error;
    return await withMaps(call, use);
  } finally {
    for (const value of Object.values(maps)) if (typeof value === 'object') (value as EngineImage).dispose();
  }
}

export const everyCall: readonly EveryCall[] = [
  { name: 'gaussian', run: (engine, { eye }) => engine.gaussian(eye, { size: 7, sigma: 1.5 }) },
  { name: 'gaussian of a frame', run: (engine, { frame }) => engine.gaussian(frame, { size: 5 }) },
  { name: 'median', run: (engine, { eye }) => engine.median(eye, { size: 5 }) },
  { name: 'morphology', run: (engine, { eye }) => engine.morphology(eye, { operation: 'topHat', size: 9 }) },
  { name: 'threshold', run: (engine, { eye }) => engine.threshold(eye, { level: 'auto' }) },
  { name: 'bilateral', run: (engine, { eye }) => engine.bilateral(eye) },
  { name: 'components', run: (engine, pictures) => engine.components(mask(pictures)) },
  { name: 'integral', run: (engine, { eye }) => engine.integral(eye) },
  { name: 'pyramid', run: (engine, { eye }) => engine.pyramid(eye, { levels: 3 }) },
  { name: 'canny', run: (engine, { eye }) => engine.canny(eye, { sigma: 1, thresholds: 'auto' }) },
  { name: 'canny of a bitmap', run: (engine, { face }) => engine.canny(face) },
  { name: 'houghLines', run: (engine, { eye }) => engine.houghLines(eye, { threshold: 20, segments: true }) },
  { name: 'houghCircles', run: (engine, { eye }) => engine.houghCircles(eye, { minRadius: 8, maxRadius: 16, max: 3 }) },
  {
    name: 'chain',
    run: (engine, { frame }) => engine.chain(frame).gaussian({ size: 5 }).median({ size: 3 }).canny().result(),
  },
  {
    name: 'load',
    async run(engine, { frame }) {
      const kept = await engine.load(frame);
      const smooth = await engine.gaussian(kept, { keep: true });
      try {
        return await engine.threshold(smooth, { level: 90 });
      } catch (error) {
        // What lay on the GPU alone says so, and that is all.
        if ((error as FoveolaError).code !== 'context-lost') throw error;
        return await engine.threshold(await engine.gaussian(kept), { level: 90 });
      } finally {
        kept.dispose();
        smooth.dispose();
      }
    },
  },
  { name: 'opticalFlow', run: (engine, { eye, next }) => engine.opticalFlow(eye, next, { window: 9, levels: 2 }) },
  {
    name: 'trackPoints',
    run: (engine, { eye, next }) =>
      engine.trackPoints(eye, next, Float32Array.of(30, 30, 44, 22, 58, 40), { levels: 1 }),
  },
  {
    name: 'inpaint',
    run: (engine, { fundus }) => {
      const data = new Uint8Array(width * height);
      for (let y = 30; y < 36; y++) data.fill(255, y * width + 40, y * width + 46);
      return engine.inpaint(fundus, { width, height, data }, { patch: 5 });
    },
  },
  { name: 'hessianEigenvalues', run: (engine, { eye }) => engine.hessianEigenvalues(eye, { sigma: 1.5 }) },
  { name: 'ridgeFeature', run: (engine, { eye }) => engine.ridgeFeature(eye) },
  { name: 'vesselness', run: (engine, { eye }) => engine.vesselness(eye, { sigmas: [1, 2] }) },
  {
    name: 'featureOfEigenvalues',
    run: (engine, { eye }) =>
      withMaps(
        () => engine.hessianEigenvalues(eye, { keep: true }),
        async ({ lambda1, lambda2 }) => engine.featureOfEigenvalues(lambda1, lambda2),
      ),
  },
  {
    name: 'thresholdMap',
    run: (engine, { eye, next }) =>
      withMaps(
        () => engine.opticalFlow(eye, next, { window: 9, levels: 2, keep: true }),
        async ({ confidence }) => engine.thresholdMap(confidence, { mapLevel: 0.5 }),
      ),
  },
  { name: 'vessels', run: (engine, { fundus }) => engine.vessels(fundus, { scales: 'thick' }) },
  {
    name: 'vessels, as published',
    run: (engine, { fundus }) => engine.vessels(fundus, { variant: 'paper' }),
  },
  { name: 'vessels, all', run: (engine, { fundus }) => engine.vessels(fundus, { scales: 'all', measures: true }) },
  {
    name: 'vesselMeasures',
    wasmOnly: true,
    run: (engine, pictures) => engine.vesselMeasures(pictures.fundus, mask(pictures)),
  },
  { name: 'opticDisc', run: (engine, { fundus }) => engine.opticDisc(fundus) },
  { name: 'detectFaces', run: (engine, { face }) => engine.detectFaces(face) },
  {
    name: 'landmarks',
    run: (engine, { face }) => engine.landmarks(face, [{ x: 35, y: 30, width: 50, height: 50 }], { model }),
  },
  {
    name: 'landmarkFits',
    run: (engine, { face }) => engine.landmarkFits(face, [{ x: 35, y: 30, width: 50, height: 50 }], { model }),
  },
  ...(['robust', 'starburst', 'threshold', 'hough'] as const).map((method) => ({
    name: `createPupilTracker, ${method}`,
    wasmOnly: method === 'robust',
    run: (engine: Engine, { eye, next }: Pictures) =>
      tracked(engine.createPupilTracker({ method, glints: 2 }), [eye, next, eye]),
  })),
  {
    name: 'createPupilTracker, second opinion',
    wasmOnly: true,
    run: (engine, { eye, next }) => tracked(engine.createPupilTracker({ secondOpinion: 'always' }), [eye, next]),
  },
  {
    name: 'createPupilTracker, two eyes',
    run: (engine, { eye, next }) => tracked(engine.createPupilTracker({ method: 'starburst', eyes: 2 }), [eye, next]),
  },
  {
    name: 'createFaceTracker',
    async run(engine, { face }) {
      return tracked(await engine.createFaceTracker({ model, detectEvery: 2 }), [face, face, face, face]);
    },
  },
  {
    name: 'createObjectTracker',
    async run(engine, { eye, next }) {
      const tracker = engine.createObjectTracker({ seed: 5 });
      await tracker.start(eye, { x: 30, y: 22, width: 28, height: 28 });
      return tracked(tracker, [eye, next, next]);
    },
  },
];

/** What is registered and not called above. */
export function uncalled(): string[] {
  const called = new Set(everyCall.map(({ name }) => name.split(/[ ,]/)[0]!));
  const all = [...operations.values()].filter(({ sources }) => sources.length).map(({ name }) => name);
  return [...all, ...trackerMethods.keys()].filter((name) => !called.has(name));
}

/** Of this share of the samples rounding may decide: a threshold that one side just reaches. */
const BORDERLINE = 1 / 500;

function unlikeSamples(a: unknown, b: unknown, tolerance: number, path: string): string {
  const [left, right] = [a, b] as ArrayLike<number>[];
  const other = Array.from(left!, (value, i) => unlike(value, right![i], tolerance, `${path}.${i}`)).filter(Boolean);
  if (left!.length !== right!.length) return `${path}: ${left!.length}, ${right!.length} samples`;
  return other.length > BORDERLINE * left!.length ? other[0]! : '';
}

/** Where two results differ, but for the sides that they name and numbers within `tolerance` of each other; or ''. */
export function unlike(a: unknown, b: unknown, tolerance = 1e-3, path = ''): string {
  if (typeof a === 'number' && typeof b === 'number')
    return Object.is(a, b) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)) ? '' : `${path}: ${a}, ${b}`;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return unlikeSamples(a, b, tolerance, path);
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b)
    return a === b ? '' : `${path}: ${String(a)}, ${String(b)}`;
  const [left, right] = [a, b] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left!), ...Object.keys(right!)]);
  for (const key of keys) {
    if (key === 'backend') continue;
    const difference = unlike(left![key], right![key], tolerance, `${path}.${key}`);
    if (difference) return difference;
  }
  return '';
}
