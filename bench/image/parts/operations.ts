/** The image stages as calls, under the names of native.py; each returns new planes that the caller disposes of. */
import * as image from '../../../src/image/index.ts';
import type { Plane, PlaneFormat } from '../../../src/runtime/plane.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';

export type Operations = Record<string, () => readonly Plane[]>;

/** Four samples of the gray image in each pixel, shifted against each other: RGBA as native.py makes it. */
export function rgbaOf(gray: Uint8Array, width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(4 * gray.length);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      rgba[4 * i] = rgba[4 * i + 3] = gray[i]!;
      rgba[4 * i + 1] = gray[((y + height - 1) % height) * width + x]!;
      rgba[4 * i + 2] = gray[y * width + ((x + width - 1) % width)]!;
    }
  return rgba;
}

export function imageOperations(runtime: Runtime, gray: Uint8Array, width: number, height: number): Operations {
  const plane = (format: PlaneFormat, data: Uint8Array | Float32Array) => runtime.plane(width, height, format, data);
  const source = plane('u8', gray);
  const colors = plane('rgba8', rgbaOf(gray, width, height));
  const floats = plane('f32', Float32Array.from(gray));
  const mask = plane(
    'u8',
    gray.map((value) => (value > 110 ? 255 : 0)),
  );
  const compacted = compactedIn(runtime);
  return {
    'gray from RGBA': () => driveNow(runtime, (scope) => image.gray.wasm(scope, [colors], {})),
    'Gaussian 5x5, sigma 2': () =>
      driveNow(runtime, (scope) => image.gaussian.wasm(scope, [source], { size: 5, sigma: 2 })),
    'Gaussian 9x9, sigma 1.7': () =>
      driveNow(runtime, (scope) => image.gaussian.wasm(scope, [source], { size: 9, sigma: 1.7 })),
    'median 3': () => driveNow(runtime, (scope) => image.median.wasm(scope, [source], { size: 3 })),
    'median 7': () => driveNow(runtime, (scope) => image.median.wasm(scope, [source], { size: 7 })),
    'median 11': () => driveNow(runtime, (scope) => image.median.wasm(scope, [source], { size: 11 })),
    'erosion 19': () => driveNow(runtime, (scope) => image.erode.wasm(scope, [source], { size: 19 })),
    'dilation 19': () => driveNow(runtime, (scope) => image.dilate.wasm(scope, [source], { size: 19 })),
    'top-hat 19': () => driveNow(runtime, (scope) => image.topHat.wasm(scope, [source], { size: 19 })),
    threshold: () => driveNow(runtime, (scope) => image.threshold.wasm(scope, [source], { level: 110, value: 255 })),
    'Sobel dx and dy, 16 bits': () =>
      driveNow(runtime, (scope) => image.gradient.wasm(scope, [source], { derivative: 'sobel' })),
    'Scharr dx and dy, 16 bits': () =>
      driveNow(runtime, (scope) => image.gradient.wasm(scope, [source], { derivative: 'scharr' })),
    'Sobel dx and dy, floats': () =>
      driveNow(runtime, (scope) => image.gradientFloat.wasm(scope, [floats], { derivative: 'sobel' })),
    integral: () => driveNow(runtime, (scope) => image.integral.wasm(scope, [source], {})),
    'integral and squares': () => [
      ...driveNow(runtime, (scope) => image.integral.wasm(scope, [source], {})),
      ...driveNow(runtime, (scope) => image.integralSquares.wasm(scope, [source], {})),
    ],
    components: () => driveNow(runtime, (scope) => image.components.wasm(scope, [mask], {})),
    'components, statistics': () => [
      driveNow(runtime, (scope) => image.labelComponents(scope, mask, { statistics: true })).labels,
    ],
    'pyramid level': () => driveNow(runtime, (scope) => image.pyramidDown.wasm(scope, [source], { border: 'reflect' })),
    histogram: () => driveNow(runtime, (scope) => image.histogram.wasm(scope, [source], {})),
    'minimum, maximum and sum': () => (driveNow(runtime, (scope) => image.reduceIntegers(scope, source)), []),
    compaction: () => compacted(mask),
  };
}

/** The list stays in the linear memory. */
const compactedIn = (runtime: Runtime) => (source: Plane) => {
  driveNow(runtime, (scope) => image.compactTo(scope, source, 0, scope.block(4 * (source.width * source.height + 4))));
  return [];
};

/** Ten million samples as 4000 x 2500. */
export const LARGE = { width: 4000, height: 2500 } as const;

/** The bytes, words and floats of the large case; native-large.py makes the same. */
export function largeData() {
  const n = LARGE.width * LARGE.height;
  const bytes = new Uint8Array(n);
  for (let i = 0, state = 1; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[i] = state >>> 0 < 0.3 * 2 ** 32 ? (state >>> 8) & 255 : 0; // three tenths of them
  }
  return { bytes, words: Uint32Array.from(bytes, (v) => v * 65537), floats: Float32Array.from(bytes, (v) => v / 255) };
}

export function largeOperations(runtime: Runtime, { bytes, words, floats }: ReturnType<typeof largeData>): Operations {
  const { width, height } = LARGE;
  const [u8, u32, f32] = [
    runtime.plane(width, height, 'u8', bytes),
    runtime.plane(width, height, 'u32', words),
    runtime.plane(width, height, 'f32', floats),
  ];
  const compacted = compactedIn(runtime);
  return {
    'inclusive scan of bytes': () => driveNow(runtime, (scope) => image.scan.wasm(scope, [u8], { inclusive: true })),
    'inclusive scan of 32 bits': () =>
      driveNow(runtime, (scope) => image.scan32.wasm(scope, [u32], { inclusive: true })),
    compaction: () => compacted(u8),
    'sum, minimum, maximum of bytes': () => (driveNow(runtime, (scope) => image.reduceIntegers(scope, u8)), []),
    'sum, minimum, maximum of 32 bits': () => (driveNow(runtime, (scope) => image.reduceIntegers(scope, u32)), []),
    'sum, minimum, maximum of floats': () => (driveNow(runtime, (scope) => image.reduceFloats(scope, f32)), []),
  };
}

/** The same in plain JavaScript loops. */
export function largeLoops({ bytes, words, floats }: ReturnType<typeof largeData>): Record<string, () => unknown> {
  const scanned = new Uint32Array(bytes.length);
  const scan = (list: Uint8Array | Uint32Array) => () => {
    let sum = 0;
    for (let i = 0; i < list.length; i++) scanned[i] = sum = (sum + list[i]!) | 0;
  };
  const extremes = (list: Uint8Array | Uint32Array | Float32Array) => () => {
    let [sum, min, max] = [0, Infinity, -Infinity];
    for (let i = 0; i < list.length; i++) {
      const value = list[i]!;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    return [sum, min, max];
  };
  return {
    'inclusive scan of bytes': scan(bytes),
    'inclusive scan of 32 bits': scan(words),
    compaction: () => {
      let n = 0;
      for (let i = 0; i < bytes.length; i++) if (bytes[i]! > 0) scanned[n++] = i;
      return n;
    },
    'sum, minimum, maximum of bytes': extremes(bytes),
    'sum, minimum, maximum of 32 bits': extremes(words),
    'sum, minimum, maximum of floats': extremes(floats),
  };
}

/** Median milliseconds of a call over about `budget` ms; outputs are freed outside of the clock. */
export function timeOf(call: () => unknown, budget: number): number {
  const times: number[] = [];
  const end = performance.now() + budget;
  while (times.length < 3 || performance.now() < end) {
    const start = performance.now();
    const out = call();
    times.push(performance.now() - start);
    if (Array.isArray(out)) for (const plane of out) (plane as Partial<Plane>)?.dispose?.();
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}
