/**
 * foveola in Node: the same engine on WASM, with images and recordings from files. All exports of `foveola` are
 * available here. Functions that need a page (cameras, video elements) throw an error when called.
 */
export * from '../core.ts';
export * from '../clinic.ts';
export * from '../gaze.ts';
export * from '../record.ts';
export * from '../recordings/index.ts';
export * from '../reports/index.ts';
export * from '../vessels/measures.ts';
export { createEngine } from './engine.ts';
export { encodeRecording, type RecordingFile } from './encode-recording.ts';
export { frames, type DecodedTimedFrame, type FileFramesOptions } from './frames.ts';
export { readImage } from './image.ts';
export { methodParameters } from './engine.ts';
export type { DecodedFrame } from './decoded-frame.ts';
export { overlap } from '../image/numbers.ts';
export { vesselsCsvJson } from '../results/vessels-dictionary.ts';
export { boxFigures, type BoxFigures, type BoxScore, meanOverlap, scoreFrames } from '../objects/box-score.ts';
export { encodePng, type PngOptions, type PngPicture } from '../results/png.ts';
// For the command.
export { kindOf, shown, withFrame } from '../internal.ts';
