/** Pieces of <foveola-pupil-test>: when a step was seen, what a screen shows, what comes from outside. The whole: test/pages. */
import { expect } from 'chai';
import { planOf, readProtocol, type PlannedStep } from '../../src/index.ts';
import { screenColor } from '../../src/internal.ts';
import { midiLabel, readLines } from '../../widget/pupil-test/panels/devices.ts';
import { TestScreen, type Frames } from '../../widget/pupil-test/screen.ts';
import { showStimulus } from '../../widget/pupil-test/dialog.ts';
import { TestJournal, TestRecord, testJson } from '../../widget/pupil-test/test-record.ts';
import type { Pupil, PupilResult } from '../../src/results/types.ts';

const protocolOf = (steps: unknown[], more: object = {}) =>
  readProtocol({ format: 1, id: 'a', title: 'A', steps, ...more });

/** Frames of a display of 50 Hz that a test turns by hand. */
function display() {
  let callback: ((at: number) => void) | null = null;
  let at = 0;
  const frames: Frames = {
    request: (next) => ((callback = next), 1),
    cancel: () => void (callback = null),
  };
  const turn = (count = 1) => {
    for (let i = 0; i < count; i++) {
      at += 20;
      const now = callback;
      callback = null;
      now?.(at);
    }
    return at;
  };
  return { frames, turn, waiting: () => callback !== null };
}

function screenOf(steps: unknown[]) {
  const { frames, turn, waiting } = display();
  const log: string[] = [];
  const name = (planned: PlannedStep | null) => planned?.step.type ?? 'nothing';
  const screen = new TestScreen(
    protocolOf(steps),
    {
      show: (planned) => log.push(`show ${name(planned)}`),
      seen: (planned, at) => log.push(`seen ${name(planned)} ${at}`),
      over: (planned, at) => log.push(`over ${name(planned)} ${at}`),
      ended: ({ state }) => log.push(state),
    },
    frames,
  );
  return { screen, turn, waiting, log };
}

describe('the screen of a test', () => {
  it('counts a step as seen one frame after it was put there, and shows it as long as it has to', () => {
    const { screen, turn, log } = screenOf([
      { type: 'flash', duration: 100 },
      { type: 'pause', duration: 60 },
    ]);
    screen.begin(0);
    turn(30);
    // Put there at 20, seen at 40, for 100: to 140; the pause to 200.
    expect(log).to.deep.equal([
      ...['show flash', 'seen flash 40', 'show pause', 'over flash 140', 'seen pause 140'],
      ...['show nothing', 'over pause 200', 'finished'],
    ]);
  });

  it('takes the frame that is nearest to the end of a step', () => {
    const lasted = (duration: number) => {
      const { screen, turn, log } = screenOf([
        { type: 'flash', duration },
        { type: 'pause', duration: 500 },
      ]);
      screen.begin(0);
      turn(40);
      return Number(log.find((line) => line.startsWith('over flash'))!.split(' ')[2]) - 40;
    };
    expect([91, 99, 100, 101, 109].map(lasted)).to.deep.equal([100, 100, 100, 100, 100]);
    expect(lasted(111)).to.equal(120);
  });

  it('takes no answer for what was not seen, and begins a step again after a pause', () => {
    const { screen, turn, waiting, log } = screenOf([
      { type: 'text', text: 'Ready?' },
      { type: 'flash', duration: 100 },
    ]);
    screen.begin(0);
    screen.answer(10);
    turn();
    screen.answer(25);
    expect(screen.run.index).to.equal(0);
    turn();
    screen.answer(45);
    expect(screen.run.index).to.equal(1);
    turn(3); // put there at 60, seen at 80
    screen.pause(105);
    expect(waiting()).to.equal(false);
    expect(log.slice(-2)).to.deep.equal(['show nothing', 'over flash 125']);
    screen.resume(110);
    turn(40);
    expect(log.filter((line) => line.startsWith('seen flash'))).to.have.length(2);
    expect(log.at(-1)).to.equal('finished');
    expect(waiting()).to.equal(false);
  });

  it('ends once, also when it is ended twice or in a pause', () => {
    const { screen, turn, waiting, log } = screenOf([{ type: 'adapt', duration: 1000 }]);
    screen.begin(0);
    turn(5);
    screen.pause(100);
    screen.abort(120);
    screen.abort(130);
    expect(log.filter((line) => line === 'aborted')).to.have.length(1);
    expect(waiting()).to.equal(false);
  });
});

describe('the stimulus', () => {
  const places = () => {
    const part = () => document.createElement('div');
    return { screen: part(), left: part(), right: part(), cross: part(), words: part(), time: part() };
  };
  const colorsOf = (step: object) => {
    const at = places();
    const [planned] = planOf(protocolOf([step], { luminance: 0.1 }));
    showStimulus(at, planned!, 0.1, '');
    return [at.screen, at.left, at.right].map(({ style }) => style.background);
  };

  it('lights the screen, or half of it', () => {
    const even = 'rgb(89, 89, 89)'; // relative luminance 0.1
    expect(colorsOf({ type: 'flash', duration: 9 })).to.deep.equal([even, 'rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
    expect(colorsOf({ type: 'flash', duration: 9, eye: 'left' })).to.deep.equal([
      even,
      'rgb(255, 255, 255)',
      'transparent',
    ]);
    expect(colorsOf({ type: 'flash', duration: 9, eye: 'right', color: '#0000ff' })).to.deep.equal([
      ...[even, 'transparent', 'rgb(0, 0, 255)'],
    ]);
    expect(colorsOf({ type: 'pause', duration: 9 })).to.deep.equal([even, 'transparent', 'transparent']);
  });

  it('has the luminance that is asked for', () => {
    expect([0, 1].map((luminance) => screenColor(luminance))).to.deep.equal(['rgb(0 0 0)', 'rgb(255 255 255)']);
    expect(screenColor(0.2158605, '#ff8000')).to.equal('rgb(128 61 0)');
  });

  it('shows the time that is left where the step asks for it', () => {
    const at = places();
    const shown = (step: object) => {
      showStimulus(at, planOf(protocolOf([step]))[0]!, 0, '');
      return [at.time.hidden, at.cross.hidden];
    };
    expect(shown({ type: 'adapt', duration: 9, countdown: true })).to.deep.equal([false, false]);
    expect(shown({ type: 'adapt', duration: 9 })).to.deep.equal([true, false]);
  });

  it('shows words in the place of the cross', () => {
    const at = places();
    showStimulus(at, null, 0, 'Look here');
    expect([at.words.textContent, at.words.hidden, at.cross.hidden]).to.deep.equal(['Look here', false, true]);
    showStimulus(at, null, 0, '');
    expect([at.words.hidden, at.cross.hidden]).to.deep.equal([true, false]);
  });
});

describe('the record of a test', () => {
  it('has the light of each flash, and its times later by the lag of the screen', () => {
    const protocol = protocolOf([{ type: 'flash', duration: 500, color: '#0000ff', luminance: 0.5, label: 'blue' }]);
    const marks: [string, number][] = [];
    const tracker = { now: performance.now(), mark: (label: string, at = 0) => (marks.push([label, at]), null) };
    const screen = { white: 200, lag: 30, lagFrom: 'measured' } as const;
    const journal = new TestJournal(
      protocol,
      screen,
      () => tracker as never,
      () => {},
    );
    const [planned] = planOf(protocol);
    const plain = new TestJournal(
      protocol,
      null,
      () => tracker as never,
      () => {},
    );
    const at = performance.now();
    for (const one of [plain, journal]) {
      one.seen(planned!, at);
      one.over(planned!, at + 500);
    }
    expect(marks.map(([label]) => label)).to.deep.equal(['blue', 'blue end', 'blue', 'blue end']);
    expect(marks[2]![1] - marks[0]![1]).to.be.closeTo(30, 5);
    const { steps, screen: described } = journal.result(false);
    expect(described).to.equal(screen);
    expect(steps[0]!.stimulus).to.deep.include({ color: '#0000ff', wavelength: null, field: null, duration: 500 });
    expect(steps[0]!.stimulus!.luminance).to.be.closeTo(200 * 0.5 * 0.0722, 1e-9);
    expect(plain.result(false).steps[0]!.stimulus!.luminance).to.equal(null);
  });

  const result = (timestamp: number, diameter: number | null, diameterMm: number | null = null) =>
    ({
      ...{ timestamp, width: 9, height: 9, events: [], dropped: 0, backend: 'wasm' },
      pupils: [
        { found: diameter !== null, diameter: diameter ?? 0, diameterMm, confidence: 0.9, blink: false } as Pupil,
      ],
    }) as unknown as PupilResult;
  const flash = { type: 'flash', duration: 10, label: 'flash' };

  it('has samples, steps and markers; what is missing is null in its JSON', () => {
    const protocol = protocolOf([flash]);
    const record = new TestRecord(protocol);
    record.add(result(0, 40));
    record.seen(planOf(protocol)[0]!, 5);
    record.add(result(10, null));
    record.over(15);
    const whole = JSON.parse(testJson(record.result(true))) as ReturnType<TestRecord['result']>;
    expect(whole.unit).to.equal('px');
    expect(whole.eyes).to.deep.equal([
      [
        { eye: 'unknown', timestamp: 0, diameter: 40, confidence: 0.9, blink: false, event: null },
        { eye: 'unknown', timestamp: 10, diameter: null, confidence: 0.9, blink: false, event: null },
      ],
    ]);
    const stimulus = {
      color: '#ffffff',
      wavelength: null,
      luminance: null,
      illuminance: null,
      field: null,
      duration: 10,
    };
    expect(whole.screen).to.equal(null);
    expect(whole.steps).to.deep.equal([
      { path: 'steps[0]', type: 'flash', eye: 'both', stimulus, round: 1, label: 'flash', onset: 5, offset: 15 },
    ]);
    expect(whole.markers).to.deep.equal([{ label: 'flash', timestamp: 5 }]);
    expect(whole.notice).to.contain('not a medical device');
  });

  it('is in millimetres where every pupil was, and never in a mix', () => {
    const unitOf = (...list: PupilResult[]) => {
      const record = new TestRecord(protocolOf([flash]));
      for (const one of list) record.add(one);
      const { unit, eyes } = record.result(true);
      return [unit, ...eyes[0]!.map(({ diameter }) => diameter)];
    };
    expect(unitOf(result(0, 40, 4), result(1, 50, 5))).to.deep.equal(['mm', 4, 5]);
    expect(unitOf(result(0, 40, 4), result(1, 50))).to.deep.equal(['px', 40, 50]);
    expect(unitOf(result(0, null))).to.deep.equal(['px', NaN]);
  });

  it('warns of what its frames warned of, where that is more than a moment', () => {
    const record = new TestRecord(protocolOf([flash]));
    for (let i = 0; i < 40; i++) {
      const warnings = [...(i < 4 ? ['The picture is too dark.'] : []), ...(i < 3 ? ['The picture is blurred.'] : [])];
      record.add({ ...result(i, 40), ...(warnings.length && { warnings }) });
    }
    const { warnings } = record.result(true).measures;
    expect(warnings).to.include('The picture is too dark. (4 of 40 frames)');
    expect(warnings.join()).to.not.include('blurred');
  });
});

describe('markers from outside', () => {
  it('have the names of MIDI notes, programs and controllers; the rest is silence', () => {
    expect(
      [
        [0x90, 60, 100],
        [0x9f, 61, 1],
        [0xc0, 5],
        [0xb0, 7, 90],
      ].map(midiLabel),
    ).to.deep.equal([...['midi note 60', 'midi note 61', 'midi program 5', 'midi controller 7 90']]);
    expect([[0x90, 60, 0], [0x80, 60, 64], [0xf8], []].map(midiLabel)).to.deep.equal([null, null, null, null]);
  });

  it('are whole lines of a serial device, whatever pieces they come in', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['sta', 'rt\r\nflash\n\n  go ', ' \nrest', 'x'.repeat(500) + '\nlast'])
          controller.enqueue(bytes(piece));
        controller.close();
      },
    });
    const labels: string[] = [];
    await readLines(stream, (label) => labels.push(label), new AbortController().signal);
    expect(labels.slice(0, 3)).to.deep.equal(['start', 'flash', 'go']);
    expect(labels).to.have.length(4); // the last has no end
    expect(labels[3]).to.have.length(80);
  });

  it('end when the device is let go', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    const ending = new AbortController();
    const reading = readLines(stream, () => {}, ending.signal);
    ending.abort();
    await reading;
    expect(cancelled).to.equal(true);
  });
});
