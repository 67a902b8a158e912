/** The detector's pieces by themselves, for the tests against goldens. */
import { Appearance } from '../../src/objects/appearance.ts';
import { boxOf } from '../../src/objects/boxes.ts';
import { Detector } from '../../src/objects/detector.ts';
import { fernOffsets } from '../../src/objects/ferns.ts';
import { SharedFrame } from '../../src/objects/frame.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import { callKernel } from '../../src/objects/kernel.ts';
import { ObjectModel, PATCH_FLOATS } from '../../src/objects/model.ts';
import { RecordView } from '../../src/runtime/record.ts';
import { BoxMotionRecord, BoxRecord, CandidateRecord, SightRecord } from '../../src/runtime/records.ts';
import type { Box } from '../../src/results/types.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';

const values = resolveParameters(objectParameters, {}, 'test');

export const openRuntime = async (kernels: BufferSource) =>
  Runtime.create({ module: await WebAssembly.compile(kernels) });

export function frameOf(runtime: Runtime, plane: Plane): SharedFrame {
  const frame = new SharedFrame(runtime.wasm, plane, values);
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
  const detector = new Detector(runtime.wasm, frame, box, [], { ...values, minSize: 20 });
  const { windows } = detector;
  const { sums, squares } = frame;
  const variances = new Float64Array(windows.grid.count);
  windows.grid.scales.forEach(({ lefts, tops, width, height, first }) =>
    tops.forEach((y, row) =>
      lefts.forEach((x, column) => {
        const args = [sums.address, squares.address, sums.stride, x, y, width, height];
        variances[first + row * lefts.length + column] = runtime.wasm.kernels.evaluate('windowVarianceAt', ...args);
      }),
    ),
  );
  const passed = detector.variance(frame, threshold);
  detector.dispose();
  return { variances, passed };
}

/** Codes of boxes (x, y, width, height of each): each box is the target of a detector of its own. */
export function codesOf(
  runtime: Runtime,
  frame: SharedFrame,
  boxes: Int32Array,
  table: readonly number[],
): Uint16Array {
  const { wasm } = runtime;
  const codes: number[] = [];
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, width, height] = boxes.subarray(i, i + 4) as unknown as [number, number, number, number];
    const offsets = fernOffsets(table, { width, height }, frame.blurred.stride);
    const detector = new Detector(wasm, frame, { width: 40, height: 40 }, table, values);
    wasm.temporary(CandidateRecord.bytes + 32 + 4 * offsets.length, (block) => {
      const candidate = new RecordView(wasm.arena, CandidateRecord, block);
      const out = block + CandidateRecord.bytes;
      candidate.set({ x, y, width, height, scale: 0, record: -1 });
      wasm.arena.i32.set(offsets, (out + 32) >> 2);
      detector.record.set({ offsets: out + 32 });
      wasm.kernels.call('candidateCodes', detector.address, frame.address, block, out);
      codes.push(...new Uint16Array(wasm.arena.u8.slice(out, out + 20).buffer));
    });
    detector.dispose();
  }
  return Uint16Array.from(codes);
}

export function similaritiesOf(runtime: Runtime, positives: Uint8Array, negatives: Uint8Array, queries: Uint8Array) {
  const { wasm } = runtime;
  const model = new ObjectModel(wasm, [], { ...values, positives: 20, negatives: 20 }, 1);
  const withPatch = <T>(gray: Uint8Array, use: (patch: number) => T): T =>
    wasm.temporary(4 * PATCH_FLOATS + 240, (patch) => {
      wasm.arena.u8.set(gray, patch + 4 * PATCH_FLOATS);
      wasm.kernels.call('patchFromGray', patch + 4 * PATCH_FLOATS, patch);
      return use(patch);
    });
  const each = (list: Uint8Array) =>
    Array.from({ length: list.length / 225 }, (_, i) => list.subarray(225 * i, 225 * i + 225));
  const add = (list: Uint8Array, positive: number) => {
    for (const gray of each(list))
      withPatch(gray, (patch) => wasm.kernels.call('addPatch', model.address, patch, positive));
  };
  add(positives, 1);
  add(negatives, 0);
  const found = each(queries).map((gray) =>
    withPatch(gray, (patch) => {
      wasm.kernels.call('comparePatch', model.address, patch);
      const { record } = model;
      const read = (name: 'relative' | 'conservative' | 'nearestPositive' | 'nearestNegative') => record.get(name);
      return {
        relative: read('relative'),
        conservative: read('conservative'),
        nearestPositive: read('nearestPositive'),
        nearestNegative: read('nearestNegative'),
      };
    }),
  );
  model.dispose();
  return found;
}

/** The motion of a box from tracked points; null when fewer than 4 are left. */
export function medianFlow(
  runtime: Runtime,
  box: Box,
  from: Float32Array,
  to: Float32Array,
  valid: Uint8Array,
  errors: Float32Array,
  correlations: Float32Array,
) {
  const { wasm } = runtime;
  const { arena } = wasm;
  const count = valid.length;
  return wasm.temporary(BoxMotionRecord.bytes + BoxRecord.bytes + 32 + 25 * count, (block) => {
    const given = new RecordView(arena, BoxRecord, block).set({ ...box });
    const motion = new RecordView(arena, BoxMotionRecord, block + BoxRecord.bytes).clear();
    let at = (motion.address + BoxMotionRecord.bytes + 7) & ~7;
    const put = (list: Float32Array) => {
      arena.f32.set(list, at >> 2);
      return (at += 4 * list.length) - 4 * list.length;
    };
    motion.set({ count, points: put(from), moved: put(to), errors: put(errors), correlations: put(correlations) });
    motion.set({ valid: at });
    arena.u8.set(valid, at);
    callKernel(wasm, 'medianFlow', [given.address, motion.address], motion.address);
    if (!motion.get('found')) return null;
    return {
      box: boxOf(motion),
      residual: motion.get('residual'),
      error: motion.get('error'),
      kept: motion.get('kept'),
    };
  });
}

/** The channels of a window, 28 planes of 32x32. */
export function histogramsOf(runtime: Runtime, frame: SharedFrame, window: { x: number; y: number; side: number }) {
  const { wasm } = runtime;
  const { address, stride, width, height } = frame.gray;
  const turns = Float32Array.from({ length: 18 }, (_, i) => {
    const angle = ((i >> 1) * Math.PI) / 9;
    return i & 1 ? Math.sin(angle) : Math.cos(angle);
  });
  return wasm.temporary(128 + 4096 * 28, (block) => {
    const out = block + 128;
    const step = window.side / 64;
    const first = (centre: number) => centre - window.side / 2 + step / 2 - 0.5;
    wasm.arena.f32.set(turns, block >> 2);
    const args = [address, stride, width, height, first(window.x), first(window.y), step, block, out];
    wasm.once('orientedHistograms', args, 35_664);
    return wasm.arena.f32.slice(out >> 2, (out >> 2) + 28 * 1024);
  });
}

/** Spectra of channels under weights. */
export function spectraOf(runtime: Runtime, channels: Float32Array, weights: Float32Array): Float32Array {
  const { wasm } = runtime;
  const count = channels.length / 1024;
  const twiddles = Float32Array.from({ length: 32 }, (_, i) => {
    const angle = ((i >> 1) * Math.PI) / 16;
    return i & 1 ? Math.sin(angle) : Math.cos(angle);
  });
  return wasm.temporary(128 + 4096 * (count + 1) + 4352 * count, (block) => {
    const from = block + 128;
    const masks = from + 4096 * count;
    const out = masks + 4096;
    wasm.arena.f32.set(twiddles, block >> 2);
    wasm.arena.f32.set(channels, from >> 2);
    wasm.arena.f32.set(weights, masks >> 2);
    wasm.once('channelSpectra', [from, count, masks, block, out], 16_384);
    return wasm.arena.f32.slice(out >> 2, (out >> 2) + (4352 / 4) * count);
  });
}

/** Steps of `appearanceStep` (assembly/objects/target-parts.ts). */
const STEPS = ['follow', 'remember', 'recognise', 'learn', 'trust', 'restore', 'prepare', 'keep'] as const;

/** What a target looks like, a step at a time. */
export function appearanceOf(runtime: Runtime, size: { width: number; height: number }) {
  const { wasm } = runtime;
  const memory = new Appearance(wasm, size);
  const step = (name: (typeof STEPS)[number], frame: SharedFrame | null, box: Box | null, rate = 0) =>
    wasm.temporary(BoxRecord.bytes + 40, (block) => {
      if (box) new RecordView(wasm.arena, BoxRecord, block).set({ ...box });
      const sight = new RecordView(wasm.arena, SightRecord, block + BoxRecord.bytes);
      if (name === 'prepare') memory.makeRoom();
      const args = [memory.address, frame?.address ?? 0, STEPS.indexOf(name), block, rate, sight.address];
      callKernel(wasm, 'appearanceStep', args);
      return { box: boxOf(sight), value: sight.get('value') };
    });
  return {
    follow: (frame: SharedFrame, box: Box) => step('follow', frame, box),
    remember: (frame: SharedFrame, box: Box) => step('remember', frame, box),
    recognise: (frame: SharedFrame, box: Box) => step('recognise', frame, box).value,
    learn: (frame: SharedFrame, box: Box, rate: number) => void step('learn', frame, box, rate),
    trust: () => void step('trust', null, null),
    restore: () => void step('restore', null, null),
    prepare: (frame: SharedFrame, box: Box) => void step('prepare', frame, box),
    keep: () => void step('keep', null, null),
    get viewCount() {
      return memory.viewCount;
    },
    dispose: () => memory.dispose(),
  };
}
