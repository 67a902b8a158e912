/** Where rays start, by the kernels alone: in the darkest compact regions, or at the last pupil; literal pictures and numbers. */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { discs } from '../discs.ts';
import { makeRuntime, SearchMemory, type Gray } from '../search-memory.ts';

const [WIDTH, HEIGHT] = [160, 100];
const MOST = 8;

describe('starts of the pupil kernels', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  /** x, y, length and threshold of each start in the whole of a picture that is not reduced. */
  function inDark({ data }: Gray, maxStarts: number): number[][] {
    const search = new SearchMemory(runtime);
    const starts = search.room(16 * MOST);
    const padded = new Uint8Array(data.length + 64);
    padded.set(data);
    search.set({
      ...{ source: search.store(padded), stride: WIDTH, width: WIDTH, height: HEIGHT },
      ...{ x0: 0, y0: 0, x1: WIDTH, y1: HEIGHT },
      ...{ small: search.room(WIDTH * HEIGHT), smallWidth: WIDTH, smallHeight: HEIGHT, reduction: 1 },
      ...{ integral: search.room(4 * (WIDTH + 1) * (HEIGHT + 1)), work: search.room(1024 + 2 * WIDTH + 64) },
      ...{ minRadius: 6, minContrast: 5, minGradient: 8, starts, maxStarts },
    });
    driveNow(runtime, function* ({ kernels }) {
      yield* kernels.startsInDark({ search: search.state });
    });
    const found = search.floats(starts.address, 4 * search.get('startCount'));
    search.dispose();
    return Array.from({ length: found.length / 4 }, (_, i) => [...found.subarray(4 * i, 4 * i + 4)]);
  }

  const pupils = [
    { x: 40, y: 30, r: 8, level: 20 },
    { x: 100, y: 30, r: 8, level: 40 },
  ];
  /** As dark, but without an end in the picture: contrast at two of four sides. */
  const strip = Array.from({ length: HEIGHT + 20 }, (_, i) => ({ x: 140, y: i - 10, r: 5, level: 20 }));

  it('lie in compact regions, the darker one first, apart from each other', () => {
    const found = inDark(discs(WIDTH, HEIGHT, 160, pupils), MOST);
    for (const [i, { x, y, r }] of pupils.entries()) {
      expect(Math.hypot(found[i]![0]! - x, found[i]![1]! - y), `start ${i}`).to.be.below(3);
      expect(found[i]![2], 'longest ray').to.be.within(3 * r, 6 * r + 10);
    }
    for (const [i, a] of found.entries())
      for (const b of found.slice(i + 1)) expect(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!)).to.be.above(4);
  });

  it('are the best ones where there is no room for all: a dark strip, which is looked at later, takes no place', () => {
    const found = inDark(discs(WIDTH, HEIGHT, 160, [...pupils, ...strip]), 2);
    expect(found.map(([x]) => Math.round(x! / 10))).to.deep.equal([4, 10]);
  });

  it('take 0.4 of the contrast of the last pupil as their step, between the least and 30 levels', () => {
    for (const [lastContrast, gradient] of [
      [10, 8],
      [40, 16],
      [70, 28],
      [200, 30],
    ] as const) {
      const search = new SearchMemory(runtime);
      const starts = search.room(16);
      search.set({ lastX: 31.5, lastY: 42, lastR: 20, lastContrast, minGradient: 8, starts });
      driveNow(runtime, function* ({ kernels }) {
        yield* kernels.startsAtLast({ search: search.state });
      });
      expect(search.get('startCount')).to.equal(1);
      expect([...search.floats(starts.address, 4)]).to.deep.equal([31.5, 42, 60, gradient]);
      search.dispose();
    }
  });
});
