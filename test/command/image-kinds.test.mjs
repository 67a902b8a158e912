// Images of every kind that a page reads, in Node: the same pixels.
/* global atob */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { bmpFile } from '../support/bmp-writer.mjs';
import { startSite } from '../support/pages.mjs';
import { folder, foveola } from './support.mjs';

const [width, height] = [37, 21]; // rows that end within a byte, a word and a block
const each = (at) => Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width), i));
const rgb = each((x, y) => [7 * x, 12 * y, (x * y * 5) & 255]);
const palette = (count) => Array.from({ length: count }, (_, i) => [(i * 37) & 255, (i * 91) & 255, (255 - i) & 255]);
const smooth = Buffer.from(rgb.flat());

/** By kind: the bytes of files. */
async function files() {
  const { default: sharp } = await import('sharp');
  const raw = (channels, data = smooth) => sharp(Buffer.from(data), { raw: { width, height, channels } });
  const transparent = raw(4, each((x, y) => [7 * x, 12 * y, 90, x < 9 ? 0 : y < 9 ? 128 : 255]).flat());
  const { tiffFile } = await importTs('test/support/tiff-writer.ts');
  const { dicomFile, pictureElements } = await importTs('test/support/dicom-writer.ts');
  const { deepPng } = await importTs('test/support/png-writer.ts');
  const gray = each((x, y) => (x * y * 3) & 255);
  const run = Array.from({ length: height }, (_, y) => [20, y, 17, 255 - y, 0, 0]).flat();
  return {
    JPEG: await raw(3).jpeg({ quality: 90 }).toBuffer(),
    'JPEG, gray': await sharp(Buffer.from(gray), { raw: { width, height, channels: 1 } })
      .jpeg()
      .toBuffer(),
    'JPEG, turned by EXIF': await raw(3)
      .jpeg({ chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
    'JPEG, progressive': await raw(3).jpeg({ progressive: true }).toBuffer(),
    PNG: await raw(3).png().toBuffer(),
    'PNG, with transparency': await transparent.clone().png().toBuffer(),
    'PNG, with a palette': await raw(3).png({ palette: true, colors: 16, dither: 0 }).toBuffer(),
    'PNG of 16 bits': await deepPng({ width, height, data: gray.map((v) => v * 257), colorType: 0 }),
    GIF: await raw(3).gif().toBuffer(),
    WebP: await raw(3).webp({ quality: 80 }).toBuffer(),
    'WebP, lossless': await transparent.clone().webp({ lossless: true, exact: true }).toBuffer(),
    'AVIF, lossless': await raw(3).avif({ lossless: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    AVIF: await raw(3).avif({ quality: 80 }).toBuffer(),
    TIFF: await tiffFile([{ width, height, data: smooth, samples: 3, compression: 'lzw' }]),
    DICOM: await dicomFile({ elements: pictureElements(width, height), pixels: Uint8Array.from(gray) }),
    'BMP of 24 bits': bmpFile(width, height, 24, { data: rgb }),
    'BMP of 24 bits, from its top': bmpFile(width, height, 24, { data: rgb, topDown: true }),
    'BMP of 1 bit': bmpFile(width, height, 1, { data: each((x, y) => (x ^ y) & 1), palette: palette(2) }),
    'BMP of 4 bits': bmpFile(width, height, 4, { data: each((x, y) => (x + y) & 15), palette: palette(16) }),
    'BMP of 8 bits': bmpFile(width, height, 8, { data: gray, palette: palette(256) }),
    'BMP of 8 bits, gray': bmpFile(width, height, 8, {
      data: gray,
      palette: each((x, y, i) => [i, i, i]).slice(0, 256),
    }),
    'BMP of 8 bits, RLE': bmpFile(width, height, 8, { packed: [...run, 0, 1], palette: palette(256) }),
    'BMP of 16 bits': bmpFile(width, height, 16, { data: each((x, y, i) => (i * 41) & 0x7fff) }),
    'BMP of 16 bits, with six of green': bmpFile(width, height, 16, {
      data: each((x, y, i) => (i * 83) & 0xffff),
      masks: [0xf800, 0x7e0, 0x1f, 0],
    }),
    'BMP of 32 bits': bmpFile(width, height, 32, {
      data: rgb.map(([r, g, b], i) => (((i & 127) << 24) | (r << 16) | (g << 8) | b) >>> 0),
    }),
    'BMP of 32 bits, with transparency': bmpFile(width, height, 32, {
      data: rgb.map(([r, g, b], i) => ((((i & 3) * 85) << 24) | (r << 16) | (g << 8) | b) >>> 0),
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
    }),
  };
}
const made = await files();
const unread = {
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'),
  HEIC: Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'), Buffer.alloc(400)]),
  'a text': Buffer.from('no picture at all'),
  'BMP, cut off': made['BMP of 24 bits'].subarray(0, 40),
  'GIF, cut off': made['GIF'].subarray(0, 40),
  'AVIF, cut off': made['AVIF'].subarray(0, 200),
};

describe('images of every kind', () => {
  let site;
  let page;
  let node;
  before(async () => {
    site = await startSite({ routes: { '/page.html': '<!doctype html><title>page</title>' } });
    ({ page } = await site.open('/page.html'));
    await page.evaluate(async () => (globalThis.library = await import('/dist/foveola.js')));
    node = await importTs('src/node/index.ts');
  });
  after(() => site?.close());

  const inPage = (bytes) =>
    page.evaluate(async (text) => {
      const file = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
      try {
        const { image, format, bits } = await globalThis.library.readImage(file);
        return { format, bits, width: image.width, height: image.height, data: [...image.data] };
      } catch ({ code, message }) {
        return { code, message };
      }
    }, Buffer.from(bytes).toString('base64'));

  for (const [kind, bytes] of Object.entries(made))
    it(`have the pixels of the page: ${kind}`, async () => {
      const there = await inPage(bytes);
      assert.ok(there.data, there.message);
      const { image, format, bits } = await node.readImage(new Uint8Array(bytes));
      const { width: across, height: down } = image;
      const { data, ...about } = there;
      assert.deepEqual({ format, bits, width: across, height: down }, about);
      // A page's canvas holds color times alpha; AVIF's chroma is spread by another library there.
      const off = (value, i) => {
        const alpha = data[i | 3];
        const close = kind === 'AVIF' ? 1 : alpha > 0 && alpha < 255 ? Math.ceil(128 / alpha) : 0;
        return Math.abs(value - image.data[i]) > close;
      };
      const wrong = data.findIndex(off);
      assert.equal(wrong, -1, `at ${wrong}: ${data[wrong]} in the page, ${image.data[wrong]} in Node`);
    });

  for (const [kind, bytes] of Object.entries(unread))
    it(`say alike what cannot be read: ${kind}`, async () => {
      const { code, message } = await inPage(bytes);
      await assert.rejects(node.readImage(new Uint8Array(bytes)), (error) => {
        assert.equal(error.name, 'FoveolaError');
        assert.equal(error.code, code, message);
        const what = kind.endsWith('cut off') ? 'Copy (it|the file) again ' : 'Use PNG, ';
        assert.match(error.message, new RegExp(`^[^\\n]+\\. ${what}[^\\n]+\\.$`), 'one line that says what to do');
        return true;
      });
    });

  it('are inputs of the command', async () => {
    const place = folder();
    const names = Object.keys(made).map((kind) => kind.replaceAll(/\W+/g, '-'));
    mkdirSync(place.at('in'));
    Object.values(made).forEach((bytes, i) => writeFileSync(place.at('in', names[i]), bytes));
    const { code, stderr } = await foveola(['edges', place.at('in'), '--out', place.at('out'), '--jobs', '1']);
    assert.equal(code, 0, stderr);
    const results = readdirSync(place.at('out')).filter((name) => name.endsWith('.edges.png'));
    assert.deepEqual(results.sort(), names.map((name) => `${name}.edges.png`).sort());
    place.remove();
  });

  it('say what to install where nothing decodes them', async () => {
    const place = folder();
    writeFileSync(place.at('one.bmp'), made['BMP of 8 bits']);
    // Beside no node_modules, with no program on the path.
    const script = `import { readImage } from ${JSON.stringify(place.at('dist/node.js'))};
      await readImage(process.argv[2]).catch(({ code, message }) => console.log(code, message));`;
    cpSync(path.join(root, 'dist'), place.at('dist'), { recursive: true, filter: (file) => !file.endsWith('.map') });
    writeFileSync(place.at('read.mjs'), script);
    const { stdout } = spawnSync(process.execPath, [place.at('read.mjs'), place.at('one.bmp')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: '', FOVEOLA_FFMPEG: place.at('none') },
    });
    assert.match(
      stdout,
      /^source-unsupported Recordings and BMP images need a decoder: `npm install node-av`, or [^\n]+\.\n$/,
    );
    place.remove();
  });
});
