// Full run only: many rendered frames, up to a minute.
// The delay from screen to camera, from simulated cameras whose delay is known.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateDelay, gaussian, library, measureReflex, randomNumbers, resultAt, withoutDelay } from './load.mjs';

const REFRESH = 1000 / 60;

/** Changes of the screen, and what a camera with this delay sees of them. */
function check(seed, { delay, count = 40, period = 33.37, jitter = 2, noise = 2, spread = 200, lost = 0.02 }) {
  const random = randomNumbers(seed);
  const switches = [];
  for (let i = 0, at = 1000; i < count; i++) {
    at = Math.ceil((at + 350 + spread * random()) / REFRESH) * REFRESH;
    switches.push({ at, white: i % 2 === 0 });
  }
  const frames = [];
  for (let t = period * random(); t < switches.at(-1).at + 400; t += period) {
    const [noisy, dropped] = [gaussian(random), random() < lost];
    const last = switches.findLast(({ at }) => at + delay <= t);
    const timestamp = t + jitter * gaussian(random);
    if (!dropped) frames.push({ timestamp, gray: (last?.white ? 180 : 40) + noise * noisy });
  }
  return estimateDelay(switches, frames);
}

describe('the delay from screen to camera', () => {
  it('is within 5 ms, and its interval covers it in at least 95 of 100 cameras', () => {
    for (const [jitter, period] of [
      [0, 33.37],
      [2, 33.37],
      [4, 40],
      [1, 8.4],
    ]) {
      let [covered, worst] = [0, 0];
      for (let seed = 1; seed <= 100; seed++) {
        const delay = 20 + 2 * seed;
        const estimate = check(seed, { delay, jitter, period });
        worst = Math.max(worst, Math.abs(estimate.delay - delay));
        covered += estimate.low <= delay && delay <= estimate.high ? 1 : 0;
      }
      if (process.env.FOVEOLA_FIGURES) console.log({ jitter, period, covered, worst });
      assert.ok(covered >= 95, `covered ${covered} of 100 with a jitter of ${jitter} ms`);
      assert.ok(worst < 5, `an error of ${worst} ms with a jitter of ${jitter} ms`);
    }
  });

  it('has a wide interval where screen and camera run in step', () => {
    const estimate = check(3, { delay: 90, period: 2 * REFRESH, jitter: 0, lost: 0 });
    assert.ok(estimate.high - estimate.low > 10);
    assert.ok(estimate.low <= 90 && estimate.high >= 90);
  });

  // Measured with 500 other seeds: 93.6 %, so a little below 95 %. In 100 cameras, 88 are two standard errors less.
  it('is covered less often by a camera of 120 Hz that runs in step and jitters', () => {
    let covered = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const delay = 20 + 2 * seed;
      const { low, high } = check(seed, { delay, jitter: 1, period: 1000 / 120 });
      covered += low <= delay && delay <= high ? 1 : 0;
    }
    if (process.env.FOVEOLA_FIGURES) console.log({ inStep: covered });
    assert.ok(covered >= 88, `covered ${covered} of 100`);
  });

  it('is unknown without a mirror, and says why', () => {
    const switches = [{ at: 100, white: true }];
    const frames = Array.from({ length: 90 }, (_, i) => ({ timestamp: 33 * i, gray: 60 + (i % 3) }));
    for (const given of [frames, []]) {
      const { delay, warnings } = estimateDelay(switches, given);
      assert.equal(delay, NaN);
      assert.match(warnings[0], /mirror/);
    }
    assert.match(check(1, { delay: 50, count: 4 }).warnings[0], /4 of 4 changes; 8 are needed/);
  });

  it('is not disturbed by one change of the light in the room', () => {
    const switches = Array.from({ length: 20 }, (_, i) => ({ at: 1000 + 507 * i, white: i % 2 === 0 }));
    const frames = Array.from({ length: 400 }, (_, i) => {
      const last = switches.findLast(({ at }) => at + 70 <= 33.37 * i);
      return { timestamp: 33.37 * i, gray: last?.white || (i > 50 && i < 53) ? 180 : 40 };
    });
    assert.ok(Math.abs(estimateDelay(switches, frames).delay - 70) < 5);
  });
});

describe('the latency of a light reflex', () => {
  /** A camera of 30 Hz that sees a constriction 250 ms after the light, later by its delay. */
  function results(seed, delay) {
    const random = randomNumbers(seed);
    const start = 33.37 * random();
    return Array.from({ length: 200 }, (_, i) => {
      const seen = start + i * 33.37;
      const t = seen - delay - 2250;
      const drop = t < 0 ? 0 : 1.6 * (1 - Math.exp(-((t / 350) ** 1.5))) * Math.exp(-Math.max(0, t - 700) / 2500);
      return resultAt(seen, { diameter: 60, mm: 5.5 - drop + 0.01 * gaussian(random) });
    });
  }

  it('has no delay in it, and an interval that contains it', () => {
    let covered = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const delay = { delay: 80 + (seed % 3) - 1, low: 78, high: 82 };
      const row = measureReflex({ library, delay }, results(seed, 80), { onset: 2000, offset: 2500 });
      assert.equal(row.unit, 'mm');
      covered += row.latency_low <= 250 && row.latency_high >= 250 ? 1 : 0;
    }
    if (process.env.FOVEOLA_FIGURES) console.log({ covered });
    assert.ok(covered >= 95, `covered ${covered} of 100`);
  });

  it('is null without a measured delay', () => {
    const row = measureReflex({ library, delay: null }, results(1, 80), { onset: 2000, offset: 2500 });
    assert.equal(row.latency, null);
    assert.ok(row.latency_with_delay > 300);
    assert.match(row.warnings.at(-1), /timing check/);
  });

  it('adds both intervals', () => {
    const latency = withoutDelay({ delay: 330, low: 326, high: 333 }, { delay: 80, low: 76, high: 83 });
    assert.deepEqual(latency, { delay: 250, low: 245, high: 255 });
  });
});
