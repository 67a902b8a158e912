/** Detection on the GPU: reduction and search there, grouping in WASM. The image may live on either side. */
import type { Cascade } from '../models/cascade.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { GpuSide, Surface, Texture } from '../runtime/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { halvePass, resizePass } from './cascade-passes.ts';
import { cascadeFits, GpuCascadeSearch, windowsOf } from './cascade.gpu.ts';
import { Confirmation } from './confirmation.ts';
import { checkTilted, FaceDetector, placeBoxes, planSearch, type SearchPlan } from './detector.ts';
import { groupWindows, type FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { reducedSize, reduceTo, resizeTable } from './resize.ts';

/** The same as reduceTo of the WASM side, byte for byte: a texture to be released by the caller. */
export function reduceOnGpu(side: GpuSide, source: Plane, longest: number): Texture<'u8'> {
  const { width, height } = reducedSize(source, longest);
  return side.scope((lend) => {
    let image: Surface = source;
    while (image.width >= 2 * width && image.height >= 2 * height) {
      const half: Texture<'u8'> = lend(image.width >> 1, image.height >> 1, 'u8');
      side.draw(halvePass, { targets: [half], textures: { source: image }, uniforms: {} });
      image = half;
    }
    const most = Math.max(width, height);
    const table = new Int16Array(4 * most);
    table.set(resizeTable(image.width, width));
    table.set(resizeTable(image.height, height), 2 * most);
    const tables = lend(most, 2, 'rg16i');
    side.upload(tables, new Uint8Array(table.buffer), 4 * most);
    const out = side.allocate(width, height, 'u8');
    side.draw(resizePass, {
      targets: [out],
      textures: { source: image, tables },
      uniforms: { origin: [0, 0], row: 0 },
    });
    return out;
  });
}

/** Whether detection may run on the GPU: there is one, and its textures hold the search. */
export function detectorFits({ gpu }: Runtime, cascade: Cascade, size: Size, values: DetectionValues): boolean {
  if (!gpu || gpu.lost || !gpu.fits(size.width, size.height)) return false;
  const { width, height, options } = planSearch(size.width, size.height, values);
  return cascadeFits(gpu, cascade, width, height, options);
}

/**
 * Searches of fewer windows are left to the WASM side where the engine chooses: passes cost some milliseconds however
 * little there is to do. With 200,000 windows graphics hardware took less than half the time (docs/performance.md).
 */
const WORTH_PASSES = 100_000;

/** Whether detection is to run on the GPU: always if the caller asked for it, else where that is faster. */
export function detectsOnGpu(runtime: Runtime, cascade: Cascade, size: Size, values: DetectionValues): boolean {
  if (!detectorFits(runtime, cascade, size, values)) return false;
  if (runtime.gpuForced) return true;
  const { width, height, options } = planSearch(size.width, size.height, values);
  return runtime.preferred === 'gpu' && windowsOf(cascade, width, height, options) >= WORTH_PASSES;
}

/** Takes all steps at once. */
function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export class GpuFaceDetector {
  readonly #runtime: Runtime;
  readonly #side: GpuSide;
  readonly #cascade: Cascade;
  readonly #second: Cascade | null;
  readonly #values: DetectionValues;
  readonly #plan: SearchPlan;
  readonly #search: GpuCascadeSearch;
  readonly width: number;
  readonly height: number;

  /** Only where `detectorFits`. */
  constructor(
    runtime: Runtime,
    cascade: Cascade,
    { width, height }: Size,
    values: DetectionValues,
    second: Cascade | null = null,
  ) {
    checkTilted(cascade);
    if (second) checkTilted(second);
    this.#runtime = runtime;
    this.#side = runtime.gpu!;
    this.#cascade = cascade;
    this.#second = second;
    this.#values = values;
    this.width = width;
    this.height = height;
    this.#plan = planSearch(width, height, values);
    this.#search = new GpuCascadeSearch(this.#side, cascade, this.#plan.width, this.#plan.height, this.#plan.options);
  }

  /** Its tables went with a lost context: make another one. */
  get lost(): boolean {
    return this.#search.lost;
  }

  /** Compiles ahead of the first search. */
  prepare(): Promise<void> {
    return this.#search.prepare();
  }

  /** Enqueues a search; the source must stay until the promise resolves. Searches may overlap. */
  async detect(source: Plane): Promise<FaceBox[]> {
    const { longest } = this.#plan;
    const image = longest ? reduceOnGpu(this.#side, source, longest) : null;
    try {
      const hits = await this.#search.run(image ?? source);
      if (hits) return await this.#facesOf(hits.windows, source);
    } catch (error) {
      const lost = error instanceof FoveolaError && error.code === 'context-lost';
      if (!lost || source.on === 'gpu') throw error;
    } finally {
      if (image) this.#side.release(image);
    }
    return this.#searchInWasm(source);
  }

  /** Groups the windows; where a second cascade is asked, it looks in WASM. */
  async #facesOf(windows: Int32Array, source: Plane): Promise<FaceBox[]> {
    const side = this.#runtime.wasm;
    const { grouping, minNeighbors } = this.#values;
    const groups = groupWindows(side, windows, grouping, minNeighbors);
    if (!this.#second || !groups.length) return placeBoxes(groups, this, this.#plan);
    await source.arena();
    const image = this.#plan.longest ? reduceTo(side, source, this.#plan.longest) : source;
    try {
      const confirmation = new Confirmation(side, this.#second);
      try {
        return placeBoxes(finish(confirmation.judge(image, groups, this.#values)), this, this.#plan);
      } finally {
        confirmation.dispose();
      }
    } finally {
      if (image !== source) image.dispose();
    }
  }

  async #searchInWasm(source: Plane): Promise<FaceBox[]> {
    await source.arena();
    const detector = new FaceDetector(
      this.#runtime.wasm,
      this.#cascade,
      this.width,
      this.height,
      this.#values,
      this.#second,
    );
    try {
      return finish(detector.run(source));
    } finally {
      detector.dispose();
    }
  }

  dispose(): void {
    this.#search.dispose();
  }
}
