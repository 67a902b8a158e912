// Features of boxes for the verifier: histograms of oriented gradients (Dalal, Triggs 2005, in the form of Felzenszwalb
// et al. 2010) of 12x12 cells of 4x4 samples, which span 1.5 times the box. Each cell has 18 directions with sign and 9
// without, normalized by the energy of the four 2x2 blocks that contain it. A sample is the mean of n x n positions,
// where n is its width in pixels and at most three, so that large faces do not alias. Templates of 10x10 cells are
// compared at nine positions, because detection is accurate to an eighth of the box width. A tenth of a millisecond per
// box of any size. Source of the numbers: src/faces/judge.ts.

/** Number of cells along each axis, and with the surrounding ring that also receives outer samples. */
const CELLS: i32 = 12;
const RING: i32 = CELLS + 2;
const CELL: i32 = 4;
const SIDE: i32 = CELLS * CELL;
/** Samples of a row, with one more at both ends for the gradient. */
const ROW: i32 = SIDE + 2;
const MOST_PLACES: i32 = 3;
const DIRECTIONS: i32 = 9;
const SIGNED: i32 = 18;
/** Numbers per cell: 27 and a zero. */
const CHANNELS: i32 = 28;
/** Maximum share of a block's energy that counts for a direction. */
const CLIP: f32 = 0.2;
/** Energy of a block without contrast: noise of a few gray levels. */
const FLAT: f32 = 400;
/** Number of cells along each axis of a template, and number of its positions per row. */
const PART: i32 = 10;
const PLACES: i32 = CELLS - PART + 1;

const AXIS: usize = <usize>(8 * ROW * MOST_PLACES);
const SAMPLES: usize = <usize>(4 * ROW * ROW);
const BIN: usize = <usize>(4 * SIGNED);
const LINE: usize = BIN * <usize>RING;
const HISTOGRAMS: usize = LINE * <usize>RING;

export function boxGradientsScratch(): i32 {
  return <i32>(2 * AXIS + SAMPLES + HISTOGRAMS + <usize>(4 * RING * RING));
}

/**
 * Features of boxes y0..y1-1: 144 cells of 28 f32 each, starting at `features`. boxes: x and y of the center and the
 * distance of samples, f32, pixels of the source. directions: cosine and sine of k pi / 9, 9 pairs of f32.
 */
export function boxGradients(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  boxes: usize,
  directions: usize,
  features: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const columns = scratch;
  const rows = columns + AXIS;
  const samples = rows + AXIS;
  const histograms = samples + SAMPLES;
  const energies = histograms + HISTOGRAMS;
  for (let y = y0; y < y1; y++) {
    const box = boxes + <usize>(12 * y);
    const step = load<f32>(box, 8);
    const places = max(1, min(MOST_PLACES, <i32>ceil<f32>(step - 0.25)));
    place(load<f32>(box), step, places, width, columns);
    place(load<f32>(box, 4), step, places, height, rows);
    sample(source, sourceStride, width, height, columns, rows, places, samples);
    memory.fill(histograms, 0, HISTOGRAMS);
    for (let j = 0; j < SIDE; j++) fill(samples, j, directions, histograms);
    sumEnergies(histograms, energies);
    normalize(histograms, energies, features + <usize>(4 * CHANNELS * CELLS * CELLS * y));
  }
  return 0;
}

/** For each position along an axis: the pixel before it (i32), and the share of the next one (f32). */
function place(middle: f32, step: f32, places: i32, pixels: i32, out: usize): void {
  const share: f32 = 1 / <f32>places;
  const most = <f32>(pixels - 1);
  for (let i = 0; i < ROW * places; i++, out += 8) {
    const offset = (<f32>i + 0.5) * share - <f32>(ROW / 2);
    const at = min<f32>(most, max<f32>(0, middle + offset * step));
    const pixel = floor<f32>(at);
    store<i32>(out, <i32>pixel);
    store<f32>(out, at - pixel, 4);
  }
}

function sample(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  columns: usize,
  rows: usize,
  places: i32,
  out: usize,
): void {
  const scale: f32 = 1 / <f32>(places * places);
  for (let j = 0; j < ROW; j++)
    for (let i = 0; i < ROW; i++, out += 4) {
      let sum: f32 = 0;
      for (let b = 0; b < places; b++) {
        const down = rows + <usize>((j * places + b) << 3);
        const row = load<i32>(down);
        const fy = load<f32>(down, 4);
        const upper = source + <usize>(row * stride);
        const lower = row + 1 < height ? upper + <usize>stride : upper;
        for (let a = 0; a < places; a++) {
          const across = columns + <usize>((i * places + a) << 3);
          const x = load<i32>(across);
          const next = min(x + 1, width - 1);
          const fx = load<f32>(across, 4);
          const p = between(upper, x, next, fx);
          sum += p + fy * (between(lower, x, next, fx) - p);
        }
      }
      store<f32>(out, sum * scale);
    }
}

function between(row: usize, x: i32, next: i32, share: f32): f32 {
  const p = <f32>load<u8>(row + <usize>x);
  return p + share * (<f32>load<u8>(row + <usize>next) - p);
}

/** Adds a row of samples to the histograms of the four cells around each sample. */
function fill(samples: usize, j: i32, directions: usize, histograms: usize): void {
  const down = (<f32>j + 0.5) / <f32>CELL + 0.5;
  const cellRow = <i32>down;
  const fy = down - <f32>cellRow;
  let at = samples + <usize>(4 * (ROW * (j + 1) + 1));
  for (let i = 0; i < SIDE; i++, at += 4) {
    const dx = load<f32>(at, 4) - load<f32>(at - 4);
    const dy = load<f32>(at, 4 * ROW) - load<f32>(at - 4 * ROW);
    const magnitude = sqrt<f32>(dx * dx + dy * dy);
    const across = (<f32>i + 0.5) / <f32>CELL + 0.5;
    const cell = <i32>across;
    const fx = across - <f32>cell;
    const bin = histograms + <usize>(4 * ((cellRow * RING + cell) * SIGNED + nearest(dx, dy, directions)));
    const low = magnitude * (1 - fy);
    const high = magnitude * fy;
    add(bin, low * (1 - fx));
    add(bin + BIN, low * fx);
    add(bin + LINE, high * (1 - fx));
    add(bin + LINE + BIN, high * fx);
  }
}

function add(bin: usize, value: f32): void {
  store<f32>(bin, load<f32>(bin) + value);
}

/** Signed direction of a gradient: the k of 0..8 with the largest |dx cos + dy sin|, the first of equals, 9 more if negative. */
function nearest(dx: f32, dy: f32, directions: usize): i32 {
  let best: f32 = -1;
  let found = 0;
  for (let k = 0; k < DIRECTIONS; k++, directions += 8) {
    const along = dx * load<f32>(directions) + dy * load<f32>(directions, 4);
    const size = abs<f32>(along);
    if (size > best) {
      best = size;
      found = along < 0 ? k + DIRECTIONS : k;
    }
  }
  return found;
}

/** Energy of each cell, regardless of sign. */
function sumEnergies(histograms: usize, out: usize): void {
  for (let c = 0; c < RING * RING; c++, histograms += BIN, out += 4) {
    let sum: f32 = 0;
    for (let k: usize = 0; k < 4 * DIRECTIONS; k += 4) {
      const v = load<f32>(histograms + k) + load<f32>(histograms + k, 4 * DIRECTIONS);
      sum += v * v;
    }
    store<f32>(out, sum);
  }
}

/** One divided by the square root of the energy of the 2x2 block that starts with this cell. */
function blockNorm(energies: usize): f32 {
  const line: usize = 4 * RING;
  const upper = load<f32>(energies) + load<f32>(energies, 4);
  return 1 / sqrt<f32>(FLAT + upper + (load<f32>(energies, line) + load<f32>(energies, line + 4)));
}

function normalize(histograms: usize, energies: usize, out: usize): void {
  for (let j = 0; j < CELLS; j++)
    for (let i = 0; i < CELLS; i++) {
      const before = energies + <usize>(4 * (RING * j + i));
      const a = blockNorm(before);
      const b = blockNorm(before + 4);
      const c = blockNorm(before + 4 * RING);
      const d = blockNorm(before + 4 * RING + 4);
      const cell = histograms + LINE * <usize>(j + 1) + BIN * <usize>(i + 1);
      for (let k: usize = 0; k < 4 * DIRECTIONS; k += 4) {
        const plus = load<f32>(cell + k);
        const minus = load<f32>(cell + k, 4 * DIRECTIONS);
        store<f32>(out + k, clipped(a, b, c, d, plus));
        store<f32>(out + k, clipped(a, b, c, d, minus), 4 * DIRECTIONS);
        store<f32>(out + k, clipped(a, b, c, d, plus + minus), 4 * SIGNED);
      }
      store<f32>(out, 0, 4 * (CHANNELS - 1));
      out += 4 * CHANNELS;
    }
}

/** Half the sum over the four blocks. */
function clipped(a: f32, b: f32, c: f32, d: f32, v: f32): f32 {
  return 0.5 * (min<f32>(CLIP, a * v) + min<f32>(CLIP, b * v) + (min<f32>(CLIP, c * v) + min<f32>(CLIP, d * v)));
}

/**
 * Maximum over all templates at each of nine positions on the cells of boxes y0..y1-1. templates: for each its
 * constant, three zeros and 100 cells of 28 f32. values: nine f32 per box.
 */
export function boxValues(
  features: usize,
  templates: usize,
  views: i32,
  values: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++)
    for (let place = 0; place < PLACES * PLACES; place++) {
      const at = CELLS * CELLS * y + CELLS * (place / PLACES) + (place % PLACES);
      let best: f32 = -Infinity;
      let template = templates;
      for (let view = 0; view < views; view++, template += 16 + 4 * CHANNELS * PART * PART)
        best = max(best, load<f32>(template) + product(features + <usize>(4 * CHANNELS * at), template + 16));
      store<f32>(values + <usize>(4 * (PLACES * PLACES * y + place)), best);
    }
  return 0;
}

/** Dot product of a template and the cells starting at one. */
function product(cells: usize, template: usize): f32 {
  const row: usize = 4 * CHANNELS * PART;
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let j = 0; j < PART; j++, cells += 4 * CHANNELS * CELLS, template += row)
    for (let k: usize = 0; k < row; k += 32) {
      even = f32x4.add(even, f32x4.mul(v128.load(cells + k), v128.load(template + k)));
      odd = f32x4.add(odd, f32x4.mul(v128.load(cells + k, 16), v128.load(template + k, 16)));
    }
  const sum = f32x4.add(even, odd);
  return (
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}
