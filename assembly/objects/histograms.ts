// Histograms of oriented gradients of a square window (Dalal, Triggs 2005, in the form of Felzenszwalb et al. 2010):
// 32x32 cells of 2x2 samples, 9 directions without and 18 with their sign, each normalised by the energy of the four
// 2x2 blocks that hold the cell; the mean gray value is the 28th channel.

/** Cells across the window, and down. */
const CELLS: i32 = 32;
/** Samples across a cell. */
const CELL: i32 = 2;
const SIDE: i32 = CELLS * CELL;
const DIRECTIONS: i32 = 9;
const SIGNED: i32 = 18;
const PLANE: usize = <usize>(CELLS * CELLS * 4);
/** Row stride of the samples in bytes: one more on either side, for the gradient. */
const ROW: usize = <usize>((SIDE + 16) * 4);
const SAMPLES: usize = ROW * <usize>(SIDE + 2);
/** The histogram of a cell, f32 a direction. */
const BIN: usize = <usize>(SIGNED * 4);
/** Histograms of cells and one more all around, into which the outer samples fall as well. */
const HISTOGRAM_ROW: usize = BIN * <usize>(CELLS + 2);
const HISTOGRAMS: usize = HISTOGRAM_ROW * <usize>(CELLS + 2);
/** Above this share of the energy of a block a direction counts no more. */
const CLIP: f32 = 0.2;

/**
 * Samples the window whose first sample stands at left, top (pixels of the image, centres at whole numbers) every `step`
 * pixels, the image's edge repeated. directions: cosines and sines of k pi / 9, 18 f32. out: 28 planes of 32x32 f32.
 * scratch: 163,424 bytes.
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
  const histograms = samples + SAMPLES;
  const energies = histograms + HISTOGRAMS;
  const bins = energies + PLANE;
  sample(image, stride, width, height, left - step, top - step, step, samples);
  memory.fill(histograms, 0, HISTOGRAMS);
  for (let y = 0; y < SIDE; y++) {
    directionsOfRow(samples + ROW * <usize>y, directions, bins);
    const at = (<f32>y + 0.5) / <f32>CELL;
    // Shares of the two cells whose centres lie around the sample.
    const cellY = <i32>(at + 0.5);
    const fy = at + 0.5 - <f32>cellY;
    const upper = histograms + HISTOGRAM_ROW * <usize>cellY;
    for (let x = 0; x < SIDE; x++) {
      const magnitude = load<f32>(bins + <usize>(x << 3));
      const bin = (<usize>load<i32>(bins + <usize>(x << 3), 4)) << 2;
      const u = (<f32>x + 0.5) / <f32>CELL + 0.5;
      const cellX = <i32>u;
      const fx = u - <f32>cellX;
      const p = upper + BIN * <usize>cellX + bin;
      const low = magnitude * fy;
      const high = magnitude - low;
      store<f32>(p, load<f32>(p) + high * (1 - fx));
      store<f32>(p, load<f32>(p, BIN) + high * fx, BIN);
      store<f32>(p, load<f32>(p, HISTOGRAM_ROW) + low * (1 - fx), HISTOGRAM_ROW);
      store<f32>(p, load<f32>(p, HISTOGRAM_ROW + BIN) + low * fx, HISTOGRAM_ROW + BIN);
    }
  }
  blockEnergies(histograms, energies);
  normalise(histograms, energies, out);
  grayMeans(samples, out + PLANE * 27);
  return 0;
}

function sample(image: usize, stride: i32, width: i32, height: i32, left: f32, top: f32, step: f32, out: usize): void {
  const right = <f32>(width - 1);
  const bottom = <f32>(height - 1);
  for (let j = 0; j < SIDE + 2; j++, out += ROW) {
    const y = min<f32>(bottom, max<f32>(0, top + <f32>j * step));
    const iy = <i32>y;
    const fy = y - <f32>iy;
    const row = image + <usize>(iy * stride);
    const below = iy + 1 < height ? row + <usize>stride : row;
    for (let i = 0; i < SIDE + 2; i++) {
      const x = min<f32>(right, max<f32>(0, left + <f32>i * step));
      const ix = <i32>x;
      const fx = x - <f32>ix;
      const a = <usize>ix;
      const b = <usize>min(ix + 1, width - 1);
      const p = <f32>load<u8>(row + a);
      const q = <f32>load<u8>(below + a);
      const upper = p + fx * (<f32>load<u8>(row + b) - p);
      const lower = q + fx * (<f32>load<u8>(below + b) - q);
      store<f32>(out + <usize>(i << 2), upper + fy * (lower - upper));
    }
  }
}

/** Magnitude (f32) and signed direction (i32, 0..17) of the samples of a row; `row` is the row above them. */
function directionsOfRow(row: usize, directions: usize, out: usize): void {
  for (let x = 0; x < SIDE; x += 4, out += 32) {
    const at = row + <usize>(x << 2);
    const dx = f32x4.sub(v128.load(at + ROW, 8), v128.load(at + ROW));
    const dy = f32x4.sub(v128.load(at + 2 * ROW, 4), v128.load(at, 4));
    let best = f32x4.splat(-1);
    let bin = i32x4.splat(0);
    for (let k = 0; k < DIRECTIONS; k++) {
      const direction = directions + <usize>(k << 3);
      const dot = f32x4.add(
        f32x4.mul(dx, v128.load32_splat(direction)),
        f32x4.mul(dy, v128.load32_splat(direction, 4)),
      );
      const size = f32x4.abs(dot);
      const number = i32x4.add(i32x4.splat(k), v128.and(i32x4.splat(DIRECTIONS), f32x4.lt(dot, f32x4.splat(0))));
      const more = f32x4.gt(size, best);
      best = v128.bitselect(size, best, more);
      bin = v128.bitselect(number, bin, more);
    }
    const magnitude = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
    v128.store(out, v128.shuffle<i32>(magnitude, bin, 0, 4, 1, 5));
    v128.store(out, v128.shuffle<i32>(magnitude, bin, 2, 6, 3, 7), 16);
  }
}

/** Energy of each cell without regard to sign. */
function blockEnergies(histograms: usize, energies: usize): void {
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < CELLS; x++, energies += 4) {
      const cell = histograms + HISTOGRAM_ROW * <usize>(y + 1) + BIN * <usize>(x + 1);
      let sum: f32 = 0;
      for (let k = 0; k < DIRECTIONS; k++) {
        const v = load<f32>(cell + <usize>(k << 2)) + load<f32>(cell + <usize>(k << 2), 36);
        sum += v * v;
      }
      store<f32>(energies, sum);
    }
}

function energyAt(energies: usize, x: i32, y: i32): f32 {
  const i = max(0, min(CELLS - 1, y)) * CELLS + max(0, min(CELLS - 1, x));
  return load<f32>(energies + <usize>(i << 2));
}

function normalise(histograms: usize, energies: usize, out: usize): void {
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < CELLS; x++, out += 4) {
      const cell = histograms + HISTOGRAM_ROW * <usize>(y + 1) + BIN * <usize>(x + 1);
      // Columns x - 1, x, x + 1 of pairs of rows.
      const a = energyAt(energies, x - 1, y - 1) + energyAt(energies, x - 1, y);
      const b = energyAt(energies, x, y - 1) + energyAt(energies, x, y);
      const c = energyAt(energies, x + 1, y - 1) + energyAt(energies, x + 1, y);
      const d = energyAt(energies, x - 1, y) + energyAt(energies, x - 1, y + 1);
      const e = energyAt(energies, x, y) + energyAt(energies, x, y + 1);
      const f = energyAt(energies, x + 1, y) + energyAt(energies, x + 1, y + 1);
      const blocks = f32x4.div(
        f32x4.splat(1),
        f32x4.sqrt(f32x4.add(f32x4.splat(16), f32x4(a + b, b + c, d + e, e + f))),
      );
      for (let k = 0; k < DIRECTIONS; k++) {
        const p = load<f32>(cell + <usize>(k << 2));
        const q = load<f32>(cell + <usize>(k << 2), 36);
        store<f32>(out + PLANE * <usize>k, clipped(blocks, p));
        store<f32>(out + PLANE * <usize>(k + DIRECTIONS), clipped(blocks, q));
        store<f32>(out + PLANE * <usize>(k + SIGNED), clipped(blocks, p + q));
      }
    }
}

/** Half the sum over the four blocks. */
function clipped(blocks: v128, v: f32): f32 {
  const all = f32x4.min(f32x4.splat(CLIP), f32x4.mul(blocks, f32x4.splat(v)));
  return (
    0.5 *
    (f32x4.extract_lane(all, 0) +
      f32x4.extract_lane(all, 1) +
      (f32x4.extract_lane(all, 2) + f32x4.extract_lane(all, 3)))
  );
}

/** Means of the cells less the mean of all, in units of 4 standard deviations of the samples' means. */
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
  for (let i = 0; i < CELLS * CELLS; i++) {
    const at = out + <usize>(i << 2);
    store<f32>(at, (load<f32>(at) - mean) * scale);
  }
}
