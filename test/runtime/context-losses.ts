/** A context that is lost at each pass of each operation and tracker: the same call is answered all the same. */
import { expect } from 'chai';
import { createEngine, type Engine } from '../../src/index.ts';
import { everyCall, makePictures, uncalled, unlike, type Pictures } from '../support/every-call.ts';
import { loseHere, loseThere, type Losing } from '../support/losing-context.ts';

/** The sides that the results of a call name. */
const sidesOf = (result: unknown): unknown[] =>
  [result].flat().flatMap((one: unknown) => (one as { backend?: string } | null)?.backend ?? []);

/** `tried`: losses of each call, where it has more passes: the first, the last, and some between. */
export function testLosses(worker: boolean, tried: number): void {
  describe(`a context lost at any pass, in ${worker ? 'a worker' : 'the page'}`, () => {
    let losing: Losing;
    let gpu: Engine;
    let wasm: Engine;
    let pictures: Pictures;
    let seed = worker ? 11 : 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;

    before(async () => {
      const channel = crypto.randomUUID();
      losing = worker ? loseThere(channel) : loseHere();
      pictures = await makePictures();
      const workerUrl = `/test/runtime/losing-worker.ts?${channel}`;
      gpu = await createEngine({ backend: 'gpu', worker, threads: 1, ...(worker && { workerUrl }) });
      wasm = await createEngine({ backend: 'wasm', worker: false });
    });
    afterEach(() => losing.restored());
    after(async () => {
      losing.end();
      await gpu.dispose();
      await wasm.dispose();
    });

    it('is tried of everything that the engine has', () => expect(uncalled()).to.deep.equal([]));

    for (const { name, wasmOnly, run } of everyCall)
      it(name, async () => {
        const expected = await run(wasm, pictures);
        await losing.arm(Infinity);
        await run(gpu, pictures);
        const { calls: passes } = await losing.counts();
        expect(passes === 0).to.equal(wasmOnly ?? false);
        const places = new Set(tried > 1 ? [0, passes - 1] : []);
        while (places.size < Math.min(tried, passes)) places.add(random(passes));
        let back = true;
        let times = 0;
        for (const place of passes ? places : []) {
          await losing.arm(place, (back = !back));
          const result = await run(gpu, pictures);
          const { lost } = await losing.counts();
          times += Number(lost); // inpainting has passes by the time that it takes
          const what = `lost at pass ${place} of ${passes}, ${back ? 'restored' : 'gone'}`;
          expect(unlike(result, expected), what).to.equal('');
          if (!place && lost) expect(sidesOf(result), what).to.not.include('gpu');
          await losing.restored();
        }
        expect(times).to.be.at.least(wasmOnly ? 0 : places.size - 2);
      });

    const places = [3, 40, 90, 170];
    for (const [k, method] of (['starburst', 'threshold', 'hough'] as const).entries())
      it(`overlapping frames of a pupil tracker, ${method}`, async () => {
        const { eye, next } = pictures;
        // Without --full two of them for each method: one with a restored context, and one without.
        for (const place of tried > 1 ? places : [places[k % 2]!, places[2 + ((k + 1) % 2)]!]) {
          const tracker = gpu.createPupilTracker({ method });
          await losing.arm(place, place > 50);
          const frames = Array.from({ length: 8 }, (_, i) =>
            tracker.process(i % 2 ? next : eye, { timestamp: 40 * i }),
          );
          const results = await Promise.all(frames);
          expect(results.map(({ timestamp }) => timestamp)).to.deep.equal(frames.map((_, i) => 40 * i));
          results.forEach(({ pupils }, i) => expect(pupils[0]!.x).to.be.closeTo(i % 2 ? 47 : 44, 1));
          await tracker.dispose();
          await losing.restored();
        }
      });
  });
}
