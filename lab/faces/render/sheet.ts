/** A contact sheet: faces in rows, their points as dots. */
import { encodePng } from './png.ts';

const COLUMNS = 8;

export interface Shown {
  /** RGBA, or gray. */
  data: Uint8Array | Uint8ClampedArray;
  points: ArrayLike<number>;
}

/** PNG of square pictures of `side` pixels. */
export function contactSheet(faces: readonly Shown[], side: number, dots = true): Uint8Array {
  const columns = Math.min(COLUMNS, faces.length);
  const width = columns * side;
  const height = Math.ceil(faces.length / columns) * side;
  const rgb = new Uint8Array(3 * width * height);
  faces.forEach(({ data, points }, k) => {
    const left = (k % columns) * side;
    const top = Math.floor(k / columns) * side;
    const channels = data.length / (side * side);
    const at = (x: number, y: number) => 3 * ((top + y) * width + left + x);
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++)
        for (let c = 0; c < 3; c++) rgb[at(x, y) + c] = data[channels * (y * side + x) + (channels > 1 ? c : 0)];
    if (!dots) return;
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [Math.round(points[i]), Math.round(points[i + 1])];
      if (x >= 0 && y >= 0 && x < side && y < side) rgb.set([0, 255, 0], at(x, y));
    }
  });
  return encodePng(width, height, rgb);
}
