/**
 * A pool of textures by format and size. You may release a texture right after the last draw that reads it, because the
 * commands run in order. Framebuffers are stored with the textures that they draw into.
 */
import { FoveolaError } from '../error.ts';
import type { GpuContext } from './gpu-context.ts';
import { formats, typedView, type TextureFormat } from './gpu-formats.ts';

export interface Texture<F extends TextureFormat = TextureFormat> {
  readonly texture: WebGLTexture;
  readonly width: number;
  readonly height: number;
  readonly format: F;
  /** The context was lost after this texture was made, so its content is lost. */
  readonly lost: boolean;
}

/** Uploads bind to this unit, so that the bindings of the passes do not change. */
export const UPLOAD_UNIT = 15;

class PoolTexture implements Texture {
  lost = false;
  lent = true;
  /** Framebuffers with this texture as the first target, by the numbers of the other targets. */
  readonly framebuffers = new Map<string, WebGLFramebuffer>();
  readonly #key: string;
  constructor(
    readonly number: number,
    readonly texture: WebGLTexture,
    readonly width: number,
    readonly height: number,
    readonly format: TextureFormat,
  ) {
    this.#key = key(width, height, format);
  }
  get key(): string {
    return this.#key;
  }
  get bytes(): number {
    return this.width * this.height * formats[this.format].bytes;
  }
}

const key = (width: number, height: number, format: TextureFormat) => `${format} ${width}x${height}`;

/** The size that WebGL uses. For any other size, WebGL would set an error that no code checks. */
function sizeOf(source: TexImageSource): { width: number; height: number } {
  if ('displayWidth' in source) return { width: source.displayWidth, height: source.displayHeight };
  if ('videoWidth' in source) return { width: source.videoWidth, height: source.videoHeight };
  if ('naturalWidth' in source) return { width: source.naturalWidth, height: source.naturalHeight };
  return { width: source.width, height: source.height };
}

export class TexturePool {
  readonly #context: GpuContext;
  readonly #keep: number;
  #all = new Set<PoolTexture>();
  /** Idle textures by key. The map is ordered by the last return, oldest first. */
  #idle = new Map<string, PoolTexture[]>();
  #idleBytes = 0;
  #bytes = 0;
  #lent = 0;
  #number = 0;

  /** `keep`: bytes of idle textures to keep. */
  constructor(context: GpuContext, keep = 192 << 20) {
    this.#context = context;
    this.#keep = keep;
  }

  /** Number of textures in use. 0 if nothing leaks. */
  get lent(): number {
    return this.#lent;
  }
  /** Number of all textures, and their bytes. */
  get count(): number {
    return this.#all.size;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** A texture with undefined content. Throws 'image-too-large' if it exceeds the device's limit. */
  allocate<F extends TextureFormat>(width: number, height: number, format: F): Texture<F> {
    this.#context.usable();
    const limit = this.#context.capabilities.maxTextureSize;
    if (width > limit || height > limit)
      throw new FoveolaError(
        'image-too-large',
        `${width}x${height} does not fit into a texture of this device (at most ${limit} per side). Use a smaller image or backend 'wasm'.`,
      );
    if (formats[format].kind === 'float' && format !== 'rgba8' && !this.#context.capabilities.floatTargets)
      throw new FoveolaError('no-webgl2', "This device cannot write float textures. Use backend 'auto' or 'wasm'.");
    const idle = this.#idle.get(key(width, height, format));
    const known = idle?.pop();
    this.#lent++;
    if (known) {
      if (!idle!.length) this.#idle.delete(known.key);
      this.#idleBytes -= known.bytes;
      known.lent = true;
      return known as Texture as Texture<F>;
    }
    return this.#make(width, height, format) as Texture as Texture<F>;
  }

  #make(width: number, height: number, format: TextureFormat): PoolTexture {
    const { gl } = this.#context;
    const texture = gl.createTexture()!;
    const { internalFormat, format: pixel, type } = formats[format];
    gl.activeTexture(gl.TEXTURE0 + UPLOAD_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    // rgba8 is used for video frames. Browsers have a fast path for them only through texImage2D, so the texture is not
    // immutable.
    if (format === 'rgba8') gl.texImage2D(gl.TEXTURE_2D, 0, internalFormat, width, height, 0, pixel, type, null);
    else gl.texStorage2D(gl.TEXTURE_2D, 1, internalFormat, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    const made = new PoolTexture(++this.#number, texture, width, height, format);
    this.#all.add(made);
    this.#bytes += made.bytes;
    return made;
  }

  release(lent: Texture): void {
    const texture = lent as PoolTexture;
    if (texture.lost) return;
    if (!this.#all.has(texture) || !texture.lent)
      throw new FoveolaError('internal', 'TexturePool.release: this texture is not in use.');
    texture.lent = false;
    this.#lent--;
    const list = this.#idle.get(texture.key);
    if (list) {
      list.push(texture);
      this.#idle.delete(texture.key);
      this.#idle.set(texture.key, list);
    } else this.#idle.set(texture.key, [texture]);
    this.#idleBytes += texture.bytes;
    while (this.#idleBytes > this.#keep) this.#drop();
  }

  #drop(): void {
    const [oldest, list] = this.#idle.entries().next().value!;
    const texture = list.shift()!;
    if (!list.length) this.#idle.delete(oldest);
    this.#idleBytes -= texture.bytes;
    this.#delete(texture);
  }

  #delete(texture: PoolTexture): void {
    const { gl } = this.#context;
    this.#all.delete(texture);
    this.#bytes -= texture.bytes;
    const part = `,${texture.number},`;
    for (const framebuffer of texture.framebuffers.values()) gl.deleteFramebuffer(framebuffer);
    for (const other of this.#all)
      for (const [others, framebuffer] of other.framebuffers)
        if (others.includes(part)) {
          gl.deleteFramebuffer(framebuffer);
          other.framebuffers.delete(others);
        }
    gl.deleteTexture(texture.texture);
  }

  /** Deletes every idle texture. */
  trim(): void {
    while (this.#idle.size) this.#drop();
  }

  /** The framebuffer that draws into `targets`, in that order. A new one stays bound to FRAMEBUFFER. */
  framebuffer(targets: readonly Texture[]): WebGLFramebuffer {
    const { gl } = this.#context;
    const first = targets[0] as PoolTexture;
    let others = '';
    for (let i = 1; i < targets.length; i++) others += `,${(targets[i] as PoolTexture).number},`;
    let framebuffer = first.framebuffers.get(others);
    if (framebuffer) return framebuffer;
    framebuffer = gl.createFramebuffer()!;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const buffers = targets.map((target, i) => {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, target.texture, 0);
      return gl.COLOR_ATTACHMENT0 + i;
    });
    gl.drawBuffers(buffers);
    first.framebuffers.set(others, framebuffer);
    return framebuffer;
  }

  /**
   * `bytes` are rows of `stride` bytes, a multiple of the texel size. `area`: only this many texels from the origin.
   */
  upload(
    texture: Texture,
    bytes: Uint8Array,
    stride: number,
    area: { readonly width: number; readonly height: number } = texture,
  ): void {
    this.#context.usable();
    const { gl } = this.#context;
    const { format, type, bytes: texel } = formats[texture.format];
    gl.activeTexture(gl.TEXTURE0 + UPLOAD_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, texture.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, stride / texel);
    const view = typedView(texture.format, bytes);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, area.width, area.height, format, type, view);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
  }

  /** The pixels of a browser image as bytes, top row first, without color or alpha conversion. */
  uploadSource(texture: Texture<'rgba8'>, source: TexImageSource): void {
    this.#context.usable();
    const { gl } = this.#context;
    gl.activeTexture(gl.TEXTURE0 + UPLOAD_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, texture.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    const { width, height } = texture;
    const size = sizeOf(source);
    if (!size.width || !size.height)
      throw new FoveolaError(
        'source-not-ready',
        'The image has no pixels yet, or was closed. Wait until it is loaded.',
      );
    if (size.width !== width || size.height !== height)
      throw new FoveolaError(
        'internal',
        `A ${size.width}x${size.height} image was passed for ${width}x${height} pixels.`,
      );
    try {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, source);
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'SecurityError')
        throw new FoveolaError(
          'source-tainted',
          'The image is from another origin without CORS. Serve it with Access-Control-Allow-Origin and set crossorigin="anonymous".',
          { cause },
        );
      throw new FoveolaError('source-unsupported', 'This browser cannot upload this kind of image to WebGL.', {
        cause,
      });
    }
  }

  /** After a loss: all existing textures are invalid. */
  forget(): void {
    for (const texture of this.#all) texture.lost = true;
    this.#all.clear();
    this.#idle.clear();
    this.#idleBytes = this.#bytes = this.#lent = 0;
  }
}
