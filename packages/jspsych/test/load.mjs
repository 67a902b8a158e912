/** The package from its sources. jsPsych writes to `window` when it is imported. */
import { importTs } from '../../../tools/import-ts.mjs';

globalThis.window ??= {};
export const { PupilExtension, estimateDelay, measureReflex, withoutDelay } = await importTs(
  'packages/jspsych/src/index.ts',
);
export const library = await importTs('src/index.ts');

/** Random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A normally distributed number with mean 0 and variance 1. */
export const gaussian = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A result of the tracker, as the library returns it. */
export function resultAt(timestamp, { found = true, diameter = 50, events = [], eye = 'left', mm = null } = {}) {
  const [d, x] = found ? [diameter, 10] : [NaN, NaN];
  return {
    ...{ timestamp, events, clock: 'capture', width: 320, height: 240, dropped: 0, backend: 'wasm' },
    pupils: [
      {
        ...{ eye, found, confidence: found ? 0.98 : 0, outlineConfidence: found ? 0.9 : NaN, x, y: x, diameter: d },
        ...{ diameterMm: mm, ellipse: null, circle: { x, y: x, r: d / 2 }, blink: !found, votes: 1, points: 1 },
      },
    ],
  };
}
