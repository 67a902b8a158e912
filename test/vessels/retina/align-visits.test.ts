/** Two photographs of a drawn retina: the alignment is the known one, and others do not match. */
import { expect } from 'chai';
import type { Similarity } from '../../../src/image/similarity.ts';
import { alignVisits, type VisitVessels } from '../../../src/vessels/retina/align-visits.ts';
import { generator } from '../../parity/cases.ts';
import { drawnRetina } from '../scenes.ts';

const side = 600;
const size = { width: side, height: side };

/** The drawn lines as segments, one point per pixel, moved by a similarity, with uneven ends as detection has them. */
function visit(retina: ReturnType<typeof drawnRetina>, by: Similarity, seed = 0): VisitVessels {
  const random = generator(seed + 1);
  const at = (u: number, v: number) => {
    const [x, y] = [u + 14 * Math.sin(v / 45 + u / 90), v + 14 * Math.sin(u / 40)]; // vessels wind
    return [by.a * x - by.b * y + by.x, by.b * x + by.a * y + by.y] as const;
  };
  const segments = retina.lines
    .filter(() => !seed || random() > 0.15)
    .map(({ points, width }) => {
      const all = points.slice(1).flatMap(([x, y], k) => {
        const [px, py] = points[k]!;
        const count = Math.ceil(Math.hypot(x - px, y - py));
        return Array.from({ length: count }, (_, i) => {
          const noise = () => (seed ? random() - 0.5 : 0);
          return at(px + ((x - px) * i) / count + noise(), py + ((y - py) * i) / count + noise());
        });
      });
      return {
        points: Float32Array.from(all.flat()),
        widths: new Float32Array(all.length).fill(width * Math.hypot(by.a, by.b)),
      };
    });
  const { disc, fovea } = retina as Required<typeof retina>;
  const place = ({ x, y }: { x: number; y: number }) => ({ x: at(x, y)[0], y: at(x, y)[1] });
  return {
    ...{ ...size, segments, fovea: place(fovea) },
    disc: { ...place(disc), radius: disc.radius * Math.hypot(by.a, by.b) },
  };
}

const none: Similarity = { a: 1, b: 0, x: 0, y: 0 };
const turned = (angle: number, scale: number, dx: number, dy: number): Similarity => {
  const [a, b] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return {
    a,
    b,
    x: dx + side / 2 - (a * side) / 2 + (b * side) / 2,
    y: dy + side / 2 - (b * side) / 2 - (a * side) / 2,
  };
};
const retina = drawnRetina(side, 0.2, { arteries: [7, 6, 6, 5, 5], veins: [9, 8, 8, 7, 6] });
const other = drawnRetina(side, 0.55, { arteries: [6, 6, 5, 4], veins: [9, 8, 7, 7] });

/** Largest distance, over the corners, between a point and itself after both ways. */
const away = (by: Similarity, known: Similarity) =>
  Math.max(
    ...[0, side].flatMap((x) =>
      [0, side].map((y) => {
        const [u, v] = [known.a * x - known.b * y + known.x, known.b * x + known.a * y + known.y];
        return Math.hypot(by.a * u - by.b * v + by.x - x, by.b * u + by.a * v + by.y - y);
      }),
    ),
  );

describe('visits', () => {
  const first = visit(retina, none);
  for (const known of [none, turned(0.12, 1.07, 30, -20), turned(-0.2, 0.9, -25, 15)])
    it(`are aligned when turned by ${known.b.toFixed(2)}`, () => {
      expect(away(alignVisits(first, visit(retina, known))!, known)).to.be.below(0.5);
      const uneven = alignVisits(first, visit(retina, known, 3))!;
      expect(away(uneven, known)).to.be.below(1.5);
      expect(uneven.share).to.be.within(0.6, 1);
    });

  it('are aligned without a fovea, and with a wrong one', () => {
    const known = turned(0.15, 1, 20, 10);
    const second = visit(retina, known);
    for (const fovea of [null, { x: 100, y: 500 }])
      expect(away(alignVisits(first, { ...second, fovea })!, known)).to.be.below(0.5);
  });

  it('do not match if they show another retina, or the other eye', () => {
    expect(alignVisits(first, visit(other, none))).to.equal(null);
    const segments = first.segments.map(({ points, widths }) => ({
      points: points.map((v, i) => (i % 2 ? v : side - 1 - v)),
      widths,
    }));
    const mirror = <P extends { x: number }>(place: P | null) => place && { ...place, x: side - 1 - place.x };
    const mirrored = { ...size, segments, disc: mirror(first.disc), fovea: mirror(first.fovea) };
    expect(alignVisits(first, mirrored)).to.equal(null);
  });

  it('do not match without a disc or without vessels', () => {
    expect(alignVisits({ ...first, disc: null }, first)).to.equal(null);
    expect(alignVisits(first, { ...first, disc: null })).to.equal(null);
    expect(alignVisits(first, { ...first, segments: [] })).to.equal(null);
  });
});
