/**
 * Zooming and panning as numbers: a picture that fits its stage, enlarged by `zoom` about the stage's middle and then moved
 * by `x` and `y` CSS pixels. No part of the stage stays empty that the picture could cover.
 */
export interface Zoom {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** Stage and the picture in it where it fits, in CSS pixels. */
export interface Fit {
  readonly width: number;
  readonly height: number;
  readonly pictureWidth: number;
  readonly pictureHeight: number;
}

export const fitted: Zoom = { zoom: 1, x: 0, y: 0 };

/** CSS pixels of a source pixel at the greatest zoom. */
const GREATEST = 16;

const clamp = (v: number, most: number) => Math.max(-most, Math.min(most, v)) + 0; // no -0

/** The nearest place that is allowed; `perPixel`: CSS pixels of a source pixel where the picture fits. */
export function allowed({ zoom, x, y }: Zoom, fit: Fit, perPixel: number): Zoom {
  const most = Math.max(4, GREATEST / Math.max(perPixel, 1e-6));
  const z = Math.max(1, Math.min(most, zoom));
  return {
    zoom: z,
    x: clamp(x, Math.max(0, (z * fit.pictureWidth - fit.width) / 2)),
    y: clamp(y, Math.max(0, (z * fit.pictureHeight - fit.height) / 2)),
  };
}

/** Enlarged `factor` times; what lies at (`px`, `py`), from the stage's middle, stays there. */
export function zoomedAt(now: Zoom, factor: number, px: number, py: number): Zoom {
  return { zoom: now.zoom * factor, x: px - (px - now.x) * factor, y: py - (py - now.y) * factor };
}

/** Moved so that a point, from the stage's middle where the picture fits, is seen; unchanged where it is. */
export function showing(now: Zoom, fit: Fit, px: number, py: number): Zoom {
  const [x, y] = [now.zoom * px + now.x, now.zoom * py + now.y];
  if (Math.abs(x) < 0.45 * fit.width && Math.abs(y) < 0.45 * fit.height) return now;
  return { zoom: now.zoom, x: -now.zoom * px, y: -now.zoom * py };
}
