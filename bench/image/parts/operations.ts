/** The image stages as calls, under the names of native.py; each returns new planes that the caller disposes of. */
import * as image from '../../../src/image/index.ts';
import type { Plane, PlaneFormat } from '../../../src/runtime/plane.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';

export type Operations = Record<string, () => Plane[]>;

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
  const side = runtime.wasm;
  const plane = (format: PlaneFormat, data: Uint8Array | Float32Array) => runtime.plane(width, height, format, data);
  const source = plane('u8', gray);
  const colours = plane('rgba8', rgbaOf(gray, width, height));
  const floats = plane('f32', Float32Array.from(gray));
  const mask = plane(
    'u8',
    gray.map((value) => (value > 110 ? 255 : 0)),
  );
  return {
    'gray from RGBA': () => image.gray.wasm(side, [colours], {} as never),
    'Gaussian 5x5, sigma 2': () => image.gaussian.wasm(side, [source], { size: 5, sigma: 2 }),
    'Gaussian 9x9, sigma 1.7': () => image.gaussian.wasm(side, [source], { size: 9, sigma: 1.7 }),
    'median 3': () => image.median.wasm(side, [source], { size: 3 }),
    'median 7': () => image.median.wasm(side, [source], { size: 7 }),
    'median 11': () => image.median.wasm(side, [source], { size: 11 }),
    'erosion 19': () => image.erode.wasm(side, [source], { size: 19 }),
    'dilation 19': () => image.dilate.wasm(side, [source], { size: 19 }),
    'top-hat 19': () => image.topHat.wasm(side, [source], { size: 19 }),
    threshold: () => image.threshold.wasm(side, [source], { level: 110, value: 255 }),
    'Sobel dx and dy, 16 bits': () => image.gradient.wasm(side, [source], { derivative: 'sobel' }),
    'Scharr dx and dy, 16 bits': () => image.gradient.wasm(side, [source], { derivative: 'scharr' }),
    'Sobel dx and dy, floats': () => image.gradientFloat.wasm(side, [floats], { derivative: 'sobel' }),
    integral: () => image.integral.wasm(side, [source], {} as never),
    'integral and squares': () => [
      ...image.integral.wasm(side, [source], {} as never),
      ...image.integralSquares.wasm(side, [source], {} as never),
    ],
    components: () => image.components.wasm(side, [mask], {} as never),
    'components, statistics': () => [image.labelComponents(side, mask, { statistics: true }).labels],
    'pyramid level': () => image.pyramidDown.wasm(side, [source], { border: 'reflect' }),
    histogram: () => image.histogram.wasm(side, [source], {} as never),
    'minimum, maximum and sum': () => (image.reduceIntegers(side, source), []),
    compaction: () =>
      side.temporary(4 * (width * height + 4), (list) =>
        side.temporary(4 * (height + 1), (counts) => (image.compactTo(side, mask, 0, list, counts), [])),
      ),
  };
}

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
  const side = runtime.wasm;
  const { width, height } = LARGE;
  const [u8, u32, f32] = [
    runtime.plane(width, height, 'u8', bytes),
    runtime.plane(width, height, 'u32', words),
    runtime.plane(width, height, 'f32', floats),
  ];
  return {
    'inclusive scan of bytes': () => image.scan.wasm(side, [u8], { inclusive: true }),
    'inclusive scan of 32 bits': () => image.scan32.wasm(side, [u32], { inclusive: true }),
    compaction: () =>
      side.temporary(4 * (width * height + 4), (list) =>
        side.temporary(4 * (height + 1), (counts) => (image.compactTo(side, u8, 0, list, counts), [])),
      ),
    'sum, minimum, maximum of bytes': () => (image.reduceIntegers(side, u8), []),
    'sum, minimum, maximum of 32 bits': () => (image.reduceIntegers(side, u32), []),
    'sum, minimum, maximum of floats': () => (image.reduceFloats(side, f32), []),
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
