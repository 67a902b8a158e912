// Photographs from files in Node: what a page's browser decodes is decoded by sharp, also inside of other files.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { folder } from '../command/support.mjs';

describe('photographs in Node', () => {
  let node;
  let dicom;
  let engine;
  let made;
  before(async () => {
    node = await importTs('src/node/index.ts');
    dicom = await importTs('test/support/dicom-writer.ts');
    engine = await node.createEngine({ threads: 1 });
    made = folder();
  });
  after(async () => {
    await engine.dispose();
    made.remove();
  });

  const [width, height] = [32, 24];
  const rgb = Buffer.from(Array.from({ length: 3 * width * height }, (_, i) => (i * 5) % 256));
  const picture = () => sharp(rgb, { raw: { width, height, channels: 3 } });

  it('are read from a path, a URL, bytes and a Blob alike', async () => {
    const bytes = await picture().png().toBuffer();
    const file = made.at('a.png');
    writeFileSync(file, bytes);
    for (const source of [
      file,
      pathToFileURL(file),
      pathToFileURL(file).href,
      new Uint8Array(bytes),
      new Blob([bytes]),
    ]) {
      const { format, bits, image } = await node.readImage(source);
      assert.deepEqual(
        { format, bits, width: image.width, height: image.height },
        { format: 'PNG', bits: 8, width, height },
      );
      for (let i = 0; i < width * height; i++)
        assert.deepEqual([...image.data.subarray(4 * i, 4 * i + 4)], [...rgb.subarray(3 * i, 3 * i + 3), 255]);
    }
  });

  it('are sources of the engine by their path', async () => {
    const file = made.at('b.png');
    await picture().png().toFile(file);
    const { image } = await node.readImage(file);
    const [own, other] = [await engine.threshold(file, { level: 90 }), await engine.threshold(image, { level: 90 })];
    assert.deepEqual(own, other);
    await assert.rejects(engine.threshold(made.at('none.png'), { level: 90 }), {
      code: 'invalid-argument',
      message: /ENOENT/,
    });
  });

  it('are turned as their EXIF says, transparent color is black', async () => {
    const turned = await node.readImage(await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer());
    assert.deepEqual([turned.image.width, turned.image.height], [height, width]);
    const clear = sharp(Buffer.from([200, 100, 50, 0, 200, 100, 50, 255]), {
      raw: { width: 2, height: 1, channels: 4 },
    });
    const { image } = await node.readImage(await clear.png().toBuffer());
    assert.deepEqual([...image.data], [0, 0, 0, 0, 200, 100, 50, 255]);
  });

  it('WebP, GIF and AVIF are read', async () => {
    for (const format of ['webp', 'gif', 'avif']) {
      const { image } = await node.readImage(await picture().toFormat(format).toBuffer());
      assert.deepEqual([image.width, image.height], [width, height], format);
    }
  });

  it('a JPEG inside of a DICOM file is read', async () => {
    const jpeg = await picture().grayscale().toColorspace('b-w').jpeg({ quality: 100 }).toBuffer();
    const { data } = await sharp(jpeg).toColorspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const file = await dicom.dicomFile({
      syntax: dicom.syntaxes.baseline,
      elements: dicom.pictureElements(width, height),
      pixels: [new Uint8Array(jpeg)],
    });
    const { image, format } = await node.readImage(new Blob([file]));
    assert.equal(format, 'DICOM');
    assert.deepEqual([...image.data], [...data]);
  });

  it('say what is wrong', async () => {
    const bytes = await picture().jpeg().toBuffer();
    await assert.rejects(node.readImage(new Uint8Array(bytes.subarray(0, 40))), { code: 'decode-failed' });
    await assert.rejects(node.readImage(new Uint8Array(0)), { code: 'decode-failed', message: /empty/ });
    await assert.rejects(node.readImage(new TextEncoder().encode('text')), {
      code: 'decode-failed',
      message: /text file/,
    });
    await assert.rejects(node.readImage(made.at('none')), { code: 'invalid-argument', message: /ENOENT/ });
    await assert.rejects(node.readImage(made.path), { code: 'invalid-argument', message: /is not a file/ });
    await assert.rejects(node.readImage('https://example.org/a.png'), { code: 'invalid-argument' });
    await assert.rejects(node.readImage(path.join(root, 'demo/media/sample.webm')), {
      code: 'source-unsupported',
      message: /frames/,
    });
  });
});
