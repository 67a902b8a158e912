import { expect } from 'chai';
import type { PlaneFormat } from '../../src/runtime/plane.ts';
import { isSoftwareRenderer } from '../../src/runtime/gpu/gpu-context.ts';
import { verifyGpu } from '../../src/runtime/gpu/gpu-verify.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { makeHost, randomBytes, rejection, samples } from './gpu-support.ts';

const formats: PlaneFormat[] = ['u8', 'u16', 'i16', 'u32', 'i32', 'f32', 'rgba8'];
const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

for (const packReads of [false, true])
  describe(`planes on the GPU${packReads ? ', packed reads' : ''}`, () => {
    const host = makeHost({ packReads });
    after(() => {
      expect(host.gpu.context.gl.getError(), 'WebGL errors').to.equal(0);
      host.gpu.dispose();
    });

    for (const format of formats)
      it(`${format} goes up and comes back unchanged at odd sizes`, async () => {
        for (const [width, height] of [
          [1, 1],
          [3, 5],
          [16, 2],
          [17, 9],
          [67, 31],
        ] as const) {
          const data = samples(width, height, format, width * 100 + height);
          if (format === 'f32') {
            const floats = new Float32Array(data.buffer);
            floats.forEach((_, i) => (floats[i] = (data[4 * i]! - 128) * 2 ** ((i % 40) - 20)));
          }
          const plane = host.plane(width, height, format, data);
          const texture = plane.texture();
          expect(plane.on).to.equal('both');
          expect(await host.gpu.download(texture)).to.deep.equal(bytesOf(data));
          plane.dispose();
        }
        expect(host.gpu.textures.lent).to.equal(0);
        expect(host.arena.blocks).to.equal(0);
      });

    it('reads in the order of the calls, many at once', async () => {
      const order: number[] = [];
      const planes = Array.from({ length: 24 }, (_, i) => host.plane(5, 4, 'u8', new Uint8Array(20).fill(i)));
      const reads = planes.map(async (plane, i) => {
        const bytes = await host.gpu.download(plane.texture());
        order.push(i);
        expect(bytes).to.deep.equal(new Uint8Array(20).fill(i));
      });
      expect(host.gpu.inFlight).to.equal(24);
      await Promise.all(reads);
      expect(order).to.deep.equal(planes.map((_, i) => i));
      expect(host.gpu.inFlight).to.equal(0);
      planes.forEach((plane) => plane.dispose());
    });
  });

describe('the GPU side', () => {
  const host = makeHost();
  after(() => {
    expect(host.gpu.context.gl.getError(), 'WebGL errors').to.equal(0);
    host.gpu.dispose();
  });

  it('says what the device can do', () => {
    const { renderer, software, maxTextureSize, reasons } = host.gpu.capabilities;
    expect(renderer).to.be.a('string').with.length.above(3);
    expect(maxTextureSize).to.be.at.least(2048);
    expect(reasons.some((reason) => reason.includes('software'))).to.equal(software);
  });

  it('gives back what it was given, and says so when it does not', async () => {
    expect(await verifyGpu(host, host.gpu)).to.equal(null);
    const { gl } = host.gpu.context;
    const honest = gl.getBufferSubData.bind(gl);
    // What browsers do that resist fingerprinting.
    gl.getBufferSubData = ((target: number, offset: number, bytes: Uint8Array) => {
      honest(target, offset, bytes);
      bytes[5]! ^= 1;
    }) as typeof gl.getBufferSubData;
    expect(await verifyGpu(host, host.gpu)).to.include('u8');
    Reflect.deleteProperty(gl, 'getBufferSubData');
    expect(await verifyGpu(host, host.gpu)).to.equal(null);
    expect(host.gpu.textures.lent).to.equal(0);
    expect(host.arena.blocks).to.equal(0);
  });

  it('recognizes software renderers by name', () => {
    for (const name of [
      'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
      'llvmpipe (LLVM 15.0.6, 256 bits)',
      'ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11 vs_5_0 ps_5_0, D3D11)',
      'Apple Software Renderer',
    ])
      expect(isSoftwareRenderer(name), name).to.equal(true);
    for (const name of [
      'ANGLE (NVIDIA, NVIDIA GeForce GTX 980 Direct3D11)',
      'Apple GPU',
      'Mali-G78',
      'Adreno (TM) 650',
    ])
      expect(isSoftwareRenderer(name), name).to.equal(false);
  });

  it('lends a returned texture again and leaks none', () => {
    const { textures } = host.gpu;
    const first = host.gpu.allocate(20, 10, 'u8');
    host.gpu.release(first);
    const count = textures.count;
    for (let i = 0; i < 50; i++) {
      const again = host.gpu.allocate(20, 10, 'u8');
      expect(again).to.equal(first);
      host.gpu.release(again);
    }
    expect(textures.count).to.equal(count);
    expect(textures.lent).to.equal(0);
    expect(() => host.gpu.release(first)).to.throw(/not in use/);
    expect(() =>
      new Scope(host as object as Runtime).within((scope) => {
        scope.texture(8, 8, 'rgba32ui');
        scope.texture(8, 8, 'f32');
        throw new Error('in the middle');
      }),
    ).to.throw('in the middle');
    expect(textures.lent).to.equal(0);
    host.gpu.trim();
    expect(textures.count).to.equal(0);
    expect(textures.bytes).to.equal(0);
  });

  it("says 'image-too-large' one past the device's limit, and takes the limit", async () => {
    const limit = host.gpu.capabilities.maxTextureSize;
    const plane = host.gpu.plane(limit, 1, 'u8');
    expect(await plane.read()).to.have.length(limit);
    plane.dispose();
    for (const [width, height] of [
      [limit + 1, 1],
      [1, limit + 1],
    ] as const) {
      const error = await rejection(() => host.gpu.plane(width, height, 'u8'));
      expect(error.code).to.equal('image-too-large');
      expect(error.message).to.include(String(limit));
    }
    expect(host.gpu.textures.lent).to.equal(0);
  });

  it('packs 4 and 16 samples a texel, from the arena and from a texture', async () => {
    const width = 39;
    const data = randomBytes(width * 7, 5);
    const arena = host.plane(width, 7, 'u8', data);
    const copy = host.plane(width, 7, 'u8', data);
    const texture = host.gpu.toPlane(copy.texture()); // a plane that lives on the GPU only
    for (const plane of [arena, texture])
      for (const count of [4, 16] as const) {
        const packed = host.gpu.packed(plane, count);
        const bytes = await host.gpu.read(packed);
        const stride = packed.width * count;
        expect(packed.width).to.equal(Math.ceil(width / count));
        for (let y = 0; y < 7; y++)
          expect(bytes.subarray(y * stride, y * stride + width)).to.deep.equal(
            data.subarray(y * width, (y + 1) * width),
          );
        host.gpu.release(packed);
      }
    arena.dispose();
    copy.dispose();
  });

  it('reads a region', async () => {
    const plane = host.plane(
      9,
      6,
      'u16',
      new Uint16Array(54).map((_, i) => i * 1000),
    );
    const bytes = await host.gpu.read(plane.texture(), { x: 4, y: 2, width: 2, height: 3 });
    expect([...new Uint16Array(bytes.buffer)]).to.deep.equal([22, 23, 31, 32, 40, 41].map((i) => i * 1000));
    plane.dispose();
  });

  it('takes ImageData, bitmaps, canvases and video frames with their bytes unchanged', async () => {
    const width = 7;
    const height = 5;
    const data = randomBytes(width * height * 4, 77);
    for (let i = 3; i < data.length; i += 4) data[i] = 255;
    const image = new ImageData(new Uint8ClampedArray(data), width, height);
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    const bitmap = await createImageBitmap(image, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    const frame = new VideoFrame(data, { format: 'RGBA', codedWidth: width, codedHeight: height, timestamp: 0 });
    for (const source of [image, bitmap, canvas, frame] as TexImageSource[]) {
      const plane = host.gpu.fromSource(source, width, height);
      expect(new Uint8Array((await plane.read()).buffer), source.constructor.name).to.deep.equal(data);
      plane.dispose();
    }
    bitmap.close();
    frame.close();
    for (const source of [bitmap, frame, new Image()])
      expect((await rejection(() => host.gpu.fromSource(source, width, height))).code).to.equal('source-not-ready');
    expect((await rejection(() => host.gpu.fromSource(image, width + 1, height))).code).to.equal('internal');
    expect(host.gpu.textures.lent).to.equal(0);
  });

  it('works in a plane that another side reads: GPU-only data comes to the arena once', async () => {
    const plane = host.gpu.plane(6, 3, 'i16');
    host.gpu.clear([plane], [-5, 0, 0, 0]);
    expect(plane.on).to.equal('gpu');
    const [a, b] = await Promise.all([plane.arena(), plane.arena()]);
    expect(a).to.equal(b);
    expect([...plane.copy()]).to.deep.equal(new Array(18).fill(-5));
    plane.dispose();
    expect(host.arena.blocks).to.equal(0);
  });

  it('works on a canvas element, for browsers without webgl2 on OffscreenCanvas', async () => {
    const own = makeHost({ canvas: document.createElement('canvas') });
    const data = randomBytes(35, 1);
    const plane = own.plane(7, 5, 'u8', data);
    expect(await own.gpu.download(plane.texture())).to.deep.equal(data);
    own.gpu.dispose();
    plane.dispose();
  });

  it("answers 'disposed' after dispose, also to reads in flight", async () => {
    const own = makeHost();
    const plane = own.plane(4, 4, 'u8', new Uint8Array(16));
    const read = rejection(own.gpu.download(plane.texture()));
    own.gpu.dispose();
    expect((await read).code).to.equal('disposed');
    expect((await rejection(() => own.gpu.plane(2, 2, 'u8'))).code).to.equal('disposed');
    plane.dispose();
  });
});
