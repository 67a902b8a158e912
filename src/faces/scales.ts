/** Which windows a search looks at: one entry a scale, in the order in which they are searched. */
import { roundEven } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import { scaledWindow } from './cascade-table.ts';

export interface ScaleOptions {
  /** 'classifier' scales the features, 'image' the image. */
  readonly scaling: 'classifier' | 'image';
  /** From one scale to the next. */
  readonly scaleFactor: number;
  /** Pixels from one window to the next, of the scaled image; 0: 2, but 1 in images of half the size and less. */
  readonly step: number;
  /** Sides of windows in pixels of the image that is searched; 0: no limit. */
  readonly minSize: number;
  readonly maxSize: number;
  /** Faint windows as well: flat-windows.ts. */
  readonly faint?: boolean;
}

export interface Scale {
  readonly scale: number;
  /** Size of the image of this scale. */
  readonly width: number;
  readonly height: number;
  /** The window in pixels of the image that is searched. */
  readonly window: { readonly width: number; readonly height: number };
  readonly step: number;
  /** Windows side by side and one below the other. */
  readonly columns: number;
  readonly rows: number;
}

/** Pixels from one window to the next at a scale; `step` 0: the default. */
export const stepAt = (scaling: ScaleOptions['scaling'], scale: number, step: number): number =>
  step || (scaling === 'image' && scale >= 2 ? 1 : 2);

/** Scales f^k whose window is between the limits and fits the image; OpenCV's rule, whichever way is scaled. */
export function planScales(cascade: Cascade, width: number, height: number, options: ScaleOptions): Scale[] {
  const { scaling, scaleFactor, step, minSize, maxSize } = options;
  const scales: Scale[] = [];
  for (let s = 1; ; s *= scaleFactor) {
    const scale = Math.fround(s); // as OpenCV keeps it
    const window = { width: roundEven(cascade.width * s), height: roundEven(cascade.height * s) };
    if (window.width > width || window.height > height) break;
    if (maxSize && Math.max(window.width, window.height) > maxSize) break;
    if (Math.min(window.width, window.height) < minSize) continue;
    const pixels = stepAt(scaling, scale, step);
    const image =
      scaling === 'image' ? { width: roundEven(width / scale), height: roundEven(height / scale) } : { width, height };
    const reach = scaling === 'image' ? cascade : scaledWindow(cascade, scale);
    // Without the last position, as OpenCV does.
    const count = (side: number, window: number) => Math.ceil(Math.max(0, side - window) / pixels);
    const columns = count(image.width, reach.width);
    const rows = count(image.height, reach.height);
    if (columns > 0 && rows > 0) scales.push({ scale, ...image, window, step: pixels, columns, rows });
  }
  return scales;
}
