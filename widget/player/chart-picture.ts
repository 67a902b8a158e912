/** Charts as a PNG, below the picture or alone. */
import type { Chart } from '../pupil/chart.ts';

/** CSS pixels around each. */
const margin = 8;

/** `picture`: what is shown of the source with its overlay; null: the charts alone. */
export function chartPicture(charts: readonly Chart[], picture: HTMLCanvasElement | null): Promise<Blob | null> {
  const parts = charts.map(({ canvas }) => canvas);
  const ratio = charts[0]!.ratio || devicePixelRatio;
  const width = Math.max(...parts.map((part) => part.width));
  // As wide as the charts, whose letters would else be too small or too large beside it.
  const high = picture ? Math.round((width * picture.height) / picture.width) : 0;
  const gap = Math.round(margin * ratio);
  const canvas = document.createElement('canvas');
  canvas.width = width + 2 * gap;
  canvas.height = high + parts.reduce((sum, part) => sum + part.height + gap, gap);
  const context = canvas.getContext('2d')!;
  context.fillStyle = charts[0]!.colors.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (picture) context.drawImage(picture, gap, gap, width, high);
  let top = high + gap;
  for (const part of parts) {
    context.drawImage(part, gap, top);
    top += part.height + gap;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
