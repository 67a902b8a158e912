/** Linear interpolation between the centers of samples, in whole numbers, one sample after the other. */
import { make, type Reference, type ReferenceImage } from './image.ts';

/** Neighbors of sample t of the enlarged line and the weight of the second, in parts of 2 factor. */
function between(t: number, factor: number, size: number): [number, number, number] {
  const at = (t + 0.5) / factor - 0.5;
  const first = Math.floor(at);
  const weight = Math.round((at - first) * 2 * factor);
  return [Math.max(0, first), Math.min(size - 1, first + 1), weight];
}

export const references: Readonly<Record<string, Reference>> = {
  'image/enlarge': ([image], params) => {
    const { width, height, data } = image as ReferenceImage;
    const factor = params.factor as number;
    const whole = 2 * factor;
    return [
      make(width * factor, height * factor, 'u8', (x, y) => {
        const [x0, x1, u] = between(x, factor, width);
        const [y0, y1, v] = between(y, factor, height);
        const at = (column: number, row: number) => data[row * width + column]!;
        const top = at(x0, y0) * (whole - u) + at(x1, y0) * u;
        const bottom = at(x0, y1) * (whole - u) + at(x1, y1) * u;
        return Math.floor((top * (whole - v) + bottom * v) / (whole * whole) + 0.5);
      }),
    ];
  },
};
