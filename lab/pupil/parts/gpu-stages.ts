/** Times of the stages: on the GPU by its timer, on the page's thread by the clock; and what a frame consists of. */
import { allOptimizations, type Ladder } from '../ladder/ladder.ts';
import { LadderPreparation } from '../ladder/preparation.ts';
import { AROUND } from '../../../src/pupil/starburst/starburst.gpu.ts';
import { LadderRaySearch } from '../ladder/ray-search.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { radiusLimits, PupilSearch } from '../../../src/pupil/search/search.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { median, round } from '../../../bench/parts/numbers.ts';
import { STARBURST, type Setup } from './gpu-setup.ts';

export const valuesOf = (params: Record<string, unknown> = {}): PupilValues =>
  resolveParameters(pupilParameters, params, 'bench') as PupilValues;

export interface StageTime {
  /** Milliseconds on the GPU; null where it does not tell. */
  gpu: number | null;
  /** Milliseconds of the page's thread to enqueue it. */
  enqueue: number;
}

/** GPU and page time of `body`, of which `batch` are enqueued at a time. */
async function time({ runtime, small }: Setup, body: () => void): Promise<StageTime> {
  const side = runtime.gpu!;
  const batch = small ? 1 : 10;
  const gpu: number[] = [];
  const page: number[] = [];
  for (let k = 0; k < (small ? 2 : 9); k++) {
    const ms = await side.time(() => {
      const start = performance.now();
      for (let i = 0; i < batch; i++) body();
      page.push((performance.now() - start) / batch);
    });
    if (ms !== null) gpu.push(ms / batch);
  }
  return { gpu: gpu.length ? round(median(gpu)) : null, enqueue: round(median(page)) };
}

/** A frame's window around the true center with rays of `reach`, as in tracking; or all of it. */
export async function stageTimes(
  setup: Setup,
  params: Record<string, unknown>,
  change: Partial<Ladder>,
  whole: boolean,
): Promise<Record<string, StageTime | number[]>> {
  const { runtime, planes, truths } = setup;
  const side = runtime.gpu!;
  const scope = new Scope(runtime);
  const ladder = { ...allOptimizations, ...change };
  const values = valuesOf(params);
  const preparation = new LadderPreparation(runtime, values, ladder);
  const search = new LadderRaySearch(runtime, values, ladder);
  const plane = planes[0]!;
  const { width, height } = plane;
  const truth = truths[0] ?? { x: width / 2, y: height / 2 };
  const limits = { x0: 0, y0: 0, x1: width, y1: height };
  const r = 0.115 * width; // 3.2 mm, the mean radius
  const start = { x: truth.x + 4, y: truth.y + 3, reach: Math.floor(1.8 * r) + 24, gradient: 12, rounds: 0 };
  const half = AROUND * start.reach + 24;
  const window = whole
    ? limits
    : {
        x0: Math.max(0, Math.floor(start.x - half)),
        y0: Math.max(0, Math.floor(start.y - half)),
        x1: Math.min(width, Math.ceil(start.x + half)),
        y1: Math.min(height, Math.ceil(start.y + half)),
      };
  const piece = preparation.piece(width, height, window);
  const bytes = runtime.arena.u8.subarray(plane.address, plane.address + plane.stride * height);
  const times: Record<string, StageTime | number[]> = { piece: [...piece.size] };
  try {
    const lanes = ladder.packed ? 4 : 1;
    const up = side.allocate(Math.ceil(width / lanes), height, lanes === 4 ? 'rgba8ui' : 'u8');
    const area = { width: Math.ceil(piece.size[0] / lanes), height: piece.size[1] };
    times.upload = await time(setup, () => side.upload(up, bytes, plane.stride, area));
    side.release(up);
    times['upload and preparation'] = await time(setup, () =>
      scope.within((inner) => void preparation.prepare(inner, plane, piece)),
    );
    const prepared = scope.within((inner) => preparation.prepare(inner, plane, piece));
    const radii = radiusLimits(values, width, height);
    for (const rounds of [0, 1, 2, 3])
      times[`begin, ${rounds} rounds, result`] = await time(setup, () =>
        scope.within((inner) => void search.enqueue(inner, prepared, piece, limits, radii, [{ ...start }], rounds)),
      );
  } finally {
    preparation.dispose();
    search.dispose();
  }
  return times;
}

/** The WASM side's share of a frame (outline and judgment from the circle), and a whole frame there, ms. */
export function wasmTimes({ runtime, planes, small }: Setup): Record<string, number> {
  const values = valuesOf();
  const plane = planes[0]!;
  const { width, height } = plane;
  const frame = new PreparedFrame(runtime, width, height);
  const search = new PupilSearch(runtime, values, width);
  const core = new PupilTrackerCore(runtime, STARBURST);
  const pupil = core.track(plane, 0).pupils[0]!;
  const finish: number[] = [];
  const track: number[] = [];
  const limits = { x0: 0, y0: 0, x1: width, y1: height };
  const last = { x: pupil.x, y: pupil.y, r: pupil.circle.r, ellipse: null, contrast: 30, dark: 20 };
  driveNow(runtime, () => frame.begin(plane, values));
  search.begin(plane, frame, limits);
  driveNow(runtime, () => search.startAtLast(last));
  driveNow(runtime, () => search.tryStarts());
  const { f32 } = runtime.arena;
  const count = search.get('points');
  const points = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    points[2 * i] = f32[(search.get('px') >> 2) + i]!;
    points[2 * i + 1] = f32[(search.get('py') >> 2) + i]!;
  }
  const { x, y, r } = pupil.circle;
  for (let k = 0; k < (small ? 5 : 200); k++) {
    const start = performance.now();
    driveNow(runtime, () => frame.begin(plane, values));
    search.begin(plane, frame, limits);
    driveNow(runtime, () => search.beginContest(20));
    driveNow(runtime, () => search.proposeRays({ x, y, r, votes: pupil.votes, points }));
    driveNow(runtime, () => search.endContest());
    const middle = performance.now();
    core.track(plane, k);
    finish.push(middle - start);
    track.push(performance.now() - middle);
  }
  for (const thing of [frame, search]) thing.dispose();
  void core.dispose();
  return { 'outline and judgment': round(median(finish)), 'whole search': round(median(track)) };
}
