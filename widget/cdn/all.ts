/**
 * foveola.cdn.js: the five elements, both sides of every stage, and the headless API as `window.foveola`. Tests of the
 * pupil are in foveola-pupil-test.cdn.js.
 */
import './words.cdn.ts';

export * from '../../src/core.ts';
export * from '../elements.ts';
