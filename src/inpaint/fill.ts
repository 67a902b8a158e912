/** What the operation asks of a side that fills. */
import type { Values } from '../runtime/parameters.ts';
import type { inpaintParameters } from './parameters.ts';

export type FillOptions = Values<typeof inpaintParameters>;

export interface Fill {
  /** Pixels that were to be filled, and those that still are; known after the start. */
  readonly total: number;
  readonly remaining: number;
  /** Everything before the first patch; false where no whole patch of the image is free of the mask. */
  start(slice: () => Promise<void>): Promise<boolean>;
  /** Fills some patches: how many pixels each of them filled. */
  next(slice: () => Promise<void>): Promise<number[]>;
  /** Takes the seams out; after the last patch. */
  blend(slice: () => Promise<void>): Promise<void>;
  /** The picture so far, RGBA, tightly packed. */
  read(): Promise<Uint8ClampedArray<ArrayBuffer>>;
  dispose(): void;
}
