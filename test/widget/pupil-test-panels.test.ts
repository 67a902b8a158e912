/** The panels of a pupil test: conditions of the start, names of flashes, reasons, curves, changed protocols. */
import { expect } from 'chai';
import { protocols } from '../../src/index.ts';
import { ticksOf } from '../../widget/tools/curves.ts';
import { colorName, reasonOf } from '../../widget/pupil-test/panels/names.ts';
import { changedStep } from '../../widget/pupil-test/panels/setup.ts';
import { panelWords } from '../../widget/pupil-test/panels/words.ts';
import { words } from '../../widget/pupil-test/pupil-test.en.ts';
import { Steady } from '../../widget/pupil-test/steady.ts';
import type { Pupil } from '../../src/results/types.ts';

const said = panelWords('en', words);
const seen = (found: boolean, blink = false) => ({ found, blink }) as Pupil;

describe('the pupil test before its start', () => {
  const run = (steady: Steady, from: number, to: number, pupils: Pupil[]) => {
    for (let timestamp = from; timestamp <= to; timestamp += 100) steady.add({ timestamp, pupils });
    return steady.ready;
  };

  it('is ready after two seconds with a pupil, blinks included', () => {
    const steady = new Steady();
    expect(run(steady, 0, 1900, [seen(true)])).equal(false);
    expect(run(steady, 1910, 1990, [seen(false, true)])).equal(false);
    expect(run(steady, 2000, 2000, [seen(true)])).equal(true);
  });

  it('is no longer ready after two seconds without one', () => {
    const steady = new Steady();
    run(steady, 0, 2000, [seen(true)]);
    expect(run(steady, 2100, 4000, [seen(false)])).equal(true);
    expect(run(steady, 4100, 4100, [seen(false)])).equal(false);
  });

  it('starts to count again after another source, and needs both eyes where the test does', () => {
    const steady = new Steady();
    run(steady, 5000, 6500, [seen(true)]);
    expect(run(steady, 0, 1900, [seen(true)])).equal(false);
    const both = new Steady(2);
    expect(run(both, 0, 4000, [seen(true), seen(false)])).equal(false);
    expect(run(both, 4100, 6100, [seen(true), seen(true)])).equal(true);
  });
});

describe('the panels of a pupil test', () => {
  it('name colors', () => {
    const names = [undefined, '#ffffff', '#ff0000', '#0000ff', '#00ff00', '#ffbf00', '#ff0080', '#808070'];
    expect(names.map(colorName)).eql(['white', 'white', 'red', 'blue', 'green', 'orange', 'pink', 'white']);
  });

  it('give the most general reason for a missing measure, and any warning before none', () => {
    const reflex = (...warnings: string[]) => ({ warnings });
    const unclear = 'The constriction does not exceed the fluctuation before the light';
    expect(reasonOf(said, reflex(unclear), 'latency')).equal(said.reasons.unclear);
    expect(reasonOf(said, reflex(unclear), 'amplitude')).equal(unclear);
    expect(reasonOf(said, reflex(), 't75')).equal(said.reasons.unknown);
  });

  it('put ticks at round numbers', () => {
    expect(ticksOf(0, 8, 4)).eql([0, 2, 4, 6, 8]);
    expect(ticksOf(-0.5, 2.5, 6)).eql([-0.5, 0, 0.5, 1, 1.5, 2, 2.5]);
    expect(ticksOf(3, 3, 4)).eql([3]);
  });

  it('change one step, also of a repetition, under another id, and leave the shipped protocol alone', () => {
    const shipped = protocols['light-reflex'];
    const before = JSON.stringify(shipped);
    const at = shipped.steps.findIndex(({ type }) => type === 'repeat');
    const times = changedStep(shipped, [at], { times: 7 });
    expect(times.steps[at]).include({ type: 'repeat', times: 7 });
    const inner = changedStep(times, [at, 0], { duration: 1234 }).steps[at]!;
    expect(inner.type === 'repeat' && inner.steps[0]).include({ duration: 1234 });
    expect(times.id).equal('light-reflex-changed');
    expect(JSON.stringify(shipped)).equal(before);
  });
});
