/** Components on the GPU where their ways are long, against those of the WASM side; and the call of the engine on both. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { components } from '../../src/image/components.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { run, type Backend } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { withoutBackend } from '../support/without-backend.ts';

const draw = (width: number, height: number, at: (x: number, y: number) => boolean) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => (at(i % width, Math.floor(i / width)) ? 200 : 0)),
});
/** Teeth upwards from a bar at the bottom; their tops rise to the left or to the right. */
const comb = (leftward: boolean) =>
  draw(256, 140, (x, y) => y === 139 || (x % 4 === 1 && y > 4 + ((leftward ? x : 255 - x) >> 1)));
/** A way that turns at each end of the picture. */
const serpentine = (width: number, height: number, turned: boolean) =>
  draw(width, height, (x, y) => {
    const [u, v, last] = turned ? [y, x, height - 1] : [x, y, width - 1];
    return v % 4 === 0 || (v % 4 === 2 ? u === (v % 8 === 2 ? last : 0) : u === (v % 8 < 4 ? last : 0));
  });
/** A spiral one pixel wide, its turns three apart. */
function spiral(side: number) {
  const image = draw(side, side, () => false);
  let [x, y, dx, dy] = [0, 0, 1, 0];
  const free = (u: number, v: number) => u >= 0 && v >= 0 && u < side && v < side;
  const set = (u: number, v: number) => free(u, v) && image.data[v * side + u]! > 0;
  for (let steps = 0, turns = 0; steps < side * side && turns < 2; steps++) {
    image.data[y * side + x] = 9;
    if (!free(x + dx, y + dy) || set(x + 3 * dx, y + 3 * dy)) {
      [dx, dy] = [-dy, dx];
      turns++;
    } else turns = 0;
    [x, y] = [x + dx, y + dy];
  }
  return image;
}
const noise = (share: number, seed: number) => {
  const random = generator(seed);
  return draw(300, 200, () => random() < share);
};

const pictures = {
  nothing: draw(40, 30, () => false),
  everything: draw(41, 31, () => true),
  'single pixels': draw(90, 61, (x, y) => x % 2 === 0 && y % 2 === 0),
  'a chessboard': draw(91, 60, (x, y) => (x + y) % 2 === 0),
  'a comb that rises to the left': comb(true),
  'a comb that rises to the right': comb(false),
  'a serpentine across': serpentine(200, 161, false),
  'a serpentine down': serpentine(161, 200, true),
  'a spiral': spiral(180),
  // Around the density at which noise hangs together, its ways are longest.
  'noise of 35%': noise(0.35, 1),
  'noise of 41%': noise(0.41, 2),
  'noise of 50%': noise(0.5, 3),
};

describe('components on the GPU', () => {
  let runtime: Runtime;
  let rounds = 0;
  before(async () => {
    runtime = await makeRuntime();
    const gpu = runtime.gpu!;
    const drawn = gpu.draw.bind(gpu);
    gpu.draw = (pass, given) => {
      if (pass.name === 'image/component-join') rounds++;
      drawn(pass, given);
    };
  });
  after(() => {
    expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    runtime.dispose();
  });

  for (const [name, { width, height, data }] of Object.entries(pictures))
    it(`labels ${name} as the WASM side, in few rounds`, async () => {
      const labeled = async (backend: Backend) => {
        const plane = runtime.plane(width, height, 'u8', data);
        const planes = await run(runtime, components, [plane], {}, { backend });
        const [labels, count] = await Promise.all(planes.map((p) => p.read()));
        for (const made of [plane, ...planes]) made.dispose();
        return { labels, count };
      };
      const expected = await labeled('wasm');
      rounds = 0;
      const found = await labeled('gpu');
      expect(found.count).to.deep.equal(expected.count);
      expect(found.labels).to.deep.equal(expected.labels);
      expect(rounds).to.be.at.most(9);
    });
});

describe('the call for components', () => {
  it('gives labels, areas, boxes and centroids of either side alike', async () => {
    const answers = [];
    for (const backend of ['wasm', 'gpu'] as const) {
      const engine = await createEngine({ backend, worker: false });
      const own = [];
      for (const picture of Object.values(pictures)) {
        const answer = await engine.components(picture);
        expect((answer as { backend?: string }).backend).to.equal(backend);
        own.push(withoutBackend([answer])[0]);
      }
      answers.push(own);
      await engine.dispose();
    }
    expect(answers[1]).to.deep.equal(answers[0]);
  });
});
