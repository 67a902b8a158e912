/** Pictures of a photograph: its thumbnail, a small copy, and the copy in the frame of another photograph. */
import type { Similarity, VisitVessels } from '../../src/internal.ts';

/** Longer side of a thumbnail and of a small copy, in pixels. */
const SIDE = { thumbnail: 128, copy: 1200 };

function small(media: HTMLElement, width: number, height: number, side: number): HTMLCanvasElement {
  const ratio = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(ratio * width));
  canvas.height = Math.max(1, Math.round(ratio * height));
  canvas.getContext('2d')!.drawImage(media as HTMLCanvasElement, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export function thumbnailOf(media: HTMLElement, width: number, height: number): HTMLCanvasElement {
  const canvas = small(media, width, height, SIDE.thumbnail);
  canvas.className = 'thumbnail';
  canvas.setAttribute('aria-hidden', 'true');
  return canvas;
}

/** Compressed, since a batch may have hundreds. */
export async function pictureOf(media: HTMLElement, width: number, height: number): Promise<Blob> {
  const canvas = small(media, width, height, SIDE.copy);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No copy of the image.'))), 'image/jpeg', 0.9),
  );
}

/** Draws a visit with its center lines in the frame of another one, turned and moved by `by`. */
export async function drawVisit(
  canvas: HTMLCanvasElement,
  { width, height, picture, segments }: VisitVessels & { readonly picture: Blob },
  frame: VisitVessels,
  by: Similarity | null,
  color: string,
): Promise<void> {
  const own = by ? frame : { width, height };
  const ratio = SIDE.copy / Math.max(own.width, own.height);
  canvas.width = Math.round(ratio * own.width);
  canvas.height = Math.round(ratio * own.height);
  const bitmap = await createImageBitmap(picture);
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  if (by) context.transform(by.a, by.b, -by.b, by.a, by.x, by.y);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  context.strokeStyle = color;
  context.lineWidth = 1.5 / ratio;
  context.beginPath();
  for (const { points } of segments)
    for (let k = 0; k < points.length; k += 2)
      if (k) context.lineTo(points[k]! + 0.5, points[k + 1]! + 0.5);
      else context.moveTo(points[k]! + 0.5, points[k + 1]! + 0.5);
  context.stroke();
  const { disc } = frame;
  if (!disc) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.strokeStyle = '#fff';
  context.beginPath();
  context.arc(disc.x + 0.5, disc.y + 0.5, disc.radius, 0, 2 * Math.PI);
  if (by || (own.width === frame.width && own.height === frame.height)) context.stroke();
}
