/** What the judge of outlines reads off the picture. */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { discs, type Disc } from '../discs.ts';
import { makeRuntime, once } from '../search-memory.ts';

describe('the judge of pupil outlines', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  const pupil: Disc = { x: 160, y: 120, r: 40, level: 40 };
  /** Two rings of mirror images of lamps, over a fifth of what is looked at inside. */
  const lamps = (
    [
      [0.4, 5],
      [0.6, 8],
    ] as const
  ).flatMap(([share, count]) =>
    Array.from({ length: count }, (_, i): Disc => {
      const angle = (2 * Math.PI * i) / count;
      return {
        x: pupil.x + share * pupil.r * Math.cos(angle),
        y: pupil.y + share * pupil.r * Math.sin(angle),
        r: 4,
        level: 255,
      };
    }),
  );

  for (const method of ['starburst', 'hough'] as const)
    it(`does not take reflections for levels of the pupil: ${method}`, () => {
      /** Log-odds, which the levels inside are a part of. */
      const oddsOf = (list: readonly Disc[]) => {
        const { confidence } = once(runtime, discs(320, 240, 150, list), { method }).pupils[0]!;
        return Math.log(confidence / (1 - confidence));
      };
      expect(oddsOf([pupil, ...lamps])).to.be.closeTo(oddsOf([pupil]), 0.5);
    });
});
