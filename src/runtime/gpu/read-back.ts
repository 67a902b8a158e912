/**
 * Read-back without blocking: readPixels into a pixel-pack buffer, a fence, a flush, and checks of the fence in later
 * tasks. The number of buffers equals the maximum number of reads in flight so far, so a read never waits for another
 * one.
 */
import { FoveolaError, lostError } from '../error.ts';
import type { GpuContext } from './gpu-context.ts';
import { formats, type TextureFormat } from './gpu-formats.ts';
import type { Region } from './gpu-programs.ts';
import type { Texture, TexturePool } from './texture-pool.ts';

interface Pending {
  readonly sync: WebGLSync;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/** How a format is read. `wide`: as four channels of 32 bits, the guaranteed way, which is narrowed afterwards. */
interface ReadFormat {
  readonly format: number;
  readonly type: number;
  readonly wide: boolean;
}

// The reads that the standard guarantees: these formats unchanged, and all others of their kind widened.
const guaranteed: Partial<Record<TextureFormat, ReadFormat>> = {
  rgba8: { format: 0x1908, type: 0x1401, wide: false },
  rgba32ui: { format: 0x8d99, type: 0x1405, wide: false },
  rgba32i: { format: 0x8d99, type: 0x1404, wide: false },
  rgba32f: { format: 0x1908, type: 0x1406, wide: false },
};
const widened = { uint: guaranteed.rgba32ui!, int: guaranteed.rgba32i!, float: guaranteed.rgba32f! };

// A task costs microseconds. A software renderer takes tens of milliseconds, so a timer is better then.
const EAGER_MS = 3;

export class ReadBack {
  readonly #context: GpuContext;
  readonly #pool: TexturePool;
  #pending: Pending[] = [];
  #idle: WebGLBuffer[] = [];
  #readFormats = new Map<TextureFormat, ReadFormat>();
  readonly #channel = typeof MessageChannel === 'undefined' ? null : new MessageChannel();
  #scheduled = false;
  #since = 0;

  constructor(context: GpuContext, pool: TexturePool) {
    this.#context = context;
    this.#pool = pool;
    if (this.#channel) this.#channel.port1.onmessage = this.#poll;
  }

  get inFlight(): number {
    return this.#pending.length;
  }

  /** Whether the driver can read this format unchanged. Queried once per format. */
  direct(texture: Texture): boolean {
    return !this.#readFormat(texture).wide;
  }

  #readFormat(texture: Texture): ReadFormat {
    const { format } = texture;
    const known = guaranteed[format] ?? this.#readFormats.get(format);
    if (known !== undefined) return known;
    const { gl } = this.#context;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#pool.framebuffer([texture]));
    const wanted = formats[format];
    const offered = {
      format: gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_FORMAT) as number,
      type: gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_TYPE) as number,
    };
    const exact = offered.format === wanted.format && offered.type === wanted.type;
    const answer = exact ? { ...offered, wide: false } : { ...widened[wanted.kind], wide: true };
    this.#readFormats.set(format, answer);
    return answer;
  }

  /** Tightly packed texels of the region. Resolves in the order of the calls. Rejects with 'context-lost'. */
  read(texture: Texture, region?: Region): Promise<Uint8Array> {
    this.#context.usable();
    if (texture.lost) throw lostError();
    const { gl } = this.#context;
    const { x, y, width, height } = region ?? { x: 0, y: 0, width: texture.width, height: texture.height };
    const how = this.#readFormat(texture);
    const size = width * height * (how.wide ? 16 : formats[texture.format].bytes);
    const buffer = this.#idle.pop() ?? gl.createBuffer()!;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#pool.framebuffer([texture]));
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    // With STREAM_READ, Chromium copies the data when the fence passes, not when it is requested. Every read gets new
    // storage, because Chromium drops the early copy of a reused one, or at least warns on the console.
    gl.bufferData(gl.PIXEL_PACK_BUFFER, size, gl.STREAM_READ);
    gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
    gl.readPixels(x, y, width, height, how.format, how.type, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    return this.#afterFence(() => {
      const bytes = new Uint8Array(size);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, bytes);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
      this.#context.usable(); // throws if the data is invalid after a loss
      this.#idle.push(buffer);
      return how.wide ? narrow(bytes, texture.format) : bytes;
    });
  }

  /** Resolves when everything enqueued so far has been drawn. */
  fence(): Promise<void> {
    this.#context.usable();
    return this.#afterFence(() => {});
  }

  #afterFence<T>(body: () => T): Promise<T> {
    const { gl } = this.#context;
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush(); // the fence would otherwise stay in the command buffer
    const answer = new Promise<T>((resolve, reject) => {
      if (!sync) return reject(lostError());
      const finish = () => {
        try {
          resolve(body());
        } catch (error) {
          reject(error);
        }
      };
      this.#pending.push({ sync, finish, fail: reject });
      this.#since = performance.now();
      this.#schedule();
    });
    answer.catch(() => {}); // if several reads fail, the first failure is reported
    return answer;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (this.#channel && performance.now() - this.#since < EAGER_MS) this.#channel.port2.postMessage(0);
    else setTimeout(this.#poll, 1);
  }

  readonly #poll = () => {
    this.#scheduled = false;
    if (this.#context.lost) return this.abort();
    const { gl } = this.#context;
    // Commands run in order, so the first unsignaled fence ends the check.
    while (this.#pending.length) {
      const first = this.#pending[0]!;
      if (gl.getSyncParameter(first.sync, gl.SYNC_STATUS) !== gl.SIGNALED) break;
      this.#pending.shift();
      gl.deleteSync(first.sync);
      first.finish();
    }
    if (this.#pending.length) this.#schedule();
  };

  /** Releases idle buffers to the device. Each is as large as its last read. */
  trim(): void {
    for (const buffer of this.#idle.splice(0)) this.#context.gl.deleteBuffer(buffer);
  }

  /** Fails every read in flight, because the context is lost or disposed. */
  abort(error: FoveolaError = lostError()): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#idle = [];
    this.#readFormats.clear();
    for (const { fail } of pending) fail(error);
  }

  dispose(): void {
    this.abort(new FoveolaError('disposed', 'The GPU backend was disposed of while a result was read.'));
    this.#channel?.port1.close();
  }
}

/**
 * Extracts the channels of `format` from four 32-bit channels per texel. Low bytes are first: WebAssembly is always
 * little-endian.
 */
function narrow(wide: Uint8Array, format: TextureFormat): Uint8Array {
  const { channels, channelBytes } = formats[format];
  const texels = wide.length / 16;
  const out = new Uint8Array(texels * channels * channelBytes);
  let o = 0;
  for (let i = 0; i < texels; i++)
    for (let c = 0; c < channels; c++) for (let b = 0; b < channelBytes; b++) out[o++] = wide[i * 16 + c * 4 + b]!;
  return out;
}
