/** The hint that a pupil is not clear, with the real engine: it appears for pupils that are found, and not for clear ones. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { type GrayImage, pupilParameters, type PupilResult, QualityMeter, qualityLimits } from '../../src/index.ts';
import { setEngineProvider, type ElementEngine } from '../../widget/base/engine.ts';
import '../../widget/pupil/pupil.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { hardSet } from '../../lab/eyes/index.ts';
import { stateOf, waitUntil } from './element-state.ts';

describe('a pupil with a low confidence', () => {
  let engine: ElementEngine;
  let element: FoveolaPupil;
  let restore: Parameters<typeof setEngineProvider>[0];
  let unclear: { frame: GrayImage; result: PupilResult } | null = null;
  let clear: { frame: GrayImage; result: PupilResult } | null = null;

  before(async () => {
    engine = (await createEngine({ worker: false, backend: 'wasm' })) as ElementEngine;
    restore = setEngineProvider(() => ({ engine: Promise.resolve(engine), release: () => {} }));
    for (const frame of hardSet({ seed: 20, count: 120 })) {
      const { width, height, data } = frame;
      const tracker = engine.createPupilTracker({ method: 'robust' });
      const result = (await tracker.process({ width, height, data })) as PupilResult;
      await tracker.dispose();
      const [pupil] = result.pupils;
      if (!pupil!.found) continue;
      const seen = { frame: { width, height, data }, result };
      if (pupil!.confidence < qualityLimits.confidence) unclear ??= seen;
      else if (pupil!.confidence > 0.99) clear ??= seen;
      if (unclear && clear) break;
    }
    element = document.createElement('foveola-pupil');
    document.body.append(element);
  });
  after(async () => {
    element.remove();
    setEngineProvider(restore);
    await engine.dispose();
  });

  const hint = () => element.renderRoot.querySelector<HTMLElement>('.unsure')!;
  const shows = async ({ frame, result }: { frame: GrayImage; result: PupilResult }) => {
    element.source = frame;
    const figure = String(Math.round(100 * result.pupils[0]!.confidence));
    await waitUntil(
      `a confidence of ${figure}`,
      () => element.renderRoot.querySelector('[data-value=confidence]')?.textContent === figure,
      () => stateOf(element),
    );
    return !hint().hidden && hint().textContent!.includes('not clear');
  };

  it('is found: the limit is above the smallest confidence of what is found', () => {
    expect(qualityLimits.confidence).to.be.greaterThan(pupilParameters.minConfidence.default);
    expect(unclear, 'one of the rendered eyes').to.not.equal(null);
    expect(clear, 'one of the rendered eyes').to.not.equal(null);
  });

  it('is said to be not clear, and a clear one is not', async () => {
    expect(await shows(clear!)).to.equal(false);
    expect(await shows(unclear!)).to.equal(true);
    expect(await shows(clear!)).to.equal(false);
  });

  it('is a fault of a test', () => {
    const faults = ({ result }: { result: PupilResult }) => {
      const meter = new QualityMeter();
      for (let i = 0; i < 120; i++) meter.add({ ...result, timestamp: 16 * i, dropped: 0 });
      return meter.judge().faults;
    };
    expect(faults(unclear!)).to.deep.equal(['uncertain']);
    expect(faults(clear!)).to.deep.equal([]);
  });
});
