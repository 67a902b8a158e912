/** What speaks for and against a fundus photograph, one sign at a time. */
import { expect } from 'chai';
import { judge, type Evidence } from '../../../src/vessels/segment/confidence.ts';

const side = 40;
const disc = Float32Array.from({ length: side * side }, (_, i) =>
  Number(Math.hypot((i % side) - 19.5, Math.floor(i / side) - 19.5) < 18),
);
const fundus = {
  plane: {
    field: { mask: disc, inner: disc, area: 0.64, found: true },
    fieldSize: { width: side, height: side, block: 14 },
    diameter: 540,
    block: 1,
  },
  color: [150, 80, 40],
  contrasts: { darkness: 1.4, spread: 4, sharpness: 0.9 },
  levels: { otsu: 10, tenth: 8, median: 1, level: 9 },
  components: [{ area: 20_000, width: 400, height: 420 }],
  outlined: { count: 0, share: 0 },
  fraction: 0.1,
} as unknown as Evidence;

describe('confidence of vessels', () => {
  it('is whole, without a warning, where every sign is that of a fundus photograph', () => {
    const { confidence, warnings } = judge(fundus);
    expect(warnings).to.deep.equal([]);
    expect(confidence).to.be.closeTo(1, 1e-9);
  });

  it('falls where what was found are pieces that join into no tree', () => {
    const piece = { area: 200, width: 40, height: 12 };
    const pieces = Array.from({ length: 100 }, () => piece);
    const { confidence, warnings } = judge({ ...fundus, components: pieces });
    expect(warnings.join(' ')).to.match(/do not form a tree/);
    expect(confidence).to.be.closeTo(0.2, 1e-9);
    const half = judge({ ...fundus, components: [...pieces, { area: 10_000, width: 300, height: 300 }] });
    expect(half.confidence).to.be.within(0.3, 0.6);
  });

  it('falls, and says why, for a picture that is blurred, small, or no retina', () => {
    const cases = [
      [{ contrasts: { ...fundus.contrasts, sharpness: 0.5 } }, /blurred/],
      [{ plane: { ...fundus.plane, diameter: 100 } }, /too small/],
      [{ contrasts: { ...fundus.contrasts, darkness: 1 } }, /not stronger than its bright/],
      [{ contrasts: { ...fundus.contrasts, spread: 15 } }, /varies more/],
      [{ color: [60, 90, 120] as const }, /colors/],
      [{ fraction: 0.4 }, /covers 40/],
      [{ levels: { ...fundus.levels, median: 8 } }, /noise/],
    ] as const;
    for (const [part, text] of cases) {
      const { confidence, warnings } = judge({ ...fundus, ...part });
      expect(warnings.length, String(text)).to.equal(1);
      expect(warnings[0]).to.match(text);
      expect(confidence, String(text)).to.be.at.most(0.31);
    }
  });
});
