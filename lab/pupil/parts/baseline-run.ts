/** Whole frames by the sequential program and by WASM, the same starts, in Node: what `baseline pupil` prints. */
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { median } from '../../../bench/parts/numbers.ts';
import { atOnce } from '../../../tools/at-once.ts';
import { paperSequence } from '../../eyes/index.ts';
import { prepare, search, type Prepared } from './baseline.ts';

export { compileKernels, Runtime };

const PAPER = { method: 'starburst', variant: 'paper', fit: 'circle' } as const;
export const values = resolveParameters(pupilParameters, PAPER, 'bench');

export interface Frame {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Every `step`th frame of the paper's rendered sequence. */
export function framesOf(count: number, step: number): Frame[] {
  const frames: Frame[] = [];
  let i = 0;
  for (const { width, height, data } of paperSequence(count * step))
    if (i++ % step === 0) frames.push({ width, height, data: data.slice() });
  return frames;
}

export interface Center {
  x: number;
  y: number;
}

const middle = ({ width, height }: Frame): Center => ({ x: (width - 1) / 2, y: (height - 1) / 2 });

/** Median milliseconds of the filters and of the rest, the circles, and the filtered images. */
export function sequential(frames: readonly Frame[]) {
  const times = { filters: [] as number[], rest: [] as number[] };
  const circles: Center[] = [];
  const prepared: Prepared[] = [];
  for (const frame of frames) {
    const begun = performance.now();
    const made = prepare(frame, values);
    const between = performance.now();
    const { x, y } = search(made, middle(frame).x, middle(frame).y, values);
    times.rest.push(performance.now() - between);
    times.filters.push(between - begun);
    prepared.push(made);
    circles.push({ x, y });
  }
  return { filters: median(times.filters), rest: median(times.rest), circles, prepared };
}

/** Median milliseconds of the kernels, every frame a first frame, over whole frames or over tiles as they are needed. */
export function kernels(runtime: Runtime, frames: readonly Frame[], tilesOnDemand: boolean, rounds: number) {
  const core = new PupilTrackerCore(runtime, { ...PAPER, tilesOnDemand });
  const planes = frames.map(({ width, height, data }) => runtime.plane(width, height, 'u8', data));
  const times: number[] = [];
  const circles: Center[] = [];
  for (let round = 0; round <= rounds; round++)
    for (const plane of planes) {
      atOnce(core.reset());
      const start = performance.now();
      const { circle } = core.track(plane, 0).pupils[0]!;
      if (round) times.push(performance.now() - start);
      else circles.push({ x: circle.x, y: circle.y });
    }
  atOnce(core.dispose());
  for (const plane of planes) plane.dispose();
  return { ms: median(times), circles };
}

/** Distances of centers, smallest first. */
export const apart = (a: readonly Center[], b: readonly Center[]): number[] =>
  a.map((one, i) => Math.hypot(one.x - b[i]!.x, one.y - b[i]!.y)).sort((one, other) => one - other);
