/** The detector's pieces by themselves, for the tests against goldens. */
import { Appearance, turns } from '../../src/objects/filter-integrator.ts';
import { boxOf, Detector } from '../../src/objects/detector.ts';
import { fernOffsets, ObjectModel, PATCH_FLOATS } from '../../src/objects/model.ts';
import { SharedFrame } from '../../src/objects/frame.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import type { Box } from '../../src/results/types.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { BoxMotionRecord, BoxRecord, CandidateRecord, SightRecord } from '../../src/runtime/wasm/records.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { now, testing } from '../objects/memory.ts';

const values = resolveParameters(objectParameters, {}, 'test');

export const openRuntime = async (kernels: BufferSource) =>
  Runtime.create({ module: await WebAssembly.compile(kernels) });

export function frameOf(runtime: Runtime, plane: Plane): SharedFrame {
  const frame = now(runtime, SharedFrame.make(runtime, plane, values));
  plane.dispose();
  return frame;
}

/** The variance of every window of the paper's grid, in its order, and how many the kernel lets through. */
export function variancesOf(
  runtime: Runtime,
  frame: SharedFrame,
  box: { width: number; height: number },
  threshold: number,
): { variances: Float64Array; passed: number } {
  const detector = Detector.of(runtime, frame, box, [], { ...values, minSize: 20 });
  const { grid } = detector.windows;
  const variances = new Float64Array(grid.count);
  driveNow(runtime, function* (scope) {
    const sums = yield* frame.sums();
    const squares = yield* frame.squares();
    for (const { lefts, tops, width, height, first } of grid.scales)
      for (const [row, y] of tops.entries())
        for (const [column, x] of lefts.entries()) {
          const window = { sums, squares, stride: sums.stride, x, y, width, height };
          variances[first + row * lefts.length + column] = yield* testing(scope).kernels.windowVarianceAt(window);
        }
    yield* detector.variance(frame, threshold);
  });
  const { passed } = detector;
  detector.dispose();
  return { variances, passed };
}

/** Codes of boxes (x, y, width, height of each): each box is the target of a detector of its own. */
export const codesOf = (
  runtime: Runtime,
  frame: SharedFrame,
  boxes: Int32Array,
  table: readonly number[],
): Uint16Array =>
  driveNow(runtime, function* (scope) {
    const codes: number[] = [];
    const { stride } = yield* frame.blurred();
    const target = scope.block(20);
    for (let i = 0; i < boxes.length; i += 4) {
      const [x, y, width, height] = boxes.subarray(i, i + 4) as unknown as [number, number, number, number];
      const offsets = scope.table(fernOffsets(table, { width, height }, stride));
      const search = Detector.of(runtime, frame, { width: 40, height: 40 }, table, values);
      const candidate = scope.record(CandidateRecord, { x, y, width, height, scale: 0, record: -1 });
      search.record.set({ offsets: offsets.address });
      yield* testing(scope).kernels.candidateCodes({ search, frame, candidate, target });
      codes.push(...new Uint16Array(scope.arena.u8.slice(target.address, target.address + 20).buffer));
      search.dispose();
    }
    return Uint16Array.from(codes);
  });

export const similaritiesOf = (runtime: Runtime, positives: Uint8Array, negatives: Uint8Array, queries: Uint8Array) =>
  driveNow(runtime, function* (scope) {
    const model = new ObjectModel(scope, [], { ...values, positives: 20, negatives: 20 }, 1);
    const patch = scope.block(4 * PATCH_FLOATS);
    const each = (list: Uint8Array) =>
      Array.from({ length: list.length / 225 }, (_, i) => list.subarray(225 * i, 225 * i + 225));
    for (const [list, positive] of [
      [positives, true],
      [negatives, false],
    ] as const)
      for (const gray of each(list)) {
        yield* testing(scope).kernels.patchFromGray({ gray: scope.table(gray), out: patch });
        yield* testing(scope).kernels.addPatch({ model, patch, positive });
      }
    const found = [];
    for (const gray of each(queries)) {
      yield* testing(scope).kernels.patchFromGray({ gray: scope.table(gray), out: patch });
      yield* testing(scope).kernels.comparePatch({ model, patch });
      const { record } = model;
      found.push({
        relative: record.get('relative'),
        conservative: record.get('conservative'),
        nearestPositive: record.get('nearestPositive'),
        nearestNegative: record.get('nearestNegative'),
      });
    }
    return found;
  });

/** The motion of a box from tracked points; null when fewer than 4 are left. */
export const medianFlow = (
  runtime: Runtime,
  box: Box,
  from: Float32Array,
  to: Float32Array,
  valid: Uint8Array,
  errors: Float32Array,
  correlations: Float32Array,
) =>
  driveNow(runtime, function* (scope) {
    const put = (list: ArrayBufferView) => scope.table(list).address;
    const motion = scope.record(BoxMotionRecord, {
      ...{ count: valid.length, points: put(from), moved: put(to), errors: put(errors) },
      ...{ correlations: put(correlations), valid: put(valid) },
    });
    yield* testing(scope).kernels.medianFlow({ box: scope.record(BoxRecord, { ...box }), motion });
    if (!motion.get('found')) return null;
    return {
      box: boxOf(motion),
      residual: motion.get('residual'),
      error: motion.get('error'),
      kept: motion.get('kept'),
    };
  });

/** The channels of a window, 28 planes of 32x32. */
export const histogramsOf = (
  runtime: Runtime,
  frame: SharedFrame,
  window: { x: number; y: number; side: number },
): Float32Array =>
  driveNow(runtime, function* (scope) {
    const { address: image, stride, width, height } = frame.gray;
    const out = scope.block(4096 * 28);
    const step = window.side / 64;
    const first = (center: number) => center - window.side / 2 + step / 2 - 0.5;
    const sampling = { stride, width, height, left: first(window.x), top: first(window.y), step };
    const directions = scope.table(turns(9));
    yield* testing(scope).kernels.orientedHistograms({ image, ...sampling, directions, out });
    return scope.f32(out, 28 * 1024).slice();
  });

/** Spectra of channels under weights. */
export const spectraOf = (runtime: Runtime, channels: Float32Array, weights: Float32Array): Float32Array =>
  driveNow(runtime, function* (scope) {
    const count = channels.length / 1024;
    const out = scope.block(4352 * count);
    const tables = { channels: scope.table(channels), weights: scope.table(weights), twiddles: scope.table(turns(16)) };
    yield* testing(scope).kernels.channelSpectra({ ...tables, count, out });
    return scope.f32(out, (4352 / 4) * count).slice();
  });

/** Steps of `appearanceStep` (assembly/objects/target-tests.ts). */
const STEPS = ['follow', 'remember', 'recognize', 'learn', 'trust', 'restore', 'prepare', 'keep'] as const;

/** What a target looks like, a step at a time. */
export function appearanceOf(runtime: Runtime, size: { width: number; height: number }) {
  const kept = new Scope(runtime);
  const memory = new Appearance(kept, size);
  const step = (name: (typeof STEPS)[number], frame: SharedFrame | null, box: Box | null, rate = 0) =>
    driveNow(runtime, function* (scope) {
      const at = scope.record(BoxRecord, { ...box });
      const sight = scope.record(SightRecord);
      if (name === 'prepare') memory.makeRoom();
      const what = { appearance: memory, frame: frame ?? 0, box: at, rate, sight };
      yield* testing(scope).kernels.appearanceStep({ ...what, step: STEPS.indexOf(name) });
      return { box: boxOf(sight), value: sight.get('value'), rivalry: sight.get('rivalry') };
    });
  return {
    follow: (frame: SharedFrame, box: Box) => step('follow', frame, box),
    remember: (frame: SharedFrame, box: Box) => step('remember', frame, box),
    recognize: (frame: SharedFrame, box: Box) => step('recognize', frame, box),
    learn: (frame: SharedFrame, box: Box, rate: number) => void step('learn', frame, box, rate),
    trust: () => void step('trust', null, null),
    restore: () => void step('restore', null, null),
    prepare: (frame: SharedFrame, box: Box) => void step('prepare', frame, box),
    keep: () => void step('keep', null, null),
    get viewCount() {
      return memory.viewCount;
    },
    dispose: () => kept.dispose(),
  };
}
