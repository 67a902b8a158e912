// Cascade of boosted classifiers over one scale (thesis, section 4.3). It processes four neighboring windows at a time,
// whose samples in the integral image are adjacent. Each row has two passes: standard deviation and first stage of
// every window, then the other stages of the remaining windows, each group of four until none remains.
//
// Leaves and stage thresholds are fixed-point numbers, so sums are exact in any order. Features of an unscaled window
// are exact in 32-bit floats. The model (src/faces/cascade-table.ts): a HaarModel, then for each stage a HaarStage and
// its trees. Each tree has, only if `trees` is not 0, the number of its nodes as 32 bits, then its nodes. Corners are
// offsets of samples: upper left, upper right, lower left, lower right.

/** Header of a model: the data for a window's standard deviation. */
@unmanaged
export class HaarModel {
  stages: i32;
  /** Corners of the window's inner rectangle. */
  corner0: u32;
  corner1: u32;
  corner2: u32;
  corner3: u32;
  /** Its nominal area, and one divided by its number of pixels. */
  area: f32;
  perPixel: f32;
  /** 1: integers are sufficient. */
  whole: i32;
  trees: i32;
}

@unmanaged
export class HaarStage {
  threshold: i32;
  trees: i32;
  /** Bytes to the next stage. */
  bytes: u32;
}

@unmanaged
export class HaarNode {
  /** Corners of three rectangles. For two halves: the samples a - b - c + d, and e and f of 2 (e - f). */
  first0: u32;
  first1: u32;
  first2: u32;
  first3: u32;
  second0: u32;
  second1: u32;
  second2: u32;
  second3: u32;
  third0: u32;
  third1: u32;
  third2: u32;
  third3: u32;
  weight0: f32;
  weight1: f32;
  weight2: f32;
  /** Number of rectangles, or 1 for two halves. */
  kind: u32;
  threshold: f32;
  leftLeaf: i32;
  rightLeaf: i32;
  /** 0 for a leaf. */
  leftNode: u8;
  rightNode: u8;
  unused: u16;
}

const HEADER: usize = offsetof<HaarModel>();
const STAGE: usize = offsetof<HaarStage>();
const NODE: usize = offsetof<HaarNode>();
const CORNERS: usize = offsetof<HaarModel>('corner0');
const SECOND: usize = offsetof<HaarNode>('second0');
const THIRD: usize = offsetof<HaarNode>('third0');

/** Sum of the samples in a rectangle, for four windows. */
function rectangle(p: usize, node: usize): v128 {
  return i32x4.add(
    i32x4.sub(v128.load(p + load<u32>(node)), v128.load(p + load<u32>(node, 4))),
    i32x4.sub(v128.load(p + load<u32>(node, 12)), v128.load(p + load<u32>(node, 8))),
  );
}

/** All ones for windows that go right. */
function goesRight(p: usize, node: usize, nf: v128): v128 {
  const kind = load<u32>(node, offsetof<HaarNode>('kind'));
  let value: v128;
  if (kind == 1) {
    // Two halves of one rectangle share an edge, and their difference is an integer, so six samples are enough.
    const edge = i32x4.sub(v128.load(p + load<u32>(node, 16)), v128.load(p + load<u32>(node, 20)));
    value = f32x4.convert_i32x4_s(i32x4.add(rectangle(p, node), i32x4.shl(edge, 1)));
  } else {
    value = f32x4.add(
      f32x4.mul(f32x4.convert_i32x4_s(rectangle(p, node)), v128.load32_splat(node, offsetof<HaarNode>('weight0'))),
      f32x4.mul(
        f32x4.convert_i32x4_s(rectangle(p, node + SECOND)),
        v128.load32_splat(node, offsetof<HaarNode>('weight1')),
      ),
    );
    if (kind == 3)
      value = f32x4.add(
        value,
        f32x4.mul(
          f32x4.convert_i32x4_s(rectangle(p, node + THIRD)),
          v128.load32_splat(node, offsetof<HaarNode>('weight2')),
        ),
      );
  }
  return f32x4.ge(f32x4.mul(value, nf), v128.load32_splat(node, offsetof<HaarNode>('threshold')));
}

/** Leaf of one tree for each window. Nodes are processed backwards, so that the results of child nodes are known. */
function tree(p: usize, first: usize, nodes: i32, nf: v128, values: usize): v128 {
  let value = i32x4.splat(0);
  for (let i = nodes - 1; i >= 0; i--) {
    const node = first + <usize>i * NODE;
    const l = <usize>load<u8>(node, offsetof<HaarNode>('leftNode'));
    const r = <usize>load<u8>(node, offsetof<HaarNode>('rightNode'));
    const left = l ? v128.load(values + (l << 4)) : v128.load32_splat(node, offsetof<HaarNode>('leftLeaf'));
    const right = r ? v128.load(values + (r << 4)) : v128.load32_splat(node, offsetof<HaarNode>('rightLeaf'));
    value = v128.bitselect(right, left, goesRight(p, node, nf));
    v128.store(values + ((<usize>i) << 4), value);
  }
  return value;
}

/** One bit per window that passes a stage. */
function passes(p: usize, stage: usize, nf: v128, isTrees: bool, values: usize): i32 {
  const trees = load<i32>(stage, offsetof<HaarStage>('trees'));
  let sum = i32x4.splat(0);
  let at = stage + STAGE;
  if (isTrees)
    for (let t = 0; t < trees; t++) {
      const nodes = load<i32>(at);
      sum = i32x4.add(sum, tree(p, at + 4, nodes, nf, values));
      at += 4 + <usize>nodes * NODE;
    }
  else
    for (const end = at + <usize>trees * NODE; at < end; at += NODE) {
      const leaf = v128.bitselect(
        v128.load32_splat(at, offsetof<HaarNode>('rightLeaf')),
        v128.load32_splat(at, offsetof<HaarNode>('leftLeaf')),
        goesRight(p, at, nf),
      );
      sum = i32x4.add(sum, leaf);
    }
  return i32x4.bitmask(i32x4.ge_s(sum, v128.load32_splat(stage)));
}

/** Stage without trees for eight adjacent windows. Each loaded value of the model is used twice. */
function passes8(p: usize, stage: usize, nf: v128, nf2: v128): i32 {
  let sum = i32x4.splat(0);
  let sum2 = i32x4.splat(0);
  let at = stage + STAGE;
  for (const end = at + <usize>load<i32>(stage, offsetof<HaarStage>('trees')) * NODE; at < end; at += NODE) {
    const kind = load<u32>(at, offsetof<HaarNode>('kind'));
    let value: v128;
    let value2: v128;
    let a = p + load<u32>(at);
    let b = p + load<u32>(at, 4);
    let c = p + load<u32>(at, 8);
    let d = p + load<u32>(at, 12);
    const first = i32x4.add(i32x4.sub(v128.load(a), v128.load(b)), i32x4.sub(v128.load(d), v128.load(c)));
    const first2 = i32x4.add(
      i32x4.sub(v128.load(a, 16), v128.load(b, 16)),
      i32x4.sub(v128.load(d, 16), v128.load(c, 16)),
    );
    a = p + load<u32>(at, 16);
    b = p + load<u32>(at, 20);
    if (kind == 1) {
      const edge = i32x4.sub(v128.load(a), v128.load(b));
      const edge2 = i32x4.sub(v128.load(a, 16), v128.load(b, 16));
      value = f32x4.convert_i32x4_s(i32x4.add(first, i32x4.shl(edge, 1)));
      value2 = f32x4.convert_i32x4_s(i32x4.add(first2, i32x4.shl(edge2, 1)));
    } else {
      c = p + load<u32>(at, 24);
      d = p + load<u32>(at, 28);
      let weight = v128.load32_splat(at, offsetof<HaarNode>('weight0'));
      value = f32x4.mul(f32x4.convert_i32x4_s(first), weight);
      value2 = f32x4.mul(f32x4.convert_i32x4_s(first2), weight);
      weight = v128.load32_splat(at, offsetof<HaarNode>('weight1'));
      const second = i32x4.add(i32x4.sub(v128.load(a), v128.load(b)), i32x4.sub(v128.load(d), v128.load(c)));
      const second2 = i32x4.add(
        i32x4.sub(v128.load(a, 16), v128.load(b, 16)),
        i32x4.sub(v128.load(d, 16), v128.load(c, 16)),
      );
      value = f32x4.add(value, f32x4.mul(f32x4.convert_i32x4_s(second), weight));
      value2 = f32x4.add(value2, f32x4.mul(f32x4.convert_i32x4_s(second2), weight));
      if (kind == 3) {
        weight = v128.load32_splat(at, offsetof<HaarNode>('weight2'));
        const third = f32x4.convert_i32x4_s(rectangle(p, at + THIRD));
        const third2 = f32x4.convert_i32x4_s(rectangle(p + 16, at + THIRD));
        value = f32x4.add(value, f32x4.mul(third, weight));
        value2 = f32x4.add(value2, f32x4.mul(third2, weight));
      }
    }
    const threshold = v128.load32_splat(at, offsetof<HaarNode>('threshold'));
    const left = v128.load32_splat(at, offsetof<HaarNode>('leftLeaf'));
    const right = v128.load32_splat(at, offsetof<HaarNode>('rightLeaf'));
    sum = i32x4.add(sum, v128.bitselect(right, left, f32x4.ge(f32x4.mul(value, nf), threshold)));
    sum2 = i32x4.add(sum2, v128.bitselect(right, left, f32x4.ge(f32x4.mul(value2, nf2), threshold)));
  }
  const least = v128.load32_splat(stage);
  return i32x4.bitmask(i32x4.ge_s(sum, least)) | (i32x4.bitmask(i32x4.ge_s(sum2, least)) << 4);
}

/** One divided by (area x standard deviation). `scratch` receives the value that is compared with the floor. */
function normalization(p: usize, q: usize, model: usize, scratch: usize): v128 {
  const sum = rectangle(p, model + CORNERS);
  const square = rectangle(q, model + CORNERS);
  if (load<i32>(model, offsetof<HaarModel>('whole'))) {
    // (v - 128) instead of v changes only the size of the numbers.
    const area = i32x4.trunc_sat_f32x4_s(v128.load32_splat(model, offsetof<HaarModel>('area')));
    const shifted = i32x4.sub(sum, i32x4.shl(area, 7));
    const d = i32x4.sub(i32x4.mul(area, square), i32x4.mul(shifted, shifted));
    const variance = f32x4.convert_i32x4_u(d);
    v128.store(scratch, variance);
    return f32x4.div(f32x4.splat(1), f32x4.sqrt(variance));
  }
  const inverse = v128.load32_splat(model, offsetof<HaarModel>('perPixel'));
  const mean = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_u(sum), inverse), f32x4.splat(128));
  const variance = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_u(square), inverse), f32x4.mul(mean, mean));
  v128.store(scratch, variance);
  return f32x4.div(
    f32x4.splat(1),
    f32x4.mul(v128.load32_splat(model, offsetof<HaarModel>('area')), f32x4.sqrt(variance)),
  );
}

/** Lower limit of nf^-2 or of the variance. `least` is the minimum variance. */
function floorOf(model: usize, least: f32): v128 {
  const area = load<f32>(model, offsetof<HaarModel>('area'));
  return f32x4.splat(load<i32>(model, offsetof<HaarModel>('whole')) ? least * (area * area) : least);
}

/**
 * Rows y0..y1-1 of windows, `columns` each and `step` rows of the image apart. hits[row * hitStride + column] becomes 1
 * for windows that pass every stage, counts[row] is their number. With `skip` a window to the right of one that fails
 * the first stage is skipped, as in OpenCV.
 */
export function cascadeRows(
  sums: usize,
  squares: usize,
  stride: i32,
  model: usize,
  hits: usize,
  hitStride: i32,
  counts: usize,
  columns: i32,
  step: i32,
  skip: i32,
  least: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const stages = load<i32>(model);
  const isTrees = load<i32>(model, offsetof<HaarModel>('trees')) != 0;
  const floor = floorOf(model, least);
  const first = model + HEADER;
  const second = first + load<u32>(first, offsetof<HaarStage>('bytes'));
  const values = scratch + 16;
  const factors = scratch + 16 + 64 * 16; // a tree has at most 64 nodes
  const groups = (columns + 7) & ~7;
  const alive = factors + ((<usize>groups) << 2);
  for (let y = y0; y < y1; y++) {
    const p = sums + <usize>(y * step * stride);
    const q = squares + <usize>(y * step * stride);
    const row = hits + <usize>(y * hitStride);
    memory.fill(row, 0, hitStride);
    let any = 0;
    let skipping = 0;
    for (let x = 0; x < groups; x += 8) {
      const at = (<usize>x) << 2;
      const nf = normalization(p + at, q + at, model, scratch);
      // NaN and negative variances are also rejected.
      let valid = i32x4.bitmask(f32x4.gt(v128.load(scratch), floor));
      const nf2 = normalization(p + at + 16, q + at + 16, model, scratch);
      valid |= i32x4.bitmask(f32x4.gt(v128.load(scratch), floor)) << 4;
      v128.store(factors + at, nf);
      v128.store(factors + at, nf2, 16);
      if (columns - x < 8) valid &= (1 << (columns - x)) - 1;
      let left = 0;
      if (!isTrees && valid & 15 && valid & 240) left = passes8(p + at, first, nf, nf2);
      else {
        if (valid & 15) left = passes(p + at, first, nf, isTrees, values);
        if (valid & 240) left |= passes(p + at + 16, first, nf2, isTrees, values) << 4;
      }
      left &= valid;
      if (skip) {
        const failed = valid & ~left;
        for (let i = 0; i < 8; i++) {
          const bit = 1 << i;
          if (skipping) {
            left &= ~bit;
            skipping = 0;
          } else skipping = failed & bit;
        }
      }
      any |= left;
      store<u8>(alive + ((<usize>x) >> 3), <u8>left);
    }
    let count = 0;
    if (any)
      for (let x = 0; x < columns; x += 8) {
        let left = <i32>load<u8>(alive + ((<usize>x) >> 3));
        if (!left) continue;
        const at = (<usize>x) << 2;
        const nf = v128.load(factors + at);
        const nf2 = v128.load(factors + at, 16);
        let stage = second;
        for (let s = 1; s < stages && left; s++) {
          if (!isTrees && left & 15 && left & 240) left &= passes8(p + at, stage, nf, nf2);
          else {
            let found = left & 15 ? passes(p + at, stage, nf, isTrees, values) : 0;
            if (left & 240) found |= passes(p + at + 16, stage, nf2, isTrees, values) << 4;
            left &= found;
          }
          stage += load<u32>(stage, offsetof<HaarStage>('bytes'));
        }
        if (!left) continue;
        count += popcnt<i32>(left);
        for (let i = 0; i < 8; i++) if (left & (1 << i)) store<u8>(row + x + i, 1);
      }
    store<i32>(counts + ((<usize>y) << 2), count);
  }
  return 0;
}

export function cascadeRowsScratch(columns: i32): i32 {
  return 2048 + 5 * (columns + 64);
}

/**
 * Variance map: rows y0..y1-1 of one divided by area and standard deviation of every window. 0 if the contrast is too
 * low, and after the last of `columns` windows.
 */
export function varianceMap(
  sums: usize,
  squares: usize,
  stride: i32,
  model: usize,
  out: usize,
  outStride: i32,
  columns: i32,
  width: i32,
  least: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const floor = floorOf(model, least);
  const lanes = i32x4(0, 1, 2, 3);
  for (let y = y0; y < y1; y++) {
    const offset = <usize>(y * stride);
    const row = out + <usize>(y * outStride);
    for (let x = 0; x < width; x += 4) {
      let factor = i32x4.splat(0);
      if (x < columns) {
        const at = offset + ((<usize>x) << 2);
        factor = normalization(sums + at, squares + at, model, scratch);
        const within = i32x4.lt_s(lanes, i32x4.splat(columns - x));
        factor = v128.and(factor, v128.and(within, f32x4.gt(v128.load(scratch), floor)));
      }
      v128.store(row + ((<usize>x) << 2), factor);
    }
  }
  return 0;
}
