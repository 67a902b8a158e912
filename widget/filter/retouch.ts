/**
 * Manual inpainting: the current image, its painted mask, and the filling in progress. Every stroke and every filling
 * can be undone.
 */
import { FoveolaError, type GrayImage, type InpaintProgress, asFoveolaError } from '../../src/index.ts';
import { paintStroke, type Area } from '../../src/internal.ts';
import { canvasOf } from './draw-results.ts';
import type { FilterEngine } from './tracker.ts';
import type { Deed } from '../tools/settings-controller.ts';

// Mask painted with a brush. It is as large as the image and 255 where painted. Strokes are stored for undo.

interface Stroke {
  /** x and y of each point, in image pixels. */
  readonly points: readonly number[];
  readonly radius: number;
  readonly erase: boolean;
}

export class StrokeMask {
  readonly width: number;
  readonly height: number;
  data: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(width * height);
  }

  /** Number of painted pixels. */
  get count(): number {
    return this.data.reduce((sum, v) => sum + (v ? 1 : 0), 0);
  }

  /**
   * Paints the stroke, starting at its point `from`. Returns the area that may have changed, or null if it is outside.
   */
  paint({ points, radius, erase }: Stroke, from = 0): Area | null {
    return paintStroke(this, points, radius, erase ? 0 : 255, from);
  }
}

interface RetouchHost {
  remember(deed: Deed): void;
  /** Requests a redraw. */
  changed(): void;
  failed(error: FoveolaError): void;
}

/** Color of the mask: red, green, blue, alpha. */
const tint = [255, 64, 96, 150];

export class Retouch {
  readonly width: number;
  readonly height: number;
  /** The mask as an image, drawn over the photograph. */
  readonly tinted = document.createElement('canvas');
  readonly #host: RetouchHost;
  readonly #mask: StrokeMask;
  /** Mask below the strokes: an imported image, or none. */
  #ground: Uint8Array | null = null;
  #strokes: readonly Stroke[] = [];
  #open: { points: number[]; radius: number; erase: boolean } | null = null;
  /** The image after the first filling. Null: the original. */
  #picture: ImageData | null = null;
  #shown: HTMLCanvasElement | null = null;
  #filling: AbortController | null = null;
  #progress: { done: number; patches: number } = { done: 0, patches: 0 };

  constructor(width: number, height: number, host: RetouchHost) {
    this.width = this.tinted.width = width;
    this.height = this.tinted.height = height;
    this.#host = host;
    this.#mask = new StrokeMask(width, height);
  }

  /** The retouched image. Null while it is the original. */
  get shown(): HTMLCanvasElement | null {
    return this.#shown;
  }

  get picture(): ImageData | null {
    return this.#picture;
  }

  get mask(): GrayImage {
    const { width, height } = this;
    return { width, height, data: this.#mask.data.slice() };
  }

  /** Whether any pixel is painted. The last stroke may have erased all of them. */
  get painted(): boolean {
    return this.#strokes.length > 0 || this.#ground !== null || this.#open !== null;
  }

  get filling(): boolean {
    return this.#filling !== null;
  }

  get progress(): { done: number; patches: number } {
    return this.#progress;
  }

  begin(x: number, y: number, radius: number, erase: boolean): void {
    if (this.filling) return;
    this.#open = { points: [x, y], radius, erase };
    this.#paint(this.#mask.paint(this.#open));
  }

  extend(x: number, y: number): void {
    const open = this.#open;
    if (!open) return;
    open.points.push(x, y);
    this.#paint(this.#mask.paint(open, (open.points.length >> 1) - 1));
  }

  end(): void {
    const open = this.#open;
    this.#open = null;
    if (open) this.#change({ strokes: [...this.#strokes, open] });
  }

  /** Sets an image as the mask. Nonzero pixels will be filled. */
  setMask(mask: GrayImage | null): void {
    if (mask && (mask.width !== this.width || mask.height !== this.height))
      throw new FoveolaError(
        'invalid-argument',
        `The mask is ${mask.width}x${mask.height}, the image ${this.width}x${this.height}. Scale the mask to the image's size.`,
      );
    this.#change({ strokes: [], ground: mask && Uint8Array.from(mask.data, (v) => (v ? 255 : 0)) });
  }

  clear(): void {
    if (this.painted) this.setMask(null);
  }

  /** Fills the mask. `original`: the unchanged image. Resolves when it is done, cancelled or failed. */
  async fill(engine: FilterEngine, original: () => ImageData, options: object): Promise<'done' | 'cancelled' | 'none'> {
    if (this.filling || !this.#mask.count) return 'none';
    const controller = (this.#filling = new AbortController());
    this.#progress = { done: 0, patches: 0 };
    this.#host.changed();
    try {
      const picture = await engine.inpaint(this.#picture ?? original(), this.mask, {
        ...options,
        signal: controller.signal,
        onProgress: (done, detail) => {
          this.#progress = { done, patches: (detail as InpaintProgress).patches };
          this.#host.changed();
        },
      });
      this.#change({ picture, strokes: [], ground: null });
      return 'done';
    } catch (error) {
      const { code, partial } = asFoveolaError(error, 'Inpainting');
      if (code !== 'aborted') {
        this.#host.failed(asFoveolaError(error, 'Inpainting'));
        return 'none';
      }
      // Filled pixels stay, and so does the mask: the next filling starts over with all of it.
      if (partial) this.#change({ picture: partial as ImageData });
      return 'cancelled';
    } finally {
      this.#filling = null;
      this.#host.changed();
    }
  }

  cancel(): void {
    this.#filling?.abort();
  }

  /** Changes the displayed state, with undo. */
  #change(next: { picture?: ImageData | null; strokes?: readonly Stroke[]; ground?: Uint8Array | null }): void {
    const before = { picture: this.#picture, strokes: this.#strokes, ground: this.#ground };
    const after = { ...before, ...next };
    const set = (state: typeof before) => {
      if (this.filling) this.cancel();
      this.#set(state);
    };
    this.#set(after);
    this.#host.remember({ undo: () => set(before), redo: () => set(after) });
  }

  #set(state: { picture: ImageData | null; strokes: readonly Stroke[]; ground: Uint8Array | null }): void {
    const { picture, strokes, ground } = state;
    if (picture !== this.#picture) this.#shown = picture && canvasOf(picture);
    this.#picture = picture;
    if (strokes !== this.#strokes || ground !== this.#ground) {
      this.#strokes = strokes;
      this.#ground = ground;
      this.#mask.data = ground?.slice() ?? new Uint8Array(this.width * this.height);
      for (const stroke of strokes) this.#mask.paint(stroke);
      this.#paint({ left: 0, top: 0, right: this.width, bottom: this.height });
    }
    this.#host.changed();
  }

  #paint(area: Area | null): void {
    if (!area) return;
    const { left, top, right, bottom } = area;
    const picture = new ImageData(right - left, bottom - top);
    for (let y = top, at = 0; y < bottom; y++)
      for (let x = left; x < right; x++, at += 4) if (this.#mask.data[y * this.width + x]) picture.data.set(tint, at);
    this.tinted.getContext('2d')!.putImageData(picture, left, top);
    this.#host.changed();
  }
}
