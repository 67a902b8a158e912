import { expect } from 'chai';
import { toPlane } from '../../src/frames/to-plane.ts';
import { toPacket } from '../../src/frames/to-packet.ts';
import { createGpuSide } from '../../src/runtime/gpu/gpu-backend.ts';
import type { Source } from '../../src/results/types.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import { expand, noise, openRuntime, yuvFrame, type YuvOptions } from './made-frames.ts';

const grayOf = (r: number, g: number, b: number) => (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;

describe('frames to planes', () => {
  let runtime: Runtime;
  before(async () => (runtime = await openRuntime()));
  after(() => runtime.dispose());

  async function read(source: Source, wanted: 'gray' | 'rgba' = 'gray') {
    const before = runtime.arena.blocks;
    const plane = await toPlane(runtime, await toPacket(source), wanted);
    const data = (await plane.read()) as Uint8Array;
    const { width, height, format } = plane;
    plane.dispose();
    expect(runtime.arena.blocks, 'blocks of the arena').to.be.at.most(before + 1); // the pool's scratch stays
    return { width, height, format, data };
  }

  const sizes = [
    [16, 8],
    [17, 9],
    [62, 33],
    [1, 1],
  ] as const;
  for (const format of ['I420', 'NV12', 'I422', 'I444', 'I420A'] as const)
    for (const fullRange of [true, false])
      it(`luma of ${format}, ${fullRange ? 'full' : 'video'} range`, async () => {
        for (const [width, height] of sizes) {
          const { frame, luma } = yuvFrame({ format, width, height, fullRange });
          const plane = await read(frame);
          frame.close();
          expect([plane.width, plane.height, plane.format]).to.deep.equal([width, height, 'u8']);
          expect([...plane.data]).to.deep.equal([...luma].map((y) => (fullRange ? y : expand(y))));
        }
      });

  describe('luma is copied straight into the arena', () => {
    const { copyTo } = VideoFrame.prototype;
    const targets: AllowSharedBufferSource[] = [];
    /** What `then` does before copyTo resolves. */
    const watch = (then = () => {}) => {
      targets.length = 0;
      VideoFrame.prototype.copyTo = async function (target, options) {
        targets.push(target);
        const layout = await copyTo.call(this, target, options);
        then();
        return layout;
      };
    };
    afterEach(() => void (VideoFrame.prototype.copyTo = copyTo));
    const check = async (on: Runtime, fullRange: boolean) => {
      const { frame, luma } = yuvFrame({ format: 'I420', width: 37, height: 23, fullRange });
      const plane = await toPlane(on, { kind: 'frame', frame }, 'gray', { backend: 'wasm' });
      expect([...((await plane.read()) as Uint8Array)]).to.deep.equal(
        [...luma].map((y) => (fullRange ? y : expand(y))),
      );
      const { address } = plane;
      plane.dispose();
      return address;
    };

    for (const shared of [false, true])
      it(`once, ${shared ? 'in shared memory' : 'and expanded in its place'}`, async () => {
        const module = await compileKernels(fetch('/dist/kernels.wasm'), shared);
        const on = await Runtime.create({ module, threads: shared ? 2 : 1 });
        watch();
        for (const fullRange of [true, false]) {
          const address = await check(on, fullRange);
          const target = targets.pop() as Uint8Array;
          expect(targets).to.have.length(0);
          expect(target.buffer === on.arena.memory.buffer).to.equal(true);
          expect(target.byteOffset).to.equal(address);
        }
        on.dispose();
      });

    it('once more where the memory grew meanwhile', async () => {
      const own = await openRuntime();
      watch(() => void own.arena.allocate(own.arena.memory.buffer.byteLength));
      await check(own, false);
      expect(targets).to.have.length(2);
      own.dispose();
    });

    it('or through a buffer, where the browser refuses such memory', async () => {
      VideoFrame.prototype.copyTo = function (target, options) {
        if ((target as Uint8Array).buffer === runtime.arena.memory.buffer) return Promise.reject(new TypeError('no'));
        return copyTo.call(this, target, options);
      };
      await check(runtime, true);
      await check(runtime, false);
    });
  });

  it('luma of every value in video range', async () => {
    const { frame } = yuvFrame({ format: 'I420', width: 256, height: 2, fullRange: false });
    frame.close();
    const data = new Uint8Array(256 * 2 * 2).fill(128);
    for (let i = 0; i < 512; i++) data[i] = i & 255;
    const ramp = new VideoFrame(data, {
      format: 'I420',
      codedWidth: 256,
      codedHeight: 2,
      timestamp: 0,
      colorSpace: { fullRange: false },
    });
    const plane = await read(ramp);
    ramp.close();
    expect([...plane.data.subarray(0, 256)]).to.deep.equal(Array.from({ length: 256 }, (_, y) => expand(y)));
  });

  it('respects the visible rectangle', async () => {
    const visible = { x: 4, y: 2, width: 20, height: 10 };
    const { frame, luma } = yuvFrame({ format: 'I420', width: 40, height: 20, fullRange: true, visible });
    const plane = await read(frame);
    frame.close();
    expect([plane.width, plane.height]).to.deep.equal([20, 10]);
    const expected = Array.from({ length: 200 }, (_, i) => luma[(2 + Math.floor(i / 20)) * 40 + 4 + (i % 20)]);
    expect([...plane.data]).to.deep.equal(expected);
  });

  it('respects pixels that are not square', async () => {
    const options: YuvOptions = {
      format: 'I420',
      width: 32,
      height: 16,
      fullRange: true,
      display: { width: 64, height: 16 },
    };
    const { frame } = yuvFrame(options);
    const plane = await read(frame);
    frame.close();
    expect([plane.width, plane.height]).to.deep.equal([64, 16]);
  });

  for (const format of ['RGBA', 'RGBX', 'BGRA', 'BGRX'] as const)
    it(`${format} frames`, async () => {
      const bytes = noise(4 * 15);
      for (let i = 3; i < bytes.length; i += 4) bytes[i] = 255;
      const frame = new VideoFrame(bytes, { format, codedWidth: 5, codedHeight: 3, timestamp: 0 });
      const plane = await read(frame);
      frame.close();
      const [r, b] = format.startsWith('RGB') ? [0, 2] : [2, 0];
      const expected = Array.from({ length: 15 }, (_, i) =>
        grayOf(bytes[4 * i + r]!, bytes[4 * i + 1]!, bytes[4 * i + b]!),
      );
      expect([...plane.data]).to.deep.equal(expected);
    });

  it('ImageData, gray images, bitmaps and canvases have the same bytes', async () => {
    const image = new ImageData(19, 7);
    image.data.set(noise(image.data.length, 5));
    for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
    const canvas = document.createElement('canvas');
    canvas.width = 19;
    canvas.height = 7;
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    const offscreen = new OffscreenCanvas(19, 7);
    offscreen.getContext('2d')!.putImageData(image, 0, 0);
    const bitmap = await createImageBitmap(image);
    const blob = await offscreen.convertToBlob({ type: 'image/png' });
    const element = new Image();
    element.src = URL.createObjectURL(blob);
    await new Promise((resolve) => element.addEventListener('load', resolve)); // decode() may wait for a visible page
    for (const source of [image, canvas, offscreen, bitmap, blob, element]) {
      const color = await read(source, 'rgba');
      expect([color.width, color.height, color.format]).to.deep.equal([19, 7, 'rgba8']);
      expect([...color.data], source.constructor.name).to.deep.equal([...image.data]);
      const { data } = await read(source);
      const expected = Array.from({ length: 19 * 7 }, (_, i) =>
        grayOf(image.data[4 * i]!, image.data[4 * i + 1]!, image.data[4 * i + 2]!),
      );
      expect([...data]).to.deep.equal(expected);
    }
    expect(bitmap.width, "the caller's bitmap lives on").to.equal(19);
    URL.revokeObjectURL(element.src);
  });

  it('gray becomes color where color is wanted', async () => {
    const { data } = await read({ width: 2, height: 1, data: Uint8Array.of(7, 200) }, 'rgba');
    expect([...data]).to.deep.equal([7, 7, 7, 255, 200, 200, 200, 255]);
  });

  it('closes the frame, also when it cannot be read', async () => {
    const { frame } = yuvFrame({ format: 'I420', width: 16, height: 8 });
    const clone = frame.clone();
    (await toPlane(runtime, { kind: 'frame', frame: clone }, 'gray')).dispose();
    expect(clone.format).to.equal(null);
    const other = frame.clone();
    other.copyTo = () => Promise.reject(new RangeError('as asked for'));
    let failed = false;
    await Promise.resolve(toPlane(runtime, { kind: 'frame', frame: other }, 'gray')).catch(() => (failed = true));
    expect([failed, other.format]).to.deep.equal([true, null]);
    frame.close();
  });

  it('uploads to a texture when the GPU is preferred', async () => {
    const gpu = createGpuSide(runtime);
    runtime.gpu = gpu;
    runtime.preferred = 'gpu';
    try {
      const image = new ImageData(33, 9);
      image.data.set(noise(image.data.length, 9));
      for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
      const bitmap = await createImageBitmap(image);
      expect([...(await read(bitmap, 'rgba')).data]).to.deep.equal([...image.data]);
      const { frame, luma } = yuvFrame({ format: 'I420', width: 32, height: 8, fullRange: true });
      for (const upload of [true, false]) {
        const plane = await toPlane(runtime, { kind: 'frame', frame: frame.clone() }, 'gray', { upload });
        const data = (await plane.read()) as Uint8Array;
        const worst = Math.max(...data.map((v, i) => Math.abs(v - luma[i]!)));
        expect(worst).to.be.at.most(upload ? 2 : 0); // the browser's own conversion rounds
        plane.dispose();
      }
      frame.close();
    } finally {
      runtime.gpu = null;
      runtime.preferred = 'wasm';
      gpu.dispose();
    }
  });
});
