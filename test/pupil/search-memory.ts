/** A search of the kernels laid out by the test itself, and trackers on a bare runtime. */
import { PupilTrackerCore } from '../../src/pupil/tracker/tracker.ts';
import { isFloat, searchBytes, wordOf, type SearchField } from '../../src/pupil/search/search-layout.ts';
import type { PupilResult } from '../../src/results/types.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { compiled } from '../parity/sides.ts';
import { atOnce } from '../../tools/at-once.ts';

export interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

export const makeRuntime = async (): Promise<Runtime> => Runtime.create({ module: await compiled('st') });

/** The state of one search and what it points to; everything else is 0. */
export class SearchMemory {
  readonly at: number;
  readonly #runtime: Runtime;
  readonly #owned: number[] = [];

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.at = this.room(searchBytes);
    runtime.arena.u8.fill(0, this.at, this.at + searchBytes);
  }

  room(bytes: number): number {
    const address = this.#runtime.arena.allocate(bytes);
    this.#owned.push(address);
    return address;
  }

  store(data: ArrayLike<number> & ArrayBufferView): number {
    const address = this.room(data.byteLength);
    this.#runtime.arena.u8.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), address);
    return address;
  }

  floats(address: number, count: number): Float32Array {
    return this.#runtime.arena.f32.slice(address >> 2, (address >> 2) + count);
  }

  bytes(address: number, stride: number, width: number, height: number): Uint8Array {
    const out = new Uint8Array(width * height);
    const { u8 } = this.#runtime.arena;
    for (let y = 0; y < height; y++) {
      const row = address + y * stride;
      out.set(u8.subarray(row, row + width), y * width);
    }
    return out;
  }

  set(fields: Partial<Record<SearchField, number>>): void {
    const { i32, f32 } = this.#runtime.arena;
    for (const [name, value] of Object.entries(fields) as [SearchField, number][])
      (isFloat(name) ? f32 : i32)[(this.at >> 2) + wordOf(name)] = value;
  }

  get(name: SearchField): number {
    const { i32, f32 } = this.#runtime.arena;
    return (isFloat(name) ? f32 : i32)[(this.at >> 2) + wordOf(name)]!;
  }

  dispose(): void {
    for (const address of this.#owned.splice(0)) this.#runtime.arena.free(address);
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
