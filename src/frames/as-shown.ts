/**
 * Samples as a frame is shown: turned and mirrored as its recording says, stretched where its pixels are oblong. The luma of a
 * frame is enough for gray images, so no color conversion takes part, and pages and Node get equal bytes.
 */

/** As `rotation` and `flip` of a VideoFrame: turned clockwise by 0, 90, 180 or 270 degrees, then mirrored left to right. */
export interface Orientation {
  readonly rotation: number;
  readonly flip: boolean;
}

export const upright: Orientation = { rotation: 0, flip: false };

/** The nearest to a display matrix, of which a point's x becomes (a, b) and its y (c, d). */
export function orientationOf(a: number, b: number, c: number, d: number): Orientation {
  const flip = a * d < b * c;
  const quarters = Math.round((2 * Math.atan2(b, flip ? -a : a)) / Math.PI);
  return { rotation: 90 * ((quarters + 4) % 4), flip };
}

/** Whether width and height change places. */
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

/** Columns and rows that are worked on together, so that turned rows stay in the cache. */
const TILE = 64;

/** A new plane. */
export function turned(from: SamplePlane, { rotation, flip }: Orientation): SamplePlane {
  const { width: w, height: h, bytes, stride } = from;
  const [width, height] = isSideways({ rotation, flip }) ? [h, w] : [w, h];
  const to = tightPlane(width, height, bytes);
  // Where the sample of x, y comes from, before it is mirrored.
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

/** Of each of `to` places along `from` samples the one before it and the weight of the next one, 0..256. */
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

/** The plane in the size that it has as it is stored once pixels are square, the right way up; the plane itself where that is so. */
export function asShown(plane: SamplePlane, width: number, height: number, orientation: Orientation): SamplePlane {
  const square = plane.width === width && plane.height === height ? plane : stretched(plane, width, height);
  return orientation.rotation || orientation.flip ? turned(square, orientation) : square;
}

/** Samples of more than 8 bits, the lower byte first, as 8 bits: by a table of all values, or their upper 8 of `bits`. */
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

/** The display size of a picture whose pixels are `aspect` as wide as high: browsers enlarge one side and shrink none. */
export function squareSize(width: number, height: number, aspect: number): [width: number, height: number] {
  if (!(aspect > 0) || !Number.isFinite(aspect)) return [width, height];
  return aspect >= 1 ? [Math.round(width * aspect), height] : [width, Math.round(height / aspect)];
}
