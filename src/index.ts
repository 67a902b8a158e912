/** foveola: computer vision for eyes, faces, vessels and moving objects that runs entirely in the page. */
export * from './clinic.ts';
export * from './core.ts';
export * from './gaze.ts';
export * from './record.ts';
export * from './recordings/index.ts';
export { vesselsCsvJson } from './results/vessels-dictionary.ts';
export * from './reports/index.ts';
export * from './vessels/measures.ts';
