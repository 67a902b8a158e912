// Constants of the follower of objects beside those of objects.mjs, by the same sequences.
import { at } from './lines.mjs';

export { about, figures, measure, prepare, worth } from './objects.mjs';

export const constants = [
  ...at('src/objects', [
    ['appearance.ts', 'PADDING = 2.5', 2.1, 3],
    ['appearance.ts', 'inertia: 6', 4, 8],
    ['appearance.ts', 'pull: 0.3', 0.2, 0.45],
    ['appearance.ts', 'REACH = 1.1', 1, 1.25],
    ['appearance.ts', 'SOFT = 3', 2, 4],
    ['appearance.ts', 'EDGE = 2', 1, 3],
    ['filter-integrator.ts', 'FIRST_USUAL = 0.45', 0.35, 0.58],
    ['filter-integrator.ts', 'CORRECTED = 0.5', 0.35, 0.7],
    ['filter-tables.ts', 'SIGMA = 1', 0.7, 1.4],
  ]),
  ...at('assembly/objects', [
    ['filter-integrator-proposals.ts', 'MOST_CHANGE: f64 = 2', 1.6, 2.5],
    ['appearance-colors.ts', 'WEIGHT: f32 = 1', 0.7, 1.4],
    ['appearance-colors.ts', 'STRONG: f32 = 30', 22, 40],
    ['appearance.ts', 'LAMBDA: f32 = 5', 3.5, 7],
    ['appearance.ts', 'PEAK: i32 = 3', 2, 4],
  ]),
];
