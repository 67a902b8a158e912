/** In a page: how alike the widths of one photograph are at full and at half size. */
import { createEngine } from '../../../src/index.ts';

interface Place {
  x: number;
  y: number;
  width: number;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

export async function repeat(path: string): Promise<{ points: number; ratio: number; spread: number }> {
  const engine = await createEngine({ backend: 'wasm', threads: 1 });
  const bitmap = await createImageBitmap(await (await fetch(`/shared/data/fundus/${path}`)).blob());
  const places: Place[][] = [];
  for (const factor of [1, 2]) {
    const [width, height] = [Math.floor(bitmap.width / factor), Math.floor(bitmap.height / factor)];
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width * factor, height * factor, 0, 0, width, height);
    const image = context.getImageData(0, 0, width, height);
    const { segments = [] } = await engine.vessels(image, { scales: 'all', measures: true });
    places.push(
      segments.flatMap(({ points, widths }) =>
        Array.from(widths, (w, k) => ({
          x: factor * (points[2 * k]! + 0.5),
          y: factor * (points[2 * k + 1]! + 0.5),
          width: factor * w,
        })).filter(({ width: w }) => !Number.isNaN(w)),
      ),
    );
  }
  await engine.dispose();
  const [full, half] = places as [Place[], Place[]];
  const cells = new Map<string, Place[]>();
  const key = (x: number, y: number) => `${Math.floor(x / 16)} ${Math.floor(y / 16)}`;
  for (const place of full) cells.set(key(place.x, place.y), [...(cells.get(key(place.x, place.y)) ?? []), place]);
  const pairs = half.flatMap((place) => {
    const near = (cells.get(key(place.x, place.y)) ?? []).filter((p) => Math.hypot(p.x - place.x, p.y - place.y) < 6);
    return near.length ? [[near[0]!.width, place.width] as const] : [];
  });
  return {
    points: pairs.length,
    ratio: median(pairs.map(([a, b]) => b / a)),
    spread: median(pairs.map(([a, b]) => Math.abs(a - b))),
  };
}
