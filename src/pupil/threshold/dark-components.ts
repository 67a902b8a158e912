/**
 * Dark components of an image for one threshold after another (paper 000, section 2.2): 8-connected labelling by runs,
 * areas and boxes. No label image is written: who wants one component's border has its runs. Room for images up to the
 * size given at the start.
 */
import type { Runtime } from '../../runtime/runtime.ts';
import { allocateAll } from '../search/memory.ts';

/** Bytes in linear memory, `address` that of the first pixel. */
export interface Bytes {
  readonly address: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** Box with its last column and row included. */
export interface Blob {
  /** Number of the component. */
  readonly label: number;
  readonly area: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Bytes of a component's statistics (assembly/image/components.ts). */
const RECORD = 40;

export class Blobs {
  readonly #runtime: Runtime;
  readonly #runs: number;
  readonly #counts: number;
  readonly #parents: number;
  readonly #mask: number;
  #image: Bytes | null = null;

  constructor(runtime: Runtime, width: number, height: number) {
    this.#runtime = runtime;
    const runBytes = 16 * ((width + 3) >> 2) * height;
    const parentBytes = 4 * (((width + 1) >> 1) * ((height + 1) >> 1) + 1);
    const maskBytes = (width + 48) * (height + 4);
    [this.#runs, this.#counts, this.#parents, this.#mask] = allocateAll(runtime, [
      runBytes,
      4 * height,
      parentBytes,
      maskBytes,
    ]) as [number, number, number, number];
  }

  /** The components of the samples of at most `level`. */
  label(image: Bytes, level: number): Blob[] {
    const { kernels, arena } = this.#runtime.wasm;
    const { address, stride, width, height } = image;
    this.#image = image;
    const runStride = this.#stride;
    const scan = [address, stride, this.#runs, runStride, width, height, level, this.#counts, this.#parents];
    const count = kernels.evaluate('componentsScanDark', ...scan);
    if (!count) return [];
    return this.#runtime.wasm.temporary(count * RECORD, (table) => {
      arena.u8.fill(0, table, table + count * RECORD);
      kernels.call('componentsStats', this.#runs, runStride, height, this.#counts, this.#parents, table);
      const { i32 } = arena;
      return Array.from({ length: count }, (_, n) => {
        const i = (table + n * RECORD) >> 2;
        const [area, left, top, right, bottom] = [i32[i]!, i32[i + 1]!, i32[i + 2]!, i32[i + 3]!, i32[i + 4]!];
        return { label: n + 1, area, left, top, right, bottom };
      });
    });
  }

  get #stride(): number {
    return 16 * ((this.#image!.width + 3) >> 2);
  }

  /**
   * Outer border of a component of the last labelling as border points of the search at `search`, in pixels of the frame
   * in which the image's origin is (x0, y0). Their number, or -1 when there are more than `capacity`.
   */
  border({ label, left, top, right, bottom }: Blob, search: number, x0: number, y0: number, capacity: number): number {
    const { width, height } = this.#image!;
    const image = [this.#runs, this.#stride, this.#counts, this.#parents, width, height];
    const box = [label, left, top, right, bottom, x0, y0];
    return this.#runtime.wasm.kernels.evaluate('blobBorder', search, ...image, ...box, this.#mask, capacity);
  }

  dispose(): void {
    for (const address of [this.#runs, this.#counts, this.#parents, this.#mask]) this.#runtime.arena.free(address);
  }
}
