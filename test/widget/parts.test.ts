import { expect } from 'chai';
import { fileName } from '../../widget/base/page.ts';
import { toX, toY, type View } from '../../widget/base/overlay.ts';
import { place } from '../../widget/base/canvas.ts';
import { PageTime } from '../../widget/base/host.ts';
import { de } from '../../widget/strings/de.ts';
import { en } from '../../widget/strings/en.ts';
import { stringsFor } from '../../widget/strings/index.ts';

describe('overlay geometry', () => {
  it('places a picture as object-fit does', () => {
    expect(place('contain', 400, 300, 200, 100)).to.include({ x: 2, y: 2, left: 0, top: 50 });
    expect(place('cover', 400, 300, 200, 100)).to.include({ x: 3, y: 3, left: -100, top: 0 });
    expect(place('fill', 400, 300, 200, 100)).to.include({ x: 2, y: 3, left: 0, top: 0 });
    expect(place('none', 400, 300, 200, 100)).to.include({ x: 1, y: 1, left: 100, top: 100 });
    expect(place('scale-down', 100, 100, 200, 100)).to.include({ x: 0.5, y: 0.5, left: 0, top: 25 });
  });

  it('places a picture as object-position does', () => {
    const at = (fit: string, position: string) => {
      const { left, top } = place(fit, 400, 300, 200, 100, position);
      return [left, top];
    };
    expect(at('contain', '0% 0%')).to.deep.equal([0, 0]);
    expect(at('contain', '50% 100%')).to.deep.equal([0, 100]);
    expect(at('none', '10px 20%')).to.deep.equal([10, 40]);
    expect(at('none', 'calc(100% - 10px) calc(100% - 5px)')).to.deep.equal([190, 195]);
    expect(at('none', 'calc(50% + -3px) -7.5px')).to.deep.equal([97, -7.5]);
    expect(at('cover', '25% 0%')).to.deep.equal([-50, 0]);
  });

  it('takes whole coordinates for pixel centers, mirrored too', () => {
    const view: View = { scale: 2, scaleY: 2, left: 10, top: 20, mirror: false, width: 100, height: 80, ratio: 1 };
    expect([toX(view, 0), toY(view, 0)]).to.deep.equal([11, 21]);
    expect(toX({ ...view, mirror: true }, 0)).to.equal(89);
  });
});

describe('words', () => {
  it('has the same keys in both languages', () => {
    const keys = (object: object): string[] =>
      Object.entries(object).flatMap(([key, value]) =>
        typeof value === 'object' ? keys(value).map((inner) => `${key}.${inner}`) : [key],
      );
    // Where English has the words of the tables of parameters and measures, other languages need words of their own.
    const own = (key: string) => /^(parameters|effects|vessels\.measures)\./.test(key) && !keys(en).includes(key);
    expect(keys(de).filter((key) => !own(key))).to.deep.equal(keys(en));
  });

  it('falls back from a region to its language and to English', () => {
    expect(stringsFor('de-CH')).to.include(de);
    expect(stringsFor('xx')).to.include(en);
  });
});

describe('small parts', () => {
  it('names a file after its source and the time', () => {
    expect(fileName('My eye (1).webm', 'csv')).to.match(/^My-eye-1-\d{8}-\d{6}\.csv$/);
    expect(fileName('', 'png')).to.match(/^foveola-/);
  });

  it('adds up what was done for a frame', () => {
    const times = new PageTime();
    for (let i = 0; i < 3; i++) {
      times.frame();
      times.measure('a', () => undefined);
      times.measure('b', () => undefined);
    }
    times.frame();
    const { frames, parts } = times.summary();
    expect(frames).to.equal(3);
    expect(Object.keys(parts)).to.deep.equal(['a', 'b']);
  });
});
