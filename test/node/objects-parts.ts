/** The detector's pieces by themselves, for the tests against goldens. */
import { Appearance } from '../../src/objects/appearance.ts';
import { Detector } from '../../src/objects/detector.ts';
import { SharedFrame } from '../../src/objects/frame.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import { PATCH_FLOATS, PatchModel } from '../../src/objects/patch-model.ts';
import { Random } from '../../src/objects/random.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';

export { medianFlow } from '../../src/objects/median-flow.ts';

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

/** Codes of boxes (x, y, width, height of each). */
export function codesOf(
  runtime: Runtime,
  frame: SharedFrame,
  boxes: Int32Array,
  table: readonly number[],
): Uint16Array {
  const detector = new Detector(runtime.wasm, frame, { width: 40, height: 40 }, table, values);
  const codes: number[] = [];
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, width, height] = boxes.subarray(i, i + 4) as unknown as [number, number, number, number];
    codes.push(...detector.codes(frame, { width, height }, [{ x, y, width, height }]));
  }
  detector.dispose();
  return Uint16Array.from(codes);
}

export function similaritiesOf(runtime: Runtime, positives: Uint8Array, negatives: Uint8Array, queries: Uint8Array) {
  const { wasm } = runtime;
  const model = new PatchModel(wasm.arena, wasm.kernels, { positives: 20, negatives: 20 });
  const random = new Random(1);
  const withPatch = <T>(gray: Uint8Array, use: (patch: number) => T): T =>
    wasm.temporary(4 * PATCH_FLOATS + 240, (patch) => {
      wasm.arena.u8.set(gray, patch + 4 * PATCH_FLOATS);
      wasm.kernels.call('patchFromGray', patch + 4 * PATCH_FLOATS, patch);
      return use(patch);
    });
  const each = (list: Uint8Array) =>
    Array.from({ length: list.length / 225 }, (_, i) => list.subarray(225 * i, 225 * i + 225));
  for (const gray of each(positives)) withPatch(gray, (patch) => model.add(patch, true, random));
  for (const gray of each(negatives)) withPatch(gray, (patch) => model.add(patch, false, random));
  const found = each(queries).map((gray) => withPatch(gray, (patch) => model.similarity(patch)));
  model.dispose();
  return found;
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

export const appearanceOf = (runtime: Runtime, size: { width: number; height: number }) =>
  new Appearance(runtime.wasm, size);
