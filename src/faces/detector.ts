/** Detection on images of one size: reduction, search, grouping, and back to pixels of the source. */
import type { Cascade } from '../models/cascade.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { CascadeSearch } from './cascade-search.ts';
import { groupWindows, type FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { reduceTo } from './resize.ts';

/** Tilted rectangles would need a second, turned integral image; the thesis leaves them out as well. */
function checkTilted({ stages }: Cascade): void {
  if (stages.some(({ trees }) => trees.some((nodes) => nodes.some(({ tilted }) => tilted))))
    throw new FoveolaError(
      'model-format',
      'The cascade has tilted features, which are not supported. Take another one.',
    );
}

export class FaceDetector {
  readonly #side: WasmSide;
  readonly #values: DetectionValues;
  readonly #search: CascadeSearch;
  /** Side of the searched image that is longest, 0 when the source itself is searched. */
  readonly #longest: number;
  readonly #factor: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;

  constructor(side: WasmSide, cascade: Cascade, width: number, height: number, values: DetectionValues) {
    checkTilted(cascade);
    this.#side = side;
    this.#values = values;
    this.width = width;
    this.height = height;
    const { maxSide, minSize, maxSize } = values;
    const longest = Math.max(width, height);
    const scale = maxSide && longest > maxSide ? maxSide / longest : 1;
    this.#longest = scale < 1 ? maxSide : 0;
    const w = Math.max(1, Math.round(width * scale));
    const h = Math.max(1, Math.round(height * scale));
    this.#factor = { x: width / w, y: height / h };
    this.#search = new CascadeSearch(side, cascade, w, h, {
      ...values,
      minSize: Math.round(minSize * scale),
      maxSize: maxSize && Math.max(1, Math.round(maxSize * scale)),
    });
  }

  /** Steps of one search, about. */
  get steps(): number {
    return this.#search.steps + 1;
  }

  /** Searches in steps of a few milliseconds; the source must stay until the first of them is done. */
  *run(source: Plane): Generator<void, FaceBox[]> {
    const image = this.#longest ? reduceTo(this.#side, source, this.#longest) : source;
    try {
      if (image !== source) yield;
      const { windows } = yield* this.#search.run(image);
      const { grouping, minNeighbors } = this.#values;
      return groupWindows(this.#side, windows, grouping, minNeighbors).map((box) => this.#place(box));
    } finally {
      if (image !== source) image.dispose();
    }
  }

  /** In pixels of the source, and within it. */
  #place({ x, y, width, height, neighbors }: FaceBox): FaceBox {
    const left = Math.max(0, x * this.#factor.x);
    const top = Math.max(0, y * this.#factor.y);
    const right = Math.min(this.width, (x + width) * this.#factor.x);
    const bottom = Math.min(this.height, (y + height) * this.#factor.y);
    return { x: left, y: top, width: right - left, height: bottom - top, neighbors };
  }

  dispose(): void {
    this.#search.dispose();
  }
}
