import { expect } from 'chai';
import type { FoveolaError } from '../../src/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { makeClip, setBack, steady } from '../support/clips.ts';
import { menuItems } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';
import { itInFull } from '../support/full.ts';

interface Exported {
  rows: { frame: number; timestamp: number; mediaTime: number; dropped: number }[];
  analysis: { everyFrame: boolean; complete: boolean; reason: string | null; lastMediaTime: number; jumps: number[] };
  source: { sha256: string };
}

describe('analysis of a whole recording', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];

  const until = async (what: string, condition: () => boolean) => {
    for (let i = 0; i < 600 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!condition()) throw new Error(`waited too long for: ${what}`);
  };
  const open = async (file: Blob) => {
    element.paused = true;
    element.source = file;
    document.body.append(element);
    await until('the recording is open', () => element.state === 'paused' || element.state === 'error');
  };
  const exported = async () => JSON.parse(await element.exportJson()) as Exported;
  const find = (selector: string) => element.renderRoot.querySelector<HTMLElement>(selector);

  beforeEach(() => {
    const fake = fakeEngine();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
    element.controls = true;
  });
  afterEach(async () => {
    element.remove();
    await until('everything is given back', () => state.trackers === 0);
    setEngineProvider(restore);
  });

  it('takes every frame once, with its own time, and tells how far it is', async () => {
    const times = [...steady(60), 1.3, 1.305, 1.5, 2.2];
    await open(await makeClip({ times }));
    const heard: (number | null)[] = [];
    element.addEventListener('foveola-progress', (event) =>
      heard.push((event as CustomEvent<{ done: number | null }>).detail.done),
    );
    const working = element.analyse();
    await until('it has begun', () => element.hasAttribute('analysing'));
    await until('its bar is there', () => find('progress') !== null);
    expect(find('progress')!.getAttribute('aria-label')).to.equal('Analysis of the recording');
    const result = await working;
    expect(result).to.include({ complete: true, everyFrame: true, frames: times.length, error: null });
    expect(element.hasAttribute('analysing')).to.equal(false);
    const { rows, analysis, source } = await exported();
    expect(rows.map((row) => Math.round(row.timestamp))).to.deep.equal(times.map((t) => Math.round(1000 * t)));
    expect(rows.map((row) => row.frame)).to.deep.equal(times.map((_, i) => i));
    expect(analysis).to.include({ complete: true, everyFrame: true, reason: null });
    expect(source.sha256).to.match(/^[0-9a-f]{64}$/);
    expect(heard[0]).to.equal(0);
    expect(heard.at(-1)).to.equal(1);
    expect([...heard].sort((a, b) => a! - b!)).to.deep.equal(heard);
    await until('it can be played again', () => element.state !== 'analysing');
  });

  itInFull('has no frames in it that were still under way when it began', async () => {
    state.delay = 30;
    const times = steady(100);
    element.source = await makeClip({ times });
    document.body.append(element);
    await until('it plays', () => state.timestamps.length > 1);
    await element.analyse();
    const { rows } = await exported();
    expect(rows.map((row) => Math.round(row.timestamp))).to.deep.equal(times.map((t) => Math.round(1000 * t)));
  });

  it('is cancelled by Escape, and keeps what was done', async () => {
    state.delay = 15;
    await open(await makeClip({ times: steady(120) }));
    const working = element.analyse();
    await until('some frames are done', () => state.timestamps.length > 10);
    find('.stage')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    const result = await working;
    expect(result).to.include({ complete: false, reason: 'cancelled', error: null });
    expect(element.error).to.equal(null);
    const { rows, analysis } = await exported();
    expect(rows.length).to.be.within(8, 119);
    expect(analysis).to.include({ complete: false, reason: 'cancelled' });
    await element.updateComplete;
    expect(find('.note')!.textContent).to.include('Frames kept for export: ');
  });

  it('keeps what was decoded of a file that is cut off, and says where', async () => {
    const whole = await makeClip({ times: steady(150) });
    await open(new File([whole.slice(0, Math.floor(0.7 * whole.size))], 'cut.webm', { type: 'video/webm' }));
    const errors: FoveolaError[] = [];
    element.addEventListener('foveola-error', (event) => errors.push((event as CustomEvent<FoveolaError>).detail));
    const result = await element.analyse();
    const { rows, analysis } = await exported();
    expect(rows.length).to.be.within(10, 149);
    expect(result.frames).to.equal(rows.length);
    expect(result.error!.code).to.equal('decode-failed');
    expect(analysis.reason).to.include(`after ${rows.length} frames`);
    expect(errors.map((error) => error.code)).to.deep.equal(['decode-failed']);
    expect(element.state).to.equal('error');
  });

  itInFull('has times that grow where those of the file go back, and names the place', async () => {
    const times = steady(150);
    await open(await setBack(await makeClip({ times }), 2, 1200));
    await element.analyse();
    const { rows, analysis } = await exported();
    expect(rows.length).to.equal(150);
    expect(rows.every((row, i) => i === 0 || row.timestamp > rows[i - 1]!.timestamp)).to.equal(true);
    expect(analysis.jumps).to.have.length(1);
  });

  itInFull('plays the recording where it cannot be decoded frame by frame, and says so', async () => {
    const { VideoDecoder, Worker } = globalThis;
    const here = globalThis as { VideoDecoder?: unknown; Worker?: unknown };
    try {
      await open(await makeClip({ times: steady(30, 25) }));
      here.VideoDecoder = here.Worker = undefined; // nor in the reader's worker
      const result = await element.analyse();
      expect(result).to.include({ everyFrame: false, complete: true, error: null });
      expect(result.reason).to.include('WebCodecs');
      const { rows, analysis } = await exported();
      expect(rows.length).to.be.greaterThan(0);
      expect(analysis.everyFrame).to.equal(false);
      await element.updateComplete;
      expect(element.state).to.not.equal('analysing');
    } finally {
      Object.assign(globalThis, { VideoDecoder, Worker });
    }
  });

  it('ends with its source', async () => {
    state.delay = 15;
    await open(await makeClip({ times: steady(120) }));
    const working = element.analyse();
    await until('some frames are done', () => state.timestamps.length > 5);
    element.source = { width: 64, height: 48, data: new Uint8Array(64 * 48) };
    expect(await working).to.include({ complete: false, reason: 'cancelled' });
    await until('the new source is there', () => element.state === 'finished');
  });

  it('fails where a frame fails, with the frames before it', async () => {
    state.delay = 15; // else all of them may be done before one can fail
    await open(await makeClip({ times: steady(60) }));
    const { FoveolaError } = await import('../../src/index.ts');
    const working = element.analyse();
    await until('some frames are done', () => state.timestamps.length > 5);
    state.failNext = new FoveolaError('out-of-memory', 'Use a smaller image.');
    const result = await working;
    expect(result.error!.code).to.equal('out-of-memory');
    expect((await exported()).rows.length).to.be.greaterThan(3);
  });

  it('is not there for what does not end', async () => {
    element.source = { width: 64, height: 48, data: new Uint8Array(64 * 48) };
    document.body.append(element);
    await until('it is open', () => element.state === 'finished');
    expect(find('.toolbar .primary')!.textContent.trim()).to.equal('Save table');
    const more = await menuItems(element, 'more');
    expect(more.map((item) => item.textContent).join()).to.not.contain('Analyze');
    let code = '';
    await element.analyse().catch((error: FoveolaError) => (code = error.code));
    expect(code).to.equal('source-not-ready');
  });
});
