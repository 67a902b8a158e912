/** Vessels of the photographs in demo/media and test/media: on dark lines, the same however the photograph is turned, none in other photographs. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import type { Engine, GrayImage } from '../../src/index.ts';
import { itInFull, full } from '../support/full.ts';

/** A part of a photograph: `size` pixels a side after `scale`, turned by quarters. */
async function picture(name: string, scale = 1, quarters = 0): Promise<ImageData> {
  const folder = name === 'fundus.jpg' ? 'demo' : 'test';
  const bitmap = await createImageBitmap(await (await fetch(`/${folder}/media/${name}`)).blob());
  const [w, h] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const [width, height] = quarters % 2 ? [h, w] : [w, h];
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.translate(width / 2, height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(bitmap, -w / 2, -h / 2, w, h);
  return context.getImageData(0, 0, width, height);
}

const greenOf = ({ width, height, data }: ImageData): GrayImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 1]!),
});

/** Twice what two masks share over what they cover. */
function dice(a: GrayImage, at: (x: number, y: number) => number): number {
  let [both, sum] = [0, 0];
  for (let y = 0, i = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++, i++) {
      const [u, v] = [a.data[i]! > 0, at(x, y) > 0];
      both += 2 * Number(u && v);
      sum += Number(u) + Number(v);
    }
  return both / sum;
}

describe('vessels of a photograph', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());

  for (const variant of ['default', 'lines'] as const)
    it(`are the dark lines of the retina, and nothing outside of it: ${variant}`, async () => {
      const image = await picture('fundus.jpg', 0.5);
      const green = greenOf(image);
      const { mask, fieldOfView, fraction, confidence, warnings } = await engine.vessels(image, { variant });
      expect(fraction).to.be.within(0.06, 0.2);
      expect(confidence).to.be.above(0.7);
      expect(warnings).to.deep.equal([]);
      // Level of the mask against that of its surroundings, 4 to 8 px away in eight directions.
      let [contrast, outside, count] = [0, 0, 0];
      const { width, height } = mask;
      for (let y = 10; y < height - 10; y++)
        for (let x = 10; x < width - 10; x++) {
          const i = y * width + x;
          if (!mask.data[i]) continue;
          if (!fieldOfView.data[i]) outside++;
          const around: number[] = [];
          for (const [dx, dy] of [
            [6, 0],
            [0, 6],
            [-6, 0],
            [0, -6],
            [4, 4],
            [-4, 4],
            [4, -4],
            [-4, -4],
          ] as const)
            // prettier-ignore
            if (!mask.data[i + dy * width + dx]) around.push(green.data[i + dy * width + dx]!);
          if (around.length < 3) continue;
          contrast += around.reduce((a, b) => a + b) / around.length - green.data[i]!;
          count++;
        }
      expect(outside).to.equal(0);
      expect(count).to.be.above(10_000);
      expect(contrast / count, 'gray levels').to.be.above(8);
    });

  itInFull('are the same when the photograph is turned, and nearly so at half its size', async () => {
    const options = { scales: 'all' } as const;
    const { mask } = await engine.vessels(await picture('fundus.jpg', 0.5), options);
    for (const quarters of full ? [1, 2, 3] : [1]) {
      const { mask: turned } = await engine.vessels(await picture('fundus.jpg', 0.5, quarters), options);
      const last = mask.width - 1;
      const from = [
        (x: number, y: number) => [x, y] as const,
        (x: number, y: number) => [last - y, x] as const,
        (x: number, y: number) => [last - x, last - y] as const,
        (x: number, y: number) => [y, last - x] as const,
      ][quarters]!;
      const share = dice(mask, (x, y) => {
        const [u, v] = from(x, y);
        return turned.data[v * turned.width + u]!;
      });
      expect(share, `${90 * quarters} degrees`).to.be.above(0.95);
    }
    const { mask: half } = await engine.vessels(await picture('fundus.jpg', 0.25), options);
    expect(dice(mask, (x, y) => half.data[(y >> 1) * half.width + (x >> 1)] ?? 0)).to.be.above(0.75);
  });

  it('keep their confidence in gray, with a warning that says so', async () => {
    const { confidence, warnings } = await engine.vessels(greenOf(await picture('fundus.jpg', 0.5)), { scales: 'all' });
    expect(confidence).to.be.above(0.7);
    expect(warnings.join(' ')).to.match(/gray/);
  });

  for (const name of ['portrait.png', 'photographer.png'])
    it(`${name} is no fundus photograph: little confidence and a warning`, async () => {
      const { confidence, warnings } = await engine.vessels(await picture(name), { scales: 'all' });
      expect(confidence).to.be.below(0.5);
      expect(warnings.length).to.be.above(0);
    });

  for (const name of ['cat.jpg', 'rocket.jpg', 'coffee.jpg'])
    it(`nor is ${name}, in color`, async () => {
      const { confidence, warnings } = await engine.vessels(await picture(name), { scales: 'all' });
      expect(confidence).to.be.below(0.35);
      expect(warnings.length).to.be.above(0);
    });

  it('nor a small part of a photograph', async () => {
    const { width, data } = await picture('photographer.png');
    const part = new ImageData(161, 119);
    for (let y = 0; y < 119; y++)
      part.data.set(data.subarray(4 * ((90 + y) * width + 160), 4 * ((90 + y) * width + 321)), 4 * 161 * y);
    const { confidence, warnings } = await engine.vessels(part, { scales: 'all' });
    expect(confidence).to.be.below(0.4);
    expect(warnings.length).to.be.above(0);
  });
});
