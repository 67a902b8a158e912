/** Canny's hysteresis over long ways, on every side. */
import { expect } from 'chai';
import { hysteresisByPasses } from '../../src/edges/canny.gpu.ts';
import { canny, edgeStages } from '../../src/edges/index.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { drive, run, type Backend } from '../../src/runtime/stage.ts';
import { difference, makeRuntime } from '../parity/backends.ts';
import { canny as reference } from '../reference/canny.ts';

/** A faint stripe that winds through the image, strong at its very start only. */
function winding(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height).fill(100);
  for (let y = 4; y < height - 4; y++)
    for (let x = 4; x < width - 4; x++) {
      const lane = Math.floor((y - 4) / 12);
      const inLane = (y - 4) % 12 < 4;
      const turn = (y - 4) % 12 >= 4 && (lane % 2 === 0 ? x >= width - 8 : x < 8);
      if (inLane || turn) data[y * width + x] = lane === 0 && x < 10 ? 200 : 118;
    }
  return data;
}

describe('hysteresis', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });

  async function edges(backend: Backend, data: Uint8Array, width: number, height: number, hysteresis: string) {
    const source = runtime.plane(width, height, 'u8', data);
    const params = { low: 40, high: 200, hysteresis: hysteresis as 'auto' };
    const [out] = await run(runtime, canny, [source], params, { backend });
    const image = { width, height, format: 'u8' as const, data: await out!.read() };
    for (const plane of [source, out!]) plane.dispose();
    return image;
  }

  it('follows a faint edge through the whole image', async () => {
    const [width, height] = [150, 101];
    const data = winding(width, height);
    const all = {
      low: 40,
      high: 200,
      norm: 'L1',
      sigma: 0,
      size: 5,
      thresholds: 'given',
      derivative: 'sobel',
    } as const;
    const [followed] = reference([{ width, height, format: 'u8', data }], { ...all, hysteresis: 'auto' });
    const [strong] = reference([{ width, height, format: 'u8', data }], { ...all, hysteresis: 'none' });
    const count = (image: { data: ArrayLike<number> }) => Array.from(image.data).filter(Boolean).length;
    expect(count(followed!), 'most of the edge is faint').to.be.above(20 * count(strong!));
    for (const backend of ['wasm', 'gpu'] as const)
      for (const how of ['auto', 'flood', 'passes', 'none'])
        expect(
          difference(await edges(backend, data, width, height, how), how === 'none' ? strong! : followed!, 0),
          `${backend}, ${how}`,
        ).to.equal('');
  });

  it('leaves faint edges out that no strong one touches', async () => {
    const data = new Uint8Array(64 * 32).map((_, i) => (i % 64 < 30 ? 100 : 118));
    for (const backend of ['wasm', 'gpu'] as const) {
      const { data: found } = await edges(backend, data, 64, 32, 'auto');
      expect(Array.from(found).some(Boolean), backend).to.equal(false);
    }
  });

  it('goes from every pixel of a tile to each of its neighbors, over all borders and corners of tiles', async () => {
    // 512 pairs of a strong and a faint pixel, each in the middle of 3 x 3 tiles of its own.
    const [across, down] = [32, 16];
    const [width, height] = [24 * across, 24 * down];
    const words = new Uint32Array(4 * (width / 8) * (height / 8));
    const expected = new Uint8Array(width * height);
    const mark = (x: number, y: number, faint: boolean) => {
      const tile = 4 * ((y >> 3) * (width / 8) + (x >> 3));
      const word = tile + (faint ? 2 : 0) + ((y >> 2) & 1);
      words[word] = (words[word]! | (1 << (8 * (y & 3) + (x & 7)))) >>> 0;
      expected[y * width + x] = 255;
    };
    const neighbors = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const)).filter(([a, b]) => a || b);
    for (let i = 0; i < across * down; i++) {
      const [dx, dy] = neighbors[i & 7]!;
      const x = 24 * (i % across) + 8 + ((i >> 3) & 7);
      const y = 24 * Math.floor(i / across) + 8 + (i >> 6);
      mark(x, y, false);
      mark(x + dx, y + dy, true);
    }
    const data = await drive(runtime, function* (scope) {
      const tiles = scope.texture(width / 8, height / 8, 'rgba32ui');
      scope.gpu.upload(tiles, new Uint8Array(words.buffer), 2 * width);
      const edges = yield* hysteresisByPasses(scope, tiles, width, height);
      return Uint8Array.from(yield* scope.read(edges));
    });
    const found = { width, height, format: 'u8' as const, data };
    expect(difference(found, { ...found, data: expected }, 0)).to.equal('');
  });

  it('registers its stages', () => expect(edgeStages.map(({ name }) => name)).to.include('edges/canny'));
});
