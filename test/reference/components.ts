import { type Reference, make, type ReferenceImage } from './image.ts';

/** Flood fill from each unlabeled pixel in raster order; and the number of components. */
export function components([source]: readonly ReferenceImage[]): ReferenceImage[] {
  const { width, height, data } = source!;
  const labels = new Uint32Array(width * height);
  let count = 0;
  for (let start = 0; start < labels.length; start++) {
    if (!data[start] || labels[start]) continue;
    labels[start] = ++count;
    for (const open = [start]; open.length;) {
      const i = open.pop()!;
      const [x, y] = [i % width, Math.floor(i / width)];
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const n = ny * width + nx;
          if (!data[n] || labels[n]) continue;
          labels[n] = count;
          open.push(n);
        }
    }
  }
  return [make(width, height, 'u32', (x, y) => labels[y * width + x]!), make(1, 1, 'u32', () => count)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/components': components,
};
