import { expect } from 'chai';
import { patternOf } from '../../support/bytes.ts';
import {
  dicomFile,
  losslessJpeg,
  pictureElements,
  runLengthFrame,
  syntaxes,
  words,
  type DicomElement,
} from '../../support/dicom-writer.ts';
import { failure } from '../made-frames.ts';
import { damagedCopies, faultsOf, read, samplesOf, yieldsOf } from './support.ts';
import { itInFull } from '../../support/full.ts';

const [width, height] = [21, 13];
const gray = patternOf(width, height, 1);
const rgb = patternOf(width, height, 3);
const even = (values: readonly number[]) => Uint8Array.from(values.length % 2 ? [...values, 0] : values);
const plane = (values: readonly number[], c: number, count = 3) => values.filter((_, i) => i % count === c);
const jpegOf = async (context: OffscreenCanvasRenderingContext2D) =>
  new Uint8Array(await (await context.canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer());

/** Y, Cb, Cr to RGB after PS3.3, in double precision. */
function rgbOf(y: number, cb: number, cr: number): number[] {
  const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  return [
    clamp(y + 1.402 * (cr - 128)),
    clamp(y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128)),
    clamp(y + 1.772 * (cb - 128)),
  ];
}

describe('DICOM', () => {
  for (const syntax of ['explicit', 'implicit', 'deflated'] as const)
    it(`${syntax}: gray and RGB, pixel by pixel and in planes`, async () => {
      const of = (elements: DicomElement[], values: readonly number[]) =>
        dicomFile({ syntax: syntaxes[syntax], elements, pixels: even(values) }).then(read);
      const file = await of(pictureElements(width, height), gray);
      expect(samplesOf(file)).to.deep.equal(gray);
      expect(file).to.deep.include({ format: 'DICOM', bits: 8, spacing: null, notes: [] });
      expect(samplesOf(await of(pictureElements(width, height, { samples: 3 }), rgb))).to.deep.equal(rgb);
      const planes = [0, 1, 2].flatMap((c) => plane(rgb, c));
      const planar = pictureElements(width, height, { samples: 3 }, [[0x00280006, 'US', 1]]);
      expect(samplesOf(await of(planar, planes))).to.deep.equal(rgb);
    });

  it('MONOCHROME1 is turned round', async () => {
    const elements = pictureElements(width, height, { photometric: 'MONOCHROME1' });
    const file = await read(await dicomFile({ elements, pixels: even(gray) }));
    expect(samplesOf(file)).to.deep.equal(gray.map((value) => 255 - value));
  });

  it('YBR_FULL and YBR_FULL_422', async () => {
    const elements = (photometric: string) => pictureElements(width, height, { samples: 3, photometric });
    const full = await read(await dicomFile({ elements: elements('YBR_FULL'), pixels: even(rgb) }));
    const wanted = gray.flatMap((_, i) => rgbOf(rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!));
    expect(samplesOf(full)).to.deep.equal(wanted);
    const halved = patternOf(20, 6, 2);
    const half = pictureElements(20, 6, { samples: 3, photometric: 'YBR_FULL_422' });
    const file = await read(await dicomFile({ elements: half, pixels: Uint8Array.from(halved) }));
    const pairs = Array.from({ length: 120 }, (_, i) => {
      const at = 4 * (i >> 1);
      return rgbOf(halved[at + (i % 2)]!, halved[at + 2]!, halved[at + 3]!);
    });
    expect(samplesOf(file)).to.deep.equal(pairs.flat());
  });

  it('palettes', async () => {
    const colors = (c: number) => Array.from({ length: 256 }, (_, i) => ((i * (3 + c)) % 256) * 257);
    const elements = pictureElements(width, height, { photometric: 'PALETTE COLOR' }, [
      ...[0, 1, 2].map((c): DicomElement => [0x00281101 + c, 'US', [256, 0, 16]]),
      ...[0, 1, 2].map((c): DicomElement => [0x00281201 + c, 'OW', colors(c)]),
    ]);
    const file = await read(await dicomFile({ elements, pixels: even(gray) }));
    expect(samplesOf(file)).to.deep.equal(gray.flatMap((value) => [0, 1, 2].map((c) => colors(c)[value]! >> 8)));
  });

  it('16 bits by the window of the file', async () => {
    const data = patternOf(width, height, 1, 4096);
    const of = async (form: string, further: DicomElement[] = []) => {
      const elements = pictureElements(width, height, { bits: 16, stored: 12 }, [
        [0x00281050, 'DS', '2000\\1'],
        [0x00281051, 'DS', '1000\\1'],
        ...(form ? ([[0x00281056, 'CS', form]] as DicomElement[]) : []),
        ...further,
      ]);
      return read(await dicomFile({ elements, pixels: words(data) }));
    };
    const to8 = (share: number) => Math.round(255 * Math.max(0, Math.min(1, share)));
    const linear = await of('');
    expect(samplesOf(linear)).to.deep.equal(data.map((v) => to8((v - 1999.5) / 999 + 0.5)));
    expect(linear.bits).to.equal(12);
    expect(linear.notes[0]).to.match(/center 2000, width 1000/);
    expect(samplesOf(await of('LINEAR_EXACT'))).to.deep.equal(data.map((v) => to8((v - 2000) / 1000 + 0.5)));
    const sigmoid = data.map((v) => to8(1 / (1 + Math.exp((-4 * (v - 2000)) / 1000))));
    expect(samplesOf(await of('SIGMOID'))).to.deep.equal(sigmoid);
    const rescaled = await of('LINEAR_EXACT', [
      [0x00281052, 'DS', '-1000'],
      [0x00281053, 'DS', '2'],
    ]);
    expect(samplesOf(rescaled)).to.deep.equal(data.map((v) => to8((2 * v - 1000 - 2000) / 1000 + 0.5)));
  });

  it('16 bits without a window: by the stored bits, their used ones, or the least and largest of signed values', async () => {
    const of = async (data: number[], stored: number, further: DicomElement[] = []) =>
      read(
        await dicomFile({
          elements: pictureElements(width, height, { bits: 16, stored }, further),
          pixels: words(data),
        }),
      );
    const twelve = patternOf(width, height, 1, 4096);
    twelve[0] = 4095;
    const scaled = twelve.map((v) => Math.round((v * 255) / 4095));
    expect(samplesOf(await of(twelve, 12))).to.deep.equal(scaled);
    const used = await of(twelve, 16);
    expect(samplesOf(used)).to.deep.equal(scaled);
    expect(used.notes[0]).to.match(/lower 12 bits/);
    const signed = await of(
      twelve.map((v) => (v - 2048) & 65535),
      16,
      [[0x00280103, 'US', 1]],
    );
    const [least, largest] = [Math.min(...twelve), Math.max(...twelve)];
    expect(samplesOf(signed)).to.deep.equal(twelve.map((v) => Math.round((255 * (v - least)) / (largest - least))));
    expect(signed.notes[0]).to.match(/names no window/);
  });

  it('run lengths, 8 and 16 bits, gray and RGB', async () => {
    const of = (elements: DicomElement[], planes: number[][]) =>
      dicomFile({ syntax: syntaxes.runLength, elements, pixels: [runLengthFrame(planes)] }).then(read);
    expect(samplesOf(await of(pictureElements(width, height), [gray]))).to.deep.equal(gray);
    const planes = [0, 1, 2].map((c) => plane(rgb, c));
    expect(samplesOf(await of(pictureElements(width, height, { samples: 3 }), planes))).to.deep.equal(rgb);
    const deep = patternOf(width, height, 1, 65536).map((v) => (v * 257) % 65536);
    deep[0] = 65535;
    const halves = [deep.map((v) => v >> 8), deep.map((v) => v & 255)];
    const file = await of(pictureElements(width, height, { bits: 16 }), halves);
    expect(samplesOf(file)).to.deep.equal(deep.map((v) => Math.round(v / 257)));
  });

  it('lossless JPEG, 8 and 12 bits, gray and RGB', async () => {
    const of = (elements: DicomElement[], jpeg: Uint8Array) =>
      dicomFile({ syntax: syntaxes.lossless, elements, pixels: [jpeg] }).then(read);
    expect(samplesOf(await of(pictureElements(width, height), losslessJpeg(width, height, 1, gray)))).to.deep.equal(
      gray,
    );
    const color = losslessJpeg(width, height, 3, rgb);
    expect(samplesOf(await of(pictureElements(width, height, { samples: 3 }), color))).to.deep.equal(rgb);
    const twelve = patternOf(width, height, 1, 4096);
    twelve[0] = 4095;
    const deep = losslessJpeg(width, height, 1, twelve, 12);
    const file = await of(pictureElements(width, height, { bits: 16, stored: 12 }), deep);
    expect(samplesOf(file)).to.deep.equal(twelve.map((v) => Math.round((v * 255) / 4095)));
  });

  it('baseline JPEG, as the browser decodes it, in one fragment and in several', async () => {
    const context = new OffscreenCanvas(32, 16).getContext('2d')!;
    context.fillStyle = 'rgb(200, 80, 40)';
    context.fillRect(0, 0, 32, 16);
    const jpeg = await jpegOf(context);
    const elements = pictureElements(32, 16, { samples: 3, photometric: 'YBR_FULL_422' });
    const half = 2 * (jpeg.length >> 2);
    for (const pixels of [[jpeg], [jpeg.subarray(0, half), jpeg.subarray(half)]]) {
      const samples = samplesOf(await read(await dicomFile({ syntax: syntaxes.baseline, elements, pixels })));
      [200, 80, 40].forEach((value, c) => expect(samples[c]).to.be.closeTo(value, 3));
    }
    // The same bytes, said to be RGB, with nothing in the JPEG that tells otherwise.
    const bare = Uint8Array.from([...jpeg.subarray(0, 2), ...jpeg.subarray(4 + jpeg[4]! * 256 + jpeg[5]!)]);
    const said = pictureElements(32, 16, { samples: 3 });
    const samples = samplesOf(
      await read(await dicomFile({ syntax: syntaxes.baseline, elements: said, pixels: [bare] })),
    );
    const y = 0.299 * 200 + 0.587 * 80 + 0.114 * 40;
    expect(samples[0]).to.be.closeTo(y, 3);
  });

  it('the first of several frames, with a note', async () => {
    const elements = pictureElements(width, height, {}, [[0x00280008, 'IS', '3']]);
    const file = await read(
      await dicomFile({ elements, pixels: even([...gray, ...gray.map(() => 1), ...gray.map(() => 2)]) }),
    );
    expect(samplesOf(file)).to.deep.equal(gray);
    expect(file.notes[0]).to.match(/^The first of the file's 3 frames/);
    const frames = [gray, gray.map(() => 9), gray].map((data) => losslessJpeg(width, height, 1, data));
    for (const offsets of [[], [0, 8 + frames[0]!.length + (frames[0]!.length % 2)]]) {
      const pixels = [frames[0]!.subarray(0, 100), frames[0]!.subarray(100), frames[1]!, frames[2]!];
      const many = await dicomFile({
        syntax: syntaxes.lossless,
        elements,
        pixels: offsets.length ? frames : pixels,
        offsets,
      });
      expect(samplesOf(await read(many))).to.deep.equal(gray);
    }
  });

  it('the pixel spacing, wherever it stands', async () => {
    const of = async (further: DicomElement[]) =>
      read(await dicomFile({ elements: pictureElements(width, height, {}, further), pixels: even(gray) }));
    const spacing = { x: 8, y: 10, attribute: 'Pixel Spacing' };
    expect((await of([[0x00280030, 'DS', '0.010\\0.008']])).spacing).to.deep.equal(spacing);
    const measures: DicomElement = [0x00289110, 'SQ', [[[0x00280030, 'DS', '0.010\\0.008']]]];
    expect((await of([[0x52009229, 'SQ', [[measures]]]])).spacing).to.deep.equal(spacing);
    const scanned = await of([
      [0x00182010, 'DS', '0.02\\0.02'],
      [0x00181164, 'DS', '0.005\\0.005'],
    ]);
    expect(scanned.spacing).to.deep.equal({ x: 20, y: 20, attribute: 'Nominal Scanned Pixel Spacing' });
    const sensor = await of([[0x00181164, 'DS', '0.005\\0.005']]);
    expect(sensor.spacing!.attribute).to.equal('Imager Pixel Spacing');
    expect(sensor.notes[0]).to.match(/sensor/);
    for (const odd of ['0\\0', 'x\\y', '0.01', '-1\\1'])
      expect((await of([[0x00280030, 'DS', odd]])).spacing, odd).to.equal(null);
  });

  it('what is not read is named, with what to do', async () => {
    const refused = async (options: Parameters<typeof dicomFile>[0]) => {
      const error = await failure(async () => read(await dicomFile(options)));
      expect(error.code).to.equal('source-unsupported');
      return error.message;
    };
    const elements = pictureElements(width, height);
    const jpeg = Uint8Array.of(0xff, 0x4f);
    const highThroughput = '1.2.840.10008.1.2.4.201';
    expect(await refused({ syntax: highThroughput, elements, pixels: [jpeg] })).to.match(
      /High-Throughput JPEG 2000.*gdcmconv --raw/,
    );
    expect(await refused({ elements: pictureElements(width, height, {}, [[0x00080060, 'CS', 'DOC']]) })).to.match(
      /no readable image.*DOC/,
    );
    const cmyk = pictureElements(width, height, { samples: 4, photometric: 'CMYK' });
    expect(await refused({ elements: cmyk, pixels: even(gray) })).to.match(/CMYK in 4 samples/);
    const float = pictureElements(width, height, { bits: 32 });
    expect(await refused({ elements: float, pixels: even(gray) })).to.match(/32 bits/);
  });

  it('absurd sizes and missing pixels are refused before memory is taken', async () => {
    const of = (w: number, h: number, syntax: string, pixels: Uint8Array | Uint8Array[]) =>
      failure(async () => read(await dicomFile({ syntax, elements: pictureElements(w, h), pixels })));
    expect((await of(60000, 60000, syntaxes.explicit, even(gray))).code).to.equal('image-too-large');
    const cut = await of(16000, 8000, syntaxes.explicit, even(gray));
    expect([cut.code, cut.message.includes('cut off')]).to.deep.equal(['decode-failed', true]);
    expect((await of(16000, 8000, syntaxes.runLength, [runLengthFrame([gray])])).code).to.equal('decode-failed');
    const jpeg = losslessJpeg(width, height, 1, gray);
    expect((await of(16000, 8000, syntaxes.lossless, [jpeg])).message).to.match(/the size of the JPEG.*differs/);
  });

  itInFull(
    'gives the thread back between elements and items, also of a data set that is unpacked step by step',
    async () => {
      const one: DicomElement = [0x00291001, 'US', 7];
      const many = Array.from({ length: 50_000 }, (_, i): DicomElement => [0x00291010 + i, 'US', 7]);
      for (const [syntax, elements] of [
        ['explicit', many],
        ['deflated', many],
        ['explicit', [[0x00291010, 'SQ', many.map(() => [one])] as const]],
      ] as const) {
        const file = await dicomFile({
          syntax: syntaxes[syntax],
          elements: [...pictureElements(width, height), ...elements],
          pixels: even(gray),
        });
        expect(await yieldsOf(file), syntax).to.be.greaterThan(20); // a look at the clock for 256 of them, a turn for 9 looks
      }
    },
  );

  describe('damaged files end with a FoveolaError, and the next one is read', () => {
    const elements = pictureElements(width, height, {}, [
      [0x00280030, 'DS', '0.010\\0.008'],
      [0x52009229, 'SQ', [[[0x00289110, 'SQ', [[[0x00280030, 'DS', '0.010\\0.008']]]]]]],
    ]);
    const files = {
      explicit: () => dicomFile({ elements, pixels: even(gray) }),
      implicit: () => dicomFile({ syntax: syntaxes.implicit, elements, pixels: even(gray) }),
      deflated: () => dicomFile({ syntax: syntaxes.deflated, elements, pixels: even(gray) }),
      'run length': () => dicomFile({ syntax: syntaxes.runLength, elements, pixels: [runLengthFrame([gray])] }),
      lossless: () =>
        dicomFile({ syntax: syntaxes.lossless, elements, pixels: [losslessJpeg(width, height, 1, gray)] }),
    };
    for (const [i, [name, made]] of Object.entries(files).entries())
      (i ? itInFull : it)(name, async () => {
        const file = await made();
        // The preamble's bytes do not matter: only what comes behind it is damaged.
        const behind = [...damagedCopies(file.subarray(132), 120, 11 + i)];
        const faults = await faultsOf(behind.map((copy) => Uint8Array.of(...file.subarray(0, 132), ...copy)));
        expect(faults).to.be.above(20);
        expect(samplesOf(await read(await files.explicit()))).to.deep.equal(gray);
      });
  });
});
