/**
 * Speed of the WASM tracker, in a page or in Node: the paper's rendered sequence lies in the arena as planes, every frame
 * at its own address, and PupilTrackerCore.process, which is what the engine calls, runs over them on one thread. What is
 * timed is that call and nothing else: no copy of pixels, no worker. The bytes of a frame were last touched when it was
 * rendered, so they come from main memory, as those of a new frame do.
 */
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { Pupil } from '../../../src/results/types.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { paperSequence, type Truth } from '../../../lab/eyes/index.ts';
import { median } from '../../parts/numbers.ts';
import { atOnce } from '../../../tools/at-once.ts';

interface Played {
  plane: Plane;
  truth: Truth;
  time: number;
}

let runtime: Runtime;
let played: Played[] = [];
let source: Generator<{ width: number; height: number; data: Uint8Array; truth: Truth; meta: { time: number } }>;

/** A runtime with room for `count` frames. */
export async function openSpeed(module: WebAssembly.Module, count: number): Promise<void> {
  runtime = await Runtime.create({ module, maximum: (count + 40) * 1_320_000 });
  source = paperSequence(count);
  played = [];
}

/** Renders the next frames of the sequence into the arena; returns how many lie there. */
export function renderSequence(count: number): number {
  for (let i = 0; i < count; i++) {
    const { value } = source.next();
    if (!value) break;
    const { width, height, data, truth, meta } = value;
    played.push({ plane: runtime.plane(width, height, 'u8', data), truth, time: meta.time });
  }
  return played.length;
}

const rounds = (times: number[][]) => times[0]!.map((_, i) => median(times.map((round) => round[i]!)));

export interface Speed {
  /** Milliseconds of each frame: the median of the rounds, and the least. */
  ms: number[];
  least: number[];
  /** Mean of each whole round. */
  means: number[];
  found: number;
  /** Numbers of the frames on which no pupil was reported. */
  silent: number[];
  /** Frames with a pupil on which none was found, and those without one on which one was. */
  missed: number;
  alarms: number;
  /** Median distance of the centers, px. */
  center: number;
}

function judge(pupils: Pupil[]): Pick<Speed, 'found' | 'silent' | 'missed' | 'alarms' | 'center'> {
  const all = pupils.map((pupil, i) => ({ pupil, truth: played[i]!.truth })).filter(({ truth }) => !truth.partial);
  const hits = all.filter(({ pupil, truth }) => pupil.found && truth.present);
  return {
    found: hits.length,
    silent: pupils.flatMap((pupil, i) => (pupil.found ? [] : [i])),
    missed: all.filter(({ pupil, truth }) => !pupil.found && truth.present).length,
    alarms: all.filter(({ pupil, truth }) => pupil.found && !truth.present).length,
    center: median(hits.map(({ pupil, truth }) => Math.hypot(pupil.x - truth.ellipse!.x, pupil.y - truth.ellipse!.y))),
  };
}

/** Plays the sequence `count` times: tracked, or every frame as a first frame. The first time is for warming up. */
export function play(params: Record<string, unknown>, { first = false, count = 5 } = {}): Speed {
  const core = new PupilTrackerCore(runtime, params);
  const times: number[][] = [];
  let pupils: Pupil[] = [];
  for (let round = 0; round <= count; round++) {
    const ms: number[] = [];
    pupils = [];
    atOnce(core.reset());
    for (const { plane, time } of played) {
      if (first) atOnce(core.reset());
      const start = performance.now();
      const result = core.track(plane, time);
      ms.push(performance.now() - start);
      pupils.push(result.pupils[0]!);
    }
    if (round) times.push(ms);
  }
  atOnce(core.dispose());
  const means = times.map((ms) => ms.reduce((sum, value) => sum + value, 0) / ms.length);
  return {
    ms: rounds(times),
    least: times[0]!.map((_, i) => Math.min(...times.map((ms) => ms[i]!))),
    means,
    ...judge(pupils),
  };
}

/** The very first call of a new tracker, its memory included; one a frame over `count` frames spread over the sequence. */
export function newTrackers(params: Record<string, unknown>, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const { plane } = played[Math.floor((i * played.length) / count)]!;
    const start = performance.now();
    const core = new PupilTrackerCore(runtime, params);
    core.track(plane, 0);
    const ms = performance.now() - start;
    atOnce(core.dispose());
    return ms;
  });
}

/** Frames on which tiles on demand and the whole frame give different results (every number is compared). */
export function differences(params: Record<string, unknown>, { first = false } = {}): number[] {
  const cores = [true, false].map(
    (tilesOnDemand) => new PupilTrackerCore(runtime, { ...params, tilesOnDemand, outline: true }),
  );
  const different: number[] = [];
  played.forEach(({ plane, time }, i) => {
    const [a, b] = cores.map((core) => {
      if (first) atOnce(core.reset());
      const result = core.track(plane, time);
      return JSON.stringify(result, (_, value) =>
        ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
      );
    });
    if (a !== b) different.push(i);
  });
  for (const core of cores) atOnce(core.dispose());
  return different;
}
