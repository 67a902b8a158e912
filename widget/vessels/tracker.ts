/**
 * Exposes vessel detection as a tracker, so that element sessions can run it. A large image, or any image while a
 * slider is held, first gets a preview from a reduced copy. The full result follows. New settings abort the analysis in
 * progress.
 */
import {
  FoveolaError,
  type GrayImage,
  type Source,
  type Engine,
  resolveParameters,
  vesselParameters,
  type VesselResult,
} from '../../src/index.ts';
import { decodeBitmap } from '../../src/internal.ts';
import { notShared } from '../base/picture-controller.ts';
import type { ElementTracker } from '../base/engine.ts';

// The analyzed image, decoded once, and a small copy of it for previews.

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

interface Small {
  readonly source: Source;
  /** Pixels of the full image per pixel of this one. */
  readonly ratio: number;
  readonly pixels: number;
}

interface OwnSmall extends Small {
  readonly bitmap: ImageBitmap | null;
}

class VesselPicture {
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

export type VesselEngine = Pick<Engine, 'vessels'>;
type VesselOptions = NonNullable<Parameters<Engine['vessels']>[1]>;

/** Result of one image. */
export interface VesselFrame extends VesselResult {
  timestamp: number;
  /** Size of the source. The planes of a preview are smaller. */
  width: number;
  height: number;
  dropped: number;
  /** True: computed from a reduced image and without measures. The full result follows. */
  preview: boolean;
  /** Time from call to result. */
  milliseconds: number;
}

interface VesselWatch {
  preview(frame: VesselFrame): void;
  /** Gets the frame before `process` resolves, and returns the frame that it resolves with. */
  made(frame: VesselFrame): VesselFrame;
  progress(done: number): void;
}

/** Target duration of a preview in milliseconds. */
const wanted = 60;
/** Number of pixels of a preview: the initial value, the minimum and the maximum. */
const budgets = { first: 400_000, least: 90_000, most: 1_200_000 };
/** Images with more pixels also get a preview when they are opened. */
const large = 1_000_000;

const cancelled = () => new FoveolaError('aborted', 'The settings or the image changed.');

export class VesselTracker implements ElementTracker<VesselFrame> {
  readonly #engine: VesselEngine;
  readonly #watch: VesselWatch;
  #parameters: VesselOptions;
  #picture: { source: Source; timestamp: number; made: Promise<VesselPicture> } | null = null;
  #run: AbortController | null = null;
  #held: { release(): void; released: Promise<void> } | null = null;
  #budget = budgets.first;
  /** Previews run one after the other, so that each is shown even if the slider moves fast. */
  #previews: Promise<unknown> = Promise.resolve();
  /** Frames of a playing source: only previews, and each of them is finished. */
  live = false;

  constructor(engine: VesselEngine, parameters: VesselOptions, watch: VesselWatch) {
    this.#engine = engine;
    this.#watch = watch;
    this.#parameters = checked(parameters);
  }

  get held(): boolean {
    return this.#held !== null;
  }

  /** While a slider is held, only previews are computed. */
  hold(on: boolean): void {
    if (on && !this.#held) {
      let release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      this.#held = { release, released };
    } else if (!on) {
      this.#held?.release();
      this.#held = null;
    }
  }

  /** Aborts the analysis in progress, which rejects with 'aborted'. */
  cancel(): void {
    this.#run?.abort();
    this.#run = null;
  }

  /** The last analyzed image, in the engine's format. Null before the first one. */
  async picture(): Promise<Source | null> {
    return (await this.#picture?.made.catch(() => null))?.whole ?? null;
  }

  async process(source: Source, { timestamp = 0, dropped = 0 } = {}): Promise<VesselFrame> {
    const start = performance.now();
    const picture = this.#take(source, timestamp);
    if (this.live) return this.#watch.made(await this.#preview(await picture, { timestamp, dropped, start }));
    this.cancel();
    const run = (this.#run = new AbortController());
    const { signal } = run;
    const check = () => {
      if (signal.aborted) throw cancelled();
    };
    const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(cancelled())));
    ended.catch(() => {}); // also if nothing awaits it
    // Decoding cannot be aborted. Its result is used by the next analysis of this image.
    const whole = await Promise.race([picture, ended]);
    const about = { timestamp, dropped, start };
    if (this.#held || whole.pixels > large) {
      const frame = await this.#preview(whole, about);
      if (whole === (await this.#picture?.made)) this.#watch.preview(frame);
      check();
    }
    await Promise.race([this.#held?.released, ended]);
    check();
    const result = await this.#engine.vessels(whole.whole, {
      ...this.#parameters,
      measures: true,
      signal,
      onProgress: (done: number) => !signal.aborted && this.#watch.progress(done),
    });
    check();
    return this.#watch.made(Object.assign(result, frameOf(whole, about), { preview: false }));
  }

  async #preview(picture: VesselPicture, about: About): Promise<VesselFrame> {
    const work = this.#previews.then(async () => {
      const { source, ratio, pixels } = await picture.small(this.#budget);
      const { sigma = 0, ...rest } = this.#parameters;
      const start = performance.now();
      const result = await this.#engine.vessels(source, {
        ...rest,
        sigma: sigma === 'auto' ? sigma : sigma / ratio,
        measures: false,
      });
      this.#adapt(performance.now() - start, pixels);
      return Object.assign(result, frameOf(picture, about), { preview: true });
    });
    this.#previews = work.catch(() => {});
    return work;
  }

  /** Uses more pixels if there is time for them. */
  #adapt(milliseconds: number, pixels: number): void {
    const could = (pixels * wanted) / Math.max(1, milliseconds);
    const next = this.#budget + 0.5 * (could - this.#budget);
    this.#budget = Math.max(budgets.least, Math.min(budgets.most, next));
  }

  #take(source: Source, timestamp: number): Promise<VesselPicture> {
    const known = this.#picture;
    if (known && known.source === source && known.timestamp === timestamp) return known.made;
    this.#forget();
    const made = VesselPicture.of(source);
    made.catch(() => this.#picture?.made === made && (this.#picture = null));
    this.#picture = { source, timestamp, made };
    return made;
  }

  #forget(): void {
    const made = this.#picture?.made;
    this.#picture = null;
    // After the preview that may still read it.
    void Promise.all([made, this.#previews]).then(
      ([picture]) => picture?.close(),
      () => {},
    );
  }

  async reset(): Promise<void> {
    this.cancel();
    this.#forget();
  }

  async setParameters(parameters: Record<string, unknown>): Promise<void> {
    this.#parameters = checked(parameters as VesselOptions);
    this.cancel();
  }

  dispose(): Promise<void> {
    this.hold(false);
    return this.reset();
  }
}

interface About {
  timestamp: number;
  dropped: number;
  start: number;
}

const frameOf = ({ width, height }: VesselPicture, { timestamp, dropped, start }: About) => ({
  ...{ timestamp, dropped, width, height },
  milliseconds: performance.now() - start,
});

function checked(parameters: VesselOptions): VesselOptions {
  resolveParameters(vesselParameters, parameters as never, 'The settings');
  return parameters;
}
