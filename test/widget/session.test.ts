/** What an element does when the engine's worker dies under it. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { FoveolaError, type ObjectResult, type PupilResult } from '../../src/index.ts';
import { engineSharing } from '../../src/runtime/engine/start.ts';
import { FilterTracker } from '../../widget/filter/tracker.ts';
import { setEngineProvider, type ElementEngine } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import '../../widget/elements.ts';
import { makeClip, steady } from '../support/clips.ts';
import '../runtime/engine-dummies.ts';
import { giveBack } from '../support/context-away.ts';
import { countFrames } from '../support/counted-frames.ts';
import { full, itInFull } from '../support/full.ts';
import { catchWorkers, type CaughtWorkers } from '../support/mortal-workers.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number }>;
interface Row {
  frame: number;
  dropped: number;
}

const until = async (what: string, condition: () => unknown) => {
  for (let i = 0; i < 1500 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  if (!condition()) throw new Error(`waited too long for: ${what}`);
};

describe('an element whose worker dies', () => {
  let workers: CaughtWorkers;
  let element: Any;
  let restore: Parameters<typeof setEngineProvider>[0];
  let results: PupilResult[];
  let errors: string[];

  before(() => (workers = catchWorkers()));
  after(() => workers.restore());
  beforeEach(() => {
    const options = { workerUrl: '/test/runtime/test-worker.ts', worker: true, threads: 1, backend: 'wasm' } as const;
    const forced = { ...options, backend: 'gpu' } as const;
    restore = setEngineProvider(engineSharing(({ backend }) => createEngine(backend === 'gpu' ? forced : options)));
    workers.script = null;
    results = [];
    errors = [];
  });
  afterEach(() => {
    element?.remove();
    setEngineProvider(restore);
  });

  const open = async (name: string, source: Any['source'], more: object = {}) => {
    element = document.createElement(`foveola-${name}`) as unknown as Any;
    Object.assign(element, { loop: true, ...more });
    if (name === 'track') element.setAttribute('box', '20 20 30 30');
    const [own, codes] = [results, errors]; // what an element tells late is not the next test's
    element.addEventListener('foveola-result', (event) => own.push((event as CustomEvent<PupilResult>).detail));
    element.addEventListener('foveola-error', (event) => codes.push((event as CustomEvent<FoveolaError>).detail.code));
    element.source = source;
    document.body.append(element);
    await until('the first result', () => results.length);
  };
  const more = async (count = 3) => {
    const wanted = results.length + count;
    await until('further results', () => results.length >= wanted);
  };
  const rows = async () => (JSON.parse(await element.exportJson()) as { rows: Row[] }).rows;

  const goesOn = async (name: string) => {
    await open(name, await makeClip({ times: steady(60) }));
    if (name === 'track') await until('the target', () => (results.at(-1) as unknown as ObjectResult).targets.length);
    element.record();
    for (let i = 0; i < 2; i++) {
      await more();
      workers.kill();
      await until('it goes on', () => results.filter(({ restarted }) => restarted).length > i);
    }
    await more();
    expect(element.hasAttribute('running')).to.equal(true);
    expect(element.error).to.equal(null);
    element.record();
    const recorded = await rows();
    recorded.slice(1).forEach(({ frame, dropped }, i) => expect(frame - recorded[i]!.frame).to.equal(1 + dropped));
    for (const code of errors) expect(code).to.equal('worker-lost'); // none where no frame was under way
    const { markers } = JSON.parse(await element.exportJson()) as { markers: { label: string }[] };
    expect(markers.map(({ label }) => label)).to.deep.equal(['[tracker restarted]', '[tracker restarted]']);
  };

  it('goes on with its next frame; each frame of the recording is there or counted as dropped', () => goesOn('pupil'));

  itInFull('goes on with what it learned of its targets', async () => {
    await goesOn('track');
    expect((results.at(-1) as unknown as ObjectResult).targets.map(({ id }) => id)).to.deep.equal([1]);
  });

  itInFull('has the landmark model all the same where the worker dies while it is loaded', async () => {
    const shares: number[] = [];
    const watch = (event: Event) => {
      const { loaded, total } = (event as CustomEvent<{ loaded?: number; total?: number | null }>).detail;
      if (loaded === undefined) return; // of the source, not of the model
      if (!shares.length) workers.kill();
      shares.push(total ? loaded / total : 0);
    };
    document.addEventListener('foveola-progress', watch, true);
    try {
      await open('face', await makeClip({ times: steady(30) }), { model: '/test/media/landmarks.bin' });
      await until('the model is read', () => shares.at(-1) === 1);
      await more();
    } finally {
      document.removeEventListener('foveola-progress', watch, true);
    }
    expect(element.error).to.equal(null);
    for (const code of errors) expect(code).to.equal('worker-lost');
  });

  itInFull('analyses each frame of a recording all the same', async () => {
    await open('pupil', await makeClip({ times: steady(60) }));
    element.paused = true;
    await until('it stands', () => element.state === 'paused');
    const working = element.analyse();
    const before = results.length;
    await until('a part is done', () => results.length > before + 5);
    workers.kill();
    const { complete, frames } = await working;
    expect({ complete, frames }).to.deep.equal({ complete: true, frames: 60 });
    expect((await rows()).map(({ frame }) => frame)).to.deep.equal(Array.from({ length: 60 }, (_, i) => i));
  });

  itInFull('closes each frame that it held', async () => {
    const frames = countFrames();
    try {
      const clip = await makeClip({ times: steady(60) });
      await open('filter', clip, { operation: 'flow' });
      await more();
      workers.kill();
      await more();
      element.paused = true;
      await until('it stands', () => element.state === 'paused');
      const working = element.analyse();
      await more(8);
      workers.kill();
      expect((await working).complete).to.equal(true);
      expect(frames.open()).to.not.deep.equal([]); // those of the flow's last two
      element.remove();
      await until('all are closed', () => !frames.open().length);
    } finally {
      frames.restore();
    }
  });

  itInFull('measures the motion between the same two frames again, though later ones have come', async () => {
    const pairs: string[] = [];
    let lost = 2;
    const opticalFlow = async (before: VideoFrame, current: VideoFrame) => {
      pairs.push(`${before.timestamp} ${current.timestamp}`);
      await new Promise((resolve) => setTimeout(resolve));
      if (lost-- > 0) throw new FoveolaError('worker-lost', 'It is gone.');
      return {};
    };
    const tracker = new FilterTracker({ opticalFlow } as never, { operation: 'flow' });
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d');
    const frames = [0, 1, 2].map((timestamp) => new VideoFrame(canvas, { timestamp }));
    await Promise.all(frames.map((frame) => tracker.process(frame, { timestamp: frame.timestamp })));
    expect(pairs).to.deep.equal(['0 1', '1 2', '0 1', '1 2']);
    await tracker.dispose();
    for (const frame of frames) frame.close();
  });

  for (const how of ['?none', ''])
    (how ? itInFull : it)(`goes on where the context is away meanwhile${how && ', for good'}`, async () => {
      await open('filter', await makeClip({ times: steady(60) }), { operation: 'canny', backend: 'gpu' });
      element.record();
      const backends = () => results.map(({ backend }) => backend);
      expect(backends()[0]).to.equal('gpu');
      workers.script = `/test/runtime/context-away-worker.ts${how}`;
      workers.kill();
      await until('it goes on', () => backends().includes('wasm'));
      await more();
      if (!how) {
        giveBack();
        await until('the GPU is taken again', () => backends().at(-1) === 'gpu');
      }
      expect(element.error).to.equal(null);
      for (const code of errors) expect(code).to.equal('worker-lost');
      const recorded = await rows();
      recorded.slice(1).forEach(({ frame, dropped }, i) => expect(frame - recorded[i]!.frame).to.equal(1 + dropped));
    });

  it('has the result of a picture all the same', async () => {
    const data = new Uint8Array(64 * 48).fill(90);
    await open('filter', { width: 64, height: 48, data });
    element.source = { width: 64, height: 48, data: data.fill(10) };
    workers.kill();
    await more(1);
    expect(element.error).to.equal(null);
  });

  itInFull('stops with a message after three deaths, and works again when it is started again', async () => {
    await open('pupil', await makeClip({ times: steady(60) }));
    for (let i = 0; i < 3; i++) {
      await more(1);
      workers.fail();
      if (i < 2) await until('it goes on', () => results.filter(({ restarted }) => restarted).length > i);
    }
    await until('it has stopped', () => element.getAttribute('error') === 'engine-stopped');
    expect(element.error!.message).to.include('three times within a minute');
    await element.start();
    await more(2);
    expect(element.error).to.equal(null);
  });
});

describe('an element whose context is lost', () => {
  let element: Any;
  let engine: Promise<ElementEngine>;
  let restore: Parameters<typeof setEngineProvider>[0];
  afterEach(() => {
    element.remove();
    setEngineProvider(restore);
  });

  const lines = () => {
    const data = new Uint8Array(96 * 72).fill(160);
    for (let y = 0; y < 72; y++) for (let x = 0; x < 96; x++) if ((x + 2 * y) % 31 < 3) data[y * 96 + x] = 60;
    return { width: 96, height: 72, data };
  };

  // The last ones leave a software renderer with work for seconds. Without --full each has one place, by turns.
  for (const [index, name] of ['vessels', 'filter', 'pupil', 'face', 'track'].entries())
    for (const worker of full ? [true, false] : [index % 2 === 0])
      (name === 'vessels' ? itInFull : it)(`goes on: ${name}, ${worker ? 'worker' : 'page'}`, async () => {
        const options = { workerUrl: '/test/runtime/test-worker.ts', worker, threads: 1, backend: 'gpu' } as const;
        restore = setEngineProvider(() => {
          const own = (engine = createEngine(options) as Promise<ElementEngine>);
          return { engine: own, release: () => void own.then((made) => made.dispose()) };
        });
        element = document.createElement(`foveola-${name}`) as unknown as Any;
        let results = 0;
        const errors: string[] = [];
        element.addEventListener('foveola-result', () => results++);
        element.addEventListener('foveola-error', (e) => errors.push((e as CustomEvent<FoveolaError>).detail.message));
        element.backend = 'gpu';
        element.loop = true;
        if (name === 'track') element.setAttribute('box', '20 20 30 30');
        element.source = name === 'vessels' ? lines() : await makeClip({ times: steady(30) });
        document.body.append(element);
        await until('the first result', () => results > 0 || errors.length);
        expect(errors).to.deep.equal([]);
        const calls = (await engine) as unknown as { loseContext(source: object, options: object): Promise<void> };
        // Gone, still gone, back, and gone again.
        for (const back of [false, false, true, false]) {
          const dropped = calls.loseContext(lines(), { restore: back });
          const before = results;
          if (name === 'vessels') element.source = lines();
          await dropped;
          await until(`further results`, () => results > before + (name === 'vessels' ? 0 : 2));
        }
        expect(errors).to.deep.equal([]);
        expect(element.error).to.equal(null);
      });
});
