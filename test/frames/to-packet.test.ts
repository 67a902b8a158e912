import { expect } from 'chai';
import { readImageFile } from '../../src/frames/image-files/read.ts';
import { readImage } from '../../src/frames/read-image.ts';
import { toPacket } from '../../src/frames/to-packet.ts';
import { closePacket } from '../../src/runtime/engine/protocol.ts';
import type { Source } from '../../src/results/types.ts';
import { failure, noise, pngHeader, yuvFrame } from './made-frames.ts';

const codeOf = async (source: unknown) => (await failure(() => toPacket(source as Source))).code;
const element = <K extends keyof HTMLElementTagNameMap>(name: K) => document.createElement(name);
const newVideo = (address: string) => {
  const video = element('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = address;
  return video;
};
const settled = (target: EventTarget, ...types: string[]) =>
  new Promise((resolve) => types.forEach((type) => target.addEventListener(type, resolve, { once: true })));
/** This server under its other name: another origin that does not answer with CORS headers. */
const foreign = (path: string) =>
  `http://${location.hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${location.port}${path}`;

describe('pictures where there is no OffscreenCanvas', () => {
  it('are read on the page: a worker could not', async () => {
    const canvas = element('canvas');
    canvas.width = canvas.height = 2;
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#102030';
    context.fillRect(0, 0, 2, 2);
    const file = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!)));
    const { OffscreenCanvas } = globalThis;
    Reflect.deleteProperty(globalThis, 'OffscreenCanvas');
    try {
      for (const source of [canvas, file]) {
        const packet = await toPacket(source);
        expect(packet.kind).to.equal('rgba');
        expect([...(packet as { data: Uint8ClampedArray }).data.subarray(0, 4)]).to.deep.equal([16, 32, 48, 255]);
      }
    } finally {
      globalThis.OffscreenCanvas = OffscreenCanvas;
    }
  });
});

describe('sources that cannot be taken', () => {
  it('things that are no source', async () => {
    for (const source of [null, undefined, 7, 'x.png', {}, [], new Uint8Array(4), element('div'), new Date()])
      expect(await codeOf(source)).to.equal('invalid-argument');
    const error = await failure(() => toPacket({ width: 2, height: 2, data: new Float32Array(4) } as never));
    expect(error.message).to.match(/Uint8Array/);
  });

  it('gray and RGBA images of the wrong length or size', async () => {
    expect(await codeOf({ width: 3, height: 3, data: new Uint8Array(8) })).to.equal('invalid-argument');
    expect(await codeOf({ width: 3, height: 3, data: new Uint8ClampedArray(9) })).to.equal('invalid-argument');
    expect(await codeOf({ width: 0, height: 0, data: new Uint8Array(0) })).to.equal('invalid-argument');
    expect(await codeOf({ width: 1.5, height: 2, data: new Uint8Array(3) })).to.equal('invalid-argument');
    expect(await codeOf({ width: NaN, height: 2, data: new Uint8Array(3) })).to.equal('invalid-argument');
  });

  it('images that are too large, before any memory is taken', async () => {
    expect(await codeOf({ width: 20000, height: 20000, data: new Uint8Array(1) })).to.equal('image-too-large');
    expect(await codeOf({ width: 16384, height: 16384, data: new Uint8Array(1) })).to.equal('image-too-large');
    expect(await codeOf(new Blob([pngHeader(20000, 20000)]))).to.equal('image-too-large');
    const canvas = element('canvas');
    canvas.width = 16385;
    canvas.height = 1;
    expect(await codeOf(canvas)).to.equal('image-too-large');
  });

  it('images that are missing, broken, or not there yet', async () => {
    expect(await codeOf(new Image())).to.equal('source-not-ready');
    const image = new Image();
    image.src = '/no-such-image.png';
    expect(await codeOf(image)).to.equal('source-not-ready');
    await settled(image, 'error');
    expect(await codeOf(image)).to.equal('decode-failed');
  });

  it('videos without a frame', async () => {
    expect(await codeOf(element('video'))).to.equal('source-not-ready');
    const video = newVideo(URL.createObjectURL(new Blob(['no video'], { type: 'video/mp4' })));
    await settled(video, 'error');
    expect(await codeOf(video)).to.equal('decode-failed');
  });

  it('videos whose server broke off: the network is named, not the file', async () => {
    const video = element('video');
    const error = { code: MediaError.MEDIA_ERR_NETWORK, message: 'PIPELINE_ERROR_READ' };
    Object.defineProperties(video, { error: { value: error }, currentSrc: { value: 'https://clinic/eye.webm' } });
    const { code, message } = await failure(() => toPacket(video));
    expect(code).to.equal('network-failed');
    expect(message).to.include('https://clinic/eye.webm: the connection was interrupted at 0.000 s');
  });

  it('files that are no images, by what they look like', async () => {
    const what = async (parts: BlobPart[]) => {
      const { code, message } = await failure(() => toPacket(new Blob(parts)));
      return [code, message];
    };
    expect((await what([]))[1]).to.match(/empty/);
    expect(await codeOf(new Blob([]))).to.equal('decode-failed');
    const [code, message] = await what(['just words']);
    expect(code).to.equal('decode-failed');
    expect(message).to.match(/a text file/);
    expect((await what(['%PDF-1.4 and so on']))[1]).to.match(/PDF/);
    expect((await what([pngHeader(8, 8)]))[1]).to.match(/a PNG image/); // cut off
    expect((await what([noise(300)]))[0]).to.equal('decode-failed');
    expect(await what(['\0\0\0\x18ftypisom', noise(40)])).to.deep.equal([
      'source-unsupported',
      'The file is an MP4 video, not a single image. Read it with frames(file) or openVideo(file).',
    ]);
  });

  it('frames, bitmaps and canvases that were closed or are empty', async () => {
    const { frame } = yuvFrame({ format: 'I420', width: 4, height: 4 });
    frame.close();
    expect(await codeOf(frame)).to.equal('source-not-ready');
    const bitmap = await createImageBitmap(new ImageData(2, 2));
    bitmap.close();
    expect(await codeOf(bitmap)).to.equal('source-not-ready');
    const canvas = element('canvas');
    canvas.width = 0;
    expect(await codeOf(canvas)).to.equal('source-not-ready');
  });

  it('images and canvases of other origins', async () => {
    // The image is this page's own picture under the server's other name.
    const image = new Image();
    image.src = foreign('/test/frames/pixel.png');
    await settled(image, 'load', 'error');
    expect(image.naturalWidth, 'the image has loaded').to.equal(2);
    expect(await codeOf(image)).to.equal('source-tainted');
    const canvas = element('canvas');
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    expect(await codeOf(canvas)).to.equal('source-tainted');
  });

  it('videos of other origins', async () => {
    const video = newVideo(foreign('/demo/media/sample.webm'));
    await settled(video, 'loadeddata', 'error');
    expect(video.readyState, 'the video has loaded').to.be.above(1);
    expect(await codeOf(video)).to.equal('source-tainted');
    video.removeAttribute('src');
  });
});

describe('an image file that its decoder keeps', () => {
  const file = new Blob([pngHeader(8, 8)]);
  const { createImageBitmap, setTimeout } = globalThis;
  /** Answers of the decoder, and how many bitmaps were closed. */
  let give: (bitmap: ImageBitmap) => void;
  let closed = 0;
  const bitmap = { width: 8, height: 8, close: () => void closed++ };
  beforeEach(() => {
    closed = 0;
    globalThis.createImageBitmap = () => new Promise((resolve) => (give = resolve));
  });
  afterEach(() => Object.assign(globalThis, { createImageBitmap, setTimeout }));
  const isClosedLate = async () => {
    give(bitmap);
    await new Promise((resolve) => setTimeout(resolve));
    expect(closed).to.equal(1);
  };

  it('is cancelled at once, whoever asked', async () => {
    const tiff = await (await fetch('/test/frames/image-files/rgb-jpeg.tif')).blob();
    const header = new Uint8Array(await tiff.slice(0, 100).arrayBuffer());
    for (const ask of [
      (signal: AbortSignal) => readImageFile(tiff, header, { signal }), // a JPEG inside
      (signal: AbortSignal) => toPacket(file, signal),
      (signal: AbortSignal) => readImage(file, { signal }),
    ]) {
      closed = 0;
      const controller = new AbortController();
      const answer = failure(() => ask(controller.signal));
      setTimeout(() => controller.abort(), 100);
      expect((await answer).code).to.equal('aborted');
      await isClosedLate();
      let asked = false;
      globalThis.createImageBitmap = () => new Promise((resolve) => ((asked = true), (give = resolve)));
      expect([(await failure(() => ask(AbortSignal.abort()))).code, asked]).to.deep.equal(['aborted', false]);
    }
  });

  it('is given up after 20 s', async () => {
    globalThis.setTimeout = ((work: () => void, time?: number) =>
      setTimeout(work, time === 20_000 ? 20 : time)) as typeof setTimeout;
    const { code, message } = await failure(() => toPacket(file));
    expect([code, message]).to.deep.equal([
      'decode-failed',
      'The image takes over 20 s to decode. Scale it down first.',
    ]);
    await isClosedLate();
  });
});

describe('sources that belong to the caller', () => {
  it('stay open', async () => {
    const { frame } = yuvFrame({ format: 'I420', width: 4, height: 4 });
    const bitmap = await createImageBitmap(new ImageData(2, 2));
    for (const source of [frame, bitmap]) closePacket(await toPacket(source));
    expect([frame.codedWidth, bitmap.width]).to.deep.equal([4, 2]);
    frame.close();
  });

  it('a video is taken at the moment of the call', async () => {
    const video = newVideo('/demo/media/sample.webm');
    await settled(video, 'loadeddata');
    const packet = toPacket(video);
    expect(packet).to.have.property('kind', 'frame');
    closePacket(await packet);
    video.removeAttribute('src');
  });
});
