// Full run only: further states of an element, some seconds each.
// Own page: it is one of the longest, and starts first.
/** The user's ground truth of a track: both formats, absent targets, the score after an analysis, its export, wrong files. */
import { expect } from 'chai';
import { type FoveolaError, readTruth } from '../../src/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/track/track.ts';
import type { FoveolaTrack } from '../../widget/track/track.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeForAll } from './fake-elements.ts';

const until = async (what: string, condition: () => unknown) => {
  const end = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited too long for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('ground truth', () => {
  const size = { width: 320, height: 240 };

  it('is read with sides or corners, and without the target', () => {
    const sides = readTruth('10,20,30,40\nNaN,NaN,NaN,NaN\n\n12 20 30 40\n', size);
    expect(sides).to.deep.equal({
      format: 'sides',
      boxes: [{ x: 10, y: 20, width: 30, height: 40 }, null, { x: 12, y: 20, width: 30, height: 40 }],
    });
    const corners = readTruth('200,100,260,160\nnan\tnan\tnan\tnan\n', size);
    expect(corners).to.deep.equal({ format: 'corners', boxes: [{ x: 200, y: 100, width: 60, height: 60 }, null] });
    // In the upper left of the picture it could be either.
    expect(readTruth('10,20,30,40', size, 'corners').boxes).to.deep.equal([{ x: 10, y: 20, width: 20, height: 20 }]);
    expect(readTruth('x,y,width,height\n10,20,30,40', size).boxes).to.have.length(1);
    for (const wrong of ['1,2,3', 'NaN,NaN,NaN,NaN', '{ "a": 1 }'])
      expect(() => readTruth(wrong, size))
        .to.throw()
        .with.property('code', 'invalid-argument');
  });

  describe('of <foveola-track>', () => {
    let element: FoveolaTrack;
    let restore: Parameters<typeof setEngineProvider>[0];
    const drop = (name: string, text: string) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: 'text/plain' }));
      element.renderRoot
        .querySelector('.base')!
        .dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    };
    const shown = () => element.renderRoot.querySelector('.truth')?.textContent ?? '';

    beforeEach(() => {
      restore = setEngineProvider(fakeForAll().provider);
      element = document.createElement('foveola-track');
      element.controls = element.paused = true;
      document.body.append(element);
    });
    afterEach(() => {
      element.remove();
      setEngineProvider(restore);
    });

    it('is scored when every frame was analysed', async () => {
      expect(() => element.loadTruth('1,2,3,4'))
        .to.throw()
        .with.property('code', 'source-not-ready');
      element.box = { x: 40, y: 50, width: 20, height: 20 };
      element.source = await makeClip({ times: steady(48) });
      await until('it is open', () => element.state === 'paused');
      // The track stays where it is: half of it is right, a quarter has a third of an overlap, in a quarter nothing is there.
      const lines = (count: number, line: string) => Array.from({ length: count }, () => line);
      const truth = [...lines(24, '40,50,20,20'), ...lines(12, '50,50,20,20'), ...lines(12, 'NaN,NaN,NaN,NaN')];
      drop('truth.txt', truth.join('\n'));
      await until('it waits', () => shown().includes('48 frames. Analyze every frame'));
      expect(element.truthScore).to.equal(null);
      expect(() => element.exportScore())
        .to.throw()
        .with.property('code', 'source-not-ready');
      await element.analyse();
      const { meanOverlap, ...score } = element.truthScore!;
      expect(score).to.deep.equal({
        ...{ format: 'sides', target: 1, frames: 48, annotated: 36 },
        ...{ success: 24 / 36, precision: 36 / 48, recall: 1, f: 72 / 84 },
      });
      expect(meanOverlap).to.be.closeTo((24 + 12 / 3) / 36, 1e-9);
      await element.updateComplete;
      expect(shown()).to.include(
        'mean overlap 0.778, success at 0.5 66.7 %. At 0.25: precision 75.0 %, recall 100.0 %',
      );
      expect(JSON.parse(element.exportScore())).to.include({ source: 'made.webm', recall: 1 });
      drop('truth.txt', '1,2,3');
      await until('an error', () => element.error);
      expect((element.error as FoveolaError).message).to.include('NaN if the target is absent');
      drop('truth.csv', `1${',1'.repeat(2 ** 20)}`);
      await until('another error', () => element.error?.message.includes('1048577 values'));
      drop('truth.csv', ' '.repeat(2 ** 24 + 1));
      await until('a third error', () => element.error?.message.includes('is too large'));
    });
  });
});
