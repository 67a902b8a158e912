/** Detection on images of one size: reduction, search, grouping, and back to pixels of the source. */
import type { Cascade } from '../models/cascade.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { CascadeSearch } from './cascade-search.ts';
import { Confirmation } from './confirmation.ts';
import { groupWindows, type FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { reduceTo } from './resize.ts';
import type { ScaleOptions } from './scales.ts';

/** What a search of images of one size looks at. */
export interface SearchPlan {
  /** Side of the searched image that is longest, 0 when the source itself is searched. */
  readonly longest: number;
  /** Of the searched image. */
  readonly width: number;
  readonly height: number;
  readonly options: ScaleOptions;
}

export function planSearch(width: number, height: number, values: DetectionValues): SearchPlan {
  const { maxSide, minSize, maxSize } = values;
  const longest = Math.max(width, height);
  const scale = maxSide && longest > maxSide ? maxSide / longest : 1;
  return {
    longest: scale < 1 ? maxSide : 0,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    options: {
      ...values,
      minSize: Math.round(minSize * scale),
      maxSize: maxSize && Math.max(1, Math.round(maxSize * scale)),
    },
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Boxes of a searched image in pixels of the source, and within it. */
export function placeBoxes(boxes: readonly FaceBox[], source: Size, searched: Size): FaceBox[] {
  const [fx, fy] = [source.width / searched.width, source.height / searched.height];
  return boxes.map(({ x, y, width, height, ...rest }) => {
    const left = Math.max(0, x * fx);
    const top = Math.max(0, y * fy);
    const right = Math.min(source.width, (x + width) * fx);
    const bottom = Math.min(source.height, (y + height) * fy);
    return { x: left, y: top, width: right - left, height: bottom - top, ...rest };
  });
}

/** Tilted rectangles would need a second, turned integral image; the thesis leaves them out as well. */
export function checkTilted({ stages }: Cascade): void {
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
  readonly #plan: SearchPlan;
  readonly #confirmation: Confirmation | null;
  readonly width: number;
  readonly height: number;

  /** `second`: the cascade that is asked about what the first one finds. */
  constructor(
    side: WasmSide,
    cascade: Cascade,
    width: number,
    height: number,
    values: DetectionValues,
    second: Cascade | null = null,
  ) {
    checkTilted(cascade);
    if (second) checkTilted(second);
    this.#side = side;
    this.#values = values;
    this.width = width;
    this.height = height;
    this.#plan = planSearch(width, height, values);
    this.#search = new CascadeSearch(side, cascade, this.#plan.width, this.#plan.height, this.#plan.options);
    try {
      this.#confirmation = second && new Confirmation(side, second);
    } catch (error) {
      this.#search.dispose();
      throw error;
    }
  }

  /** Windows that a search looks at. */
  get windows(): number {
    return this.#search.windows;
  }

  /** Steps of one search, about. */
  get steps(): number {
    return this.#search.steps + 1;
  }

  /** Searches in steps of a few milliseconds; the source must stay until the first of them is done. */
  *run(source: Plane): Generator<void, FaceBox[]> {
    const image = this.#plan.longest ? reduceTo(this.#side, source, this.#plan.longest) : source;
    try {
      if (image !== source) yield;
      const { windows } = yield* this.#search.run(image);
      const { grouping, minNeighbors } = this.#values;
      const groups = groupWindows(this.#side, windows, grouping, minNeighbors);
      const faces = this.#confirmation ? yield* this.#confirmation.judge(image, groups, this.#values) : groups;
      return placeBoxes(faces, this, this.#plan);
    } finally {
      if (image !== source) image.dispose();
    }
  }

  dispose(): void {
    this.#search.dispose();
    this.#confirmation?.dispose();
  }
}
