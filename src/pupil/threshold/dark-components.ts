/**
 * Dark components of an image for one threshold after another (paper 000, section 2.2): 8-connected labeling by runs,
 * areas and boxes. No label image is written: who wants one component's border has its runs. Room for images up to the
 * size given at the start.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { ComponentRecord, ComponentRunsRecord } from '../../runtime/wasm/records.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope, type Block } from '../../runtime/scope.ts';

/** Bytes in linear memory, `address` that of the first pixel. */
export interface Pixels {
  readonly address: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** Box with its last column and row included. */
export interface Component {
  /** Number of the component. */
  readonly label: number;
  readonly area: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class DarkComponents {
  readonly #scope: Scope;
  readonly #runs: Block;
  readonly #counts: Block;
  readonly #parents: Block;
  readonly #image;
  /** Statistics of the last labeling. */
  #table: Block | null = null;

  constructor(runtime: Runtime, width: number, height: number) {
    const scope = (this.#scope = new Scope(runtime));
    try {
      this.#runs = scope.block(runStride(width) * height);
      this.#counts = scope.block(4 * height);
      this.#parents = scope.block(4 * (((width + 1) >> 1) * ((height + 1) >> 1) + 1));
      const mask = runtime.driver.now(maskBytes(scope, width, height));
      this.#image = scope.record(ComponentRunsRecord, {
        runs: this.#runs.address,
        counts: this.#counts.address,
        parents: this.#parents.address,
        mask: scope.block(mask).address,
      });
    } catch (error) {
      scope.dispose(); // no memory for all of it
      throw error;
    }
  }

  /** The components of the samples of at most `level`. */
  *label(source: Pixels, level: number): Plan<Component[]> {
    const scope = this.#scope;
    const { width, height } = source;
    const labels = { address: this.#runs.address, stride: runStride(width) };
    const [counts, parents] = [this.#counts, this.#parents];
    this.#image.set({ stride: labels.stride, width, height });
    if (this.#table) scope.free(this.#table);
    this.#table = null;
    const count = yield* scope.kernels.componentsScanDark({ source, labels, width, height, level, counts, parents });
    if (!count) return [];
    const stats = (this.#table = scope.zeros(count * ComponentRecord.bytes));
    yield* scope.kernels.componentsStats({ labels, height, counts, parents, stats });
    return Array.from({ length: count }, (_, n) => {
      const of = scope.view(ComponentRecord, stats.address + n * ComponentRecord.bytes);
      const [left, top, right, bottom] = [of.get('left'), of.get('top'), of.get('right'), of.get('bottom')];
      return { label: n + 1, area: of.get('area'), left, top, right, bottom };
    });
  }

  /**
   * Outer border of a component of the last labeling as border points of a search, in pixels of the frame in which the
   * image's origin is (originX, originY). Their number, or -1 when there are more than `capacity`.
   */
  *border(
    { label }: Component,
    search: { readonly address: number },
    originX: number,
    originY: number,
    capacity: number,
  ): Plan<number> {
    const image = this.#image.set({ originX, originY });
    const component = this.#table!.address + (label - 1) * ComponentRecord.bytes;
    return yield* this.#scope.kernels.componentOutline({ search, image, component, label, capacity });
  }

  dispose(): void {
    this.#scope.dispose();
  }
}

/** Bytes of a row's runs. */
const runStride = (width: number): number => 16 * ((width + 3) >> 2);

function* maskBytes(scope: Scope, width: number, height: number): Plan<number> {
  return yield* scope.kernels.componentMask({ width, height });
}
