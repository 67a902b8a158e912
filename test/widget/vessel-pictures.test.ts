// Full run only: further states of an element, some seconds each.
/** A photograph whose decoder gives no sign of life: the run ends at a cancel, and after 20 s; late pixels are used or closed. */
import { expect } from 'chai';
import type { FoveolaError } from '../../src/index.ts';
import { VesselTracker, type VesselEngine } from '../../widget/vessels/tracker.ts';

describe('a photograph that the browser is slow to decode', () => {
  const { createImageBitmap, setTimeout } = globalThis;
  const file = new Blob(['a photograph']);
  let asked: number;
  let closed: number;
  let give: (bitmap: ImageBitmap) => void;
  let tracker: VesselTracker;
  const bitmap = { width: 8, height: 6, close: () => closed++ } as unknown as ImageBitmap;
  beforeEach(() => {
    asked = closed = 0;
    globalThis.createImageBitmap = (() => {
      asked++;
      return new Promise((resolve) => (give = resolve));
    }) as typeof createImageBitmap;
    const engine = { vessels: (source: unknown) => Promise.resolve({ source }) } as unknown as VesselEngine;
    tracker = new VesselTracker(engine, {}, { preview: () => {}, progress: () => {}, made: (frame) => frame });
  });
  afterEach(async () => {
    Object.assign(globalThis, { createImageBitmap, setTimeout });
    await tracker.dispose();
  });
  const rejection = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it went on'),
      (error: unknown) => error as FoveolaError,
    );
  const moment = () => new Promise((resolve) => setTimeout(resolve));

  it('ends its run at once when that is cancelled, and the next one takes what is decoded', async () => {
    const first = rejection(tracker.process(file));
    await moment();
    tracker.cancel();
    expect((await first).code).to.equal('aborted');
    const next = tracker.process(file);
    await moment();
    give(bitmap);
    expect(await next).to.include({ source: bitmap, width: 8, height: 6 });
    expect([asked, closed]).to.deep.equal([1, 0]);
  });

  it('is closed when it comes after the photograph has gone', async () => {
    const first = rejection(tracker.process(file));
    await tracker.dispose();
    expect((await first).code).to.equal('aborted');
    give(bitmap);
    await moment();
    expect(closed).to.equal(1);
  });

  it('is given up after 20 s, and asked for again the next time', async () => {
    globalThis.setTimeout = ((work: () => void, time?: number) =>
      setTimeout(work, time === 20_000 ? 20 : time)) as typeof setTimeout;
    const { code, message } = await rejection(tracker.process(file));
    expect(code).to.equal('decode-failed');
    expect(message).to.include('over 20 s');
    give(bitmap);
    await moment();
    expect(closed).to.equal(1);
    const again = tracker.process(file);
    await moment();
    give(bitmap);
    await again;
    expect(asked).to.equal(2);
  });
});
