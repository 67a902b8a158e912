/** A search of the kernels laid out by the test itself, and trackers on a bare runtime. */
import { PupilTrackerCore } from '../../src/pupil/tracker/tracker.ts';
import type { SearchField } from '../../src/pupil/search/search.ts';
import type { PupilResult } from '../../src/results/types.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import type { Address, Call, Scalar } from '../../src/runtime/wasm/kernel-step.ts';
import { SearchRecord } from '../../src/runtime/wasm/records.ts';
import { Scope, type Block } from '../../src/runtime/scope.ts';
import { atOnce } from '../../tools/at-once.ts';

export interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

/** With the kernels that only tests call. */
export const makeRuntime = async (): Promise<Runtime> =>
  Runtime.create({ module: await compileKernels(fetch('/build/kernels.test.wasm')) });

interface Points {
  readonly search: Address;
  readonly xs: Address;
  readonly ys: Address;
  readonly n: Scalar;
}
interface TestKernels {
  fitCirclePoints(given: Points): Call<number>;
  fitEllipsePoints(given: Points): Call<number>;
  ellipseThroughPoints(given: Omit<Points, 'n'>): Call<number>;
  castRaysFrom(given: { search: Address; x: Scalar; y: Scalar; reach: Scalar }): Call<number>;
  computeTiles(given: { search: Address }): Call<number>;
  robustEdges(given: { search: Address; robust: Address }): Call<number>;
  robustSegments(given: { search: Address; robust: Address }): Call<number>;
  robustEllipses(given: { search: Address; robust: Address }): Call<number>;
}

/** What the shipped build does not have. */
export const testing = ({ kernels }: Scope): { readonly kernels: TestKernels } => ({
  kernels: kernels as unknown as TestKernels,
});

/** The state of one search and what it points to; everything else is 0. */
export class SearchMemory {
  readonly state;
  readonly #scope: Scope;

  constructor(runtime: Runtime) {
    this.#scope = new Scope(runtime);
    this.state = this.#scope.record(SearchRecord);
  }

  room(bytes: number): Block {
    return this.#scope.block(bytes);
  }

  store(data: ArrayLike<number> & ArrayBufferView): Block {
    return this.#scope.table(data);
  }

  floats(address: number, count: number): Float32Array {
    return this.#scope.f32({ address }, count).slice();
  }

  bytes({ address }: Block, stride: number, width: number, height: number): Uint8Array {
    const out = new Uint8Array(width * height);
    const { u8 } = this.#scope.arena;
    for (let y = 0; y < height; y++) {
      const row = address + y * stride;
      out.set(u8.subarray(row, row + width), y * width);
    }
    return out;
  }

  /** Numbers, and blocks by their addresses. */
  set(fields: Partial<Record<SearchField, number | Block>>): void {
    for (const [name, value] of Object.entries(fields) as [SearchField, number | Block][])
      this.state.set({ [name]: typeof value === 'number' ? value : value.address });
  }

  get(name: SearchField): number {
    return this.state.get(name);
  }

  dispose(): void {
    this.#scope.dispose();
  }
}

/** A tracker that takes gray images. */
export class TestTracker {
  readonly core: PupilTrackerCore;
  readonly #runtime: Runtime;
  #frames = 0;

  constructor(runtime: Runtime, params: Record<string, unknown> = {}) {
    this.#runtime = runtime;
    this.core = new PupilTrackerCore(runtime, params);
  }

  /** One frame; 60 a second unless a time is given. */
  process({ width, height, data }: Gray, timestamp = (this.#frames * 1000) / 60): PupilResult {
    this.#frames++;
    const plane = this.#runtime.plane(width, height, 'u8', data);
    try {
      return this.core.track(plane, timestamp);
    } finally {
      plane.dispose();
    }
  }

  reset(): void {
    atOnce(this.core.reset());
  }

  setParameters(params: Record<string, unknown>): void {
    atOnce(this.core.setParameters(params));
  }

  dispose(): void {
    atOnce(this.core.dispose());
  }
}

/** One image through a tracker of its own. */
export function once(runtime: Runtime, image: Gray, params: Record<string, unknown> = {}): PupilResult {
  const tracker = new TestTracker(runtime, params);
  try {
    return tracker.process(image, 0);
  } finally {
    tracker.dispose();
  }
}
