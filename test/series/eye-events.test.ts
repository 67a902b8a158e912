import { expect } from 'chai';
import { createEngine, EventList, type EventSpan, type EyeEvent } from '../../src/index.ts';
import { EyeEventDetector, type SeenPupil } from '../../src/series/eye-events.ts';
import { hardSequences } from '../../lab/eyes/index.ts';
import { itInFull, short } from '../support/full.ts';

const seen = (diameter = 80, outlineConfidence = 1): SeenPupil => ({ found: true, diameter, outlineConfidence });
const gone: SeenPupil = { found: false, diameter: NaN, outlineConfidence: NaN };

/** Plays frames: 1 found, 0 not found, c covered in part, s smaller than a moment ago, e at the edge, d dark. */
function play(series: string, interval = 1000 / 60, limit?: number) {
  const detector = new EyeEventDetector(limit);
  const list = new EventList();
  const kinds: Record<string, SeenPupil> = {
    1: seen(),
    0: gone,
    c: seen(80, 0.6),
    s: seen(70),
    e: { ...seen(), unsure: true },
    d: { ...gone, unsure: true },
  };
  const states = [...series].map((c, i) => {
    const { blink, events } = detector.update(kinds[c]!, i * interval);
    for (const event of events) list.settle({ ...event, pupil: 0, eye: 'unknown' });
    return blink ? '1' : '0';
  });
  const events: EventSpan[] = list.all.map(({ pupil: _, eye: __, ...event }) => event);
  return { events, states: states.join('') };
}
const event = (kind: EventSpan['kind'], onset: number, offset: number, final = true) => ({
  kind,
  onset,
  offset,
  final,
});
const kindsOf = (series: string, interval?: number, limit?: number) =>
  play(series, interval, limit).events.map(({ kind }) => kind);

describe('blinks, closures and losses', () => {
  it('are gaps between pupils, parted by their lengths', () => {
    expect(play('1111' + '0'.repeat(10) + '111').events).to.deep.equal([event('blink', 4000 / 60, 14000 / 60)]);
    expect(kindsOf('11' + '0'.repeat(2) + '11')).to.deep.equal(['loss']); // 33 ms
    expect(kindsOf('11' + '0'.repeat(3) + '11', 17)).to.deep.equal(['blink']); // 51 ms
    expect(kindsOf('11' + '0'.repeat(30) + '11', 20)).to.deep.equal(['blink']); // 600 ms
    expect(kindsOf('11' + '0'.repeat(31) + '11', 20)).to.deep.equal(['closure']);
    expect(kindsOf('11' + '0'.repeat(45) + '11', 20)).to.deep.equal(['closure']); // 900 ms
    expect(kindsOf('11' + '0'.repeat(750) + '11', 20)).to.deep.equal(['closure']); // 15 s
    expect(kindsOf('11' + '0'.repeat(751) + '11', 20)).to.deep.equal(['loss']);
    expect(kindsOf('1' + '0'.repeat(6) + '11' + '0'.repeat(9) + '11')).to.deep.equal(['blink', 'blink']);
    expect(play('100011', 40).events).to.deep.equal([event('blink', 40, 160)]);
  });

  it('have one limit', () => {
    const gap = '11' + '0'.repeat(20) + '11'; // 400 ms
    expect(kindsOf(gap, 20, 400)).to.deep.equal(['blink']);
    expect(kindsOf(gap, 20, 399)).to.deep.equal(['closure']);
  });

  it('begin only after a pupil, and blink as long as they may be blinks', () => {
    expect(play('000000011')).to.deep.equal({ states: '000000000', events: [event('loss', 0, 7000 / 60)] });
    expect(play('00011000').states).to.equal('00000111');
    expect(play('1' + '0'.repeat(40), 20)).to.deep.equal({
      states: '0' + '1'.repeat(31) + '0'.repeat(9),
      events: [event('closure', 20, 800, false)],
    });
  });

  it('are losses where nothing says that it was a lid', () => {
    const long = '0'.repeat(40);
    expect(kindsOf(`111${long}11`, 20)).to.deep.equal(['closure']);
    expect(kindsOf(`11e${long}11`, 20), 'leaves the picture').to.deep.equal(['loss']);
    expect(kindsOf(`111${long}e1`, 20), 'comes into the picture').to.deep.equal(['loss']);
    expect(kindsOf(`111${'d'.repeat(40)}11`, 20), 'in the dark').to.deep.equal(['loss']);
    expect(kindsOf('11e0000011', 20), 'as short as a blink').to.deep.equal(['blink']);
    const detector = new EyeEventDetector();
    detector.update(seen(), 0);
    detector.update(gone, 20);
    detector.update(seen(), 3000); // paused
    expect(detector.update(seen(), 3020).events).to.deep.equal([event('loss', 20, 3000)]);
  });

  it('begin with the lid over the pupil and end when it has left it', () => {
    expect(play('111111cc00000ccc111', 20).events).to.deep.equal([event('blink', 120, 320)]);
    expect(play('111111s00000s111', 20).events).to.deep.equal([event('blink', 120, 260)]);
    // What is covered has no diameter to rely on: it counts as blinking.
    expect(play('111111cc00000cc111', 20).states).to.equal('000000001111111000');
  });

  it('are none where the outline is covered but never lost', () => {
    expect(play('111111cccc111111').events).to.deep.equal([]);
  });

  it('are not ended by a pupil that is found once in between', () => {
    expect(play('1111110000100001111', 20).events).to.deep.equal([event('blink', 120, 300)]);
  });

  it('end where the pupil came back when it stays different', () => {
    const { events, states } = play('111111' + '0'.repeat(8) + 'c'.repeat(20), 20);
    expect(events).to.deep.equal([event('blink', 120, 280)]);
    expect(states.slice(-10)).to.equal('0000000000');
  });

  it('cover each frame without a pupil once', () => {
    const letters = '0001c0ce';
    let state = 7;
    for (let run = 0; run < 50; run++) {
      const series = Array.from({ length: 300 }, () => letters[((state = (state * 48271) % 2147483647) >> 10) & 7]!);
      const list = new EventList();
      const detector = new EyeEventDetector();
      series.forEach((c, i) => {
        const pupil = c === '0' ? gone : seen(80, c === 'c' ? 0.6 : 1);
        for (const one of detector.update(pupil, 20 * i).events) list.settle({ ...one, pupil: 0, eye: 'unknown' });
      });
      const { all } = list;
      all.forEach((one, i) => i && expect(one.onset, `${run}`).to.be.at.least(all[i - 1]!.offset));
      series.forEach((c, i) => c === '0' && expect(list.at(20 * i, 0), `${run}, ${i}`).to.not.equal(null));
    }
  });

  it('do not depend on a time that starts again', () => {
    const detector = new EyeEventDetector();
    detector.update(seen(), 8000);
    expect(detector.update(gone, 8016).blink).to.equal(true);
    // A recording in a loop.
    const again = detector.update(gone, 0);
    expect(again.blink).to.equal(true);
    expect(again.events).to.deep.equal([event('loss', 8016, 8016), event('blink', 0, 0, false)]);
    expect(detector.update(gone, 700).blink).to.equal(false);
    expect(detector.update(seen(), 720).blink).to.equal(false);
    expect(detector.update(seen(), 740)).to.deep.equal({ blink: false, events: [event('loss', 0, 720)] });
  });

  itInFull('are found in rendered sequences to the frame', async () => {
    const engine = await createEngine({ backend: 'wasm', worker: false });
    const interval = 1000 / 60;
    let tracker = engine.createPupilTracker();
    let sequence = 0;
    let truth: number[] = [];
    let blinks: EyeEvent[] = [];
    let compared = 0;
    const compare = () => {
      if (!truth.length) return; // looks away in the meantime: no blink, but for this detector a gap like one
      compared++;
      expect(blinks, `sequence ${sequence}`).to.have.length(1);
      expect(blinks[0]!.pupil).to.equal(0);
      expect(blinks[0]!.onset).to.be.closeTo(truth[0]!, interval + 0.1);
      expect(blinks[0]!.offset).to.be.closeTo(truth.at(-1)! + interval, interval + 0.1);
    };
    try {
      for (const { width, height, data, truth: true_, meta } of hardSequences({ count: short ? 3 : 6 })) {
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
        const { events } = await tracker.process({ width, height, data }, { timestamp: meta.time });
        blinks.push(...events.filter(({ kind, final }) => kind === 'blink' && final));
      }
      compare();
      expect(compared).to.equal(short ? 2 : 4);
    } finally {
      await engine.dispose();
    }
  }).timeout(60_000);
});
