/**
 * A stand-in for the engine, so that the elements are tested without kernels: a pupil that swings with the time. Everything
 * that the elements rely on (order, errors, disposal) can be forced.
 */
import { type Capabilities, FoveolaError, type PupilResult, type Source } from '../../src/index.ts';
import type { ElementEngine, ElementTracker, EngineProvider } from '../../widget/base/engine.ts';

export const fakeCapabilities: Capabilities = {
  backend: 'wasm',
  gpu: null,
  softwareGpu: false,
  threads: 1,
  simd: true,
  crossOriginIsolated: false,
  worker: false,
  backends: {},
  reasons: [],
};

export interface FakeState {
  held: number;
  trackers: number;
  processed: Source[];
  timestamps: number[];
  parameters: Record<string, unknown>;
  /** The next process() call rejects with this. */
  failNext: FoveolaError | null;
  /** Engine creation rejects with this. */
  failEngine: FoveolaError | null;
  delay: number;
  found: boolean;
  confidence: number;
  warnings: string[] | undefined;
  blink: boolean;
  /** Measures the iris of a pupil, by the number of the call. Only with `secondOpinion: 'always'`. */
  iris: ((call: number, pupil: number) => number | undefined) | null;
}

const sizeOf = (source: Source): [number, number] => {
  const s = source as Partial<
    Record<'videoWidth' | 'videoHeight' | 'displayWidth' | 'displayHeight' | 'naturalWidth' | 'naturalHeight', number>
  > & {
    width?: number;
    height?: number;
  };
  return [
    s.videoWidth ?? s.displayWidth ?? s.naturalWidth ?? s.width ?? 64,
    s.videoHeight ?? s.displayHeight ?? s.naturalHeight ?? s.height ?? 48,
  ];
};

export function fakeEngine(): { provider: EngineProvider; state: FakeState } {
  const state: FakeState = {
    held: 0,
    trackers: 0,
    processed: [],
    timestamps: [],
    parameters: {},
    failNext: null,
    failEngine: null,
    delay: 0,
    found: true,
    confidence: 0.9,
    warnings: undefined,
    blink: false,
    iris: null,
  };
  const createPupilTracker = (parameters: Record<string, unknown> = {}): ElementTracker<PupilResult> => {
    if (parameters.fit !== undefined && parameters.fit !== 'ellipse' && parameters.fit !== 'circle')
      throw new FoveolaError('invalid-argument', "fit must be one of 'ellipse', 'circle'.");
    state.parameters = parameters;
    state.trackers++;
    let disposed = false;
    let tail: Promise<unknown> = Promise.resolve();
    const process = async (source: Source, timestamp: number, dropped: number): Promise<PupilResult> => {
      const [width, height] = sizeOf(source);
      if (state.delay) await new Promise((resolve) => setTimeout(resolve, state.delay));
      if (typeof VideoFrame === 'function' && source instanceof VideoFrame) source.close();
      if (source instanceof HTMLVideoElement && source.readyState < 2)
        throw new FoveolaError('source-not-ready', 'The video has no frame yet.');
      if (disposed) throw new FoveolaError('disposed', 'The tracker was disposed of. Create a new one.');
      const error = state.failNext;
      state.failNext = null;
      if (error) throw error;
      state.processed.push(source);
      state.timestamps.push(timestamp);
      const r = state.found ? height / 6 : NaN;
      const x = state.found ? width / 2 + (width / 8) * Math.sin(timestamp / 400) : NaN;
      const y = state.found ? height / 2 : NaN;
      const count = parameters.eyes === 2 ? 2 : 1;
      const pupil = {
        eye: 'unknown' as const,
        found: state.found,
        confidence: state.found ? state.confidence : 0,
        outlineConfidence: state.found ? 0.8 : NaN,
        x,
        y,
        diameter: 2 * r,
        diameterMm: typeof parameters.millimetresPerPixel === 'number' ? 2 * r * parameters.millimetresPerPixel : null,
        ellipse: state.found ? { x, y, major: 2 * r, minor: 1.8 * r, angle: 0.3 } : null,
        circle: { x, y, r },
        blink: state.blink,
        votes: state.found ? 18 : NaN,
        points: state.found ? 20 : NaN,
        ...(parameters.outline === true && { outline: new Float32Array([x + r, y, x - r, y]) }),
      };
      const irisOf = (i: number) =>
        parameters.secondOpinion === 'always' ? state.iris?.(state.timestamps.length - 1, i) : undefined;
      return {
        timestamp,
        width,
        height,
        pupils: Array.from({ length: count }, (_, i) => {
          const irisDiameter = irisOf(i);
          return irisDiameter === undefined ? pupil : { ...pupil, irisDiameter };
        }),
        events: state.found
          ? []
          : Array.from({ length: count }, (_, i) => ({
              kind: state.blink ? ('blink' as const) : ('loss' as const),
              ...{ onset: timestamp, offset: timestamp, final: false, pupil: i, eye: 'unknown' as const },
            })),
        dropped,
        backend: 'wasm',
        ...(state.warnings && { warnings: state.warnings }),
      };
    };
    return {
      process: (source, options = {}) => {
        const next = tail.then(() => process(source, options.timestamp ?? 0, options.dropped ?? 0));
        tail = next.catch(() => {});
        return next;
      },
      reset: async () => undefined,
      setParameters: async (next) => void (state.parameters = next),
      dispose: async () => {
        if (!disposed) state.trackers--;
        disposed = true;
      },
    };
  };
  const createObjectTracker = () => {
    throw new FoveolaError('internal', 'The stand-in tracks pupils only.');
  };
  const engine = {
    capabilities: fakeCapabilities,
    createPupilTracker,
    createObjectTracker,
  } as unknown as ElementEngine;
  const provider: EngineProvider = () => {
    state.held++;
    let held = true;
    return {
      engine: state.failEngine ? Promise.reject(state.failEngine) : Promise.resolve(engine),
      release: () => {
        if (held) state.held--;
        held = false;
      },
    };
  };
  return { provider, state };
}
