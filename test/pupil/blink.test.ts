import { expect } from 'chai';
import { BlinkDetector } from '../../src/pupil/blink.ts';

/** Plays found (1) and not found (0) at a rate; returns the blinks and when the eye counted as blinking. */
function play(series: string, interval = 1000 / 60) {
  const detector = new BlinkDetector();
  const blinks: { onset: number; offset: number }[] = [];
  const states = [...series].map((c, i) => {
    const { blink, ended } = detector.update(c === '1', i * interval);
    if (ended) blinks.push(ended);
    return blink ? '1' : '0';
  });
  return { blinks, states: states.join('') };
}

describe('blinks', () => {
  it('are gaps of 50 to 600 ms between pupils', () => {
    expect(play('1111' + '0'.repeat(10) + '111').blinks).to.deep.equal([{ onset: 4000 / 60, offset: 14000 / 60 }]);
    expect(play('11' + '0'.repeat(2) + '11').blinks).to.deep.equal([]); // 33 ms
    expect(play('11' + '0'.repeat(3) + '11', 17).blinks.length).to.equal(1); // 51 ms
    expect(play('11' + '0'.repeat(30) + '11', 20).blinks.length).to.equal(1); // 600 ms
    expect(play('11' + '0'.repeat(31) + '11', 20).blinks).to.deep.equal([]);
    expect(play('1' + '0'.repeat(6) + '1' + '0'.repeat(9) + '1').blinks.length).to.equal(2);
    expect(play('10001', 40).blinks).to.deep.equal([{ onset: 40, offset: 160 }]);
  });

  it('begin only after a pupil, and end as a loss when they last', () => {
    expect(play('00000001').states).to.equal('00000000');
    expect(play('0001000').states).to.equal('0000111');
    expect(play('1' + '0'.repeat(40), 20).states).to.equal('0' + '1'.repeat(31) + '0'.repeat(9));
  });

  it('do not hang on a time that begins anew', () => {
    const detector = new BlinkDetector();
    detector.update(true, 8000);
    expect(detector.update(false, 8016).blink).to.equal(true);
    // A recording in a loop.
    expect(detector.update(false, 0).blink).to.equal(true);
    expect(detector.update(false, 700).blink).to.equal(false);
    expect(detector.update(true, 720)).to.deep.equal({ blink: false, ended: null });
  });
});
