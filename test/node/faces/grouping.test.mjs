// Rectangle grouping: the goldens of the thesis's rule, literal cases, many windows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { copiedGolden, generator, library, makeRuntime } from './support.mjs';

const { groupWindows } = library;

describe('grouping', () => {
  let runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());
  const group = (rectangles, how = 'overlap', minimum = 3) =>
    library.driveNow(runtime, (scope) => groupWindows(scope, Int32Array.from(rectangles.flat()), how, minimum));

  for (const { id, op, params, input, expected } of copiedGolden)
    if (op === 'group_rectangles_neighbours')
      it(`equals ${id}`, () => {
        const found = group(input.rects, 'overlap', params.minNeighbours);
        const { means, sizes } = expected.dropAll;
        assert.deepEqual(
          found.map((box) => box.neighbors),
          sizes,
        );
        means.forEach((mean, i) => {
          const { x, y, width, height } = found[i];
          [x, y, width, height].forEach((v, k) => assert.ok(Math.abs(v - mean[k]) < 1e-6));
        });
      });

  it('does not let a dropped window join two faces', () => {
    const { input, expected } = copiedGolden.find(({ id }) => id.includes('bridge'));
    assert.equal(expected.absorb.means.length, 1); // as the shader of the thesis has it
    assert.equal(group(input.rects).length, 2);
  });

  it('gives every window when nothing is to be grouped', () => {
    const windows = [
      [1, 2, 30, 30],
      [1, 2, 30, 30],
    ];
    assert.deepEqual(group(windows, 'similarity', 0), [
      { x: 1, y: 2, width: 30, height: 30, neighbors: 1 },
      { x: 1, y: 2, width: 30, height: 30, neighbors: 1 },
    ]);
    assert.deepEqual(group([]), []);
  });

  it('of similar windows leaves out small groups within larger ones', () => {
    const large = Array.from({ length: 8 }, (_, i) => [100 + (i % 2), 100, 80, 80]);
    const small = Array.from({ length: 4 }, () => [130, 130, 30, 30]);
    assert.deepEqual(
      group([...large, ...small], 'similarity', 2).map((b) => b.neighbors),
      [8],
    );
  });

  it('is right for thousands of windows and gives its memory back', () => {
    const random = generator(9);
    const blocks = runtime.arena.blocks;
    const windows = Array.from({ length: 3000 }, () => [
      40 * Math.floor(random() * 30),
      40 * Math.floor(random() * 30),
      40,
      40,
    ]);
    const cells = new Map();
    for (const [x, y] of windows) cells.set(`${x},${y}`, (cells.get(`${x},${y}`) ?? 0) + 1);
    const expected = [...cells].filter(([, n]) => n > 3).map(([at, n]) => `${at},${n}`);
    assert.deepEqual(
      group(windows)
        .map((b) => `${b.x},${b.y},${b.neighbors}`)
        .sort(),
      expected.sort(),
    );
    assert.ok(runtime.arena.blocks <= blocks + 1);
  });
});
