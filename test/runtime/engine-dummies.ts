// A tracker and operations that do little, to test the engine itself.
import { operation, trackerKind } from '../../src/runtime/capability.ts';
import type { Plan } from '../../src/runtime/wasm/kernel-step.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { boolean, number, resolveParameters } from '../../src/runtime/parameters.ts';
import { defineDummies } from '../support/dummies.ts';

const params = {
  offset: number({ default: 0, min: -10, max: 10, effect: 'added to the mean' }),
  wait: number({ default: 0, min: 0, max: 1000, effect: 'milliseconds that the first frame takes' }),
  fail: boolean({ default: false, effect: 'every frame fails' }),
} as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const dummy = trackerKind()({
  name: 'dummy',
  params,
  sources: 'gray',
  methods: ['double'],
  create(_runtime, given) {
    let values = given;
    let frames = 0;
    return {
      async process(plane, timestamp) {
        if (frames === 0 && values.wait) await pause(values.wait);
        if (values.fail) throw new Error('as asked for');
        const data = (await plane.read()) as Uint8Array;
        const mean = data.reduce((sum, v) => sum + v, 0) / data.length + values.offset;
        return { frame: frames++, mean, timestamp, dropped: 0, first: data.slice(0, 4), width: plane.width };
      },
      methods: { double: (x: number) => 2 * x },
      reset: () => void (frames = 0),
      setParameters: (some) => void (values = resolveParameters(params, { ...values, ...some }, 'dummy tracker')),
      dispose: () => {},
    };
  },
});

const invert = operation({
  params: {},
  sources: ['gray'],
  *plan(scope, [plane]) {
    const data = (yield* scope.read(plane)) as Uint8Array;
    return { width: plane.width, height: plane.height, data: data.map((v) => 255 - v) };
  },
});

const weigh = operation({
  params: { factor: number({ default: 1, min: 0, max: 9, effect: 'of the points' }) },
  sources: ['gray', 'rgba'],
  data: ['points'],
  *plan(scope, [a, b], { factor }, points) {
    const color = (yield* scope.read(b)) as Uint8Array;
    return { width: a.width, color, points: (points as Float32Array).map((v) => v * factor) };
  },
});

// Long work in small steps, with progress and something to show when it is cancelled.
const toil = operation({
  params: { milliseconds: number({ default: 100, min: 0, max: 60000, effect: 'of work' }) },
  sources: ['gray'],
  *plan(scope, _planes, { milliseconds }): Plan<{ steps: number }> {
    const start = performance.now();
    let steps = 0;
    try {
      for (;;) {
        const now = performance.now();
        if (now - start > milliseconds) return { steps };
        while (performance.now() - now < 1);
        scope.progress((now - start) / milliseconds, { steps: ++steps });
        yield* scope.turn();
      }
    } catch (error) {
      if (error instanceof FoveolaError && error.code === 'aborted')
        throw new FoveolaError('aborted', error.message, { partial: { steps, image: new Uint8Array(steps) } });
      throw error;
    }
  },
});

const trap = operation({
  params: {},
  sources: ['gray'],
  *plan(scope) {
    // Far outside of the memory: a WebAssembly trap.
    const outside = { address: 0x7f000000, stride: 64 };
    yield* scope.kernels.grayFromRgba({ source: outside, target: outside, width: 16 }, { rows: 16 });
  },
});

// Rows computed in bands over the threads.
const bandGray = operation({
  params: {},
  sources: ['rgba'],
  *plan(scope, [plane]) {
    const { width, height } = plane;
    const source = yield* scope.onArena(plane);
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.grayFromRgba({ source, target, width }, { rows: height, minimumBand: 1 });
    return { width, height, data: yield* scope.read(target) };
  },
});

// Never ends and never gives the thread back.
const hang = operation({
  params: {},
  sources: ['gray'],
  *plan(): Plan<void> {
    for (;;);
  },
});

// As if a helper had died inside the gate of a job: it is counted in, and never out again.
const loseThread = operation({
  params: {},
  sources: ['gray'],
  *plan(scope, [plane]) {
    const { width, height } = plane;
    const target = scope.plane(width, height, 'u8');
    const { or } = Atomics;
    Atomics.or = ((array: Int32Array, index: number, value: number) => {
      Atomics.add(array, index, 1);
      return or(array, index, value);
    }) as typeof Atomics.or;
    try {
      yield* scope.kernels.threshold(
        { source: plane, target, width, level: 1, set: 1 },
        { rows: height, minimumBand: 1 },
      );
    } finally {
      Atomics.or = or;
    }
  },
});

// The context goes, and comes back where that is asked for.
let extension: WEBGL_lose_context | null = null;
const loseContext = operation({
  params: { restore: boolean({ default: false, effect: 'it comes back' }) },
  sources: ['gray'],
  *plan(scope, _planes, { restore }): Plan<void> {
    const { gl } = scope.gpu.context;
    extension = gl.getExtension('WEBGL_lose_context') ?? extension; // a lost context gives none
    if (!gl.isContextLost()) extension!.loseContext();
    else if (restore) extension!.restoreContext();
  },
});

defineDummies({ invert, weigh, toil, trap, bandGray, hang, loseThread, loseContext }, { createDummyTracker: dummy });

/** Engines that only know whether they were disposed of; the first `failures` attempts fail. */
export function scriptedEngines(failures = 0) {
  const made: { disposed: boolean; dispose(): Promise<void> }[] = [];
  const create = async () => {
    if (failures-- > 0) throw new FoveolaError('worker-blocked', 'as asked for');
    const engine = {
      disposed: false,
      async dispose() {
        engine.disposed = true;
      },
    };
    made.push(engine);
    return engine;
  };
  return { create, made };
}
