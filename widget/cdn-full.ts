/** foveola.cdn.full.js: every element and both sides of every stage, demuxer and cascades inside. */
import './strings/de.ts';

export * from '../src/index.ts';
export * from './elements.ts';
