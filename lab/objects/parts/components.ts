/**
 * What a frame of the tracker costs, by the components of paper 004's tables 2 and 3, on any build of the kernels and
 * with or without the GPU. Frames lie in the linear memory; a run goes through a clip forward and back.
 */
import { DetectorGpu } from '../../../src/objects/detector.gpu.ts';
import { ObjectTrackerCore } from '../../../src/objects/tracker.ts';
import type { Box, ObjectResult } from '../../../src/results/types.ts';
import type { KernelEntry } from '../../../src/runtime/wasm/kernel-step.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Clip } from './clip.ts';
import { median } from '../../../bench/parts/numbers.ts';
import { queued } from '../../../test/support/queued.ts';

export type Component =
  'variance' | 'compaction' | 'indices' | 'confidence' | 'blur' | 'integral' | 'flow' | 'waiting' | 'others';

/** Components, and parts of the others that have a name in table 1. */
export type Part = Component | 'learning' | 'similarity';

/** Kernels of each component; what is in none of them is in `others`. */
const kernelsOf: Partial<Record<Component, readonly string[]>> = {
  variance: ['objectVariance'],
  compaction: ['fernGather', 'codeGather'],
  indices: ['fernVotes'], // on the WASM side with the confidences, which are sums over the codes just found
  confidence: ['codeVotes'],
  blur: ['gaussian'],
  integral: ['integral', 'integralSquares', 'integralTotals', 'integralOffsets'],
  flow: ['pyramidDown', 'trackPoints', 'moveBox'],
};
/** Kernels of what is among the others and has a name in the paper's table 1: learning, with its warped patches, and NCC. */
const namedOthers: Readonly<Record<string, 'learning' | 'similarity'>> = {
  ...Object.fromEntries(
    ['learnFirst', 'learnBackground', 'learnFar', 'learnBox', 'learnCorrection', 'mayLearn', 'fernPosteriors'].map(
      (name) => [name, 'learning'] as const,
    ),
  ),
  ...{ trackBelief: 'similarity', nearestWindows: 'similarity', compareCandidates: 'similarity' },
};
const componentOf = new Map(
  Object.entries(kernelsOf).flatMap(([component, names]) => names.map((name) => [name, component as Component])),
);

export interface Run {
  /** Median milliseconds a frame. */
  ms: number;
  /** The same as processor time of all threads, where the platform tells it. */
  cpu: number | null;
  components: Partial<Record<Component, number>>;
  /** Parts of `others`. */
  within: { learning: number; similarity: number };
  frames: number;
  /** Frames with a box. */
  found: number;
  /** Of all results: equal where the results are. */
  digest: string;
}

/** FNV-1a over the text of the results, which every side has to give: without its name. */
function digestOf(results: readonly ObjectResult[]): string {
  let hash = 2166136261;
  for (const character of JSON.stringify(results.map(({ backend: _, ...result }) => result)))
    hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return (hash >>> 0).toString(16);
}

type Made = (...given: unknown[]) => { readonly entry: KernelEntry };

/** Adds up the time in kernels; gives a function that returns what was gathered since and one that ends it. */
function watch({ kernels, pool }: Runtime): { take: () => Map<string, number>; end: () => void } {
  let times = new Map<string, number>();
  let inside = false;
  // What the pool runs on this thread is counted once, with the pool.
  const timed = <T>(name: string, body: () => T): T => {
    if (inside) return body();
    inside = true;
    const start = performance.now();
    try {
      return body();
    } finally {
      inside = false;
      times.set(name, (times.get(name) ?? 0) + performance.now() - start);
    }
  };
  // Kernels over rows go through the pool, the others run by themselves.
  const bands = pool.bands.bind(pool);
  pool.bands = (entry, ...rest) => timed(entry.name, () => bands(entry, ...rest));
  const calls = kernels.calls as unknown as Record<string, Made>;
  const plain = { ...calls };
  for (const [name, make] of Object.entries(plain))
    calls[name] = (...given) => {
      const step = make(...given);
      const { entry } = step;
      const run = (...args: number[]) => timed(name, () => entry.run(...args));
      return Object.defineProperty(step, 'entry', { value: { ...entry, run } });
    };
  return {
    take: () => {
      const taken = times;
      times = new Map();
      return taken;
    },
    end: () => {
      pool.bands = bands;
      Object.assign(calls, plain);
    },
  };
}

/** Notes when the GPU's windows arrive, so that waiting can be separated from work. */
function watchArrival(): { last: () => number; end: () => void } {
  const plain = DetectorGpu.survivors;
  let arrived = 0;
  DetectorGpu.survivors = function* (...args) {
    const found = yield* plain.apply(DetectorGpu, args);
    arrived = performance.now();
    return found;
  };
  return { last: () => arrived, end: () => (DetectorGpu.survivors = plain) };
}

/** The frame at step i of the clip, which goes forward and back without end. */
export const turn = (i: number, count: number): number => {
  const k = i % Math.max(1, 2 * count - 2);
  return k < count ? k : 2 * count - 2 - k;
};

export interface RunOptions {
  frames: number;
  /** Frames before the first that counts; all are in the digest. */
  warm?: number;
  /** Parameters of the tracker. */
  params?: Record<string, unknown>;
  /** Further targets: boxes of the first frame. */
  more?: readonly Box[];
  /** Processor milliseconds so far. */
  cpu?: () => number;
  pause?: () => Promise<void>;
}

/** One frame after the other, each waited for. */
export async function runClip(runtime: Runtime, clip: Clip, options: RunOptions): Promise<Run> {
  const { frames, warm = 2, more = [], cpu, pause, params = {} } = options;
  const planes: Plane[] = clip.frames.map((data) => runtime.plane(clip.width, clip.height, 'u8', data));
  const core = new ObjectTrackerCore(runtime, params);
  const watching = watch(runtime);
  const arrival = watchArrival();
  try {
    core.start(planes[0]!, clip.box);
    for (const box of more) core.add(box);
    const results: ObjectResult[] = [];
    const times: number[] = [];
    const processor: number[] = [];
    const spent: Partial<Record<Component, number>> = {};
    const within = { learning: 0, similarity: 0 };
    for (let i = 1; i <= frames; i++) {
      watching.take();
      const before = cpu?.() ?? 0;
      const start = performance.now();
      const answer = core.process(planes[turn(i, planes.length)]!, 40 * i);
      const handed = performance.now();
      const result = await answer;
      const took = performance.now() - start;
      const waiting = Math.max(0, arrival.last() - handed);
      results.push(result);
      if (i > warm) {
        times.push(took);
        if (cpu) processor.push(cpu() - before);
        let rest = took - waiting;
        spent.waiting = (spent.waiting ?? 0) + waiting;
        for (const [name, ms] of watching.take()) {
          const component = componentOf.get(name);
          const named = namedOthers[name];
          if (named) within[named] += ms;
          if (!component) continue;
          spent[component] = (spent[component] ?? 0) + ms;
          rest -= ms;
        }
        spent.others = (spent.others ?? 0) + rest;
      }
      await pause?.();
    }
    for (const key of Object.keys(spent) as Component[]) spent[key]! /= times.length;
    within.learning /= times.length;
    within.similarity /= times.length;
    return {
      ms: median(times),
      cpu: cpu ? processor.reduce((a, b) => a + b, 0) / processor.length : null,
      components: spent,
      within,
      frames: results.length,
      found: results.filter(({ box }) => box).length,
      digest: digestOf(results),
    };
  } finally {
    watching.end();
    arrival.end();
    await core.dispose();
    for (const plane of planes) plane.dispose();
  }
}

/** Milliseconds and kernel calls of each component over a whole sequence. Frames are made one by one, off the clock. */
export async function runSequence(
  runtime: Runtime,
  { width, height, box, count, frame }: Omit<Clip, 'frames'> & { count: number; frame: (i: number) => Uint8Array },
  params: Record<string, unknown> = {},
): Promise<{ components: Map<Part, { ms: number; calls: number }>; found: number; frames: number }> {
  const core = new ObjectTrackerCore(runtime, params);
  const watching = watch(runtime);
  const components = new Map<Part, { ms: number; calls: number }>();
  let found = 0;
  try {
    for (let i = 0; i < count; i++) {
      const plane = runtime.plane(width, height, 'u8', frame(i));
      if (i === 0) core.start(plane, box);
      else if ((await core.process(plane, 40 * i)).box) found++;
      plane.dispose();
      const inFrame = new Map<Part, number>();
      for (const [name, ms] of watching.take()) {
        const part = componentOf.get(name) ?? namedOthers[name] ?? 'others';
        inFrame.set(part, (inFrame.get(part) ?? 0) + ms);
      }
      for (const [part, ms] of inFrame) {
        const sum = components.get(part) ?? { ms: 0, calls: 0 };
        components.set(part, { ms: sum.ms + ms, calls: sum.calls + 1 });
      }
    }
  } finally {
    watching.end();
    await core.dispose();
  }
  return { components, found, frames: count };
}

/** Milliseconds a frame with as many frames under way as the tracker takes, from the first that counts to the last. */
export async function streamClip(
  runtime: Runtime,
  clip: Clip,
  { frames, warm = 2, params = {} }: Pick<RunOptions, 'frames' | 'warm' | 'params'>,
): Promise<Pick<Run, 'ms' | 'digest' | 'frames'>> {
  const planes: Plane[] = clip.frames.map((data) => runtime.plane(clip.width, clip.height, 'u8', data));
  const core = new ObjectTrackerCore(runtime, params);
  try {
    core.start(planes[0]!, clip.box);
    const line = queued(core);
    const results: Promise<ObjectResult>[] = [];
    let start = 0;
    for (let i = 1; i <= frames; i++) {
      results.push(line.process(planes[turn(i, planes.length)]!, 40 * i));
      if (i === warm) {
        await Promise.all(results);
        start = performance.now();
      } else await line.entered();
    }
    const all = await Promise.all(results);
    return { ms: (performance.now() - start) / (frames - warm), frames, digest: digestOf(all) };
  } finally {
    await core.dispose();
    for (const plane of planes) plane.dispose();
  }
}
