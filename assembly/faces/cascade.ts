// Cascade of boosted classifiers over one scale (thesis, section 4.3). Four neighbouring windows at a time: their
// samples of the integral image lie side by side. A row is gone through twice: standard deviation and first stage of
// every window, then the other stages of the windows that are left, each group of four until none of it is.
//
// Leaves and stage thresholds are fixed-point numbers, so that sums are exact in any order; features of an unscaled
// window are exact in 32-bit floats. The model (src/faces/cascade-table.ts), 32-bit words:
//   0 stages   1..4 offsets of the corners of the window's inner rectangle   5 its nominal area, float
//   6 one over its area, float   7 whole numbers do: 1   8 floor of nf^-2 (or of the variance), float   9 trees
// then per stage: threshold, trees, bytes to the next stage; per tree (only where word 9 is not 0) its nodes; per node (80 bytes):
//   0..11 offsets of the corners of three rectangles   12..14 weights, floats
//   15 rectangles, or 1 for two halves: then 0..3 are the samples a - b - c + d and 4, 5 those of 2 (e - f)
//   16 threshold, float   17, 18 left, right leaf   19 left and right node, a byte each, 0 for a leaf

const HEADER: usize = 40;
const STAGE: usize = 12;
const NODE: usize = 80;

/** Sum of the samples in a rectangle, for four windows. */
function rectangle(p: usize, node: usize): v128 {
  return i32x4.add(
    i32x4.sub(v128.load(p + load<u32>(node)), v128.load(p + load<u32>(node, 4))),
    i32x4.sub(v128.load(p + load<u32>(node, 12)), v128.load(p + load<u32>(node, 8))),
  );
}

/** All ones where a window goes right. */
function goesRight(p: usize, node: usize, nf: v128): v128 {
  const kind = load<u32>(node, 60);
  let value: v128;
  if (kind == 1) {
    // Two halves of one rectangle share an edge, and their difference is a whole number: six samples do.
    const edge = i32x4.sub(v128.load(p + load<u32>(node, 16)), v128.load(p + load<u32>(node, 20)));
    value = f32x4.convert_i32x4_s(i32x4.add(rectangle(p, node), i32x4.shl(edge, 1)));
  } else {
    value = f32x4.add(
      f32x4.mul(f32x4.convert_i32x4_s(rectangle(p, node)), v128.load32_splat(node, 48)),
      f32x4.mul(f32x4.convert_i32x4_s(rectangle(p, node + 16)), v128.load32_splat(node, 52)),
    );
    if (kind == 3)
      value = f32x4.add(value, f32x4.mul(f32x4.convert_i32x4_s(rectangle(p, node + 32)), v128.load32_splat(node, 56)));
  }
  return f32x4.ge(f32x4.mul(value, nf), v128.load32_splat(node, 64));
}

/** Leaf of one tree per window; nodes are gone through backwards, so that what a node leads to is known. */
function tree(p: usize, first: usize, nodes: i32, nf: v128, values: usize): v128 {
  let value = i32x4.splat(0);
  for (let i = nodes - 1; i >= 0; i--) {
    const node = first + <usize>i * NODE;
    const l = <usize>load<u8>(node, 76);
    const r = <usize>load<u8>(node, 77);
    const left = l ? v128.load(values + (l << 4)) : v128.load32_splat(node, 68);
    const right = r ? v128.load(values + (r << 4)) : v128.load32_splat(node, 72);
    value = v128.bitselect(right, left, goesRight(p, node, nf));
    v128.store(values + ((<usize>i) << 4), value);
  }
  return value;
}

/** One bit a window that passes a stage. */
function passes(p: usize, stage: usize, nf: v128, isTrees: bool, values: usize): i32 {
  const trees = load<i32>(stage, 4);
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
      const leaf = v128.bitselect(v128.load32_splat(at, 72), v128.load32_splat(at, 68), goesRight(p, at, nf));
      sum = i32x4.add(sum, leaf);
    }
  return i32x4.bitmask(i32x4.ge_s(sum, v128.load32_splat(stage)));
}

/** The same for eight windows side by side, without trees: what is loaded of the model serves twice. */
function passes8(p: usize, stage: usize, nf: v128, nf2: v128): i32 {
  let sum = i32x4.splat(0);
  let sum2 = i32x4.splat(0);
  let at = stage + STAGE;
  for (const end = at + <usize>load<i32>(stage, 4) * NODE; at < end; at += NODE) {
    const kind = load<u32>(at, 60);
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
      let weight = v128.load32_splat(at, 48);
      value = f32x4.mul(f32x4.convert_i32x4_s(first), weight);
      value2 = f32x4.mul(f32x4.convert_i32x4_s(first2), weight);
      weight = v128.load32_splat(at, 52);
      const second = i32x4.add(i32x4.sub(v128.load(a), v128.load(b)), i32x4.sub(v128.load(d), v128.load(c)));
      const second2 = i32x4.add(
        i32x4.sub(v128.load(a, 16), v128.load(b, 16)),
        i32x4.sub(v128.load(d, 16), v128.load(c, 16)),
      );
      value = f32x4.add(value, f32x4.mul(f32x4.convert_i32x4_s(second), weight));
      value2 = f32x4.add(value2, f32x4.mul(f32x4.convert_i32x4_s(second2), weight));
      if (kind == 3) {
        weight = v128.load32_splat(at, 56);
        const third = f32x4.convert_i32x4_s(rectangle(p, at + 32));
        const third2 = f32x4.convert_i32x4_s(rectangle(p + 16, at + 32));
        value = f32x4.add(value, f32x4.mul(third, weight));
        value2 = f32x4.add(value2, f32x4.mul(third2, weight));
      }
    }
    const threshold = v128.load32_splat(at, 64);
    const left = v128.load32_splat(at, 68);
    const right = v128.load32_splat(at, 72);
    sum = i32x4.add(sum, v128.bitselect(right, left, f32x4.ge(f32x4.mul(value, nf), threshold)));
    sum2 = i32x4.add(sum2, v128.bitselect(right, left, f32x4.ge(f32x4.mul(value2, nf2), threshold)));
  }
  const least = v128.load32_splat(stage);
  return i32x4.bitmask(i32x4.ge_s(sum, least)) | (i32x4.bitmask(i32x4.ge_s(sum2, least)) << 4);
}

/** One over (area x standard deviation); `stddev` gets what the floor is compared with. */
function normalisation(p: usize, q: usize, model: usize, scratch: usize): v128 {
  const sum = rectangle(p, model + 4);
  const square = rectangle(q, model + 4);
  if (load<i32>(model, 28)) {
    // (v - 128) instead of v: nothing changes but the size of the numbers.
    const area = i32x4.trunc_sat_f32x4_s(v128.load32_splat(model, 20));
    const shifted = i32x4.sub(sum, i32x4.shl(area, 7));
    const d = i32x4.sub(i32x4.mul(area, square), i32x4.mul(shifted, shifted));
    const variance = f32x4.convert_i32x4_u(d);
    v128.store(scratch, variance);
    return f32x4.div(f32x4.splat(1), f32x4.sqrt(variance));
  }
  const inverse = v128.load32_splat(model, 24);
  const mean = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_u(sum), inverse), f32x4.splat(128));
  const variance = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_u(square), inverse), f32x4.mul(mean, mean));
  v128.store(scratch, variance);
  return f32x4.div(f32x4.splat(1), f32x4.mul(v128.load32_splat(model, 20), f32x4.sqrt(variance)));
}

/**
 * Rows y0..y1-1 of windows, `columns` each and `step` rows of the image apart. hits[row * hitStride + column] becomes 1
 * for windows that pass every stage, counts[row] their number. With `skip` a window right of one that fails the first
 * stage is left out, as OpenCV does.
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
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const stages = load<i32>(model);
  const isTrees = load<i32>(model, 36) != 0;
  const floor = v128.load32_splat(model, 32);
  const first = model + HEADER;
  const second = first + load<u32>(first, 8);
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
      const nf = normalisation(p + at, q + at, model, scratch);
      // NaN and negative variances are refused as well.
      let valid = i32x4.bitmask(f32x4.gt(v128.load(scratch), floor));
      const nf2 = normalisation(p + at + 16, q + at + 16, model, scratch);
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
          stage += load<u32>(stage, 8);
        }
        if (!left) continue;
        count += popcnt<i32>(left);
        for (let i = 0; i < 8; i++) if (left & (1 << i)) store<u8>(row + x + i, 1);
      }
    store<i32>(counts + ((<usize>y) << 2), count);
  }
  return 0;
}

/**
 * Variance map: rows y0..y1-1 of one over area and standard deviation of every window, 0 where there is too little
 * contrast, and behind the last one of `columns` windows.
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
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const floor = v128.load32_splat(model, 32);
  const lanes = i32x4(0, 1, 2, 3);
  for (let y = y0; y < y1; y++) {
    const offset = <usize>(y * stride);
    const row = out + <usize>(y * outStride);
    for (let x = 0; x < width; x += 4) {
      let factor = i32x4.splat(0);
      if (x < columns) {
        const at = offset + ((<usize>x) << 2);
        factor = normalisation(sums + at, squares + at, model, scratch);
        const within = i32x4.lt_s(lanes, i32x4.splat(columns - x));
        factor = v128.and(factor, v128.and(within, f32x4.gt(v128.load(scratch), floor)));
      }
      v128.store(row + ((<usize>x) << 2), factor);
    }
  }
  return 0;
}
