/** The set-ups of the settings panel, and the order of the settings. */
import { expect } from 'chai';
import { arranged, layoutOf } from '../../widget/tools/panels/panel-layout.ts';
import { cameraScale, fieldDiameter, pupilSetup } from '../../widget/tools/panels/setups.ts';
import { shownIn } from '../../widget/tools/panels/parameter-row.ts';
import { placeOf } from '../../widget/pupil/size-limits.ts';
import { pupilParameters } from '../../src/index.ts';

describe('set-ups', () => {
  it('have limits that follow from the size of the eye and of the image', () => {
    const { minDiameter, maxDiameter } = pupilParameters;
    for (const [name, width, pupil] of [
      ['desk', [90, 250], [2, 8]],
      ['webcam', [60, 60], [2, 8]],
      ['mouse', [4, 8], [0.3, 2.5]],
    ] as const) {
      const values = pupilSetup(name);
      for (const [limit, millimetres, at] of [
        [minDiameter, pupil[0], width[1]],
        [maxDiameter, pupil[1], width[0]],
      ] as const) {
        // In an image of 640 x 480 pixels that is as wide as this at the eye.
        const { per } = shownIn(limit, { size: { width: 640, height: 480 }, given: { millimetresPerPixel: at / 640 } });
        const share = Number(values[limit === minDiameter ? 'minDiameter' : 'maxDiameter']);
        expect(share / per, `${name}, mm`).to.be.closeTo(millimetres, 0.05 * millimetres);
        expect(share).to.be.within(limit.min, limit.max);
      }
    }
    expect(pupilSetup('headset')).to.deep.equal({ eyes: undefined, minDiameter: undefined, maxDiameter: undefined });
  });

  it('exclude the iris as a pupil in a webcam image', () => {
    const iris = 11.7 / (60 * 0.75);
    expect(pupilSetup('webcam').maxDiameter).to.be.below(iris);
  });

  it('have the scale of a fundus camera from its angle and the field of view', () => {
    const [width, height] = [200, 150];
    const data = Uint8Array.from({ length: width * height }, (_, i) =>
      Math.hypot((i % width) - 100, Math.floor(i / width) - 75) < 90 ? 255 : 0,
    );
    // Cut off above and below.
    expect(fieldDiameter({ width, height, data })).to.equal(179);
    expect(cameraScale(45, 1296)).to.deep.equal({ micrometresPerPixel: 10 });
    expect(cameraScale(45, 0)).to.deep.equal({ micrometresPerPixel: undefined });
  });
});

describe('order of the settings', () => {
  it('has four first at most, and every other one once', () => {
    const names = Object.keys(pupilParameters);
    const { first, rest } = arranged(names, layoutOf('pupil'));
    expect(first).to.deep.equal(['eyes', 'minDiameter', 'maxDiameter']);
    const all = [...first, ...rest.flatMap(([, group]) => group), 'millimetresPerPixel', 'outline'];
    expect([...all].sort()).to.deep.equal([...names].sort());
    expect(rest.map(([group]) => group)).to.not.include('others');
    expect(arranged(['low', 'high', 'max', 'sigma', 'levels', 'size'], layoutOf('filter'))).to.deep.equal({
      first: ['low', 'high', 'sigma', 'max'],
      rest: [[null, ['levels', 'size']]],
    });
    expect(arranged(['x'], layoutOf('none'))).to.deep.equal({ first: ['x'], rest: [] });
  });
});

describe('circles of the limits', () => {
  const size = { width: 200, height: 100 };
  const pupil = { found: true, x: 30, y: 40 };
  it('are around the pupil, otherwise in the middle of its area', () => {
    const seen = { pupils: [pupil, { ...pupil, found: false }] } as unknown as Parameters<typeof placeOf>[3];
    expect(placeOf(0, 2, size, seen, null)).to.include({ x: 30, y: 40 });
    expect(placeOf(1, 2, size, seen, null)).to.deep.equal({ x: 149.5, y: 49.5 });
    expect(placeOf(0, 1, size, null, { x: 10, y: 20, width: 40, height: 20 })).to.deep.equal({ x: 29.5, y: 29.5 });
  });
});
