/** The measured choice of the side: near the faster one after ten calls, on any device, and when the device changes. */
import { expect } from 'chai';
import { createEngine } from '../../src/index.ts';
import { callKey, isProfile, SideProfile } from '../../src/runtime/side-profile.ts';
import type { Side } from '../../src/runtime/side.ts';
import { failure } from '../frames/made-frames.ts';

const key = callKey('canny', { low: 50 }, 1 << 20, 'gray');

/** Milliseconds of `count` calls on a device whose sides take this long; the first of a side takes ten times as long. */
function play(profile: SideProfile, cost: Record<Side, number>, count: number, noise = 0, compiled = false) {
  const seen = { wasm: compiled ? 1 : 0, gpu: compiled ? 1 : 0 };
  let state = 1;
  return Array.from({ length: count }, () => {
    const side = profile.choose(key);
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    const time = cost[side] * (seen[side]++ ? 1 : 10) * (1 + (noise * state) / 2147483647);
    profile.told(key, side, time, side === 'gpu');
    return { side, time };
  });
}
const sum = (calls: readonly { time: number }[]) => calls.reduce((total, { time }) => total + time, 0);

describe('the measured side', () => {
  for (const [wasm, gpu] of [
    [3, 6],
    [6, 3],
    [30, 4],
    [4, 30],
    [5, 5.2],
    [200, 3],
  ] as const)
    it(`after ten calls takes at most a tenth more than the better of WASM ${wasm} ms and GPU ${gpu} ms`, () => {
      for (const noise of [0, 0.3]) {
        const profile = new SideProfile('device');
        play(profile, { wasm, gpu }, 10, noise);
        const later = play(profile, { wasm, gpu }, 400, noise, true);
        const best = Math.min(wasm, gpu) * 400 * (1 + noise / 2);
        expect(sum(later) / best).to.be.below(1.1);
      }
    });

  it('notices when the device changes', () => {
    const profile = new SideProfile('device');
    play(profile, { wasm: 9, gpu: 3 }, 100);
    expect(profile.choose(key)).to.equal('gpu');
    play(profile, { wasm: 3, gpu: 30 }, 200, 0, true);
    expect(play(profile, { wasm: 3, gpu: 30 }, 20, 0, true).filter(({ side }) => side === 'wasm')).to.have.length.above(
      18,
    );
  });

  it('tries nothing where WASM is done before a fence, and where no stage takes the GPU', () => {
    const quick = new SideProfile('device');
    expect(play(quick, { wasm: 0.4, gpu: 3 }, 50).every(({ side }) => side === 'wasm')).to.equal(true);
    const none = new SideProfile('device');
    const sides = Array.from({ length: 10 }, () => {
      const side = none.choose(key);
      none.told(key, side, 20, false);
      return side;
    });
    expect(sides.filter((side) => side === 'gpu')).to.have.length(1);
  });

  it('begins where the image lies', () => {
    const profile = new SideProfile('device');
    const sides = Array.from({ length: 6 }, () => {
      const side = profile.choose(key, 'gpu');
      profile.told(key, side, side === 'gpu' ? 9 : 3, side === 'gpu');
      return side;
    });
    expect(sides).to.deep.equal(['gpu', 'gpu', 'wasm', 'wasm', 'wasm', 'wasm']);
  });

  it('tells calls apart by name, parameters, place and size within a factor of two', () => {
    const keys = [
      key,
      callKey('canny', { low: 60 }, 1 << 20, 'gray'),
      callKey('canny', { low: 50 }, 1 << 22, 'gray'),
      callKey('canny', { low: 50 }, 1 << 20, 'gpu'),
      callKey('median', { low: 50 }, 1 << 20, 'gray'),
    ];
    expect(new Set(keys).size).to.equal(5);
    expect(callKey('canny', { low: 50 }, 1_000_000, 'gray')).to.equal(key);
  });

  it('is plain data that the next engine of the same device begins with', () => {
    const profile = new SideProfile('device');
    play(profile, { wasm: 9, gpu: 3 }, 20);
    const data = JSON.parse(JSON.stringify(profile)) as ReturnType<SideProfile['toJSON']>;
    expect(isProfile(data)).to.equal(true);
    expect(new SideProfile('device', data).choose(key)).to.equal('gpu');
    expect(new SideProfile('another', data).choose(key)).to.equal('wasm');
    const wrong = [{}, { device: 'a', calls: null }, { device: 'a', calls: { k: { wasm: [-1], gpu: [] } } }, 'a', 3];
    for (const one of wrong) expect(isProfile(one), JSON.stringify(one)).to.equal(false);
  });

  it('is part of the engine: capabilities say what is chosen how, a forced side is not compared', async () => {
    for (const [backend, side] of [
      ['wasm', 'wasm'],
      ['gpu', 'gpu'],
    ] as const) {
      const engine = await createEngine({ backend, profile: { device: 'none', calls: {} } });
      expect(engine.capabilities.sides['canny']!.side).to.equal(side);
      expect(engine.capabilities.sides['createPupilTracker']!.why).to.match(/backend/);
      expect(await engine.profile()).to.equal(null);
      await engine.dispose();
    }
    const error = await failure(() => createEngine({ profile: { device: 1 } as never }));
    expect(error.message).to.match(/profile must be what engine.profile\(\) gave/);
  });
});
