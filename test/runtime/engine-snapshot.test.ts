/** What is given to a call is taken as it is at the call, whatever home the engine has and whatever kind the source is. */
import { expect } from 'chai';
import type { Engine } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import type { Source } from '../../src/results/types.ts';
import type { EngineOptions } from '../../src/runtime/engine/options.ts';
import { bothWays, scene, snapshotCases } from './snapshot-cases.ts';

const homes: Record<string, EngineOptions> = {
  'in a worker': { worker: true, backend: 'wasm', threads: 1 },
  'in a worker with two threads': { worker: true, backend: 'wasm', threads: 2 },
  "on the page's own thread": { worker: false, backend: 'wasm' },
};

function pixels(): ImageData {
  const { width, height, data } = scene();
  const image = new ImageData(width, height);
  image.data.forEach((_, i) => (image.data[i] = i % 4 === 3 ? 255 : data[i >> 2]!));
  return image;
}

/** A source, and what changes it. */
async function drawn(kind: string): Promise<{ source: Source; change(): void }> {
  const { width, height } = scene();
  const canvas = kind === 'OffscreenCanvas' ? new OffscreenCanvas(width, height) : document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.putImageData(pixels(), 0, 0);
  if (kind === 'ImageBitmap') {
    const bitmap = await createImageBitmap(canvas);
    return { source: bitmap, change: () => bitmap.close() };
  }
  if (kind === 'VideoFrame') {
    const frame = new VideoFrame(canvas, { timestamp: 0 });
    return { source: frame, change: () => frame.close() };
  }
  return { source: canvas, change: () => context.clearRect(0, 0, width, height) };
}

for (const [home, options] of Object.entries(homes))
  describe(`what is given to a call, engine ${home}`, () => {
    let engine: Engine;
    before(async () => (engine = await createEngine({ workerUrl: '/test/runtime/test-worker.ts', ...options })));
    after(() => engine.dispose());

    for (const one of snapshotCases)
      it(`is copied: ${one.name}`, async () => {
        const [expected, found] = await bothWays(engine, one);
        expect(found).to.deep.equal(expected);
      });

    for (const kind of ['canvas', 'OffscreenCanvas', 'ImageBitmap', 'VideoFrame'])
      it(`is copied: ${kind}`, async () => {
        const expected = await engine.gaussian((await drawn(kind)).source);
        expect(new Set(expected.data).size).to.be.above(20);
        const { source, change } = await drawn(kind);
        const running = engine.gaussian(source);
        change();
        expect((await running).data).to.deep.equal(expected.data);
      });

    it('is copied: arrays beside a source that is waited for', async () => {
      const later = (await drawn('canvas')).source;
      const [points, same] = [Float32Array.of(19, 22, 30, 11), Float32Array.of(19, 22, 30, 11)];
      const [image, other] = [scene(32, 23), scene(32, 23)];
      const expected = await engine.trackPoints(later, other, same);
      const running = engine.trackPoints(later, image, points);
      points.fill(0);
      image.data.fill(0);
      expect(await running).to.deep.equal(expected);
    });

    it('is given away with transfer: true', async () => {
      const image = pixels();
      const expected = await engine.gaussian(pixels());
      const running = engine.gaussian(image, { transfer: true });
      expect(image.data.length, 'at once').to.equal(0);
      expect((await running).data).to.deep.equal(expected.data);
      const bitmap = (await drawn('ImageBitmap')).source as ImageBitmap;
      await engine.gaussian(bitmap, { transfer: true });
      expect(bitmap.width).to.equal(0);
      const tracker = engine.createPupilTracker();
      const frame = scene();
      const tracking = tracker.process(frame, { transfer: true });
      expect(frame.data.length).to.equal(0);
      expect((await tracking).pupils).to.have.length(1);
      const video = (await drawn('VideoFrame')).source as VideoFrame;
      await tracker.process(video, { transfer: true });
      expect(video.format).to.equal(null);
      await tracker.dispose();
    });
  });
