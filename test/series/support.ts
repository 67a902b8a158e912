/** Series with known answers for the tests of src/series/. */
import { expect } from 'chai';
import type { PupilSample } from '../../src/series/index.ts';

/** One sample each 1000 / rate ms. */
export const sampled = (rate: number, seconds: number, diameter: (seconds: number) => number): PupilSample[] =>
  Array.from({ length: Math.round(rate * seconds) + 1 }, (_, i) => ({
    timestamp: (1000 * i) / rate,
    diameter: diameter(i / rate),
  }));

/** No step of the cleaning but those that are asked for. */
export const nothing = {
  blinks: false,
  marginBefore: 0,
  marginAfter: 0,
  speed: false,
  trend: false,
  islands: false,
  interpolate: 'none',
  lowPass: 0,
} as const;

/** It throws 'invalid-argument', and its message matches. */
export function refused(work: () => unknown, message: RegExp): void {
  try {
    work();
  } catch (error) {
    expect((error as { code?: string }).code, String(error)).to.equal('invalid-argument');
    expect((error as Error).message).to.match(message);
    return;
  }
  expect.fail('was not refused');
}
