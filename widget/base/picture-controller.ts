/** The displayed image and its overlay: the drawn result, masks from files, and the export as PNG. */
import { FoveolaError, readImage, type GrayImage } from '../../src/index.ts';
import type { Feed } from './feed.ts';
import { Overlay, type Drawing } from './overlay.ts';
import type { Host } from './host.ts';
import type { AnyResult } from './kind.ts';
import type { StateController } from './state-controller.ts';

// Reads masks from image files and the displayed pixels, and encodes PNG.

/** Image types for file pickers. DICOM files often do not have a type, and TIFF files lack one on some systems. */
export const imageFiles = 'image/*,application/dicom,.dcm,.tif,.tiff,.pgm,.ppm,.pbm,.pnm,.pam';

/** Reads an image as a mask: bright opaque pixels will be filled. */
export async function readMask(file: Blob): Promise<GrayImage> {
  const { width, height, data } = (await readImage(file)).image;
  const mask = new Uint8Array(width * height);
  if (data.length === mask.length) mask.set(data.map((value) => (value > 127 ? 255 : 0)));
  else
    for (let i = 0; i < mask.length; i++) {
      const [r, g, b, a] = [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!, data[4 * i + 3]!];
      if (a > 127 && 0.299 * r + 0.587 * g + 0.114 * b > 127) mask[i] = 255;
    }
  return { width, height, data: mask };
}

export async function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new FoveolaError('out-of-memory', 'The browser could not make a PNG of this size.');
  return blob;
}

/** The server must allow the page to read its image. */
export const notShared = (name: string, done: string, cause: unknown): FoveolaError =>
  new FoveolaError('source-tainted', `The server of ${name} does not share it. It can be shown but not ${done}.`, {
    cause,
  });

/** Returns the image that a source shows now. Throws 'source-tainted'. */
export function pictureOf({ element, width, height, name }: Feed): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(element, 0, 0, width, height);
  try {
    return context.getImageData(0, 0, width, height);
  } catch (cause) {
    throw notShared(name, 'filled or saved', cause);
  }
}

// The displayed image and its overlay: the drawn result, and the export as PNG.

// The image with the overlay as a PNG of the source's size.

const smallest = 640;

/** Paints the image and the overlay on a canvas, and sets its size. `feed` sets the size, `picture` has the pixels. */
function paintSnapshot(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  feed: Pick<Feed, 'width' | 'height'>,
  picture: CanvasImageSource,
  overlay: Overlay,
  mirror: boolean,
): void {
  // Small images are enlarged by whole numbers, so that drawn lines stay thin.
  const scale = Math.max(1, Math.round(smallest / feed.width));
  const width = feed.width * scale;
  const height = feed.height * scale;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.imageSmoothingEnabled = false;
  context.save();
  if (mirror) {
    context.translate(width, 0);
    context.scale(-1, 1);
  }
  context.drawImage(picture, 0, 0, width, height);
  context.restore();
  overlay.drawOn(context, scale, width, height);
}

async function takeSnapshot(feed: Feed, overlay: Overlay, mirror: boolean): Promise<Blob> {
  const canvas = document.createElement('canvas');
  paintSnapshot(canvas, feed, feed.element, overlay, mirror);
  const blob = await new Promise<Blob | null>((resolve, reject) => {
    try {
      canvas.toBlob(resolve, 'image/png');
    } catch (error) {
      reject(notShared(feed.name, 'saved', error));
    }
  });
  if (!blob) throw new FoveolaError('out-of-memory', 'The browser could not make a PNG of this size.');
  return blob;
}

export class PictureController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  #overlay: Overlay | null = null;
  /** The element below the overlay. Undefined: none yet. */
  #attached: object | null | undefined;
  /** The drawn result of the displayed image. Null: unknown. */
  result: R | null = null;
  /** Shows the image of a frame over the video. */
  readonly canvas = document.createElement('canvas');

  constructor(host: Host<R>, state: StateController<R>) {
    this.#host = host;
    this.#state = state;
    host.add(this);
  }

  /** The displayed element: the source's media element, or the image of an analyzed frame over it. */
  get shown(): HTMLVideoElement | HTMLImageElement | HTMLCanvasElement | null {
    const { pictureStands, feed } = this.#host.shown;
    return pictureStands ? this.canvas : (feed?.element ?? null);
  }

  draw(drawing: Drawing): void {
    this.#overlay?.draw(drawing);
  }

  /** Draws the overlay at once over the image of a frame. */
  paint(): void {
    if (this.#host.shown.pictureStands) this.#overlay?.paint();
  }

  /** The image has moved. */
  moved(): void {
    this.#overlay?.moved();
  }

  /** The source shows a new frame, with this result. */
  shows(result: R): void {
    this.#host.store.set({ pictureStands: false });
    this.result = result;
  }

  /** The result of the displayed image is not known. */
  leave(): void {
    this.#host.store.set({ pictureStands: false });
    this.result = null;
    this.#overlay?.clear();
  }

  /** Shows the image of a frame. Not possible for a video of the page, which is located elsewhere. */
  showFrame(picture: CanvasImageSource | null, result: R): boolean {
    const { width, height, external } = this.#host.shown.feed!;
    const context = this.canvas?.getContext('2d');
    if (!picture || external || !context) return false;
    const { canvas } = this;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.drawImage(picture, 0, 0, width, height);
    this.#host.store.set({ pictureStands: true });
    this.result = result;
    this.#host.kind.draw();
    return true;
  }

  /** Prepares the overlay of a frame that is not displayed, for `paintOn`. */
  prepare(result: R | null): void {
    this.result = result;
    this.#host.kind.draw();
  }

  /** Returns the image with the overlay as PNG. */
  async snapshot(): Promise<Blob> {
    const { feed } = this.#host.shown;
    if (!feed || !this.#overlay) throw new FoveolaError('source-not-ready', 'No image is open. Open a source first.');
    return takeSnapshot({ ...feed, element: this.shown! }, this.#overlay, this.#host.element.mirror);
  }

  /** Copies it to the clipboard. Starts at once, since browsers require a user gesture. */
  async copy(): Promise<void> {
    const png = this.snapshot();
    png.catch(() => {});
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    } catch (cause) {
      await png; // so that errors of the image are not reported as clipboard errors
      throw new FoveolaError(
        'clipboard-refused',
        'The image was not copied. The clipboard needs an https page, a click, and allow="clipboard-write" in a frame. Otherwise, use a file.',
        { cause },
      );
    }
    this.#state.announce(this.#host.strings.copied);
  }

  /** Paints the image with the overlay on a canvas, if an image is shown. `picture`: replaces the displayed image. */
  paintOn(canvas: HTMLCanvasElement | OffscreenCanvas, picture: CanvasImageSource | null = this.shown): void {
    const { feed } = this.#host.shown;
    if (feed && picture && this.#overlay)
      paintSnapshot(canvas, feed, picture, this.#overlay, this.#host.element.mirror);
  }

  forgetFrame(): void {
    this.result = null;
    this.#overlay?.clear();
    this.#state.setMeaning(null);
    this.#state.silence();
  }

  forget(): void {
    this.#host.store.set({ pictureStands: false });
  }

  /** Called when the stage exists, for the first time or again. Before the first render nothing can be drawn. */
  furnish(): void {
    const canvas = this.#host.find<HTMLCanvasElement>('canvas.overlay');
    if (!canvas) return;
    this.#overlay ??= new Overlay(
      canvas,
      this.#host.element,
      (work) => this.#host.pageTime.measure('overlay', work),
      (view) => this.#host.tell('viewChanged', view, canvas),
    );
  }

  updated(): void {
    const overlay = this.#overlay;
    if (!overlay) return;
    overlay.mirror = this.#host.element.mirror;
    const { feed } = this.#host.shown;
    if (feed === this.#attached) return;
    this.#attached = feed;
    overlay.attach(feed?.element ?? null, feed?.width ?? 0, feed?.height ?? 0, feed?.external ?? false);
  }

  /** The stage takes the shape of the picture, and keeps it until the next one. */
  begin({ width, height }: Feed): void {
    this.#host.find('.stage')?.style.setProperty('--_ratio', `${width} / ${height}`);
  }

  left(): void {
    this.#overlay?.close();
    this.#overlay = null;
    this.#attached = undefined;
  }
}
