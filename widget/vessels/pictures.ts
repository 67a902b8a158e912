/** The analyzed image, decoded once, and a small copy of it for previews. */
import { decodeBitmap, FoveolaError, type GrayImage, type Source } from '../../src/index.ts';
import { notShared } from '../base/picture-controller.ts';

/** Pixels for the engine: no color management, EXIF orientation applied. */
const asStored: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'none' };

/** Decodes any source of the page. A file has 20 s for this. */
const decoded = (source: Source, options = asStored) =>
  source instanceof Blob ? decodeBitmap(source, options) : createImageBitmap(source as ImageBitmapSource, options);

/** Files with more pixels are decoded again when needed. Their pixels do not stay in memory. */
const LARGE = 1 << 24;

const isGray = (source: Source): source is GrayImage => 'data' in source && source.data instanceof Uint8Array;

/** Downscales by the mean of whole blocks. */
function reducedGray({ width, height, data }: GrayImage, block: number): GrayImage {
  const [w, h] = [Math.max(1, Math.floor(width / block)), Math.max(1, Math.floor(height / block))];
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let sum = 0;
      for (let dy = 0; dy < block; dy++)
        for (let dx = 0; dx < block; dx++) sum += data[(y * block + dy) * width + x * block + dx]!;
      out[y * w + x] = Math.round(sum / (block * block));
    }
  return { width: w, height: h, data: out };
}

export interface Small {
  readonly source: Source;
  /** Pixels of the full image per pixel of this one. */
  readonly ratio: number;
  readonly pixels: number;
}

interface OwnSmall extends Small {
  readonly bitmap: ImageBitmap | null;
}

export class VesselPicture {
  readonly width: number;
  readonly height: number;
  /** The full image, for the engine. */
  readonly whole: Source;
  readonly #own: ImageBitmap | null;
  #small: OwnSmall | null = null;

  private constructor(whole: Source, width: number, height: number, own: ImageBitmap | null) {
    this.whole = whole;
    this.width = width;
    this.height = height;
    this.#own = own;
  }

  /** Copies the current image of the source. Rejects with 'decode-failed', 'source-not-ready' or 'source-tainted'. */
  static async of(source: Source): Promise<VesselPicture> {
    // Unchanged: images that were read from a file carry its pixel spacing.
    if (isGray(source) || source instanceof ImageData)
      return new VesselPicture(source, source.width, source.height, null);
    let bitmap: ImageBitmap;
    try {
      bitmap = await decoded(source);
    } catch (cause) {
      if (cause instanceof FoveolaError) throw cause;
      const { name, message } = cause as DOMException;
      if (name === 'SecurityError') throw notShared('The picture', 'analysed', cause);
      if (source instanceof Blob)
        throw new FoveolaError(
          'decode-failed',
          'The file cannot be decoded as an image. Choose a fundus photograph as PNG or JPEG.',
          { cause },
        );
      throw new FoveolaError('source-not-ready', `The image has no readable pixels: ${message}`, { cause });
    }
    const { width, height } = bitmap;
    if (!(source instanceof Blob) || width * height <= LARGE) return new VesselPicture(bitmap, width, height, bitmap);
    bitmap.close();
    return new VesselPicture(source, width, height, null);
  }

  get pixels(): number {
    return this.width * this.height;
  }

  /**
   * Returns a copy with about this maximum number of pixels, or the image itself if it is smaller. Closes the previous
   * copy.
   */
  async small(pixels: number): Promise<Small> {
    const known = this.#small;
    if (known && known.pixels <= 1.25 * pixels && known.pixels >= 0.7 * Math.min(pixels, this.pixels)) return known;
    const ratio = Math.sqrt(this.pixels / pixels);
    const { whole } = this;
    let small: OwnSmall;
    if (ratio <= 1.1) small = { source: whole, ratio: 1, pixels: this.pixels, bitmap: null };
    else if (isGray(whole)) {
      const block = Math.round(ratio + 0.3);
      const source = reducedGray(whole, block);
      small = { source, ratio: block, pixels: source.width * source.height, bitmap: null };
    } else {
      const resizeWidth = Math.max(1, Math.round(this.width / ratio));
      const resizeHeight = Math.max(1, Math.round(this.height / ratio));
      const size = { resizeWidth, resizeHeight, resizeQuality: 'medium' as const };
      const bitmap = await decoded(whole, { ...asStored, ...size });
      small = { source: bitmap, ratio: this.width / resizeWidth, pixels: resizeWidth * resizeHeight, bitmap };
    }
    known?.bitmap?.close();
    this.#small = small;
    return small;
  }

  close(): void {
    this.#own?.close();
    this.#small?.bitmap?.close();
    this.#small = null;
  }
}
