/** One file has one set of settings; where settings change while it is recorded, it says from which row on. */
import { expect } from 'chai';
import { FoveolaError } from '../../src/index.ts';
import { type EngineProvider, setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { makeClip, steady } from '../support/clips.ts';
import { stateOf, waitUntil } from './element-state.ts';
import { fakeEngine, type FakeState } from './fake-engine.ts';
import { itInFull } from '../support/full.ts';

interface Exported {
  parameters: Record<string, unknown>;
  changes?: { timestamp: number; parameters: Record<string, unknown> }[];
  rows: { frame: number; timestamp: number; confidence: number }[];
  markers: { label: string; timestamp: number }[];
  analysis?: { complete: boolean };
}

describe('settings that change', () => {
  let state: FakeState;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let provider: EngineProvider;
  const until = (what: string, done: () => unknown) => waitUntil(what, done, () => stateOf(element));
  const exported = async () => JSON.parse(await element.exportJson()) as Exported;
  const notes = () => [...element.renderRoot.querySelectorAll('.note')].map((note) => note.textContent).join(' ');

  beforeEach(() => {
    const fake = fakeEngine();
    ({ state, provider } = fake);
    restore = setEngineProvider(fake.provider);
    element = document.createElement('foveola-pupil');
    element.controls = true;
  });
  afterEach(() => {
    state.delay = 0;
    element.remove();
    setEngineProvider(restore);
  });
  const open = async (more: Partial<FoveolaPupil> = {}) => {
    Object.assign(element, more, { source: await makeClip({ times: steady(60) }) });
    document.body.append(element);
    await until('it is open', () => state.timestamps.length > 0);
  };

  it('count after an analysis that runs, which says so', async () => {
    await open({ paused: true, method: 'starburst' });
    state.delay = 10;
    const before = state.timestamps.length;
    const working = element.analyse();
    await until('a part is done', () => state.timestamps.length > before + 5);
    element.settings = { minConfidence: 0.2 };
    element.method = 'hough';
    await until('it says so', () => notes().includes('Settings changed during this run'));
    expect(state.parameters.method).to.equal('starburst');
    expect(await working).to.include({ complete: true, frames: 60 });
    const { parameters, changes, rows } = await exported();
    expect(parameters).to.include({ method: 'starburst', minConfidence: 0.7 });
    expect([changes, rows.length]).to.deep.equal([undefined, 60]);
    await until('they count now', () => state.parameters.method === 'hough');
    expect(state.parameters.minConfidence).to.equal(0.2);
    expect((await exported()).parameters.method).to.equal('starburst');
  });

  itInFull('count after an analysis also where they need another tracker', async () => {
    await open({ paused: true });
    state.delay = 10;
    const before = state.timestamps.length;
    const working = element.analyse();
    await until('a part is done', () => state.timestamps.length > before + 5);
    const { trackers } = state;
    element.backend = 'wasm';
    await element.updateComplete;
    expect(state.trackers).to.equal(trackers);
    expect(await working).to.include({ complete: true, frames: 60 });
    expect((await exported()).analysis).to.include({ complete: true });
  });

  it('and are taken back meanwhile are no change', async () => {
    await open({ paused: true });
    state.delay = 10;
    const before = state.timestamps.length;
    const working = element.analyse();
    await until('a part is done', () => state.timestamps.length > before + 5);
    element.settings = { minGradient: 30 };
    await until('it says so', () => notes().includes('Settings changed'));
    element.settings = {};
    await until('it says no more', () => !notes().includes('Settings changed'));
    element.points = true; // shows more, measures the same
    await element.updateComplete;
    expect(notes()).to.not.include('Settings changed');
    await working;
  });

  it('while it records are marked at the first row that was measured with them', async () => {
    await open({ loop: true, method: 'starburst' });
    // The tracker answers late: rows of both settings are under way.
    state.delay = 60;
    element.record();
    const first = state.timestamps.length;
    await until('there are rows', () => state.timestamps.length > first + 3);
    element.method = 'hough';
    const wanted = state.timestamps.length + 5;
    await until('there are more', () => state.timestamps.length > wanted);
    element.record();
    const { parameters, changes, rows, markers } = await exported();
    expect(parameters.method).to.equal('starburst');
    expect(changes).to.have.length(1);
    expect(changes![0]!.parameters.method).to.equal('hough');
    const { timestamp } = changes![0]!;
    expect(rows.map((row) => row.timestamp)).to.include(timestamp);
    expect(rows[0]!.timestamp).to.be.below(timestamp);
    expect(markers).to.deep.equal([{ label: '[settings changed]', timestamp }]);
    const csv = await element.exportCsv({ format: 'comments' });
    expect(csv).to.match(/\n# changed at [\d.]+: \{.*"method":"hough"/);
    expect(csv.split('\n').filter((line) => line.endsWith(',[settings changed]'))).to.have.length(1);
  });

  it('before the first row are those of the recording, and back again are none', async () => {
    await open({ paused: true, method: 'starburst' });
    element.record();
    element.method = 'hough';
    await element.updateComplete;
    await element.step();
    element.points = true;
    await element.updateComplete;
    await element.step();
    element.method = 'threshold';
    await element.updateComplete;
    element.method = 'hough';
    await element.updateComplete;
    await element.step();
    element.record();
    const { parameters, changes, markers, rows } = await exported();
    expect([parameters.method, changes, markers]).to.deep.equal(['hough', undefined, []]);
    expect(rows.length).to.be.within(3, 4);
  });

  it('and are refused leave no trace in what is recorded', async () => {
    setEngineProvider(() => {
      const held = provider({});
      const engine = held.engine.then((own) => ({
        ...own,
        createPupilTracker: (parameters: object) => ({
          ...own.createPupilTracker(parameters),
          setParameters: () => Promise.reject(new FoveolaError('invalid-argument', 'method: there is none.')),
        }),
      }));
      return { ...held, engine } as unknown as ReturnType<EngineProvider>;
    });
    await open({ paused: true, method: 'starburst' });
    element.record();
    await element.step();
    element.method = 'hough';
    await until('it is refused', () => element.error?.code === 'invalid-argument');
    await element.step();
    element.record();
    const { parameters, changes, rows } = await exported();
    expect([parameters.method, changes, rows.length]).to.deep.equal(['starburst', undefined, 2]);
  });
});
