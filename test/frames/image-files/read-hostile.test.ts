// Full run only: rare faults and limits, up to a minute.
// Own page: it is one of the longest, and starts first.
import { expect } from 'chai';
import { frames } from '../../../src/frames/frames.ts';
import { readImage } from '../../../src/frames/read-image.ts';
import { createEngine, type Engine } from '../../../src/index.ts';
import { FoveolaError } from '../../../src/runtime/error.ts';
import { hostileImages, hostileRecordings, progressiveJpeg } from '../../support/hostile-files.ts';
import { full } from '../../support/full.ts';
import { describeShared, sharedFile } from '../../support/shared.ts';
import { avif, gif, hostileFilms, hostilePictures, hostileScans, jpeg } from '../../support/hostile-kinds.ts';

/** 'read', or the code of the error. Anything that is no FoveolaError is thrown. */
async function end(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    if (error instanceof FoveolaError) {
      // Of the demuxer's own words none are for whoever opened the file.
      expect(error.message).to.not.match(/internal error|Error:/);
      return error.code;
    }
    throw error;
  }
}

const all = async (file: Blob) => {
  let count = 0;
  for await (const _row of frames(file, { everyFrame: true })) count++;
  return count;
};

describe('files that claim more than they hold', () => {
  let engine: Engine;
  let images: Awaited<ReturnType<typeof hostileImages>>;
  before(async () => {
    engine = await createEngine({ backend: 'wasm' });
    images = await hostileImages();
  });
  after(() => engine.dispose());

  for (const kind of ['TIFF', 'PNG', 'DICOM', 'JPEG'])
    it(`images are read or refused, whoever reads them: ${kind}`, async () => {
      const own = images.filter(([name]) => name.startsWith(kind));
      expect(own.length).to.be.greaterThan(1);
      for (const [name, bytes] of own) {
        const file = new Blob([bytes]);
        const image = await end(() => readImage(file));
        expect(await end(() => engine.threshold(file)), name).to.equal(image);
        // As a recording, one picture alone is refused, and a damaged one for its damage.
        expect(await end(() => all(file)), name).to.be.oneOf([
          'read',
          'source-unsupported',
          'decode-failed',
          'image-too-large',
        ]);
        if (image !== 'read') expect(image, name).to.be.oneOf(['decode-failed', 'image-too-large']);
      }
    });

  it('refuses a JPEG for its scans alone, and only where there are too many', async () => {
    const file = (scans: number) => new Blob([progressiveJpeg(64, scans)]);
    expect((await readImage(file(60))).image.width).to.equal(64);
    expect(await end(() => readImage(file(200)))).to.equal('decode-failed');
    // Of what stands in other parts, or behind the end, nothing is counted.
    const inside = progressiveJpeg(64, 200).slice(2);
    const whole = progressiveJpeg(64, 1);
    const part = [0xff, 0xe1, (inside.length + 2) >> 8, (inside.length + 2) & 255];
    const hidden = new Blob([whole.slice(0, 2), Uint8Array.from(part), inside, whole.slice(2), inside]);
    expect((await readImage(hidden)).image.width).to.equal(64);
  });

  it('recordings are read as far as they go or refused', async () => {
    for (const [name, bytes] of await hostileRecordings()) {
      const file = new Blob([bytes]);
      expect(await end(() => readImage(file)), name).to.equal('source-unsupported');
      expect(await end(() => engine.threshold(file)), name).to.equal('source-unsupported');
      let count = 0;
      const got = await end(async () => (count = await all(file)));
      // What is wrong only behind or beside the picture costs no frame.
      if (/of one duration|zeros behind/.test(name)) expect([got, count], name).to.deep.equal(['read', 12]);
      else expect(got, name).to.be.oneOf(['read', 'decode-failed', 'source-unsupported']);
    }
  });

  it('pictures that the browser decodes are measured before, wherever their size stands', async () => {
    const read = (bytes: Uint8Array<ArrayBuffer>) => end(() => readImage(new Blob([bytes])));
    for (const large of [
      avif([
        [8, 8],
        [20_000, 20_000],
      ]),
      gif([1, 1], [65535, 65535]), // a decoder makes room for a frame that is larger than its screen
      jpeg(20_000, 13_000, 5), // behind more comments than are read at first
    ])
      expect(await read(large)).to.equal('image-too-large');
    expect(await read(avif([]))).to.equal('decode-failed');
    expect(await read(gif([1, 1], [1, 1]))).to.equal('read');
  });

  for (const kind of ['a thousand tables', 'one bomb in 4096 strips'])
    it(`is refused before the work is done: ${kind}`, async () => {
      const [, file] = images.find(([name]) => name.includes(kind))!;
      expect(await end(() => readImage(new Blob([file])))).to.equal('decode-failed');
    });

  (full ? it : it.skip)('further kinds are read or refused, before a picture of them is shown', async () => {
    for (const [name, bytes] of [...(await hostilePictures()), ...(await hostileScans())]) {
      const code = await end(() => readImage(new Blob([bytes])));
      expect(code, name).to.be.oneOf(['read', 'decode-failed', 'image-too-large', 'source-unsupported']);
    }
  });

  (full ? it : it.skip)('further recordings are read as far as they go or refused', async () => {
    for (const [name, bytes] of await hostileFilms())
      expect(await end(() => all(new Blob([bytes]))), name).to.be.oneOf([
        'read',
        'decode-failed',
        'source-unsupported',
        'image-too-large',
      ]);
  });

  it('the next good file is read', async () => {
    await all(await (await fetch('/demo/media/sample.webm')).blob());
    expect((await readImage(await (await fetch('/test/frames/image-files/rgb-lzw.tif')).blob())).format).to.equal(
      'TIFF',
    );
  });
});

describeShared('the files that hung, starved or crashed version 0.1.0', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ backend: 'wasm' })));
  after(() => engine.dispose());

  const bytesOf = async (name: string) => (await sharedFile(`data/hostile/${name}`)).arrayBuffer();

  /** How the work ends, and that it is no fault of our own. */
  async function answer(what: string, work: () => Promise<unknown>): Promise<string> {
    const code = await end(work); // the framework's limit of 60 s ends what hangs
    expect(code, what).to.not.equal('internal');
    return code;
  }

  for (const name of [
    'bomb-deflated.dcm',
    'bomb-gray-16384x8192.png',
    'bomb-rgba-16384x8192.png',
    'bomb-tag-duplicates.tif',
    'bomb-tags-1000000-20.tif',
    'bomb-tile-2GB.tif',
    'jl-APP-length-0.dcm',
    'jl-second-SOF-30000x30000.dcm',
    'mp4-stts.mp4',
    'webm-live-zero-tail.webm',
  ])
    it(`${name} is answered by whoever reads it`, async () => {
      const file = new Blob([await bytesOf(name)]);
      const image = await answer('readImage', () => readImage(file));
      expect(await answer('an engine call', () => engine.threshold(file))).to.equal(image);
      await answer('every frame', () => all(file));
    });

  for (const [name, variant] of [
    ['tracker-internal-b79884d4.bin', 'filters'],
    ['tracker-paper-internal-b79884d4.bin', 'paper'],
  ] as const)
    it(`${name} is answered by a tracker and its next frames`, async () => {
      const model = new Uint8Array(await bytesOf(name));
      const tracker = engine.createObjectTracker({ variant });
      const gray = { width: 320, height: 240, data: Uint8Array.from({ length: 76_800 }, (_, i) => (i * 37) % 251) };
      // As it is, which is of an older version, and in the name of this one: its checksum does not count that.
      await tracker.start(gray, { x: 80, y: 60, width: 40, height: 40 });
      const [, , , , version] = await tracker.exportModel(1);
      expect(version).to.not.equal(model[4]);
      expect(await answer('importModel', () => tracker.importModel(model))).to.equal('model-format');
      model[4] = version!;
      await answer('importModel of this version', () => tracker.importModel(model));
      for (let frame = 0; frame < 3; frame++) await answer('process', () => tracker.process(gray));
      await tracker.dispose();
    });
});
