// Full run only: rare faults and limits, up to a minute.
// Own page: it is one of the longest, and starts first.
/** What an engine holds after each of its calls, after frames of its trackers and after elements is what it held before. */
import { expect } from 'chai';
import type { Engine, Source } from '../../src/index.ts';
import type { Host } from '../../src/runtime/engine/host.ts';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { everyCall, makePictures, type Pictures } from '../support/every-call.ts';
import { openCore } from '../support/open-core.ts';

interface AnyTracker {
  process(source: Source, options?: object): Promise<unknown>;
  dispose(): Promise<void>;
}

for (const backend of ['wasm', 'gpu'] as const)
  describe(`what an engine holds, backend ${backend}`, () => {
    let core: Host;
    let engine: Engine;
    let pictures: Pictures;
    const held = () => ({ blocks: core.blocks, textures: core.textures });

    before(async () => {
      pictures = await makePictures();
      ({ core, engine } = await openCore(backend));
    });
    after(() => engine.dispose());

    for (const { name, run } of everyCall)
      it(`after ${name}`, async () => {
        await run(engine, pictures); // models and tables stay
        const before = held();
        await run(engine, pictures);
        expect(held()).to.deep.equal(before);
      });

    it('after a call that fails, and one that is cancelled', async () => {
      const { eye, fundus } = pictures;
      const before = held();
      const small = { width: 3, height: 3, data: new Uint8Array(9) };
      await engine.opticalFlow(eye, small).catch(() => {});
      await engine.vesselMeasures(fundus, small).catch(() => {});
      for (const { run } of everyCall) {
        const cancel = new AbortController();
        const work = run(cancelled(engine, cancel.signal), pictures);
        setTimeout(() => cancel.abort(), 3);
        await work.catch(() => {});
      }
      // What was cancelled ends at its next pause.
      for (let i = 0; i < 100 && held().blocks > before.blocks; i++) await new Promise((r) => setTimeout(r, 20));
      expect(held()).to.deep.equal(before);
    });

    const trackers: Readonly<Record<string, () => Promise<AnyTracker>>> = {
      'a pupil tracker': async () => engine.createPupilTracker({ method: 'starburst' }),
      'a robust pupil tracker': async () => engine.createPupilTracker(),
      'a face tracker': () => engine.createFaceTracker({ detectEvery: 2, model: null }),
      'an object tracker': async () => {
        const tracker = engine.createObjectTracker({ seed: 5 });
        await tracker.start(pictures.eye, { x: 30, y: 22, width: 28, height: 28 });
        return tracker;
      },
    };
    for (const [name, make] of Object.entries(trackers))
      it(`after each frame of ${name}`, async () => {
        const tracker = await make();
        const most = async (frames: number) => {
          let [blocks, textures] = [0, 0];
          for (let i = 0; i < frames; i++) {
            const source = name === 'a face tracker' ? pictures.face : i % 2 ? pictures.next : pictures.eye;
            await tracker.process(source, { timestamp: 40 * i });
            [blocks, textures] = [Math.max(blocks, core.blocks), Math.max(textures, core.textures)];
          }
          return { blocks, textures };
        };
        await most(6);
        const first = await most(8);
        expect(await most(8)).to.deep.equal(first);
        await tracker.dispose();
      });

    for (const name of ['pupil', 'face', 'track', 'vessels', 'filter'])
      it(`after <foveola-${name}> is removed`, async () => {
        const restore = setEngineProvider(() => ({ engine: Promise.resolve(engine), release: () => {} }));
        const cycle = async () => {
          const element = document.createElement(`foveola-${name}`) as unknown as FoveolaElement<never>;
          const result = new Promise((resolve) => element.addEventListener('foveola-result', resolve, { once: true }));
          if (name === 'track') element.setAttribute('box', '30 22 28 28');
          element.source = pictures.fundus;
          document.body.append(element);
          await result;
          element.remove();
          return quiet();
        };
        /** What is held when nothing has changed for half a second: what was under way has ended. */
        const quiet = async () => {
          let last = held();
          for (let same = 0, looks = 0; same < 10 && looks < 400; looks++) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            const now = held();
            same = now.blocks === last.blocks && now.textures === last.textures ? same + 1 : 0;
            last = now;
          }
          return last;
        };
        try {
          // What the element asks for beside its work stays: else the second one may have it and the first not yet.
          if (name === 'face') await engine.preload({ model: 'landmarks-network' });
          // A frame that takes over half a second without a new block looks like the end. What is left behind each time never stays
          // the same.
          let before = await cycle();
          for (let more = 3, now = await cycle(); ; now = await cycle()) {
            if (now.blocks === before.blocks && now.textures === before.textures) break;
            if (--more === 0) expect(now).to.deep.equal(before);
            before = now;
          }
        } finally {
          setEngineProvider(restore);
        }
      });
  });

/** The same engine, whose calls all have this signal. */
function cancelled(engine: Engine, signal: AbortSignal): Engine {
  return new Proxy({} as Engine, {
    get(_, name) {
      const method: unknown = Reflect.get(engine, name, engine);
      if (typeof method !== 'function') return method;
      if (name === 'chain') return engine.chain.bind(engine);
      return (...given: unknown[]) => {
        const last = given.at(-1);
        const plain = typeof last === 'object' && last !== null && Object.getPrototypeOf(last) === Object.prototype;
        const options = plain && !('data' in last) ? given.pop() : {};
        const withSignal = String(name).startsWith('create') ? options : { ...(options as object), signal };
        return (method as (...all: unknown[]) => unknown).call(engine, ...given, withSignal);
      };
    },
  });
}
