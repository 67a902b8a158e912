// Full run only: further states of an element, some seconds each.
/** TIFF and DICOM as sources of an element: what is shown, and what the engine is given. */
import { expect } from 'chai';
import { createEngine } from '../../src/index.ts';
import { openFeed } from '../../widget/base/feed.ts';
import { readMask } from '../../widget/base/picture-controller.ts';
import { dicomFile, pictureElements } from '../support/dicom-writer.ts';
import { makeClip, steady } from '../support/clips.ts';
import { boxed, progressiveJpeg } from '../support/hostile-files.ts';
import { avif, gif, hostileFilms } from '../support/hostile-kinds.ts';
import { tiffFile } from '../support/tiff-writer.ts';
import { failure } from '../frames/made-frames.ts';
import '../../widget/vessels/vessels.ts';

const [width, height] = [64, 64];
const data = Array.from({ length: width * height }, (_, i) => (i * 7) % 256);
const signal = new AbortController().signal;

describe('image files as sources of elements', () => {
  it('are shown on a canvas, by their content and not by their name', async () => {
    const bytes = await tiffFile([{ width, height, data, compression: 'lzw' }]);
    for (const file of [new File([bytes], 'eye.tif'), new File([bytes], 'eye'), new File([bytes], 'eye.png')]) {
      const feed = await openFeed(file, signal);
      expect([feed.kind, feed.name, feed.width, feed.height]).to.deep.equal(['image', file.name, width, height]);
      expect(feed.bytes).to.equal(file);
      const shown = (feed.element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data;
      expect([...shown].filter((_, i) => i % 4 === 0)).to.deep.equal(data);
    }
  });

  it('of DICOM tell the engine their pixel spacing', async () => {
    const elements = pictureElements(width, height, {}, [[0x00280030, 'DS', '0.007\\0.007']]);
    const file = new File([await dicomFile({ elements, pixels: Uint8Array.from(data) })], 'IM000001');
    const feed = await openFeed(file, signal);
    const engine = await createEngine({ worker: false, backend: 'wasm' });
    const { scale } = await engine.vessels(feed.still!());
    expect(scale).to.deep.equal({ micrometresPerPixel: 7, from: 'file' });
    await engine.dispose();
  });

  it('of DICOM give <foveola-vessels> their scale, which its exports carry', async () => {
    const side = 200;
    const colors = new Uint8Array(3 * side * side);
    for (let i = 0; i < side * side; i++) {
      const [x, y] = [i % side, Math.floor(i / side)];
      if (Math.hypot(x - side / 2, y - side / 2) > 0.48 * side) continue;
      const dark = (y + 20) % 60 < 5 ? 0.7 : 1;
      colors.set([190, 110 * dark, 50], 3 * i);
    }
    const elements = pictureElements(side, side, { samples: 3 }, [[0x00280030, 'DS', '0.008\\0.008']]);
    const element = document.createElement('foveola-vessels');
    document.body.append(element);
    const whole = new Promise<void>((resolve) =>
      element.addEventListener('foveola-result', (event) => {
        if (!(event as CustomEvent<{ preview: boolean }>).detail.preview) resolve();
      }),
    );
    element.open(new File([await dicomFile({ elements, pixels: colors })], 'fundus'));
    await whole;
    expect(element.result!.scale).to.deep.equal({ micrometresPerPixel: 8, from: 'file' });
    const bytes = new Uint8Array(await (await element.exportMask()).arrayBuffer());
    const at = String.fromCharCode(...bytes.subarray(0, 200)).indexOf('pHYs');
    expect(new DataView(bytes.buffer).getUint32(at + 4), 'pixels a metre').to.equal(125000);
    expect(JSON.parse(await element.exportJson()).scale.from).to.equal('file');
    element.remove();
  });

  it('are fetched from their address', async () => {
    const feed = await openFeed('/test/frames/image-files/rgb-lzw.tif?1', signal);
    expect([feed.name, feed.width, feed.height]).to.deep.equal(['rgb-lzw.tif', 17, 11]);
    const error = await failure(() => openFeed('/test/frames/image-files/none.tif', signal));
    expect([error.code, error.message.includes('404')]).to.deep.equal(['decode-failed', true]);
  });

  it('are refused before they are shown, where showing them would starve the page', async () => {
    const shown = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
      failure(() => openFeed(new File([bytes], name), signal));
    // Shown, each of these is decoded for as long as it stands in the page.
    expect((await shown(progressiveJpeg(64, 200), 'scans.jpg')).code).to.equal('decode-failed');
    const drawing = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect((await shown(drawing, 'shapes.svg')).message).to.contain('an SVG drawing');
    expect((await shown(gif([1, 1], [9000, 9000]), 'frame.gif')).code).to.equal('image-too-large');
    expect((await shown(avif([[20_000, 9000]]), 'flat.avif')).code).to.equal('image-too-large');
  });

  it('by their address go through the same checks, in one download', async () => {
    const at = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
      `data:image/${type};base64,${btoa(String.fromCharCode(...bytes))}`;
    const refused = async (address: string) => (await failure(() => openFeed(address, signal))).code;
    expect(await refused(at(progressiveJpeg(64, 200), 'jpeg'))).to.equal('decode-failed');
    expect(await refused(at(gif([1, 1], [9000, 9000]), 'gif'))).to.equal('image-too-large');
    expect(await refused(at(avif([[20_000, 9000]]), 'avif'))).to.equal('image-too-large');
    expect(await refused('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>')).to.equal('decode-failed');
    const asked = () => performance.getEntriesByName(address).length;
    const address = new URL('/test/media/coffee.jpg?once', location.href).href;
    const feed = await openFeed(address, signal);
    expect([feed.name, (feed.element as HTMLImageElement).src.slice(0, 5)]).to.deep.equal(['coffee.jpg', 'blob:']);
    expect([asked(), feed.bytes === feed.still!()]).to.deep.equal([1, true]);
    feed.dispose();
  });

  it('are shown up to 23 Mi pixels', async () => {
    const gray = (width: number, height: number) => ({ width, height, data: new Uint8Array(width * height) });
    expect((await failure(() => openFeed(gray(6000, 4100), signal))).code).to.equal('image-too-large');
  });

  it('that a browser neither plays nor refuses are given up', async () => {
    const [, bytes] = (await hostileFilms()).find(([name]) => name === 'WebM: groups in groups')!;
    const { setTimeout } = self;
    self.setTimeout = ((end: () => void, ms: number) => setTimeout(end, ms === 5000 ? 50 : ms)) as typeof setTimeout;
    const element = document.createElement('foveola-vessels');
    try {
      const failed = new Promise((resolve) => element.addEventListener('foveola-error', resolve));
      element.open(new File([bytes], 'groups.webm', { type: 'video/webm' }));
      document.body.append(element);
      await failed;
      expect(element.error!.code).to.equal('source-not-ready');
    } finally {
      self.setTimeout = setTimeout;
      element.remove();
    }
  });

  it('whose frames all have one time are answered', async () => {
    const made = await makeClip({ times: steady(6), width: 32, height: 24, format: 'mp4' });
    // 2^32 - 1 to a second: all frames come within some nanoseconds, before it is played, and hours follow.
    const bytes = boxed(new Uint8Array(await made.arrayBuffer()), 'mdhd', 16, 0xffffffff);
    const { setTimeout } = self;
    self.setTimeout = ((end: () => void, ms: number) => setTimeout(end, ms === 5000 ? 50 : ms)) as typeof setTimeout;
    const element = document.createElement('foveola-vessels');
    try {
      const answered = new Promise((resolve) => {
        for (const type of ['foveola-result', 'foveola-error']) element.addEventListener(type, resolve);
      });
      element.open(new File([bytes], 'short.mp4', { type: 'video/mp4' }));
      document.body.append(element);
      void element.start();
      await answered;
    } finally {
      self.setTimeout = setTimeout;
      element.remove();
    }
  });

  it('are masks too', async () => {
    const bytes = await tiffFile([{ width: 2, height: 1, bits: 1, data: [1, 0] }]);
    expect([...(await readMask(new Blob([bytes]))).data]).to.deep.equal([255, 0]);
  });
});
