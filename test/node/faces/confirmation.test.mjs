// The score that says which boxes of the cascade are asked about first, and what is left without a judge: literal numbers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { library } from './support.mjs';

const { scoreOf } = library;

describe('score of a box', () => {
  // the share that odds of exp(2.1 ln 8 + ln 8 + 0.2 ln 0.1 - 4.5) to 1 come to, and so on
  for (const [windows, confirmed, share, expected] of [
    [7, 7, 0.1, 0.81544],
    [0, 0, 1, 0.010987],
    [0, 0, 0.01, 0.004403],
    [20, 0, 0.05, 0.784883],
  ])
    it(`is ${expected} of ${windows} windows, ${confirmed} confirmed, ${share} of the picture`, () =>
      assert.ok(Math.abs(scoreOf(windows, confirmed, share) - expected) < 1e-6));
});
