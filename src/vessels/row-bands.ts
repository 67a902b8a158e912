/** Results of large images in planes of a few rows. Planes of the whole image would need too much memory. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane, PlaneFormat } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

/** Pixels of a band per thread. Its planes stay in the cache. */
const BAND_PIXELS = 1 << 18;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rows [from, to) of bands with at most `most` rows. */
export function* bandsOf(height: number, most: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < height; from += most) yield [from, Math.min(height, from + most)];
}

/** Rows of a band of an image. */
export const bandRows = (scope: Scope, { width, height }: Size, pixels = BAND_PIXELS): number =>
  Math.min(height, Math.max(8, Math.floor((pixels * scope.threads) / width)));

/** Address of row 0 of the image if the plane's first row is row `first`. */
export const fromRow = ({ address, stride }: Plane, first: number): { address: number; stride: number } => ({
  address: address - first * stride,
  stride,
});

/** `work(planes, from, to)` computes rows from..to-1 of the image into the first rows of the planes. */
export function* inBands(
  scope: Scope,
  size: Size,
  formats: readonly PlaneFormat[],
  work: (planes: readonly Plane[], from: number, to: number) => Plan<void>,
): Plan<void> {
  const rows = bandRows(scope, size);
  const planes = formats.map((format) => scope.plane(size.width, rows, format));
  for (const [from, to] of bandsOf(size.height, rows)) {
    yield* work(planes, from, to);
    scope.progress(to / size.height);
  }
  for (const plane of planes) scope.free(plane);
}

/** Copies the first rows of a plane to rows from..to-1 of an array of `width` columns. */
export function copyRows(
  scope: Scope,
  { address, stride, format }: Plane,
  out: Float32Array | Uint8Array,
  width: number,
  from: number,
  to: number,
): void {
  const bytes = format === 'f32' ? 4 : 1;
  const target = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  const { u8 } = scope.arena;
  for (let y = from; y < to; y++) {
    const start = address + (y - from) * stride;
    target.set(u8.subarray(start, start + bytes * width), bytes * y * width);
  }
}
