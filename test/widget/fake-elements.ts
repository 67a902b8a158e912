/**
 * A stand-in for the engine that serves all five elements. Its results say where the dark disc of the picture is, so that a
 * test sees which picture a result belongs to.
 */
import type { FoveolaError, ObjectResult, Source } from '../../src/index.ts';
import type { EngineProvider } from '../../widget/base/engine.ts';
import { fakeCapabilities } from './fake-engine.ts';

type Box = NonNullable<ObjectResult['box']>;

export interface AllState {
  /** The next frame rejects with this. */
  failNext: FoveolaError | null;
  /** Milliseconds for a frame. */
  delay: number;
  /** Frames that were processed. */
  frames: number;
  /** Boxes that trackers of objects were given. */
  boxes: Box[];
}

/** Middle of what is dark, in pixels; NaN where nothing is. */
export function darkMiddle(picture: CanvasImageSource, width: number, height: number): { x: number; y: number } {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(picture, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  let [n, sumX, sumY] = [0, 0, 0];
  for (let i = 0; i < width * height; i++)
    if (data[4 * i + 3]! > 0 && data[4 * i]! < 70)
      [n, sumX, sumY] = [n + 1, sumX + (i % width), sumY + ((i / width) | 0)];
  return { x: sumX / n, y: sumY / n };
}

const sizeOf = (source: Source): { width: number; height: number } => {
  const s = source as unknown as Record<string, number | undefined>;
  const width = s.videoWidth ?? s.displayWidth ?? s.naturalWidth ?? s.width ?? 64;
  return { width, height: s.videoHeight ?? s.displayHeight ?? s.naturalHeight ?? s.height ?? 48 };
};

function pictureOf(source: Source): CanvasImageSource {
  if (!('data' in source) || source instanceof ImageData) {
    if (!(source instanceof ImageData)) return source as CanvasImageSource;
    const canvas = new OffscreenCanvas(source.width, source.height);
    canvas.getContext('2d')!.putImageData(source, 0, 0);
    return canvas;
  }
  const { width, height, data } = source as { width: number; height: number; data: Uint8Array };
  const rgba = new ImageData(width, height);
  data.forEach((v, i) => rgba.data.set([v, v, v, 255], 4 * i));
  return pictureOf(rgba);
}

export function fakeForAll(): { provider: EngineProvider; state: AllState } {
  const state: AllState = { failNext: null, delay: 0, frames: 0, boxes: [] };
  // Reads the picture at once, as engines do, and answers later.
  const look = async (source: Source) => {
    const size = sizeOf(source);
    const middle = source instanceof Blob ? { x: 20, y: 20 } : darkMiddle(pictureOf(source), size.width, size.height);
    if (state.delay) await new Promise((resolve) => setTimeout(resolve, state.delay));
    const error = state.failNext;
    state.failNext = null;
    if (error) throw error;
    state.frames++;
    return { ...size, ...middle };
  };
  type Seen = Awaited<ReturnType<typeof look>>;
  const tracker = (resultOf: (seen: Seen) => object) => {
    let tail: Promise<unknown> = Promise.resolve();
    return {
      process: (source: Source, { timestamp = 0, dropped = 0 } = {}) => {
        const work = look(source);
        work.catch(() => {});
        const next = tail.then(async () => {
          const seen = await work;
          return { timestamp, dropped, width: seen.width, height: seen.height, ...resultOf(seen) };
        });
        tail = next.catch(() => {});
        return next;
      },
      reset: async () => undefined,
      setParameters: async () => undefined,
      dispose: async () => undefined,
    };
  };
  const engine = {
    capabilities: fakeCapabilities,
    createPupilTracker: () =>
      tracker(({ x, y, height }) => {
        const r = height / 6;
        const found = Number.isFinite(x);
        const ellipse = { x, y, major: 2 * r, minor: 2 * r, angle: 0 };
        const about = { found, confidence: 0.95, outlineConfidence: 0.9, x, y, diameter: 2 * r, diameterMm: null };
        const eye = 'unknown' as const;
        return {
          pupils: [{ ...about, eye, ellipse, circle: { x, y, r }, blink: false, votes: 9, points: 9 }],
          events: [],
        };
      }),
    createFaceTracker: async () =>
      tracker(({ x, y }) => {
        const face = { id: 1, x: x - 8, y: y - 8, width: 16, height: 16, score: 0.95, landmarks: null, detected: true };
        return { faces: Number.isFinite(x) ? [face] : [] };
      }),
    createObjectTracker: () => {
      const ids = new Map<number, Box>();
      let next = 1;
      return {
        ...tracker(() => {
          const targets = [...ids].map(([id, box]) => ({ id, box, confidence: 0.95, learning: true, by: 'both' }));
          const first = targets[0] ?? { box: null, confidence: 0, learning: false, by: 'none' };
          return { ...first, targets };
        }),
        add: async (box: Box) => {
          state.boxes.push(box);
          ids.set(next, box);
          return next++;
        },
        remove: async (id: number) => void ids.delete(id),
        correct: async (id: number, box: Box) => void ids.set(id, box),
        exportModel: async () => new Uint8Array(4),
        importModel: async () => next++,
      };
    },
    canny: async (source: Source) => {
      const { width, height } = await look(source);
      return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => (i % 10 ? 0 : 255)) };
    },
    opticDisc: async () => ({ disc: null, fovea: null, depths: null, warnings: [] }),
    vessels: async (source: Source, options: { measures?: boolean } = {}) => {
      const { width, height } = await look(source);
      const size = width * height;
      const plane = { width, height, data: Uint8Array.from({ length: size }, (_, i) => (i % 5 ? 0 : 255)) };
      const points = Float32Array.of(2, 2, 3, 2, 4, 2);
      return {
        mask: plane,
        response: new Float32Array(size),
        fieldOfView: { width, height, data: new Uint8Array(size).fill(255) },
        fraction: 0.2,
        confidence: 0.95,
        warnings: [],
        ...(options.measures && {
          skeleton: plane,
          branchPoints: [{ x: 2, y: 2 }],
          segments: [{ points, widths: new Float32Array(3).fill(3), width: 3, length: 2 }],
        }),
      };
    },
  };
  const held = { engine: Promise.resolve(engine), release: () => undefined };
  return { provider: (() => held) as unknown as EngineProvider, state };
}
