/** The disc inside the lids that correlates best with darkness, plainly: every sample of the eye's grid, every center from the beginning. */
import type { ReferenceImage } from './image.ts';

const [STEP, RADIUS, MARGIN] = [0.05, 0.21, 0.04];
type Point = readonly [number, number];

const clamp = (v: number) => Math.min(1, Math.max(0, v));

/** Bilinear; beyond the picture its border goes on. */
function grayAt({ data, width, height }: ReferenceImage, x: number, y: number): number {
  const [u, v] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  const pixel = (i: number, j: number) => data[Math.min(height - 1, j) * width + Math.min(width - 1, i)]!;
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [a, b] = [u - i, v - j];
  const upper = (1 - a) * pixel(i, j) + a * pixel(i + 1, j);
  return (1 - b) * upper + b * ((1 - a) * pixel(i, j + 1) + a * pixel(i + 1, j + 1));
}

/** Mean of n x n samples of a square. */
function meanAbout(image: ReferenceImage, x: number, y: number, side: number): number {
  const n = Math.min(3, Math.max(1, Math.ceil(side - 0.25)));
  const offsets = Array.from({ length: n }, (_, i) => ((i + 0.5) / n - 0.5) * side);
  const values = offsets.flatMap((dy) => offsets.map((dx) => grayAt(image, x + dx, y + dy)));
  return values.reduce((a, b) => a + b) / values.length;
}

export function irisOfEye(image: ReferenceImage, points: readonly Point[], width: number, skin: Point): number[] {
  const [from, , , to] = points as [Point, Point, Point, Point];
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(long > 0 && width > 0)) return [NaN, NaN, NaN, NaN];
  const axis = [(to[0] - from[0]) / long, (to[1] - from[1]) / long] as const;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] as const;
  const inEye = ([x, y]: Point): Point => {
    const [dx, dy] = [(x - middle[0]) / width, (y - middle[1]) / width];
    return [axis[0] * dx + axis[1] * dy, axis[0] * dy - axis[1] * dx];
  };
  const inPicture = ([u, v]: Point): Point => [
    middle[0] + width * (axis[0] * u - axis[1] * v),
    middle[1] + width * (axis[1] * u + axis[0] * v),
  ];
  const outline = points.map(inEye);
  /** Least distance from the lines through the sides, positive to their right in a picture whose y goes down. */
  const depth = ([u, v]: Point) =>
    Math.min(
      ...outline.map(([a, b], i) => {
        const [c, d] = outline[(i + 1) % 6]!;
        return ((c - a) * (v - b) - (d - b) * (u - a)) / (Math.hypot(c - a, d - b) || 1);
      }),
    );
  const range = (most: number) => Array.from({ length: 2 * most + 1 }, (_, i) => i - most);
  const samples = range(8).flatMap((j) =>
    range(12).map((i) => {
      const place: Point = [STEP * i, STEP * j];
      const [x, y] = inPicture(place);
      return { place, weight: clamp(0.5 + (depth(place) + MARGIN) / STEP), gray: meanAbout(image, x, y, STEP * width) };
    }),
  );
  const weights = samples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = samples.reduce((sum, { weight, gray }) => sum + weight * gray, 0) / weights;
  const variance = samples.reduce((sum, { weight, gray }) => sum + weight * (gray - mean) ** 2, 0) / weights;
  if (!(Math.sqrt(variance) > 0.5)) return [NaN, NaN, NaN, NaN];

  const correlation = ([u, v]: Point): number => {
    const inside = samples.map(({ place, weight }) => {
      const away = Math.hypot(place[0] - u, place[1] - v);
      return away >= RADIUS + STEP / 2 ? 0 : weight * clamp(0.5 + (RADIUS - away) / STEP);
    });
    const n = inside.reduce((a, b) => a + b);
    if (n < (0.4 * Math.PI * RADIUS ** 2) / STEP ** 2 || weights - n < 0.1 * weights) return -1;
    const dark = samples.reduce((sum, { gray }, i) => sum + inside[i]! * gray, 0) / n;
    const rest = samples.reduce((sum, { gray, weight }, i) => sum + (weight - inside[i]!) * gray, 0) / (weights - n);
    return ((rest - dark) * Math.sqrt(n * (weights - n))) / (weights * Math.sqrt(variance));
  };
  let best: { place: Point; value: number } = { place: [0, 0], value: -1 };
  const look = (place: Point) => {
    const value = correlation(place);
    if (value > best.value) best = { place, value };
  };
  for (const v of range(2)) for (const u of range(4)) if (depth([2 * STEP * u, 2 * STEP * v]) > -2 * MARGIN) look([2 * STEP * u, 2 * STEP * v]); // prettier-ignore
  if (!(best.value > 0)) return [NaN, NaN, NaN, NaN];
  for (const step of [STEP, STEP / 2, STEP / 4]) {
    const [u, v] = best.place;
    for (const j of range(1)) for (const i of range(1)) look([u + step * i, v + step * j]);
  }
  const [x, y] = inPicture([0, 0.45]);
  const bare = meanAbout(image, x, y, 0.2 * width) / Math.max(1, meanAbout(image, ...skin, 0.4 * width));
  return [...inPicture(best.place), best.value, bare];
}

export function irises([image, list]: readonly [ReferenceImage, Float64Array]) {
  const eyes = Array.from({ length: list.length / 15 }, (_, i) => [...list.subarray(15 * i, 15 * i + 15)]);
  return [
    Float64Array.from(
      eyes.flatMap((eye) =>
        irisOfEye(
          image,
          Array.from({ length: 6 }, (_, i) => [eye[2 * i]!, eye[2 * i + 1]!] as const),
          eye[12]!,
          [eye[13]!, eye[14]!],
        ),
      ),
    ),
  ];
}
