/**
 * Converts samples to the displayed form of a frame: rotated and mirrored as the recording specifies, and stretched if
 * its pixels are not square. Gray images need only the luma of a frame. So there is no color conversion, and pages and
 * Node produce equal bytes.
 */

/**
 * Like `rotation` and `flip` of a VideoFrame: rotated clockwise by 0, 90, 180 or 270 degrees, then mirrored left to
 * right.
 */
export interface Orientation {
  readonly rotation: number;
  readonly flip: boolean;
}

export const upright: Orientation = { rotation: 0, flip: false };

/** The orientation nearest to a display matrix. The matrix maps a point's x to (a, b) and its y to (c, d). */
export function orientationOf(a: number, b: number, c: number, d: number): Orientation {
  const flip = a * d < b * c;
  const quarters = Math.round((2 * Math.atan2(b, flip ? -a : a)) / Math.PI);
  return { rotation: 90 * ((quarters + 4) % 4), flip };
}

/** Whether width and height are swapped. */
export const isSideways = ({ rotation }: Orientation): boolean => rotation % 180 !== 0;

/** One plane of a frame: rows of `width` samples of `bytes` bytes each, `stride` bytes apart. */
export interface SamplePlane {
  data: Uint8Array;
  offset: number;
  stride: number;
  width: number;
  height: number;
  bytes: number;
}

export const tightPlane = (width: number, height: number, bytes: number): SamplePlane => ({
  ...{ data: new Uint8Array(width * height * bytes), offset: 0, stride: width * bytes },
  ...{ width, height, bytes },
});

/** Columns and rows processed together, so that rotated rows stay in the cache. */
const TILE = 64;

/** A new plane. */
export function turned(from: SamplePlane, { rotation, flip }: Orientation): SamplePlane {
  const { width: w, height: h, bytes, stride } = from;
  const [width, height] = isSideways({ rotation, flip }) ? [h, w] : [w, h];
  const to = tightPlane(width, height, bytes);
  // Source position of the sample at x, y, before mirroring.
  const source = (x: number, y: number): [number, number] => {
    if (rotation === 90) return [y, h - 1 - x];
    if (rotation === 180) return [w - 1 - x, h - 1 - y];
    return rotation === 270 ? [w - 1 - y, x] : [x, y];
  };
  const place = (x: number, y: number) => {
    const [u, v] = source(flip ? width - 1 - x : x, y);
    return from.offset + v * stride + u * bytes;
  };
  const start = place(0, 0);
  const [stepX, stepY] = [place(1, 0) - start, place(0, 1) - start];
  for (let top = 0; top < height; top += TILE)
    for (let left = 0; left < width; left += TILE)
      for (let y = top, bottom = Math.min(height, top + TILE); y < bottom; y++)
        for (let x = left, right = Math.min(width, left + TILE); x < right; x++) {
          const at = start + x * stepX + y * stepY;
          const out = (y * width + x) * bytes;
          for (let b = 0; b < bytes; b++) to.data[out + b] = from.data[at + b]!;
        }
  return to;
}

/** For each of `to` positions along `from` samples: the previous sample, and the weight of the next one, 0..256. */
function between(from: number, to: number): { before: Int32Array; weight: Int32Array } {
  const before = new Int32Array(to);
  const weight = new Int32Array(to);
  for (let i = 0; i < to; i++) {
    const place = Math.min(from - 1, Math.max(0, ((i + 0.5) * from) / to - 0.5));
    before[i] = Math.min(Math.max(0, from - 2), Math.floor(place));
    weight[i] = Math.round(256 * (place - before[i]!));
  }
  return { before, weight };
}

/** A new plane of 8-bit samples, bilinear. */
export function stretched(from: SamplePlane, width: number, height: number): SamplePlane {
  const { data, offset, stride, bytes } = from;
  const to = tightPlane(width, height, bytes);
  const [across, down] = [between(from.width, width), between(from.height, height)];
  const right = from.width > 1 ? bytes : 0;
  const below = from.height > 1 ? stride : 0;
  for (let y = 0, out = 0; y < height; y++) {
    const row = offset + down.before[y]! * stride;
    const v = down.weight[y]!;
    for (let x = 0; x < width; x++) {
      const u = across.weight[x]!;
      for (let b = 0; b < bytes; b++) {
        const at = row + across.before[x]! * bytes + b;
        const upper = data[at]! * (256 - u) + data[at + right]! * u;
        const lower = data[at + below]! * (256 - u) + data[at + below + right]! * u;
        to.data[out++] = (upper * (256 - v) + lower * v + 32768) >> 16;
      }
    }
  }
  return to;
}

/**
 * The plane with square pixels and the right orientation. `width` and `height` are the size with square pixels, before
 * rotation. Returns the plane itself if nothing changes.
 */
export function asShown(plane: SamplePlane, width: number, height: number, orientation: Orientation): SamplePlane {
  const square = plane.width === width && plane.height === height ? plane : stretched(plane, width, height);
  return orientation.rotation || orientation.flip ? turned(square, orientation) : square;
}

/**
 * Converts samples of more than 8 bits (low byte first) to 8 bits, with a table of all values, or by keeping the upper
 * 8 of `bits`.
 */
export function narrowed(from: SamplePlane, channels: number, bits: number, levels?: Uint8Array): SamplePlane {
  const { data, offset, stride, width, height } = from;
  const to = tightPlane(width, height, channels);
  const shift = bits - 8;
  for (let y = 0, out = 0; y < height; y++)
    for (let at = offset + y * stride, end = at + 2 * channels * width; at < end; at += 2) {
      const value = data[at]! | (data[at + 1]! << 8);
      to.data[out++] = levels ? levels[value]! : value >> shift;
    }
  return to;
}

/**
 * Display size of an image whose pixels are `aspect` times as wide as high. Browsers enlarge one dimension and do not
 * shrink the other.
 */
export function squareSize(width: number, height: number, aspect: number): [width: number, height: number] {
  if (!(aspect > 0) || !Number.isFinite(aspect)) return [width, height];
  return aspect >= 1 ? [Math.round(width * aspect), height] : [width, Math.round(height / aspect)];
}
