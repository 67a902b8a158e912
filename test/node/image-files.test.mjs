// TIFF, DICOM and PNG files as sources in Node, where there is no canvas.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';

describe('image files in Node', () => {
  let library, tiff, dicom, png;
  let engine;
  before(async () => {
    library = await importTs('src/index.ts');
    tiff = await importTs('test/support/tiff-writer.ts');
    dicom = await importTs('test/support/dicom-writer.ts');
    png = await importTs('test/support/png-writer.ts');
    engine = await library.createEngine();
  });
  after(() => engine?.dispose());

  const [width, height] = [12, 9];
  const data = Array.from({ length: width * height }, (_, i) => (i * 37) % 256);

  it('are read, and taken by the engine', async () => {
    const files = [
      await tiff.tiffFile([{ width, height, data, compression: 'deflate' }]),
      await dicom.dicomFile({ elements: dicom.pictureElements(width, height), pixels: Uint8Array.from(data) }),
      await png.deepPng({ width, height, data: data.map((value) => value * 257), colorType: 0 }),
    ];
    const wanted = await engine.threshold({ width, height, data: Uint8Array.from(data) }, { level: 99 });
    for (const file of files) {
      const { image } = await library.readImage(new Blob([file]));
      assert.deepEqual([...image.data], data);
      assert.deepEqual(await engine.threshold(new Blob([file]), { level: 99 }), wanted);
    }
  });

  it('colors come as RGBA', async () => {
    const colors = data.flatMap((value) => [value, 255 - value, 7]);
    const file = await tiff.tiffFile([{ width, height, samples: 3, data: colors }]);
    const { image } = await library.readImage(new Blob([file]));
    assert.deepEqual(
      [...image.data],
      data.flatMap((value) => [value, 255 - value, 7, 255]),
    );
  });

  it('a JPEG says that there is no decoder', async () => {
    const file = new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9)]);
    await assert.rejects(library.readImage(file), { name: 'FoveolaError', code: 'decode-failed' });
  });

  it('masks become PNG', async () => {
    const mask = { width, height, data: Uint8Array.from(data, (value) => (value > 99 ? 255 : 0)) };
    const file = await library.maskPng({ mask, fraction: 0.5, confidence: 1, warnings: [], scale: null });
    const bytes = new Uint8Array(await file.arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  });
});
