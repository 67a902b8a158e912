/** The motion of a face on the GPU: points that go another way do not move its box. */
import { expect } from 'chai';
import { followedBoxes } from '../../src/faces/follow-boxes.ts';
import { openLandmarks, packLandmarks } from '../../src/models/landmarks.ts';
import type { Backend } from '../../src/runtime/runtime.ts';
import { run } from '../../src/runtime/stage.ts';
import { texture, textureAt } from '../flow/texture.ts';
import { makeRuntime } from '../parity/backends.ts';
import { steadyLandmarks } from './made-up.ts';

const [WIDTH, HEIGHT] = [180, 140];

/** Moved by (2, -1), but for the columns from `from` on: by (6, 5). */
function second(from: number): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const [dx, dy] = x < from ? [2, -1] : [6, 5];
    return textureAt(16 * (x - dx) + 16 * 96, 16 * (y - dy) + 16 * 96, 5);
  });
}

it('faces/follow moves a box with most of its points, on both sides', async () => {
  const runtime = await makeRuntime();
  const model = openLandmarks(packLandmarks(steadyLandmarks({ points: 8, trees: 2, depth: 1 }), 'exact'));
  const box = [40, 30, 90, 90];
  const at = async (backend: Backend, from: number) => {
    const planes = [texture(WIDTH, HEIGHT, 5).data, second(from)].map((data) =>
      runtime.plane(WIDTH, HEIGHT, 'u8', data),
    );
    const inputs = [planes[0]!, planes[1]!, model, Float64Array.from(box)] as const;
    const [points, followed] = await run(runtime, followedBoxes, inputs, {}, { backend });
    for (const plane of planes) plane.dispose();
    return { points, followed: followed[0] };
  };
  const still = model.mean.map((v, i) => box[i % 2]! + 89 * v);
  for (const backend of ['wasm', 'gpu'] as const) {
    // All of it; all but the last two of six columns of points; the last one alone.
    const all = await at(backend, WIDTH);
    const most = await at(backend, 106);
    expect([all.followed, most.followed, (await at(backend, 0)).followed], backend).to.deep.equal([1, 1, 1]);
    // A third of the points moved 4 and 6 pixels further: on the mean they would take the box 1.3 and 2 pixels along.
    for (const { points } of [all, most])
      points.forEach((v, i) => expect(v - still[i]!, `${backend}, ${i}`).to.be.closeTo(i % 2 ? -1 : 2, 0.5));
  }
  const [wasm, gpu] = [await at('wasm', 106), await at('gpu', 106)];
  wasm.points.forEach((v, i) => expect(gpu.points[i], `${i}`).to.be.closeTo(v, 0.001));
  expect(runtime.gpu!.textures.lent).to.equal(0);
  runtime.dispose();
});
