/** foveola.cdn.js: every element, both sides of every stage, and the headless API as `window.foveola`. */
import '../strings/de.ts';

export * from '../../src/index.ts';
export * from '../elements.ts';
