/** References of the stages of faces: reduction, windows of a cascade, their confirmation and their groups, landmarks. */
import type { Cascade } from '../../src/models/cascade.ts';
import type { LandmarkModel, PackedLandmarks } from '../../src/models/landmarks.ts';
import { judgeWindow, leastVariance } from './faces-cascade.ts';
import { irises } from './faces-iris.ts';
import { templateValues } from './faces-judge.ts';
import { landmarks } from './faces-landmarks.ts';
import { type Reference, make, type ReferenceImage, type ReferenceValue } from './image.ts';

/** Half-way cases to the even number. */
const even = (v: number) => {
  const low = Math.floor(v);
  return v - low > 0.5 || (v - low === 0.5 && low % 2) ? low + 1 : low;
};

/** Bilinear with weights of 8 bits, as OpenCV's INTER_LINEAR_EXACT. */
function resized(image: ReferenceImage, width: number, height: number): ReferenceImage {
  const sample = (i: number, from: number, to: number): [number, number, number] => {
    const at = (from / to) * (i + 0.5) - 0.5;
    const low = Math.floor(at);
    const first = Math.min(Math.max(low, 0), from - 1);
    return [first, Math.min(first + 1, from - 1), low >= 0 && low < from - 1 ? even((at - low) * 256) : 0];
  };
  const row = (y: number, [a, b, w]: [number, number, number]) =>
    image.data[y * image.width + a]! * (256 - w) + image.data[y * image.width + b]! * w;
  return make(width, height, 'u8', (x, y) => {
    const across = sample(x, image.width, width);
    const [above, below, w] = sample(y, image.height, height);
    return (row(above, across) * (256 - w) + row(below, across) * w + 32768) >> 16;
  });
}

/** Halved by means while that is possible, the rest bilinear. */
export function reduceSize([source]: readonly ReferenceImage[], { longest }: { longest: number }): ReferenceImage[] {
  const scale = longest / Math.max(source!.width, source!.height);
  const [width, height] = [source!.width, source!.height].map((side) => Math.max(1, Math.round(side * scale)));
  let image = source!;
  while (image.width >= 2 * width! && image.height >= 2 * height!) {
    const { width: w, data } = image;
    image = make(w >> 1, image.height >> 1, 'u8', (x, y) => {
      const at = 2 * y * w + 2 * x;
      return (data[at]! + data[at + 1]! + data[at + w]! + data[at + w + 1]! + 2) >> 2;
    });
  }
  return [image.width === width && image.height === height ? image : resized(image, width!, height!)];
}

type Scaled = { scaleFactor: number; step: number; minSize: number; maxSize: number; faint?: boolean };

/** Windows that pass in images that are scaled; a window right of one that fails the first stage is left out. */
export function cascadeWindows(
  [image, cascade]: readonly [ReferenceImage, Cascade],
  { scaleFactor, step, minSize, maxSize, faint }: Scaled,
): ReferenceValue[] {
  const least = faint ? leastVariance(image) : 100;
  const found: number[] = [];
  for (let s = 1; ; s *= scaleFactor) {
    const scale = Math.fround(s);
    const window = [even(cascade.width * s), even(cascade.height * s)] as [number, number];
    if (window[0] > image.width || window[1] > image.height) break;
    if (maxSize && Math.max(...window) > maxSize) break;
    if (Math.min(...window) < minSize) continue;
    const [width, height] = [even(image.width / scale), even(image.height / scale)];
    const shown = width === image.width && height === image.height ? image : resized(image, width, height);
    const pixels = step || (scale >= 2 ? 1 : 2);
    for (let y = 0; y < height - cascade.height; y += pixels) {
      let skip = false;
      for (let x = 0; x < width - cascade.width; x += pixels) {
        if (skip) {
          skip = false;
          continue;
        }
        const { refused, stagesPassed } = judgeWindow(cascade, shown, x, y, 1, least);
        skip = !refused && stagesPassed === 0;
        if (stagesPassed === cascade.stages.length) found.push(even(x * scale), even(y * scale), ...window);
      }
    }
  }
  return [Int32Array.from(found)];
}

/** Of 7 sizes and 8 x 8 places about each box the windows that pass. */
export function confirmedWindows([image, cascade, boxes]: readonly [ReferenceImage, Cascade, Float64Array]) {
  const counts: number[] = [];
  const at = (x: number, y: number) => {
    const axis = (v: number, n: number): [number, number, number] => {
      const low = Math.floor(v);
      const first = Math.min(Math.max(low, 0), n - 1);
      return [first, Math.min(first + 1, n - 1), low >= 0 && low < n - 1 ? Math.round((v - low) * 256) : 0];
    };
    const [a, b, w] = axis(x, image.width);
    const [c, d, v] = axis(y, image.height);
    const row = (j: number) => image.data[j * image.width + a]! * (256 - w) + image.data[j * image.width + b]! * w;
    return (row(c) * (256 - v) + row(d) * v + 32768) >> 16;
  };
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, width, height] = boxes.subarray(i) as unknown as [number, number, number, number];
    let count = 0;
    for (let k = 0; k < 7; k++) {
      const size = 0.84 * 1.06 ** k;
      const [w, h] = [cascade.width + 7, cascade.height + 7];
      const patch = make(w, h, 'u8', (u, v) =>
        at(
          x + (width - 1) / 2 + ((u - (w - 1) / 2) * width * size) / cascade.width,
          y + (height - 1) / 2 + ((v - (h - 1) / 2) * height * size) / cascade.height,
        ),
      );
      for (let n = 0; n < 64; n++)
        if (judgeWindow(cascade, patch, n % 8, n >> 3, 1, leastVariance(image)).stagesPassed === cascade.stages.length)
          count++;
    }
    counts.push(count);
  }
  return [Int32Array.from(counts)];
}

type Four = [number, number, number, number];

const near = ([x, y, w, h]: Four, [u, v, p, q]: Four) => x < u + p && x + w > u && y < v + q && y + h > v;
const alike = ([x, y, w, h]: Four, [u, v, p, q]: Four) => {
  const reach = 10 * Math.max(Math.abs(x - u), Math.abs(y - v), Math.abs(x + w - u - p), Math.abs(y + h - v - q));
  return reach <= Math.min(w, p) + Math.min(h, q);
};

/** Sets of windows that hang together, in the order of their first ones. */
function clusters(windows: Four[], neighbors: (a: Four, b: Four) => boolean): Four[][] {
  const of = windows.map((_, i) => i);
  const root = (i: number): number => (of[i] === i ? i : root(of[i]!));
  windows.forEach((a, i) =>
    windows.forEach((b, j) => {
      if (j < i && neighbors(a, b)) of[Math.max(root(i), root(j))] = Math.min(root(i), root(j));
    }),
  );
  const groups = new Map<number, Four[]>();
  windows.forEach((window, i) => groups.set(root(i), [...(groups.get(root(i)) ?? []), window]));
  return [...groups.values()];
}

const mean = (members: Four[], k: number) => members.reduce((sum, window) => sum + window[k]!, 0) / members.length;
const rounded = (members: Four[], k: number) => {
  const sum = members.reduce((total, window) => total + window[k]!, 0);
  return even(Math.fround(sum * Math.fround(1 / members.length)));
};

export function windowGroups(
  [list]: readonly [Int32Array],
  { grouping, minNeighbors }: { grouping: 'overlap' | 'similarity'; minNeighbors: number },
): ReferenceValue[] {
  const windows = Array.from({ length: list.length / 4 }, (_, i) => [...list.subarray(4 * i, 4 * i + 4)] as Four);
  const faces = (groups: Four[][], side: typeof mean) =>
    groups.map((members) => [...[0, 1, 2, 3].map((k) => side(members, k)), members.length, NaN]);
  if (minNeighbors === 0) return [Float64Array.from(faces(windows.map((one) => [one]), mean).flat())]; // prettier-ignore
  if (grouping === 'overlap') {
    const kept = windows.filter((a) => windows.filter((b) => near(a, b)).length > minNeighbors);
    return [Float64Array.from(faces(clusters(kept, near), mean).flat())];
  }
  const boxes = faces(clusters(windows, alike), rounded).filter((box) => box[4]! > minNeighbors);
  const swallowed = (own: number[]) =>
    boxes.some((other) => {
      const [dx, dy] = [even(other[2]! * 0.2), even(other[3]! * 0.2)];
      return (
        other !== own &&
        own[0]! >= other[0]! - dx &&
        own[1]! >= other[1]! - dy &&
        own[0]! + own[2]! <= other[0]! + other[2]! + dx &&
        own[1]! + own[3]! <= other[1]! + other[3]! + dy &&
        (other[4]! > Math.max(3, own[4]!) || own[4]! < 3)
      );
    });
  return [Float64Array.from(boxes.filter((box) => !swallowed(box)).flat())];
}

/** Faces without a second cascade, in an image that is searched as it is. */
export function detection(
  [image, cascade]: readonly [ReferenceImage, Cascade, readonly Cascade[]],
  params: Scaled & { grouping: 'overlap' | 'similarity'; minNeighbors: number },
): ReferenceValue[] {
  const [windows] = cascadeWindows([image, cascade], params) as [Int32Array];
  const [faces] = windowGroups([windows], params) as [Float64Array];
  const cut = (low: number, size: number, side: number) => {
    const first = Math.max(0, low);
    return [first, Math.min(side, low + size) - first];
  };
  for (let i = 0; i < faces.length; i += 6) {
    const [x, width] = cut(faces[i]!, faces[i + 2]!, image.width);
    const [y, height] = cut(faces[i + 1]!, faces[i + 3]!, image.height);
    faces.set([x!, y!, width!, height!], i);
  }
  return [faces];
}

/** What made-up models were packed from. */
export const unpacked = new WeakMap<PackedLandmarks, LandmarkModel>();

export function landmarksOfBoxes([image, packed, boxes]: readonly [ReferenceImage, PackedLandmarks, Float64Array]) {
  const points: number[] = [];
  for (let i = 0; i < boxes.length; i += 4) {
    const [x, y, width, height] = boxes.subarray(i) as unknown as Four;
    points.push(...landmarks(unpacked.get(packed)!, image, { x, y, width, height }));
  }
  return [Float32Array.from(points), new Float64Array(boxes.length / 4).fill(NaN)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'faces/cascade': cascadeWindows as Reference,
  'faces/confirmation': confirmedWindows,
  'faces/detect': detection as Reference,
  'faces/grouping': windowGroups as Reference,
  'faces/iris': irises as Reference,
  'faces/judge': templateValues as Reference,
  'faces/landmarks': landmarksOfBoxes,
  'faces/resize': reduceSize as Reference,
};
