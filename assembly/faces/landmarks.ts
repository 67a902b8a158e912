// Landmarks by an ensemble of regression trees (Kazemi and Sullivan 2014, and section 4.4 of the thesis), with dlib's
// arithmetic: shapes are in the unit square of the box, as 32-bit floats. Each cascade computes the similarity from
// mean to current shape, feature pixels, the leaf of every tree, and the sum of the leaves. Leaves of all trees are
// found first. Loading their rows dominates the run time, and those loads then overlap with adding earlier ones.
//
// The model (src/models/landmarks.ts), 32-bit words:
// - 0 points, 1 cascades, 2 trees, 3 depth, 4 pixels, 5 bytes of a leaf's number: 4, 2 or 1.
// - 8..12 byte offsets of mean shape, anchors (u16), deltas (f32 x, y), splits (u16, u16, f32), leaf scales (f32).
// - 13 byte offset of the leaves.
// - 15 byte offset of the patch, or 0.
//
// The patch contains its size, the size of the box, the number of coefficients, cascades for alignment (0: the caller
// decides), trees and depth of the confidence, 0, 0. Then follow for each cascade the reach of its features, the shape
// space, and for each of its directions the weight of a distance along it. Splits and leaves of the confidence are
// last.

import { alignPatch, alignTo, boxInShape, shapeInBox, stayInBox } from './landmarks-align';
import { makePatch, patchBytes, patchFeature } from './landmarks-patch';
import { similarityMatrix } from './similarity';

/** Bytes before the radii of a patch. */
const PATCH_HEAD: usize = 32;
/** Number of values in addition to the feature pixels for the confidence, and number of coefficients among them. */
const TRACES: i32 = 21;
const TRACED_COEFFICIENTS: i32 = 8;

/** Gray values of the feature pixels of one cascade, as 32-bit floats. */
function featurePixels(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  box: usize,
  shape: usize,
  matrix: usize,
  anchors: usize,
  deltas: usize,
  count: i32,
  out: usize,
): void {
  const left = load<f64>(box);
  const top = load<f64>(box, 8);
  const w = load<f64>(box, 16);
  const h = load<f64>(box, 24);
  const a = <f32>load<f64>(matrix);
  const b = <f32>load<f64>(matrix, 8);
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = shape + ((<usize>load<u16>(anchors + (i << 1))) << 3);
    const dx = load<f32>(deltas + (i << 3));
    const dy = load<f32>(deltas + (i << 3), 4);
    const ux = a * dx - b * dy + load<f32>(at);
    const uy = b * dx + a * dy + load<f32>(at, 4);
    const x = floor<f64>(<f64>ux * w + left + 0.5);
    const y = floor<f64>(<f64>uy * h + top + 0.5);
    let value: f32 = 0;
    if (x >= 0 && y >= 0 && x < <f64>width && y < <f64>height)
      value = <f32>(<i32>load<u8>(source + <usize>(<i32>y * stride + <i32>x)));
    store<f32>(out + (i << 2), value);
  }
}

/** Feature values of a cascade with square means in a patch. `zoom` pixels of the patch are the box. */
function patchedPixels(
  sums: usize,
  side: i32,
  zoom: i32,
  reach: i32,
  gain: f64,
  shape: usize,
  matrix: usize,
  anchors: usize,
  deltas: usize,
  count: i32,
  out: usize,
): void {
  const margin = <f64>((side - zoom) >> 1);
  const scale = <f64>(zoom - 1);
  const a = load<f64>(matrix);
  const b = load<f64>(matrix, 8);
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = shape + ((<usize>load<u16>(anchors + (i << 1))) << 3);
    const dx = <f64>load<f32>(deltas + (i << 3));
    const dy = <f64>load<f32>(deltas + (i << 3), 4);
    const x = margin + scale * (<f64>load<f32>(at) + a * dx - b * dy);
    const y = margin + scale * (<f64>load<f32>(at, 4) + b * dx + a * dy);
    store<f32>(out + (i << 2), patchFeature(sums, side, x, y, reach, gain));
  }
}

/** Shape from its coefficients along each direction of the shape space, relative to the mean. */
function expand(means: usize, basis: usize, coefficients: usize, size: i32, values: i32, shape: usize): void {
  const pitch = (<usize>values) << 2;
  memory.copy(shape, means, pitch);
  for (let d = 0; d < size; d++, basis += pitch) {
    const share = v128.load32_splat(coefficients + ((<usize>d) << 2));
    let k: usize = 0;
    for (; k + 16 <= pitch; k += 16)
      v128.store(shape + k, f32x4.add(v128.load(shape + k), f32x4.mul(v128.load(basis + k), share)));
    for (; k < pitch; k += 4)
      store<f32>(shape + k, load<f32>(shape + k) + load<f32>(basis + k) * load<f32>(coefficients + ((<usize>d) << 2)));
  }
}

/** Inverse of `expand`: coefficients of a shape along each direction, relative to the mean. */
function project(means: usize, basis: usize, coefficients: usize, size: i32, values: i32, shape: usize): void {
  const pitch = (<usize>values) << 2;
  for (let d = 0; d < size; d++, basis += pitch) {
    let sums = f32x4.splat(0);
    let k: usize = 0;
    for (; k + 16 <= pitch; k += 16)
      sums = f32x4.add(sums, f32x4.mul(v128.load(basis + k), f32x4.sub(v128.load(shape + k), v128.load(means + k))));
    let sum =
      f32x4.extract_lane(sums, 0) +
      f32x4.extract_lane(sums, 1) +
      f32x4.extract_lane(sums, 2) +
      f32x4.extract_lane(sums, 3);
    for (; k < pitch; k += 4) sum += load<f32>(basis + k) * (load<f32>(shape + k) - load<f32>(means + k));
    store<f32>(coefficients + ((<usize>d) << 2), sum);
  }
}

/** One step down a tree: to the left child if the difference is larger than the threshold. */
function step(splits: usize, pixels: usize, i: i32): i32 {
  const split = splits + ((<usize>i) << 3);
  const u = load<f32>(pixels + ((<usize>load<u16>(split)) << 2));
  const v = load<f32>(pixels + ((<usize>load<u16>(split, 2)) << 2));
  return 2 * i + 2 - <i32>(u - v > load<f32>(split, 4));
}

/** The leaf of every tree of a cascade, as 16-bit numbers. Four trees at a time, because each waits for its loads. */
function findLeaves(splits: usize, pixels: usize, trees: i32, depth: i32, out: usize): void {
  const inner = (1 << depth) - 1;
  const pitch = (<usize>inner) << 3;
  let t = 0;
  for (; t + 4 <= trees; t += 4) {
    const s0 = splits + <usize>t * pitch;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let k = 0; k < depth; k++) {
      a = step(s0, pixels, a);
      b = step(s0 + pitch, pixels, b);
      c = step(s0 + 2 * pitch, pixels, c);
      d = step(s0 + 3 * pitch, pixels, d);
    }
    store<u16>(out + ((<usize>t) << 1), <u16>(a - inner));
    store<u16>(out + ((<usize>t) << 1), <u16>(b - inner), 2);
    store<u16>(out + ((<usize>t) << 1), <u16>(c - inner), 4);
    store<u16>(out + ((<usize>t) << 1), <u16>(d - inner), 6);
  }
  for (; t < trees; t++) {
    let a = 0;
    for (let k = 0; k < depth; k++) a = step(splits + <usize>t * pitch, pixels, a);
    store<u16>(out + ((<usize>t) << 1), <u16>(a - inner));
  }
}

/** Adds leaves of 32-bit floats in the order of their trees. */
function addFloats(shape: usize, values: i32, leaves: usize, perTree: i32, found: usize, trees: i32): void {
  const pitch = (<usize>values) << 2;
  const tree = pitch * perTree;
  let t = 0;
  for (; t + 4 <= trees; t += 4, leaves += 4 * tree) {
    const f = found + ((<usize>t) << 1);
    const a = leaves + pitch * load<u16>(f);
    const b = leaves + tree + pitch * load<u16>(f, 2);
    const c = leaves + 2 * tree + pitch * load<u16>(f, 4);
    const d = leaves + 3 * tree + pitch * load<u16>(f, 6);
    for (let k: usize = 0; k < pitch; k += 16) {
      let sum = f32x4.add(v128.load(shape + k), v128.load(a + k));
      sum = f32x4.add(sum, v128.load(b + k));
      sum = f32x4.add(sum, v128.load(c + k));
      v128.store(shape + k, f32x4.add(sum, v128.load(d + k)));
    }
  }
  for (; t < trees; t++, leaves += tree) {
    const a = leaves + pitch * load<u16>(found + ((<usize>t) << 1));
    for (let k: usize = 0; k < pitch; k += 16) v128.store(shape + k, f32x4.add(v128.load(shape + k), v128.load(a + k)));
  }
}

/** Adds leaves of 16-bit numbers, each leaf with a separate scale. */
function addShorts(
  shape: usize,
  values: i32,
  leaves: usize,
  perTree: i32,
  scales: usize,
  found: usize,
  trees: i32,
): void {
  const pitch = (<usize>values) << 1;
  for (let t = 0; t < trees; t++, leaves += pitch * perTree, scales += perTree << 2) {
    const leaf = <usize>load<u16>(found + ((<usize>t) << 1));
    const a = leaves + pitch * leaf;
    const scale = v128.load32_splat(scales + (leaf << 2));
    for (let k: usize = 0; k < <usize>values; k += 8) {
      const v = v128.load(a + (k << 1));
      const at = shape + (k << 2);
      const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v));
      const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v));
      v128.store(at, f32x4.add(v128.load(at), f32x4.mul(low, scale)));
      v128.store(at, f32x4.add(v128.load(at, 16), f32x4.mul(high, scale)), 16);
    }
  }
}

/** Adds leaves of 8-bit numbers, two trees at a time. */
function addBytes(
  shape: usize,
  values: i32,
  leaves: usize,
  perTree: i32,
  scales: usize,
  found: usize,
  trees: i32,
): void {
  const pitch = <usize>values;
  for (let t = 0; t < trees; t += 2, leaves += 2 * pitch * perTree, scales += perTree << 3) {
    const leaf = <usize>load<u16>(found + ((<usize>t) << 1));
    const a = leaves + pitch * leaf;
    const scale = v128.load32_splat(scales + (leaf << 2));
    let b = a;
    let scale2 = f32x4.splat(0);
    if (t + 1 < trees) {
      const next = <usize>(perTree + <i32>load<u16>(found + ((<usize>t) << 1), 2));
      b = leaves + pitch * next;
      scale2 = v128.load32_splat(scales + (next << 2));
    }
    for (let k: usize = 0; k < pitch; k += 8) {
      const v = v128.load8x8_s(a + k);
      const w = v128.load8x8_s(b + k);
      const at = shape + (k << 2);
      const low = f32x4.add(
        f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(v)), scale),
        f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(w)), scale2),
      );
      const high = f32x4.add(
        f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(v)), scale),
        f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(w)), scale2),
      );
      v128.store(at, f32x4.add(v128.load(at), low));
      v128.store(at, f32x4.add(v128.load(at, 16), high), 16);
    }
  }
}

/** Rounds to a 16-bit integer. */
function whole(value: f64): f32 {
  return <f32>min<f64>(32000, max<f64>(-32000, floor<f64>(value + 0.5)));
}

/** Length of a vector, or distance from another one. `weights` apply to the squares, if any. */
function lengthOf(vector: usize, from: usize, weights: usize, size: i32): f64 {
  let sum: f64 = 0;
  for (const end = vector + ((<usize>size) << 2); vector < end; vector += 4) {
    let v = <f64>load<f32>(vector);
    if (from) {
      v -= <f64>load<f32>(from);
      from += 4;
    }
    let weight: f64 = 1;
    if (weights) {
      weight = <f64>load<f32>(weights);
      weights += 4;
    }
    sum += weight * v * v;
  }
  return sqrt<f64>(sum);
}

/**
 * Traces of a fit:
 * - 0, the change of the coefficients in the last cascade and in the whole last round, and their distance from the
 *   mean.
 * - The contrast, the similarity from the mean to the shape, and the one for cutting out the face.
 * - The first coefficients.
 */
function traces(
  coefficients: usize,
  last: usize,
  round: usize,
  weights: usize,
  size: i32,
  gain: f64,
  similar: usize,
  frames: usize,
  out: usize,
): void {
  store<f32>(out, 0);
  store<f32>(out, whole(10000 * lengthOf(coefficients, last, 0, size)), 4);
  store<f32>(out, whole(1000 * lengthOf(coefficients, round, 0, size)), 8);
  store<f32>(out, whole(100 * lengthOf(coefficients, 0, weights, size)), 12);
  store<f32>(out, whole(100 * gain), 16);
  store<f32>(out, whole(1000 * load<f64>(similar)), 20);
  store<f32>(out, whole(1000 * load<f64>(similar, 8)), 24);
  store<f32>(out, whole(1000 * (load<f64>(similar, 32) - load<f64>(similar, 16))), 28);
  store<f32>(out, whole(1000 * (load<f64>(similar, 40) - load<f64>(similar, 24))), 32);
  for (let k: usize = 0; k < 4; k++) store<f32>(out + (k << 2), whole(1000 * load<f64>(frames + (k << 3), 48)), 36);
  for (let k = 0; k < TRACED_COEFFICIENTS; k++) {
    const at = (<usize>k) << 2;
    store<f32>(out + at, k < size ? whole(1000 * <f64>load<f32>(coefficients + at)) : 0, 52);
  }
}

/** Sum of the leaves of trees with one number each. */
function sumOfTrees(block: usize, pixels: usize, trees: i32, depth: i32): f32 {
  const inner = (1 << depth) - 1;
  const leaves = block + ((<usize>(trees * inner)) << 3);
  let sum: f32 = 0;
  for (let t = 0; t < trees; t++) {
    let i = 0;
    for (let k = 0; k < depth; k++) i = step(block + ((<usize>(t * inner)) << 3), pixels, i);
    sum += load<f32>(leaves + ((<usize>(t * (inner + 1) + i - inner)) << 2));
  }
  return sum;
}

/** Scratch for a similarity (48 bytes), and for frames starting at byte 64 (landmarks-align.ts). */
const HEAD: i32 = 192;

export function fitLandmarksScratch(model: usize): i32 {
  const trees = load<i32>(model, 8);
  const pixels = load<i32>(model, 16);
  const patch = load<u32>(model, 60);
  const own = patch ? 12 * (load<i32>(model + patch, 8) + 16) + <i32>patchBytes(load<i32>(model + patch)) : 0;
  return HEAD + 4 * (pixels + TRACES + 4) + 2 * (trees + 8) + own;
}

/**
 * Shapes in the unit squares of the boxes y0..y1-1. A box is four doubles: left, top and the span of the unit square. A
 * shape has 2 * points floats, in rows of `shapesStride` bytes with space for 32 bytes more. It starts as the mean
 * shape. For models with a confidence, the logarithm of the odds that the landmarks are accurate follows. If rows have
 * space for them (after the 32 bytes), the feature pixels of the last cascade and the traces of the fit follow as well.
 * `limit`: number of cascades to run. For a model with a patch, `first` of them run before for the alignment, if the
 * model does not define this number. Scratch: 192 bytes, pixels as floats, leaves as 16-bit numbers, coefficients and
 * the patch.
 */
export function fitLandmarks(
  source: usize,
  sourceStride: i32,
  width: i32,
  height: i32,
  model: usize,
  boxes: usize,
  shapes: usize,
  shapesStride: i32,
  first: i32,
  limit: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const points = load<i32>(model);
  const cascades = min(load<i32>(model, 4), limit);
  const trees = load<i32>(model, 8);
  const depth = load<i32>(model, 12);
  const pixels = load<i32>(model, 16);
  const form = load<i32>(model, 20);
  const means = model + load<u32>(model, 32);
  const anchors = model + load<u32>(model, 36);
  const deltas = model + load<u32>(model, 40);
  const splits = model + load<u32>(model, 44);
  const scales = model + load<u32>(model, 48);
  const leaves = model + load<u32>(model, 52);
  const values = 2 * points;
  const perTree = 1 << depth;
  const frames = scratch + 64;
  const gray = scratch + HEAD;
  const found = gray + ((<usize>((pixels + TRACES + 3) & ~3)) << 2);
  const patch = load<u32>(model, 60);
  const extra = model + patch;
  const side = patch ? load<i32>(extra) : 0;
  const zoom = patch ? load<i32>(extra, 4) : 0;
  const size = patch ? load<i32>(extra, 8) : values;
  const margin = (side - zoom) >> 1;
  const basis = extra + PATCH_HEAD + <usize>(((load<i32>(model, 4) << 2) + 15) & ~15);
  const coefficients = found + <usize>((2 * trees + 15) & ~15);
  const pitch = (<usize>((size + 11) & ~3)) << 2;
  // Coefficients at the start of the last round and of the last cascade.
  const round = coefficients + pitch;
  const last = round + pitch;
  const sums = last + pitch;
  const weights = basis + ((<usize>size * values) << 2);
  const judges = patch ? load<i32>(extra, 16) : 0;
  const tell = patch && shapesStride >= 4 * (values + 8 + pixels + TRACES);
  // Cascades trained on aligned faces continue from there. Others restart.
  const goesOn = patch && load<i32>(extra, 12);
  const before = goesOn ? load<i32>(extra, 12) : first;
  const rounds = goesOn ? cascades : before + cascades;
  for (let y = y0; y < y1; y++) {
    const shape = shapes + <usize>(y * shapesStride);
    const box = boxes + ((<usize>y) << 5);
    const sum = patch ? coefficients : shape;
    let gain: f64 = 0;
    memory.copy(shape, means, (<usize>values) << 2);
    for (let n = 0; n < rounds; n++) {
      const c = goesOn || n < before ? n : n - before;
      if (patch && (n == 0 || n == before)) {
        stayInBox(frames);
        memory.fill(coefficients, 0, (<usize>size) << 2);
        if (n) {
          similarityMatrix(means, shape, points, scratch);
          alignTo(frames, scratch);
          if (goesOn) {
            boxInShape(frames, shape, values);
            project(means, basis, coefficients, size, values, shape);
          }
          expand(means, basis, coefficients, size, values, shape);
        }
        alignPatch(frames, box, margin, zoom);
        gain = makePatch(source, sourceStride, width, height, frames, side, margin, sums);
        memory.copy(round, coefficients, pitch);
      }
      if (patch && n == rounds - 1) memory.copy(last, coefficients, pitch);
      const anchor = anchors + ((<usize>c * pixels) << 1);
      const delta = deltas + ((<usize>c * pixels) << 3);
      similarityMatrix(means, shape, points, scratch);
      if (patch) {
        const reach = load<i32>(extra + PATCH_HEAD + ((<usize>c) << 2));
        patchedPixels(sums, side, zoom, reach, gain, shape, scratch, anchor, delta, pixels, gray);
      } else featurePixels(source, sourceStride, width, height, box, shape, scratch, anchor, delta, pixels, gray);
      findLeaves(splits + ((<usize>(c * trees) * (perTree - 1)) << 3), gray, trees, depth, found);
      const leaf = <usize>(c * trees) * perTree;
      const own = scales + (leaf << 2);
      if (form == 4) addFloats(sum, size, leaves + ((leaf * size) << 2), perTree, found, trees);
      else if (form == 2) addShorts(sum, size, leaves + ((leaf * size) << 1), perTree, own, found, trees);
      else addBytes(sum, size, leaves + leaf * size, perTree, own, found, trees);
      if (patch) expand(means, basis, coefficients, size, values, shape);
    }
    if (!patch) continue;
    if (judges || tell) {
      const c = cascades - 1;
      const reach = load<i32>(extra + PATCH_HEAD + ((<usize>c) << 2));
      const anchor = anchors + ((<usize>c * pixels) << 1);
      const delta = deltas + ((<usize>c * pixels) << 3);
      similarityMatrix(means, shape, points, scratch);
      patchedPixels(sums, side, zoom, reach, gain, shape, scratch, anchor, delta, pixels, gray);
      traces(
        coefficients,
        last,
        round,
        judges ? weights : 0,
        size,
        gain,
        scratch,
        frames,
        gray + ((<usize>pixels) << 2),
      );
    }
    shapeInBox(frames, shape, values);
    const end = shape + ((<usize>values) << 2);
    if (judges) store<f32>(end, sumOfTrees(weights + ((<usize>size) << 2), gray, judges, load<i32>(extra, 20)));
    if (tell) memory.copy(end + 32, gray, (<usize>(pixels + TRACES)) << 2);
  }
  return 0;
}
