/** Runtime, frames and the loop that all measurements of the GPU page share. */
import { ladderMethods, type Ladder } from '../ladder/ladder.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import { createGpuSide } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { doubled } from './doubled.ts';
import { paperSequence } from '../../eyes/index.ts';
import { median, pause, quantile, round } from '../../../bench/parts/numbers.ts';
import { queued } from '../../../test/support/queued.ts';

/** The method is named: the tracker's default is another one. */
export const STARBURST = { method: 'starburst' };
export const CIRCLE = { ...STARBURST, fit: 'circle' };
export const PAPER = { ...CIRCLE, variant: 'paper' };
/** Every frame as the first one: while Starburst follows a pupil, a frame waits for the one before it. */
export const FIRST = { tracking: false };

export interface Setup {
  runtime: Runtime;
  planes: Plane[];
  truths: ({ x: number; y: number } | null)[];
  /** Seconds of one measurement of a rate. */
  seconds: number;
  small: boolean;
}

/** Software draws some 1000 times slower: a small page then, which shows no more than that everything runs. */
export async function open(kernels: string): Promise<Setup> {
  const runtime = await Runtime.create({ module: await compileKernels(fetch(kernels)) });
  runtime.gpu = createGpuSide(runtime);
  runtime.preferred = 'gpu';
  runtime.gpuForced = true;
  const small = runtime.gpu.capabilities.software;
  const planes: Plane[] = [];
  const truths: Setup['truths'] = [];
  // The paper's rendered sequence; played there and back, so that the eye never jumps.
  for (const { width, height, data, truth } of paperSequence(small ? 4 : 64)) {
    const { ellipse } = truth;
    const step = small ? 4 : 1;
    const [w, h] = [width / step, height / step];
    const pixels = small ? new Uint8Array(w * h) : data;
    if (small) for (let i = 0; i < w * h; i++) pixels[i] = data[Math.floor(i / w) * step * width + (i % w) * step]!;
    planes.push(runtime.plane(w, h, 'u8', pixels));
    truths.push(ellipse ? { x: ellipse.x / step, y: ellipse.y / step } : null);
    if (planes.length % 8 === 0) await pause();
  }
  return { runtime, planes, truths, seconds: small ? 0.2 : 0.7, small };
}

/** The same clip with the middle of each frame in both halves, as the paper doubles its pupils; without truths. */
export function twice({ planes, truths, ...rest }: Setup): Setup {
  const pairs = planes.map((plane) => {
    const image = doubled({ width: plane.width, height: plane.height, data: plane.copy() as Uint8Array });
    return rest.runtime.plane(image.width, image.height, 'u8', image.data);
  });
  return { ...rest, planes: pairs, truths: truths.map(() => null) };
}

/** Number of the frame at a time of the clip, which goes forward and back without end. */
export function turn(i: number, count: number): number {
  const k = i % Math.max(1, 2 * count - 2);
  return k < count ? k : 2 * count - 2 - k;
}

export interface Rate {
  fps: number;
  frames: number;
  found: number;
  /** Median and largest distance of the centers from the truth, px. */
  error: number;
  worst: number;
  local: number;
  wide: number;
  escaped: number;
}

/** Frames a second with frames in flight, uploads and the WASM side's end included; the best of `times` runs. */
export async function rate(
  setup: Setup,
  params: Record<string, unknown>,
  ladder: Partial<Ladder>,
  times = 2,
): Promise<Rate> {
  let best: Rate | null = null;
  for (let k = 0; k < times; k++) {
    const once = await rateOnce(setup, params, ladder);
    if (!best || once.fps > best.fps) best = once;
  }
  return best!;
}

/** Of methods that count no rays. */
const NONE = { local: 0, wide: 0, escaped: 0 };

async function rateOnce(setup: Setup, params: Record<string, unknown>, ladder: Partial<Ladder>): Promise<Rate> {
  const { runtime, planes, truths, seconds } = setup;
  const core = new PupilTrackerCore(runtime, params, ladderMethods(ladder));
  const { textures } = runtime.gpu!;
  const release = textures.release.bind(textures);
  if (ladder.pool === false)
    textures.release = (texture) => {
      release(texture);
      textures.trim();
    };
  const errors: number[] = [];
  let frames = 0;
  let found = 0;
  let failure: unknown = null;
  const play = async (until: (i: number) => boolean, counts: boolean) => {
    const line = queued(core);
    const flying = new Set<Promise<unknown>>();
    for (let i = 0; until(i) && !failure; i++) {
      const k = turn(i, planes.length);
      const landed = line.process(planes[k]!, i * 4).then(
        ({ pupils }: PupilResult) => {
          if (!counts) return;
          frames++;
          if (!pupils[0]!.found) return;
          found++;
          const truth = truths[k];
          if (truth) errors.push(Math.hypot(pupils[0]!.x - truth.x, pupils[0]!.y - truth.y));
        },
        (error) => void (failure ??= error),
      );
      flying.add(landed);
      void landed.then(() => flying.delete(landed));
      if (flying.size >= core.depth) await Promise.race(flying);
    }
    await Promise.all(flying);
  };
  await play((i) => i < (setup.small ? 2 : 30), false);
  const before = { ...(core.gpuCounts ?? NONE) };
  const start = performance.now();
  await play((i) => i < 2 || performance.now() - start < seconds * 1000, true);
  const elapsed = performance.now() - start;
  const { local, wide, escaped } = core.gpuCounts ?? NONE;
  await core.dispose();
  textures.release = release;
  if (failure) throw failure;
  return {
    fps: round((frames * 1000) / elapsed, 4),
    frames,
    found,
    error: errors.length ? round(median(errors)) : NaN,
    worst: errors.length ? round(Math.max(...errors)) : NaN,
    local: local - before.local,
    wide: wide - before.wide,
    escaped: escaped - before.escaped,
  };
}

/** Milliseconds from a frame to its result, one frame at a time. */
export async function latency(
  { runtime, planes, small }: Setup,
  params: Record<string, unknown>,
): Promise<{ median: number; p95: number }> {
  const core = new PupilTrackerCore(runtime, { ...params, depth: 1 });
  const times: number[] = [];
  for (let i = 0; i < (small ? 4 : 260); i++) {
    const start = performance.now();
    await core.process(planes[turn(i, planes.length)]!, i * 4);
    if (i > (small ? 1 : 60)) times.push(performance.now() - start);
  }
  await core.dispose();
  return { median: round(median(times)), p95: round(quantile(times, 0.95)) };
}
