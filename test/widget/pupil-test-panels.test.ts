/** The panels of a pupil test: conditions of the start, names of flashes, reasons, curves, changed protocols. */
import { expect } from 'chai';
import { render } from 'lit';
import { evaluateTest, protocols } from '../../src/index.ts';
import { ticksOf } from '../../widget/tools/curves.ts';
import { colorName, reasonOf } from '../../widget/pupil-test/panels/names.ts';
import { savedTest } from '../../widget/pupil-test/panels/report.ts';
import { summary } from '../../widget/pupil-test/panels/summary.ts';
import { changedStep } from '../../widget/pupil-test/panels/setup.ts';
import { panelWords } from '../../widget/pupil-test/panels/words.ts';
import { words } from '../../widget/pupil-test/pupil-test.en.ts';
import { testJson, type PupilTestResult, type TestStep } from '../../widget/pupil-test/test-record.ts';
import type { TestActions } from '../../widget/pupil-test/views.ts';
import { Steady } from '../../widget/pupil-test/steady.ts';
import type { Pupil } from '../../src/results/types.ts';

const said = panelWords('en', words);
const seen = (found: boolean, blink = false) => ({ found, blink }) as Pupil;

describe('the result of a pupil test', () => {
  const left = (t: number, plateau: number) => (t < 0 ? 0 : plateau + (0.4 - plateau) * Math.exp(-t / 2500));
  /** A test of red and blue light whose response to blue stays at `plateau`. */
  function tested(plateau: number, started: string): PupilTestResult {
    const eye = Array.from({ length: 30 * 150 }, (_, i) => {
      const timestamp = (1000 * i) / 30;
      const share = timestamp < 80_000 ? left(timestamp - 20_000, 0.02) : left(timestamp - 80_000, plateau);
      const diameter = 6 * (1 - share) + 0.01 * Math.sin(timestamp / 300);
      return { ...{ eye: 'left' as const, timestamp, diameter, confidence: 0.95 }, blink: false, event: null };
    });
    const flash = (onset: number, color: string, label: string): TestStep => ({
      ...{ path: 'steps[3]', type: 'flash', eye: 'both', round: 1, label, onset, offset: onset + 1000 },
      stimulus: { color, wavelength: null, luminance: 18, illuminance: null, field: null, duration: 1000 },
    });
    const steps = [flash(20_000, '#ff0000', 'red'), flash(80_000, '#0000ff', 'blue')];
    const protocol = protocols['red-blue'];
    const quality = {
      frames: 4500,
      found: 1,
      confidence: 0.95,
      rate: 30,
      dropped: 0,
      blinking: 0,
      faults: [],
      good: true,
    };
    return {
      ...{
        software: 'foveola',
        version: '1',
        notice: 'n',
        protocol,
        screen: null,
        started,
        complete: true,
        unit: 'px',
      },
      ...{ eyes: [eye], events: [], steps, markers: [], quality, backend: 'wasm' },
      measures: evaluateTest({ protocol, eyes: [eye], steps }),
    };
  }
  const first = tested(0.1, '2026-05-04T09:30:00Z');
  const second = tested(0.2, '2026-05-04T10:30:00Z');
  const shownOf = (earlier: PupilTestResult | null, language = 'en') => {
    const box = document.createElement('div');
    const number = (value: number, digits: number) => value.toFixed(digits);
    const model = { result: second, language, number, failure: null, phase: 'running' as const, quality: null };
    const more = { earlier, millimetresPerPixel: null, steady: new Steady() };
    render(summary(panelWords(language, words), { ...model, ...more }, {} as TestActions), box);
    return box;
  };
  const tableOf = (box: HTMLElement, caption: RegExp) => {
    const table = [...box.querySelectorAll('table')].find((one) => caption.test(one.caption!.textContent!));
    return table && [...table.tBodies[0]!.rows].map((row) => [...row.cells].map((cell) => cell.textContent!.trim()));
  };

  it('has the response after each light, and blue minus red', () => {
    const rows = tableOf(shownOf(null), /Response after the light/)!;
    expect(rows.map(([name]) => name)).eql(['red, left eye', 'blue, left eye', 'Blue minus red, left eye']);
    expect(Number(rows[1]![2])).closeTo(18.4, 0.5);
    expect(Number(rows[2]![2])).closeTo(Number(rows[1]![2]) - Number(rows[0]![2]), 0.11);
    expect(tableOf(shownOf(null), /Before/)).equal(undefined);
    expect(tableOf(shownOf(null, 'de'), /Antwort nach dem Licht/)![0]![0]).equal('rot, linkes Auge');
  });

  it('is compared with an earlier test of its protocol, also from a file', () => {
    for (const earlier of [first, savedTest(testJson(first))]) {
      const rows = tableOf(shownOf(earlier), /^\s*Before/)!;
      const [, before, after, change] = rows.find(([name]) => /^Plateau, left eye, blue/.test(name!))!;
      expect(Number(after) - Number(before)).closeTo(Number(change), 0.11);
      expect(Number(change)).above(8);
    }
    expect(tableOf(shownOf({ ...first, unit: 'mm' }), /Before/)).equal(undefined);
    expect(shownOf({ ...first, unit: 'mm' }).textContent).match(/cannot be compared/);
    expect(() => savedTest('{}')).throw('not a saved pupil test');
    expect(() => savedTest('{')).throw('not a saved pupil test');
  });
});

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
