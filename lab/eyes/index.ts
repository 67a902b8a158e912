/** Rendered infrared eyes with exact truth: generators of frames { width, height, data, truth, meta }. No DOM. */
export { hardFrame, hardSet, HARD } from './hard-set.ts';
export type { Camera, HardMeta } from './hard-set.ts';
export { SAMPLE, sampleClip, sampleFrame } from './sample-clip.ts';
export type { SampleMeta } from './sample-clip.ts';
export type { Ellipse, EyeFrame, Truth } from './scene.ts';
export { PAPER, pupilRadii } from './paper-radii.ts';
export { paperFrame, paperSequence, paperSet, type PaperChange } from './paper-set.ts';
export type { PaperMeta } from './paper-set.ts';
export { HARD_SEQUENCES, hardSequences } from './hard-sequences.ts';
export type { HardSequenceMeta } from './hard-sequences.ts';
export { variedFrame, variedSet } from './varied-set.ts';
export type { VariedMeta } from './varied-set.ts';
export { shapesFrame } from './shapes.ts';
export type { ShapesMeta } from './shapes.ts';
export { WIDE, wideFrame, wideSet } from './wide-set.ts';
export type { WideMeta } from './wide-set.ts';
