/** An image that stays in the engine, as it crosses the border to the page. */
import type { PlaneArray, PlaneFormat } from '../plane.ts';
import type { Side } from '../side.ts';

/** What a call is answered with in place of samples. */
export interface ImageReference {
  readonly image: number;
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  readonly side: Side;
  /** Its samples in place, with the gaps after each row, where the memory is shared and they lie there. */
  readonly samples?: PlaneArray;
}

/** What answers a call that kept something. */
export const isReference = (value: unknown): value is ImageReference =>
  typeof value === 'object' && value !== null && typeof (value as ImageReference).image === 'number';
