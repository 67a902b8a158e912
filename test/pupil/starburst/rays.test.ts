/** Border points of the kernels against a plain reference, on rendered eyes. */
import { expect } from 'chai';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame, sampleFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import type { Point } from '../../reference/pupil-search-fits.ts';
import { starburstRays } from '../../reference/pupil-rays.ts';
import { imageOf, prepareTiles, valuesOf } from '../preparation/prepared.ts';
import { makeRuntime, testing, type Gray } from '../search-memory.ts';

type Given = Parameters<ReturnType<typeof testing>['kernels']['castRaysFrom']>[0];

function* castRays(scope: Scope, given: Given) {
  return yield* testing(scope).kernels.castRaysFrom(given);
}

const turn = (n: number, from = 0, to = 2 * Math.PI): Point[] =>
  Array.from({ length: n }, (_, i) => {
    const angle = from + ((to - from) * i) / n;
    return [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle))];
  });

describe('rays of the pupil kernels', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  const images: [string, () => Gray, Point][] = [
    ['an eye with LEDs on its border', () => hardFrame(1), hardCenter(1)],
    ['an eye', () => hardFrame(0), hardCenter(0)],
    ['a closed eye', () => hardFrame(4), [320, 240]],
    ['the sample', () => sampleFrame(0), [sampleFrame(0).truth.ellipse!.x, sampleFrame(0).truth.ellipse!.y]],
    ['noise', () => imageOf('noise', 131, 90, 5), [60, 40]],
  ];
  function hardCenter(i: number): Point {
    const { x, y } = hardFrame(i).truth.ellipse!;
    return [x, y];
  }

  for (const [name, make, center] of images)
    it(`finds the reference's points: ${name}`, () => {
      const image = make();
      const { width, height } = image;
      const { search, blurred, mask } = prepareTiles(
        runtime,
        image,
        valuesOf({ reflections: name === 'noise' ? 'none' : 'skip' }),
      );
      const random = generator(width);
      let points = 0;
      for (let round = 0; round < 12; round++) {
        const rays = turn([20, 8, 72][round % 3]!);
        const arc = turn([5, 0, 15, 1][round % 4]!, -0.87, 0.87);
        const paper = round % 5 === 4;
        const gradient = [8, 8.9, 30, 2][round % 4]!;
        const reach = [1000, 90, 40][round % 3]!;
        // Whole image, halves, a small part, one that the start lies outside of.
        const region = [
          { x0: 0, y0: 0, x1: width, y1: height },
          { x0: width >> 1, y0: 0, x1: width, y1: height },
          { x0: 11, y0: 7, x1: width - 5, y1: height - 13 },
        ][round % 3]!;
        const far = round > 5;
        const start: Point = far
          ? [Math.fround(width * random()), Math.fround(height * random())]
          : [Math.fround(center[0] + 3 * random()), Math.fround(center[1] - 3 * random())];
        const capacity = rays.length * (arc.length + 1) + 8;
        const lists = [0, 1].map(() => search.store(new Float32Array(capacity).fill(-7)));
        search.set({
          ...region,
          directions: search.store(Float32Array.from(rays.flat())),
          rays: rays.length,
          arc: search.store(Float32Array.from(arc.flat())),
          arcRays: arc.length,
          gradient,
          paper: paper ? 1 : 0,
          px: lists[0],
          py: lists[1],
        });
        const n = driveNow(runtime, (scope) =>
          castRays(scope, { search: search.state, x: start[0], y: start[1], reach }),
        );
        const [xs, ys] = lists.map(({ address }) => search.floats(address, capacity)) as [Float32Array, Float32Array];
        const found = Array.from({ length: n }, (_, i): Point => [xs[i]!, ys[i]!]);
        const expected = starburstRays({ width, blurred, mask, region, gradient, paper }, start, rays, arc, reach);
        expect(found, `round ${round}`).to.deep.equal(expected);
        expect([...xs.subarray(n)].every((v) => v === -7)).to.equal(true);
        points += n;
      }
      expect(points).to.be.above(100);
      search.dispose();
    });
});
