/**
 * Detects the field of view of a fundus photograph: everything except the dark surround. It uses means over blocks
 * (about 192 of them across). The surround is dark and connected to the border of the image. Dark means less than 15 %
 * of the way from the level of the corners to the level of the center. Any aperture is supported: circle, cut circle,
 * rectangle. If the corners are as bright as the center, there is no surround, and the field is the whole image.
 */
import { median } from '../../image/numbers.ts';

export interface FieldOfView {
  /** 1 inside. */
  readonly mask: Float32Array;
  /**
   * The field reduced by one block, and by at least RIM pixels, along its whole border including the edge of the image.
   * Vessels are not searched on the rim. A block at the edge may contain part of the rim, if the field ends there or a
   * few pixels before.
   */
  readonly inner: Float32Array;
  /** Share of blocks inside. */
  readonly area: number;
  /** Whether a dark surround was found. */
  readonly found: boolean;
}

/** Start of the field, as a share of the way from the level of the corners to the level of the center. */
const BEGIN = 0.15;
/** Minimum difference of gray levels between corners and center for a surround, in an image of full brightness. */
const LEAST = 20;
/** An underexposed image has few gray levels. There the corners must be black: darker than the center by this share. */
const BLACK = 0.75;
/** Minimum difference, so that the rounding of a black image does not count. */
const SOME = 4;

/** Minimum width of the rim in pixels. The blocks of a small image are narrower than its soft edge. */
const RIM = 3;

function levels(mean: Float32Array, width: number, height: number): { dark: number; middle: number } {
  const side = Math.max(1, Math.min(width, height) >> 5);
  const within = (x0: number, x1: number, y0: number, y1: number) => {
    const part = new Float32Array((x1 - x0) * (y1 - y0));
    for (let y = y0; y < y1; y++) part.set(mean.subarray(y * width + x0, y * width + x1), (y - y0) * (x1 - x0));
    return median(part);
  };
  const [right, bottom] = [width - side, height - side];
  const corners = [
    within(0, side, 0, side),
    within(right, width, 0, side),
    within(0, side, bottom, height),
    within(right, width, bottom, height),
  ];
  return {
    dark: median(corners),
    middle: within(width >> 2, width - (width >> 2), height >> 2, height - (height >> 2)),
  };
}

/** Marks samples where `passes` is true that are 4-connected to a start. Starts are indices. */
function flood(width: number, height: number, starts: Iterable<number>, passes: (i: number) => boolean): Uint8Array {
  const reached = new Uint8Array(width * height);
  const stack: number[] = [];
  const visit = (i: number) => {
    if (reached[i] || !passes(i)) return;
    reached[i] = 1;
    stack.push(i);
  };
  for (const i of starts) visit(i);
  while (stack.length) {
    const i = stack.pop()!;
    const x = i % width;
    if (x > 0) visit(i - 1);
    if (x < width - 1) visit(i + 1);
    if (i >= width) visit(i - width);
    if (i < width * (height - 1)) visit(i + width);
  }
  return reached;
}

function* border(width: number, height: number): Generator<number> {
  for (let x = 0; x < width; x++) {
    yield x;
    yield (height - 1) * width + x;
  }
  for (let y = 0; y < height; y++) {
    yield y * width;
    yield y * width + width - 1;
  }
}

/**
 * 1 where all (`all`) or any of the samples within `radius` in both directions are 1. Samples outside the image do not
 * count, so a field cut by the image is cut there, not eroded.
 */
function square(mask: Uint8Array, width: number, height: number, radius: number, all: boolean): Uint8Array {
  const across = new Uint8Array(mask.length);
  const decide = (ones: number, samples: number) => (all ? ones === samples : ones > 0);
  const samplesAt = (i: number, length: number) => Math.min(i + radius, length - 1) - Math.max(i - radius, 0) + 1;
  const samples = Int32Array.from({ length: width }, (_, x) => samplesAt(x, width));
  for (let row = 0; row < mask.length; row += width) {
    let ones = 0;
    for (let x = 0; x < Math.min(radius, width); x++) ones += mask[row + x]!;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) ones += mask[row + x + radius]!;
      if (x - radius - 1 >= 0) ones -= mask[row + x - radius - 1]!;
      across[row + x] = decide(ones, samples[x]!) ? 1 : 0;
    }
  }
  // Downwards: the number of ones of all columns at a time.
  const out = new Uint8Array(mask.length);
  const ones = new Int32Array(width);
  for (let y = -radius; y < height; y++) {
    const enters = (y + radius) * width;
    const leaves = (y - radius - 1) * width;
    if (enters < across.length) for (let x = 0; x < width; x++) ones[x]! += across[enters + x]!;
    if (leaves >= 0) for (let x = 0; x < width; x++) ones[x]! -= across[leaves + x]!;
    if (y < 0) continue;
    const needed = all ? samplesAt(y, height) : 1;
    for (let x = 0; x < width; x++) out[y * width + x] = ones[x]! >= needed ? 1 : 0;
  }
  return out;
}

/** The largest 4-connected region. */
function largest(mask: Uint8Array, width: number, height: number): Uint8Array {
  let left = 0;
  for (let i = 0; i < mask.length; i++) left += mask[i]!;
  let best: Uint8Array = new Uint8Array(mask.length);
  let most = 0;
  const seen = new Uint8Array(mask.length);
  // The remaining pixels cannot form a larger one.
  for (let i = 0; i < mask.length && left > most; i++) {
    if (!mask[i] || seen[i]) continue;
    const region = flood(width, height, [i], (k) => mask[k] === 1);
    let count = 0;
    for (let k = 0; k < region.length; k++)
      if (region[k]) {
        seen[k] = 1;
        count++;
      }
    left -= count;
    if (count > most) [most, best] = [count, region];
  }
  return best;
}

/** The photograph of the blocks. Blocks at its right and lower edge may be cut. */
interface Blocks {
  readonly width: number;
  readonly height: number;
  /** Width of a block in pixels. */
  readonly block: number;
}

/** 0 on the rim of the field and at the edges of the image. */
function withoutRim(field: Uint8Array, width: number, height: number, picture: Blocks): Uint8Array {
  const { block } = picture;
  const inner = square(field, width, height, Math.ceil(RIM / block), true);
  const rim = Math.max(RIM, block);
  for (let i = 0; i < inner.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const before = block * Math.min(x, y);
    const behind = Math.min(picture.width - block * (x + 1), picture.height - block * (y + 1));
    if (Math.min(before, behind) < rim) inner[i] = 0;
  }
  return inner;
}

/** `brightness`: means of blocks of the image, row by row. */
export function fieldOfView(brightness: Float32Array, width: number, height: number, picture: Blocks): FieldOfView {
  const { dark, middle } = levels(brightness, width, height);
  const whole = () => new Float32Array(width * height).fill(1);
  if (middle - dark < Math.min(LEAST, Math.max(SOME, BLACK * middle)))
    return { mask: whole(), inner: whole(), area: 1, found: false };
  const level = dark + BEGIN * (middle - dark);
  const surround = flood(width, height, border(width, height), (i) => brightness[i]! <= level);
  const rest = surround.map((v) => 1 - v);
  // Morphological opening removes reflections in the surround and thin bridges to them.
  const radius = Math.max(1, Math.round(Math.min(width, height) / 64));
  const opened = square(square(rest, width, height, radius, true), width, height, radius, false);
  const field = largest(
    opened.map((v, i) => v & rest[i]!),
    width,
    height,
  );
  const inner = withoutRim(field, width, height, picture);
  let count = 0;
  for (let i = 0; i < field.length; i++) count += field[i]!;
  const area = count / field.length;
  if (area < 0.05) return { mask: whole(), inner: whole(), area: 1, found: false };
  return { mask: Float32Array.from(field), inner: Float32Array.from(inner), area, found: true };
}
