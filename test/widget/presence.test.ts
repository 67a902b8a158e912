/** Elements that stand in no page: not yet, or no more. */
import { expect } from 'chai';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import type { AnyResult } from '../../widget/base/kind.ts';
import { fakeForAll, type AllState } from './fake-elements.ts';

type Any = FoveolaElement<AnyResult> & { box?: object };

const picture = () => ({ width: 32, height: 24, data: new Uint8Array(32 * 24).fill(90) });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const name of ['pupil', 'face', 'track', 'vessels', 'filter'])
  describe(`<foveola-${name}> in no page`, () => {
    let state: AllState;
    let taken: number;
    let element: Any;
    let results: number;
    let restore: Parameters<typeof setEngineProvider>[0];
    beforeEach(() => {
      const fake = fakeForAll();
      ({ state } = fake);
      [taken, results] = [0, 0];
      restore = setEngineProvider((options) => (taken++, fake.provider(options)));
      element = document.createElement(`foveola-${name}`) as unknown as Any;
      if (name === 'face') element.setAttribute('model', 'none');
      if (name === 'track') element.box = { x: 4, y: 4, width: 12, height: 12 };
      element.addEventListener('foveola-result', () => results++);
    });
    afterEach(() => {
      element.remove();
      setEngineProvider(restore);
    });
    const until = async (what: string, done: () => unknown) => {
      for (let i = 0; i < 500 && !done(); i++) await pause(10);
      if (!done()) throw new Error(`waited too long: ${what}`);
    };

    it('opens nothing before it is in one, and its source then', async () => {
      element.source = picture();
      await element.start();
      await element.play();
      await element.openCamera('');
      expect(element.error?.code).to.equal('source-not-ready');
      expect(taken).to.equal(0);
      document.body.append(element);
      await until('a result', () => results);
      expect(element.error).to.equal(null);
    });

    it('opens nothing after it was taken away, also where it is asked to', async () => {
      document.body.append(element);
      await element.updateComplete;
      element.remove();
      await pause(20);
      const before = taken;
      element.source = picture();
      await element.start();
      await pause(20);
      expect([taken, state.frames, results]).to.deep.equal([before, 0, 0]);
      document.body.append(element);
      await until('a result', () => results);
    });

    it('tells of no result that was under way', async () => {
      state.delay = 150;
      element.source = picture();
      document.body.append(element);
      await until('it is open', () => element.state !== 'loading' && element.state !== 'idle');
      const before = results;
      // It leaves a task later, as it may have been moved; here the result comes first.
      const { setTimeout: real } = window;
      window.setTimeout = ((body: () => void) => real(body, 300)) as typeof setTimeout;
      element.remove();
      window.setTimeout = real;
      await pause(400);
      expect(state.frames).to.be.above(0);
      expect(results).to.equal(before);
    });
  });
