/** The picture with the overlay on it, as a PNG of the source's size. */
import { FoveolaError } from '../../src/index.ts';
import type { Feed } from './feed.ts';
import type { Overlay } from './overlay.ts';

const smallest = 640;

export async function takeSnapshot(feed: Feed, overlay: Overlay, mirror: boolean): Promise<Blob> {
  // Small pictures are enlarged by whole numbers, so that the drawn lines stay lines.
  const scale = Math.max(1, Math.round(smallest / feed.width));
  const canvas = document.createElement('canvas');
  const width = (canvas.width = feed.width * scale);
  const height = (canvas.height = feed.height * scale);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingEnabled = false;
  context.save();
  if (mirror) {
    context.translate(width, 0);
    context.scale(-1, 1);
  }
  context.drawImage(feed.element, 0, 0, width, height);
  context.restore();
  overlay.drawOn(context, scale, width, height);
  const blob = await new Promise<Blob | null>((resolve, reject) => {
    try {
      canvas.toBlob(resolve, 'image/png');
    } catch (error) {
      const text = `${feed.name} comes from a server that does not share it; it may be shown but not saved.`;
      reject(new FoveolaError('source-tainted', text, { cause: error }));
    }
  });
  if (!blob) throw new FoveolaError('out-of-memory', 'The browser could not make a PNG of this size.');
  return blob;
}
