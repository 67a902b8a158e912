/** Lists and records for kernels that are called one by one. */
import type { Address, Call, Scalar } from '../../src/runtime/wasm/kernel-step.ts';
import { SharedFrame } from '../../src/objects/frame.ts';
import type { ObjectValues } from '../../src/objects/parameters.ts';
import { RecordView, type RecordLayout } from '../../src/runtime/wasm/record.ts';
import { BoxRecord, DetectionRecord } from '../../src/runtime/wasm/records.ts';
import type { Box, GrayImage } from '../../src/results/types.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import type { Scope } from '../../src/runtime/scope.ts';
import type { Found } from '../reference/objects-boxes.ts';

/** With the kernels that only tests call. */
export const openRuntime = async () =>
  Runtime.create({ module: await compileKernels(fetch(new URL('../../build/kernels.test.wasm', import.meta.url))) });

interface TestKernels {
  candidateCodes(given: { search: Address; frame: Address; candidate: Address; target: Address }): Call<void>;
  learnCodes(given: { model: Address; codes: Address; count: Scalar; positive: Scalar }): Call<void>;
  voteOfCodes(given: { model: Address; codes: Address }): Call<number>;
  comparePatch(given: { model: Address; patch: Address }): Call<void>;
  addPatch(given: { model: Address; patch: Address; positive: Scalar }): Call<void>;
  forgetPatch(given: { model: Address; patch: Address; same: Scalar }): Call<void>;
  promotePatch(given: { model: Address; patch: Address }): Call<void>;
  patchFromGray(given: { gray: Address; out: Address }): Call<void>;
  boxPatch(given: { frame: Address; box: Address; target: Address }): Call<void>;
  varianceOfBox(given: { frame: Address; box: Address }): Call<number>;
  windowVarianceAt(given: Record<'sums' | 'squares', Address> & Record<Window, Scalar>): Call<number>;
  groupsOf(given: { detections: Address; count: Scalar; least: Scalar; target: Address }): Call<void>;
  medianOfValues(given: { values: Address; count: Scalar }): Call<number>;
  medianFlow(given: { box: Address; motion: Address }): Call<void>;
  orientedHistograms(given: Record<'image' | 'directions' | 'out', Address> & Record<Sampling, Scalar>): Call<void>;
  channelSpectra(given: Record<'channels' | 'weights' | 'twiddles' | 'out', Address> & { count: Scalar }): Call<void>;
  appearanceStep(
    given: Record<'appearance' | 'frame' | 'box' | 'sight', Address> & { step: Scalar; rate: Scalar },
  ): Call<void>;
}
type Window = 'stride' | 'x' | 'y' | 'width' | 'height';
type Sampling = 'stride' | 'width' | 'height' | 'left' | 'top' | 'step';

/** What the shipped build does not have. */
export const testing = ({ kernels }: Scope): { readonly kernels: TestKernels } => ({
  kernels: kernels as unknown as TestKernels,
});

/** Runs a plan, or a call of a kernel, at once. */
export const now = <T>(runtime: Runtime, call: Call<T>): T =>
  runtime.driver.now(
    (function* () {
      return yield* call;
    })(),
  );

/** A frame of its own memory. */
export function frameOf(
  runtime: Runtime,
  { width, height, data }: GrayImage,
  values: Pick<ObjectValues, 'flowLevels' | 'flowWindow'>,
): SharedFrame {
  const plane = runtime.plane(width, height, 'u8', data);
  try {
    return now(runtime, SharedFrame.make(runtime, plane, values));
  } finally {
    plane.dispose();
  }
}

/** Memory that a test takes piece by piece; all of it goes back at once. */
export class Memory {
  readonly #runtime: Runtime;
  readonly #taken: number[] = [];

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  take(bytes: number): number {
    const address = this.#runtime.arena.allocate(bytes);
    this.#taken.push(address);
    return address;
  }

  record<F extends string>(layout: RecordLayout<F>): RecordView<F> {
    return new RecordView(this.#runtime.arena, layout, this.take(layout.bytes)).clear();
  }

  box(box: Box): number {
    const { x, y, width, height } = box;
    return this.record(BoxRecord).set({ x, y, width, height }).address;
  }

  f32(list: ArrayLike<number>): number {
    const address = this.take(4 * list.length);
    this.#runtime.arena.f32.set(list, address >> 2);
    return address;
  }

  f64(list: ArrayLike<number>): number {
    const address = this.take(8 * list.length);
    this.#runtime.arena.f64.set(list, address >> 3);
    return address;
  }

  bytes(list: ArrayLike<number>): number {
    const address = this.take(list.length);
    this.#runtime.arena.u8.set(list, address);
    return address;
  }

  detections(found: readonly Found[], at = this.take(DetectionRecord.bytes * found.length)): number {
    found.forEach(({ x, y, width, height, relative, conservative }, i) => {
      const view = new RecordView(this.#runtime.arena, DetectionRecord, at + DetectionRecord.bytes * i);
      view.set({ x, y, width, height, relative, conservative });
    });
    return at;
  }

  free(): void {
    for (const address of this.#taken.splice(0)) this.#runtime.arena.free(address);
  }
}

/** Uneven gray values, coarse enough that windows of any size differ. */
export function noise(width: number, height: number, uniform: () => number): GrayImage {
  const coarse = Array.from({ length: 400 }, uniform);
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return 40 + 150 * coarse[(Math.floor(x / 7) + 20 * Math.floor(y / 7)) % 400]! + 40 * uniform();
  });
  return { width, height, data };
}

/** Boxes around a few places, so that some overlap much and some not at all. */
export function someDetections(count: number, uniform: () => number): Found[] {
  const places = Array.from({ length: 5 }, () => [200 * uniform(), 150 * uniform()] as const);
  return Array.from({ length: count }, () => {
    const [x, y] = places[Math.floor(5 * uniform())]!;
    const side = 30 + 6 * uniform();
    const relative = uniform();
    return {
      ...{ x: x + 14 * uniform(), y: y + 14 * uniform(), width: side, height: 1.2 * side },
      relative,
      conservative: relative * uniform(),
    };
  });
}
