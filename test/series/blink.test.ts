import { expect } from 'chai';
import { BlinkDetector, type BlinkSpan } from '../../src/series/blink.ts';
import { createEngine } from '../../src/index.ts';
import { hardSequences } from '../../tools/eyes/index.ts';

const seen = (diameter = 80, outlineConfidence = 1) => ({ found: true, diameter, outlineConfidence });
const gone = { found: false, diameter: NaN, outlineConfidence: 0 };

/** Plays frames at a rate: 1 found, 0 not found, c covered in part, s smaller than a moment ago. */
function play(series: string, interval = 1000 / 60) {
  const detector = new BlinkDetector();
  const blinks: BlinkSpan[] = [];
  const kinds: Record<string, Parameters<BlinkDetector['update']>[0]> = {
    1: seen(),
    0: gone,
    c: seen(80, 0.6),
    s: seen(70),
  };
  const states = [...series].map((c, i) => {
    const { blink, ended } = detector.update(kinds[c]!, i * interval);
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
    expect(play('1' + '0'.repeat(6) + '11' + '0'.repeat(9) + '11').blinks.length).to.equal(2);
    expect(play('100011', 40).blinks).to.deep.equal([{ onset: 40, offset: 160 }]);
  });

  it('begin only after a pupil, and end as a loss when they last', () => {
    expect(play('000000011').states).to.equal('000000000');
    expect(play('0001000').states).to.equal('0000111');
    expect(play('1' + '0'.repeat(40), 20).states).to.equal('0' + '1'.repeat(31) + '0'.repeat(9));
  });

  it('begin with the lid over the pupil and end when it has left it', () => {
    expect(play('111111cc00000ccc111', 20).blinks).to.deep.equal([{ onset: 120, offset: 320 }]);
    expect(play('111111s00000s111', 20).blinks).to.deep.equal([{ onset: 120, offset: 260 }]);
    // What is covered has no diameter to rely on: it counts as blinking.
    expect(play('111111cc00000cc111', 20).states).to.equal('000000001111111000');
  });

  it('are no blinks where the outline is covered but never lost', () => {
    expect(play('111111cccc111111').blinks).to.deep.equal([]);
  });

  it('are not ended by a pupil that is found once in between', () => {
    expect(play('1111110000100001111', 20).blinks).to.deep.equal([{ onset: 120, offset: 300 }]);
  });

  it('end where the pupil came back when it stays different', () => {
    const { blinks, states } = play('111111' + '0'.repeat(8) + 'c'.repeat(20), 20);
    expect(blinks).to.deep.equal([{ onset: 120, offset: 280 }]);
    expect(states.slice(-10)).to.equal('0000000000');
  });

  it('do not hang on a time that starts again', () => {
    const detector = new BlinkDetector();
    detector.update(seen(), 8000);
    expect(detector.update(gone, 8016).blink).to.equal(true);
    // A recording in a loop.
    expect(detector.update(gone, 0).blink).to.equal(true);
    expect(detector.update(gone, 700).blink).to.equal(false);
    expect(detector.update(seen(), 720)).to.deep.equal({ blink: false, ended: null });
    expect(detector.update(seen(), 740)).to.deep.equal({ blink: false, ended: null });
  });

  it('are found in rendered sequences to the frame', async () => {
    const engine = await createEngine({ backend: 'wasm', worker: false });
    const interval = 1000 / 60;
    let tracker = engine.createPupilTracker();
    let sequence = 0;
    let truth: number[] = [];
    let blinks: { onset: number; offset: number; eye: number }[] = [];
    let compared = 0;
    const compare = () => {
      if (!truth.length) return; // looks away in the meantime: no blink, but for this detector a gap like one
      compared++;
      expect(blinks, `sequence ${sequence}`).to.have.length(1);
      expect(blinks[0]!.eye).to.equal(0);
      expect(blinks[0]!.onset).to.be.closeTo(truth[0]!, interval + 0.1);
      expect(blinks[0]!.offset).to.be.closeTo(truth.at(-1)! + interval, interval + 0.1);
    };
    try {
      for (const { width, height, data, truth: true_, meta } of hardSequences()) {
        if (meta.sequence !== sequence) {
          compare();
          await tracker.dispose();
          tracker = engine.createPupilTracker();
          sequence = meta.sequence;
          truth = [];
          blinks = [];
        }
        // The lid lies over more than 30 % of the pupil.
        if (true_.blink || true_.partial) truth.push(meta.time);
        blinks.push(...(await tracker.process({ width, height, data }, { timestamp: meta.time })).blinks);
      }
      compare();
      expect(compared).to.equal(4);
    } finally {
      await engine.dispose();
    }
  }).timeout(60_000);
});
