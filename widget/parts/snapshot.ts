/** The picture with the overlay on it, as a PNG of the source's size. */
import { FoveolaError } from '../../src/index.ts';
import type { Feed } from './feed.ts';
import type { Overlay } from './overlay.ts';
import { notShared } from './picture-files.ts';

const smallest = 640;

/** Paints the picture and the overlay on a canvas, which gets its size by that. `feed` gives the size, `picture` the pixels. */
export function paintSnapshot(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  feed: Pick<Feed, 'width' | 'height'>,
  picture: CanvasImageSource,
  overlay: Overlay,
  mirror: boolean,
): void {
  // Small pictures are enlarged by whole numbers, so that the drawn lines stay lines.
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

export async function takeSnapshot(feed: Feed, overlay: Overlay, mirror: boolean): Promise<Blob> {
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
