// Histograms of oriented gradients of a square window (Dalal, Triggs 2005, in the form of Felzenszwalb et al. 2010):
// 32x32 cells of 2x2 samples, 9 directions without sign and 18 with sign, each normalized by the energy of the four 2x2
// blocks that contain the cell. The mean gray value is the 28th channel.

/** Number of cells across the window, and down. */
const CELLS: i32 = 32;
/** Samples across a cell. */
const CELL: i32 = 2;
const SIDE: i32 = CELLS * CELL;
const DIRECTIONS: i32 = 9;
const SIGNED: i32 = 18;
const PLANE: usize = <usize>(CELLS * CELLS * 4);
/** Bytes of a row of cells. */
const LINE: usize = <usize>(CELLS * 4);
/** Row stride of the samples in bytes: one more sample on both ends, for the gradient. */
const ROW: usize = <usize>((SIDE + 16) * 4);
const SAMPLES: usize = ROW * <usize>(SIDE + 2);
/** For each column of samples its pixel (i32) and its share of the next one (f32), in whole registers. */
const COLUMNS: usize = 4 * 68;
/**
 * The histograms of two rows of cells that are being filled: (f32, f32) per direction, even row first. One more cell on
 * both ends also receives the outer samples.
 */
const BIN: usize = <usize>(SIGNED * 8);
const FILLING: usize = BIN * <usize>(CELLS + 2);
/** A row of blocks: 33 f32. */
const BLOCKS: usize = 144;
/** Maximum share of a block's energy that counts for a direction. */
const CLIP: f32 = 0.2;

/** Bytes for sampling a window and filling its histograms. */
export const HISTOGRAM_BYTES: usize = 35_664;

export function orientedHistogramsScratch(): i32 {
  return <i32>HISTOGRAM_BYTES;
}

/**
 * Samples the window whose first sample is at left, top (pixels of the image, centers at integers) every `step` pixels,
 * border replicated. directions: cosines and sines of k pi / 9, 18 f32. out: 28 planes of 32x32 f32.
 */
export function orientedHistograms(
  image: usize,
  stride: i32,
  width: i32,
  height: i32,
  left: f32,
  top: f32,
  step: f32,
  directions: usize,
  out: usize,
  scratch: usize,
): i32 {
  const samples = scratch;
  const columns = samples + SAMPLES;
  const filling = columns + 2 * COLUMNS;
  const energies = filling + FILLING;
  const blocks = energies + PLANE;
  sample(image, stride, width, height, left - step, top - step, step, columns, samples);
  memory.fill(filling, 0, FILLING);
  for (let y = 0; y < SIDE; y++) {
    fill(samples + ROW * <usize>y, y, directions, filling);
    // Cells whose upper half ends with this row have all their samples. Counted from the row above the window.
    const full = (y + 1) >> 1;
    if (y & 1 && y < SIDE - 1) continue;
    const line = LINE * <usize>max(0, full - 1);
    takeLine(filling, full & 1, out + line);
    lineEnergies(out + line, energies + line);
  }
  normalize(energies, blocks, out);
  grayMeans(samples, out + PLANE * 27);
  return 0;
}

/** A pixel and its right neighbor are read together. At the last pixel of a row the neighbor's share is 0. */
function sample(
  image: usize,
  stride: i32,
  width: i32,
  height: i32,
  left: f32,
  top: f32,
  step: f32,
  columns: usize,
  out: usize,
): void {
  const right = <f32>(width - 1);
  const bottom = <f32>(height - 1);
  for (let i = 0; i < 68; i++) {
    const x = min<f32>(right, max<f32>(0, left + <f32>i * step));
    const at = columns + <usize>(i << 2);
    store<i32>(at, <i32>x);
    store<f32>(at, x - <f32>(<i32>x), COLUMNS);
  }
  for (let j = 0; j < SIDE + 2; j++, out += ROW) {
    const y = min<f32>(bottom, max<f32>(0, top + <f32>j * step));
    const iy = <i32>y;
    const fy = f32x4.splat(y - <f32>iy);
    const row = image + <usize>(iy * stride);
    const below = iy + 1 < height ? row + <usize>stride : row;
    for (let i: usize = 0; i < COLUMNS; i += 16) {
      const at = columns + i;
      const fx = v128.load(at, COLUMNS);
      const a = <usize>load<i32>(at);
      const b = <usize>load<i32>(at, 4);
      const c = <usize>load<i32>(at, 8);
      const d = <usize>load<i32>(at, 12);
      const upper = between(pairs(row + a, row + b, row + c, row + d), fx);
      const lower = between(pairs(below + a, below + b, below + c, below + d), fx);
      v128.store(out + i, f32x4.add(upper, f32x4.mul(fy, f32x4.sub(lower, upper))));
    }
  }
}

function pairs(a: usize, b: usize, c: usize, d: usize): v128 {
  const ab = v128.load16_lane(b, v128.load16_lane(a, i32x4.splat(0), 0), 2);
  return v128.load16_lane(d, v128.load16_lane(c, ab, 4), 6);
}

function between(both: v128, share: v128): v128 {
  const p = f32x4.convert_i32x4_s(v128.and(both, i32x4.splat(255)));
  const q = f32x4.convert_i32x4_s(i32x4.shr_u(both, 8));
  return f32x4.add(p, f32x4.mul(share, f32x4.sub(q, p)));
}

/** Adds row `y` of samples to the histograms. `row` is the row above it. */
function fill(row: usize, y: i32, directions: usize, filling: usize): void {
  // Shares of the two rows of cells, and of the two cells in a row, whose centers are around a sample.
  const fy = f32x4.splat(y & 1 ? 0.25 : 0.75);
  const odd = i32x4.splat(-(((y + 1) >> 1) & 1));
  const fx = f32x4(0.75, 0.25, 0.75, 0.25);
  const rest = f32x4(0.25, 0.75, 0.25, 0.75);
  for (let x = 0; x < SIDE; x += 4, row += 16, filling += 2 * BIN) {
    const dx = f32x4.sub(v128.load(row, ROW + 8), v128.load(row, ROW));
    const dy = f32x4.sub(v128.load(row, 2 * ROW + 4), v128.load(row, 4));
    const bins = i32x4.shl(nearest(dx, dy, directions), 3);
    const magnitude = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
    const low = f32x4.mul(magnitude, fy);
    const high = f32x4.sub(magnitude, low);
    const even = v128.bitselect(low, high, odd);
    const other = v128.bitselect(high, low, odd);
    const leftEven = f32x4.mul(even, rest);
    const leftOther = f32x4.mul(other, rest);
    const rightEven = f32x4.mul(even, fx);
    const rightOther = f32x4.mul(other, fx);
    const left01 = v128.shuffle<f32>(leftEven, leftOther, 0, 4, 1, 5);
    const left23 = v128.shuffle<f32>(leftEven, leftOther, 2, 6, 3, 7);
    const right01 = v128.shuffle<f32>(rightEven, rightOther, 0, 4, 1, 5);
    const right23 = v128.shuffle<f32>(rightEven, rightOther, 2, 6, 3, 7);
    // Samples 1 and 2 are between one pair of cells.
    add(filling + <usize>i32x4.extract_lane(bins, 0), v128.shuffle<i64>(left01, right01, 0, 2));
    add(filling + BIN + <usize>i32x4.extract_lane(bins, 1), v128.shuffle<i64>(left01, right01, 1, 3));
    add(filling + BIN + <usize>i32x4.extract_lane(bins, 2), v128.shuffle<i64>(left23, right23, 0, 2));
    add(filling + 2 * BIN + <usize>i32x4.extract_lane(bins, 3), v128.shuffle<i64>(left23, right23, 1, 3));
  }
}

function add(cell: usize, shares: v128): void {
  const sum = f32x4.add(v128.load64_lane(cell, v128.load64_zero(cell), 1, BIN), shares);
  v128.store64_lane(cell, sum, 0);
  v128.store64_lane(cell, sum, 1, BIN);
}

/**
 * Signed direction (0..17) of gradients: the first k of 0..8 with the maximum |dx cos + dy sin|, plus 9 if that is
 * negative. Folded into the first quadrant: k also represents 9 - k if the signs differ. There the later k wins a tie,
 * and 4 wins a tie with 5 (for a gradient so steep that dx is lost in dy).
 */
function nearest(dx: v128, dy: v128, directions: usize): v128 {
  const ax = f32x4.abs(dx);
  const ay = f32x4.abs(dy);
  const differ = i32x4.shr_s(v128.xor(dx, dy), 31);
  let best = ax;
  let k = i32x4.splat(0);
  // Non-negative floats have the order of their bits.
  let size = f32x4.add(
    f32x4.mul(ax, v128.load32_splat(directions, 8)),
    f32x4.mul(ay, v128.load32_splat(directions, 12)),
  );
  k = v128.and(i32x4.splat(1), i32x4.gt_s(size, best));
  best = i32x4.max_s(best, size);
  size = f32x4.add(f32x4.mul(ax, v128.load32_splat(directions, 16)), f32x4.mul(ay, v128.load32_splat(directions, 20)));
  k = i32x4.max_s(k, v128.and(i32x4.splat(2), i32x4.gt_s(i32x4.sub(size, differ), best)));
  best = i32x4.max_s(best, size);
  size = f32x4.add(f32x4.mul(ax, v128.load32_splat(directions, 24)), f32x4.mul(ay, v128.load32_splat(directions, 28)));
  k = i32x4.max_s(k, v128.and(i32x4.splat(3), i32x4.gt_s(i32x4.sub(size, differ), best)));
  best = i32x4.max_s(best, size);
  const across = f32x4.mul(ax, v128.load32_splat(directions, 32));
  const along = f32x4.mul(ay, v128.load32_splat(directions, 36));
  size = f32x4.add(across, along);
  k = i32x4.max_s(k, v128.and(i32x4.splat(4), i32x4.gt_s(i32x4.sub(size, differ), best)));
  const flat = i32x4.eq(k, i32x4.splat(0));
  const lost = v128.and(i32x4.eq(k, i32x4.splat(4)), f32x4.eq(f32x4.abs(f32x4.sub(along, across)), size));
  const mirrored = v128.andnot(v128.andnot(differ, flat), lost);
  const number = v128.bitselect(i32x4.sub(i32x4.splat(DIRECTIONS), k), k, mirrored);
  const negative = i32x4.shr_s(v128.bitselect(dx, dy, flat), 31);
  return i32x4.add(number, v128.and(negative, i32x4.splat(DIRECTIONS)));
}

/** Moves the histograms of the even (0) or odd (1) row of cells to `out`, one plane per direction. */
function takeLine(filling: usize, row: i32, out: usize): void {
  const shift = row << 5;
  const others = i64x2.splat(row ? 0xffffffff : (<i64>0xffffffff) << 32);
  for (let x: usize = 0; x < LINE; x += 16) {
    filling += x ? 4 * BIN : BIN;
    let from = filling;
    let to = out + x;
    for (let k = 0; k < SIGNED; k += 2, from += 16, to += 2 * PLANE) {
      const a = v128.load(from);
      const b = v128.load(from, BIN);
      const c = v128.load(from, 2 * BIN);
      const d = v128.load(from, 3 * BIN);
      v128.store(from, v128.and(a, others));
      v128.store(from, v128.and(b, others), BIN);
      v128.store(from, v128.and(c, others), 2 * BIN);
      v128.store(from, v128.and(d, others), 3 * BIN);
      const ab = v128.shuffle<f32>(i64x2.shr_u(a, shift), i64x2.shr_u(b, shift), 0, 4, 2, 6);
      const cd = v128.shuffle<f32>(i64x2.shr_u(c, shift), i64x2.shr_u(d, shift), 0, 4, 2, 6);
      v128.store(to, v128.shuffle<i64>(ab, cd, 0, 2));
      v128.store(to, v128.shuffle<i64>(ab, cd, 1, 3), PLANE);
    }
  }
}

/** Energy of each cell of a row, regardless of sign. */
function lineEnergies(line: usize, energies: usize): void {
  for (let x: usize = 0; x < LINE; x += 16) {
    let sum = f32x4.splat(0);
    let p = line + x;
    for (let k = 0; k < DIRECTIONS; k++, p += PLANE) {
      const v = f32x4.add(v128.load(p), v128.load(p, PLANE * 9));
      sum = f32x4.add(sum, f32x4.mul(v, v));
    }
    v128.store(energies + x, sum);
  }
}

/** Normalizes the planes of the signed directions by the energies of blocks, and writes the unsigned ones. */
function normalize(energies: usize, blocks: usize, out: usize): void {
  let above = blocks;
  let below = blocks + BLOCKS;
  const sums = blocks + 2 * BLOCKS;
  blockNorms(energies, energies, sums, above);
  for (let y = 0; y < CELLS; y++, energies += LINE) {
    blockNorms(energies, y < CELLS - 1 ? energies + LINE : energies, sums, below);
    for (let x: usize = 0; x < LINE; x += 16, out += 16) {
      const a = v128.load(above + x);
      const b = v128.load(above + x, 4);
      const c = v128.load(below + x);
      const d = v128.load(below + x, 4);
      let at = out;
      for (let k = 0; k < DIRECTIONS; k++, at += PLANE) {
        const p = v128.load(at);
        const q = v128.load(at, PLANE * 9);
        v128.store(at, clipped(a, b, c, d, p));
        v128.store(at, clipped(a, b, c, d, q), PLANE * 9);
        v128.store(at, clipped(a, b, c, d, f32x4.add(p, q)), PLANE * 18);
      }
    }
    const used = above;
    above = below;
    below = used;
  }
}

/** One divided by the square roots of the energies of the 33 blocks between two rows of cells, border replicated. */
function blockNorms(upper: usize, lower: usize, sums: usize, out: usize): void {
  for (let x: usize = 0; x < LINE; x += 16)
    v128.store(sums + x, f32x4.add(v128.load(upper + x), v128.load(lower + x)), 4);
  store<f32>(sums, load<f32>(sums, 4));
  store<f32>(sums, load<f32>(sums, LINE), LINE + 4);
  for (let x: usize = 0; x < BLOCKS; x += 16) {
    const block = f32x4.add(v128.load(sums + x), v128.load(sums + x, 4));
    v128.store(out + x, f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.add(f32x4.splat(16), block))));
  }
}

/** Half the sum over the four blocks. */
function clipped(a: v128, b: v128, c: v128, d: v128, v: v128): v128 {
  const most = f32x4.splat(CLIP);
  const ab = f32x4.add(f32x4.pmin(most, f32x4.mul(a, v)), f32x4.pmin(most, f32x4.mul(b, v)));
  const cd = f32x4.add(f32x4.pmin(most, f32x4.mul(c, v)), f32x4.pmin(most, f32x4.mul(d, v)));
  return f32x4.mul(f32x4.splat(0.5), f32x4.add(ab, cd));
}

/** Means of the cells minus the overall mean, in units of 4 standard deviations of the samples' means. */
function grayMeans(samples: usize, out: usize): void {
  let total: f32 = 0;
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < CELLS; x++) {
      const at = samples + ROW * <usize>(y * CELL + 1) + <usize>((x * CELL + 1) << 2);
      const mean: f32 = 0.25 * (load<f32>(at) + load<f32>(at, 4) + (load<f32>(at + ROW) + load<f32>(at + ROW, 4)));
      store<f32>(out + <usize>((y * CELLS + x) << 2), mean);
      total += mean;
    }
  const mean = total / <f32>(CELLS * CELLS);
  let squares: f32 = 0;
  for (let i = 0; i < CELLS * CELLS; i++) {
    const v = load<f32>(out + <usize>(i << 2)) - mean;
    squares += v * v;
  }
  const scale: f32 = 0.25 / sqrt<f32>(squares / <f32>(CELLS * CELLS) + 1);
  const all = f32x4.splat(mean);
  for (let i: usize = 0; i < PLANE; i += 16)
    v128.store(out + i, f32x4.mul(f32x4.sub(v128.load(out + i), all), f32x4.splat(scale)));
}
