/**
 * foveola.cdn.js: five elements, both backends of every stage, and the headless API as `window.foveola`. Pupil tests
 * are in foveola-pupil-test.cdn.js.
 */
import './common.ts';

export * from '../../src/core.ts';
export * from '../elements.ts';
