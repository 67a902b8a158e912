import { expect } from 'chai';
import { QualityMeter } from '../../src/protocols/recording-quality.ts';
import type { Pupil, PupilResult } from '../../src/results/types.ts';

const pupil = (found: boolean, confidence = 0.9, blink = false) => ({ found, confidence, blink }) as Pupil;
const result = (timestamp: number, pupils: Pupil[], dropped = 0) =>
  ({ timestamp, width: 640, height: 480, pupils, events: [], dropped, backend: 'wasm' }) as PupilResult;

function judged(rate: number, frame: (i: number) => [Pupil[], number?], eyes: 1 | 2 = 1) {
  const meter = new QualityMeter(eyes);
  for (let i = 0; i < 5 * rate; i++) {
    const [pupils, dropped] = frame(i);
    meter.add(result((i * 1000) / rate, pupils, dropped));
  }
  return meter.judge();
}

describe('quality of a recording', () => {
  it('is good at 60 Hz with a sure pupil, over the last three seconds alone', () => {
    const quality = judged(60, (i) => [[pupil(i > 100)]]); // none in the first seconds
    expect(quality.faults).to.deep.equal([]);
    expect(quality.good).to.equal(true);
    expect(quality.rate).to.be.closeTo(60, 1e-6);
    expect(quality.frames).to.be.within(180, 181); // times are rounded
  });

  it('says what is wrong, the worst first', () => {
    expect(new QualityMeter().judge().faults).to.deep.equal(['no-frames']);
    expect(judged(60, (i) => [[pupil(i % 2 === 0)]]).faults).to.deep.equal(['eye-not-in-view']);
    expect(judged(60, () => [[pupil(true, 0.4)]]).faults).to.deep.equal(['uncertain']);
    expect(judged(15, () => [[pupil(true)]]).faults).to.deep.equal(['slow']);
    expect(judged(60, () => [[pupil(true)], 1]).faults).to.deep.equal(['drops']);
    expect(judged(60, (i) => [[pupil(i % 2 === 0, 0.9, i % 2 === 1)]]).faults).to.deep.equal(['blinks']);
    expect(judged(10, (i) => [[pupil(i % 3 === 0, 0.3)]]).faults).to.deep.equal([
      'eye-not-in-view',
      'uncertain',
      'slow',
    ]);
  });

  it('asks for both eyes where both are to be measured', () => {
    const one = (i: number): [Pupil[]] => [[pupil(true), pupil(i < 0)]];
    expect(judged(60, one, 1).good).to.equal(true);
    expect(judged(60, one, 2).faults).to.deep.equal(['eye-not-in-view']);
    expect(judged(60, one, 2).found).to.equal(0.5);
  });
});
