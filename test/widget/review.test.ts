/** Reviewing an analyzed recording in <foveola-pupil>: by keys, by pointer, by settings files; undo restores every byte. */
import { expect } from 'chai';
import 'axe-core';
import type { AxeResults } from 'axe-core';
import type { EyeEvent, Source } from '../../src/index.ts';
import { type EngineProvider, setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { inOrder, keyed, pulled } from '../../widget/pupil/review/outline-tool.ts';
import '../../widget/strings/de.ts';
import { makeClip, steady } from '../support/clips.ts';
import { chooseItem, stateOf, waitUntil } from './element-state.ts';
import { fakeCapabilities } from './fake-engine.ts';

declare const axe: { run(on: Element, options: object): Promise<AxeResults> };

const [frames, rate] = [60, 30];
/** Frames 40 to 43 are a blink, frame 50 is lost, and 19 frames are doubtful: 20 questions. */
const blink = (i: number) => i >= 40 && i < 44;
const found = (i: number) => !blink(i) && i !== 50;
const doubtful = (i: number) => i % 3 === 0 && found(i);

function resultOf(timestamp: number, dropped: number) {
  const i = Math.round((timestamp * rate) / 1000);
  const seen = found(i);
  const [x, y, major] = seen ? [60 + i / 2, 60, 30] : [NaN, NaN, NaN];
  const common = { pupil: 0, eye: 'unknown' as const, final: false, offset: timestamp };
  const events: EyeEvent[] = [];
  const at = (frame: number) => Math.round((1000 * frame) / rate); // as the file rounds them
  if (blink(i)) events.push({ ...common, kind: 'blink', onset: at(40) });
  if (i === 44) events.push({ ...common, kind: 'blink', onset: at(40), final: true });
  if (i === 50 || i === 51) events.push({ ...common, kind: 'loss', onset: at(50), final: i > 50 });
  const pupil = {
    ...{ eye: 'unknown' as const, found: seen, confidence: seen ? (doubtful(i) ? 0.3 : 0.9) : 0 },
    ...{ outlineConfidence: seen ? 0.8 : NaN, x, y, diameter: major, diameterMm: null, blink: blink(i) },
    ...{ votes: 18, points: 20, circle: { x, y, r: major / 2 } },
    ellipse: seen ? { x, y, major, minor: 28, angle: 0.3 } : null,
  };
  return { timestamp, width: 160, height: 120, pupils: [pupil], events, dropped, backend: 'wasm' as const };
}

const provider: EngineProvider = () => ({
  engine: Promise.resolve({
    capabilities: fakeCapabilities,
    createPupilTracker: () => ({
      process: async (source: Source, { timestamp = 0, dropped = 0 } = {}) => {
        if (source instanceof VideoFrame) source.close();
        return resultOf(timestamp, dropped);
      },
      reset: async () => undefined,
      setParameters: async () => undefined,
      dispose: async () => undefined,
    }),
  } as never),
  release: () => undefined,
});

describe('the review of a recording', () => {
  let element: FoveolaPupil;
  let clip: File;
  let restore: Parameters<typeof setEngineProvider>[0];

  before(async () => (clip = await makeClip({ times: steady(frames, rate) })));
  beforeEach(async () => {
    restore = setEngineProvider(provider);
    element = document.createElement('foveola-pupil');
    Object.assign(element, { controls: true, paused: true, source: clip });
    element.style.width = '640px';
    document.body.append(element);
    await until('the timeline', () => find('.timeline [role=slider]') && element.state === 'paused');
    const { complete } = await element.analyse();
    expect(complete).to.equal(true);
  });
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
    element.renderRoot.querySelector<E>(selector)!;
  const press = async (key: string, more: KeyboardEventInit = {}) => {
    const on = element.shadowRoot!.activeElement ?? find('.stage');
    on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }));
    await element.updateComplete;
  };
  const status = () => find('.review header')?.textContent ?? '';
  const frameIs = (index: number) =>
    until(`frame ${index}`, () => status().includes(`Frame ${index + 1} of ${frames}`));
  const shape = () => find('.shape.disc[role=application]:not([hidden])');
  const open = async () => {
    element.focus();
    await press('v');
    await until('the review', () => find('.review'));
  };
  const exported = async () => [await element.exportCsv(), await element.exportJson()];
  const rows = async () => {
    const json = JSON.parse(await element.exportJson()) as { rows: Record<string, unknown>[]; events: EyeEvent[] };
    return json.rows;
  };
  const go = async (index: number) => {
    await element.seek((1000 * index) / rate + 0.5);
    await element.updateComplete;
    await frameIs(index);
    element.focus();
  };

  const figure = (name: string) => find(`.readout [data-value=${name}]`).textContent;

  it('has the numbers of the summary in the readout, also after corrections, and keeps its chart while it plays', async () => {
    const shares = () => [figure('found'), figure('blinks')];
    await until('the numbers', () => shares().join() === '91.7,1'); // 55 of 60
    expect(find('.summary').textContent).to.include('found in 91.7 %').and.include('1 blink');
    await open();
    await go(42);
    await press('b'); // it is removed
    await until('no blink', () => figure('blinks') === '0');
    expect(find('.summary').textContent).to.include('0 blinks');
    await press('z', { ctrlKey: true });
    await until('it is there again', () => shares().join() === '91.7,1');
    const chart = find('.chart canvas');
    const strip = find('.timeline .scrub').getBoundingClientRect();
    const axis = chart.getBoundingClientRect();
    expect(strip.left - axis.left).to.be.closeTo(42, 0.5); // as the axis of the chart begins
    expect(axis.right - strip.right).to.be.closeTo(14, 0.5);
    const legend = [...element.renderRoot.querySelectorAll('.legend span')].map((one) => one.className);
    expect(legend).to.deep.equal(['found', 'blink', 'closure', 'lost', 'unknown', 'recorded']);
    await element.seek(0);
    await element.play();
    await until('it plays', () => element.currentTime > 0.3);
    element.pause();
    await until('it stands', () => element.state === 'paused');
    expect(shares().join()).to.equal('91.7,1');
    find('.chart').dispatchEvent(new PointerEvent('pointerenter'));
    await until('the chart tools', () => chart.getAttribute('role') === 'slider');
    expect([chart.getAttribute('aria-valuemin'), chart.getAttribute('aria-valuemax')]).to.deep.equal([
      '0.000',
      '1.987',
    ]);
    chart.focus();
    await press('Home');
    await press('End');
    await until('the last frame is known', () => chart.getAttribute('aria-valuetext')!.startsWith('1.967 s'));
  });

  it('corrects 20 frames by keyboard, and undo restores every byte of the exports', async () => {
    const before = await exported();
    const settings = element.exportSettings();
    await open();
    expect(status()).to.include('20 frames to check');
    const questions = Array.from({ length: frames }, (_, i) => i).filter((i) => doubtful(i) || i === 50);
    expect(questions).to.have.length(20);
    // The analysis ended at the last frame.
    for (const [i, question] of questions.entries()) {
      await press('n');
      await frameIs(question);
      if (found(question)) {
        await until('the outline has the focus', () => shape() && element.shadowRoot!.activeElement === shape());
        await press('ArrowRight');
        await press('ArrowUp', { shiftKey: true });
      } else await press('d');
      expect(element.corrections).to.have.length(i + 1);
    }
    expect(status()).to.include('Nothing left to check').and.include('20 corrections').and.include('corrected by hand');
    expect(find('.summary').textContent).to.include('0 doubtful frames');
    const after = await rows();
    expect(after.map(({ corrected }, i) => (corrected ? i : -1)).filter((i) => i >= 0)).to.deep.equal(questions);
    expect([after[3]!.x, after[3]!.diameter, after[3]!.minor]).to.deep.equal([62, 31, 29]);
    expect([after[50]!.found, after[50]!.event]).to.deep.equal([true, null]);
    expect(await element.exportCsv()).to.match(/,event,corrected,/);
    expect(element.series().events.map(({ kind }) => kind)).to.deep.equal(['blink']);
    const saved = element.exportSettings();
    expect(JSON.parse(saved)).to.have.property('corrections').with.length(20);
    const corrected = await exported();

    let undone = 0;
    while (element.corrections.length) {
      await press('z', { ctrlKey: true });
      if (++undone > 60) throw new Error('too many steps');
    }
    expect(await exported()).to.deep.equal(before);
    expect(element.exportSettings()).to.equal(settings);
    expect(find('.summary').textContent).to.include('19 doubtful frames');
    for (let i = 0; i < undone; i++) await press('y', { ctrlKey: true });
    expect(await exported()).to.deep.equal(corrected);

    // A settings file carries the corrections, also to a new analysis.
    element.undo();
    element.loadSettings(saved);
    await until('the corrections', () => element.corrections.length === 20);
    expect(await exported()).to.deep.equal(corrected);
    await element.analyse();
    await until('they apply again', () => JSON.stringify(element.series().events).includes('blink'));
    const again = await rows();
    expect(again.filter((row) => row.corrected)).to.have.length(20);
    const other = JSON.stringify({ ...JSON.parse(saved), recording: 'f'.repeat(64), corrections: [] });
    element.loadSettings(other);
    await until('a note', () => find('.note')?.textContent.includes('another recording'));
    expect(element.corrections).to.have.length(20);
  });

  it('excludes a span, removes a blink and marks another one', async () => {
    await open();
    await go(10);
    await press('x');
    await press('.');
    await frameIs(11);
    await press('.');
    await frameIs(12);
    await press('x');
    let now = await rows();
    expect(now.slice(9, 14).map(({ corrected, found: seen, event }) => [corrected, seen, event])).to.deep.equal([
      [null, true, null],
      ...[1, 2, 3].map(() => ['exclude', false, 'loss']),
      [null, true, null],
    ]);
    await go(41);
    await press('b');
    await go(20);
    await press('b');
    await go(22);
    await press('b');
    now = await rows();
    expect(now.map(({ blink: lid }, i) => (lid ? i : -1)).filter((i) => i >= 0)).to.deep.equal([20, 21, 22]);
    const kinds = element.series().events.map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['loss', 'blink', 'loss', 'loss']);
    expect(find('.summary').textContent).to.include('1 blink');
    expect(find('.timeline [role=slider]')).to.be.ok;
    await until('the timeline follows', () =>
      find('.timeline [role=slider]').getAttribute('aria-valuetext')!.includes('blink'),
    );
    await press('Delete');
    expect((await rows())[22]).to.include({ corrected: 'exclude', found: false, diameter: null });
    await press('x');
    await press('Escape');
    expect(find('.review')).to.be.ok;
    await press('Escape');
    expect(find('.review')).to.equal(null);
  });

  it('drags the outline by its handles, and draws a new one', async () => {
    await open();
    await go(5);
    await until('its outline', shape);
    const layer = shape().parentElement!;
    const scale = parseFloat(shape().style.width) / 30;
    const drag = (on: Element, from: [number, number], by: [number, number]) => {
      const at = ([clientX, clientY]: [number, number]) => ({
        clientX,
        clientY,
        pointerId: 1,
        button: 0,
        bubbles: true,
      });
      layer.setPointerCapture = () => undefined;
      on.dispatchEvent(new PointerEvent('pointerdown', at(from)));
      for (const type of ['pointermove', 'pointerup'])
        layer.dispatchEvent(new PointerEvent(type, at([from[0] + by[0], from[1] + by[1]])));
    };
    const box = shape().getBoundingClientRect();
    const middle: [number, number] = [box.x + box.width / 2, box.y + box.height / 2]; // of (62.5, 60)
    drag(shape(), middle, [10 * scale, -5 * scale]);
    let row = (await rows())[5]!;
    expect(row.x).to.be.closeTo(72.5, 0.01);
    expect(row.y).to.be.closeTo(55, 0.01);
    expect([row.diameter, row.corrected]).to.deep.equal([30, 'outline']);
    await press('z', { ctrlKey: true });
    drag(layer, [middle[0] + 57.5 * scale, middle[1] - 30 * scale], [12 * scale, 0]);
    row = (await rows())[5]!;
    expect(row.x).to.be.closeTo(120, 0.01);
    expect(row.diameter).to.be.closeTo(24, 0.01);
  });

  it('is in the menu, in German as well, and passes axe', async () => {
    await chooseItem(element, 'more', 'Review and correct');
    await until('the review', () => find('.review'));
    await go(3);
    element.lang = 'de';
    await until('German', () => find('.review').textContent.includes('Lidschlag ab hier'));
    const { violations } = await axe.run(element, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).to.deep.equal([]);
  });

  it('reports corrections that are not valid, and keeps the others', async () => {
    element.corrections = [{ action: 'exclude', pupil: 0, from: 0, to: 100 }];
    await until('applied', () => element.series().events.length === 3);
    element.corrections = [{ action: 'exclude', pupil: 3, from: 0, to: 100 }];
    await until('an error', () => element.error);
    expect(element.error!.message).to.include('corrections[0].pupil');
    expect(element.corrections).to.have.length(1);
  });
});

describe('the outline tool', () => {
  const ellipse = { x: 50, y: 40, major: 20, minor: 10, angle: 0 };
  const key = (name: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key: name, ...more });

  it('turns and stretches with the ends of the axes', () => {
    expect(pulled(ellipse, 'e', { x: 50, y: 55 })).to.deep.equal({ ...ellipse, major: 30, angle: Math.PI / 2 });
    expect(pulled(ellipse, 'w', { x: 35, y: 40 })).to.deep.equal({ ...ellipse, major: 30 });
    expect(pulled(ellipse, 's', { x: 53, y: 47 })).to.deep.equal({ ...ellipse, minor: 14 });
    expect(pulled(ellipse, 'n', { x: 50, y: 25 })).to.deep.equal({
      ...ellipse,
      major: 30,
      minor: 20,
      angle: Math.PI / 2,
    });
    expect(inOrder({ ...ellipse, angle: -Math.PI / 4 }).angle).to.be.closeTo((3 * Math.PI) / 4, 1e-12);
  });

  it('moves, resizes and turns with keys', () => {
    expect(keyed(ellipse, key('ArrowUp'), false)).to.deep.equal({ ...ellipse, y: 39.5 });
    expect(keyed(ellipse, key('ArrowLeft'), true)).to.deep.equal({ ...ellipse, x: 50.5 });
    expect(keyed(ellipse, key('ArrowUp', { shiftKey: true }), false)).to.include({ major: 21, minor: 11 });
    expect(keyed(ellipse, key('ArrowLeft', { shiftKey: true }), false)).to.include({ major: 20, minor: 9 });
    expect(keyed(ellipse, key('PageDown'), false)!.angle).to.be.closeTo(Math.PI / 36, 1e-12);
    expect(keyed(ellipse, key('n'), false)).to.equal(null);
  });
});
