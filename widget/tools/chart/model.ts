/** Types of the charts of an element. */
import type { Laterality } from '../../../src/index.ts';

/** One chart. Its curves share an axis. */
export interface ChartBox {
  /** Accessible name. */
  readonly label: string;
  readonly unit: string;
  /** Name above the chart. */
  readonly name?: string | undefined;
  /** Names of several curves, for a legend. */
  readonly lines?: readonly string[];
  readonly eye?: Laterality;
  /** What to do if nothing was found, instead of the name of that state. */
  readonly lost?: string;
}

/** For each chart, the values of its curves and the confidence. NaN: unknown. */
export type Samples = readonly (readonly [values: readonly number[], confidence: number])[];

export interface ChartModel<R> {
  boxes(): readonly ChartBox[];
  samples(result: R): Samples;
}
