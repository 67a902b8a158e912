import { expect } from 'chai';
import { quadrantsOf } from '../../../src/vessels/retina/shape-measures.ts';

const picture = (on: (x: number, y: number) => boolean) => ({
  width: 200,
  height: 200,
  data: Uint8Array.from({ length: 40_000 }, (_, i) => (on(i % 200, Math.floor(i / 200)) ? 255 : 0)),
});

describe('density by quarters', () => {
  const place = { x: 100, y: 100, radius: 20 };
  it('is the share that vessels cover above, below and to the sides', () => {
    const mask = picture((x, y) => (y < 100 ? true : y > 100 ? y % 2 === 0 : false));
    const field = picture(() => true);
    const found = quadrantsOf(mask, field, place, [1, 3], 1);
    expect(found.superior).to.equal(1);
    expect(found.inferior).to.be.closeTo(0.5, 0.02);
    expect(found.nasal).to.be.closeTo(0.75, 0.03);
    const left = picture((x) => x < 100);
    expect(quadrantsOf(left, field, place, [1, 3], 1)).to.include({ nasal: 1, temporal: 0 });
    expect(quadrantsOf(left, field, place, [1, 3], -1)).to.include({ nasal: 0, temporal: 1 });
  });
  it('is null where the side is not known or most of a quarter is out of the field', () => {
    const field = picture((_, y) => y > 90);
    const found = quadrantsOf(
      picture(() => true),
      field,
      place,
      [1, 3],
      0,
    );
    expect(found).to.deep.equal({ superior: null, inferior: 1, nasal: null, temporal: null });
  });
});
