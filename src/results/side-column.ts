/** The side of each row: a frame that was computed on the other one (a lost context, say) can be seen among its neighbors. */
import type { Column } from './recording.ts';
import type { Sides } from './types.ts';

const sides: readonly Sides[] = ['wasm', 'gpu', 'both'];

export const sideColumn: Column = { name: 'side', type: 'choice', values: sides };

/** Its cell; empty where the result does not say. */
export const sideCell = (side: Sides | undefined): number => (side ? sides.indexOf(side) : NaN);
