// Fits a blurred box to the gray levels across a vessel: see src/vessels/segment/profile-lines.ts.

/** Number of samples of a profile. */
const SAMPLES = 40;
/**
 * Numbers per run of points: the first, their count, neighbors on both sides, distance of samples, step between fitted
 * points.
 */
const RUN = 5;
/** Results per point: position, width, blur, and uncertainty (see `fit`). */
const FOUND = 4;
/** Table of the normal distribution: from -END to END with STEPS steps per unit, value and density. */
const END = 5;
const STEPS = 64;
const ITERATIONS = 10;
/** Unknowns: level, slope, depth, reflex, position, width and blur. Rows of the system are pairs of numbers. */
const SOUGHT = 7;
const ROW = 8;
/**
 * Regularization of the reflex. A stronger one mistakes a blurred reflex for a wider and sharper vessel, a weaker one
 * mistakes noise for a reflex. While the blur is also fitted it is weaker, and the reflex may be dark, because a bias
 * would affect the blur of all vessels.
 */
const SPRING = 0.001;
const LOOSE = 0.0003;
/**
 * Width in pixels below which only the position and depth times width are fitted, because the blur alone determines the
 * profile.
 */
const LEAST = 0.3;

/** Means over the rows around row i of a run, with weights that decrease with the distance. */
function meanProfile(samples: usize, count: i32, i: i32, near: i32, line: usize): void {
  const from = max(0, i - near);
  const to = min(count - 1, i + near);
  for (let k = 0; k < SAMPLES; k++) {
    let sum: f64 = 0;
    let weights: f64 = 0;
    let p = samples + <usize>(4 * (SAMPLES * from + k));
    for (let j = from; j <= to; j++, p += 4 * SAMPLES) {
      const v = <f64>load<f32>(p);
      if (v != v) continue;
      const weight = <f64>(near + 1 - abs(j - i));
      sum += weight * v;
      weights += weight;
    }
    store<f64>(line + ((<usize>k) << 3), sum / weights);
  }
}

/** The table at a position, in steps from its start. `part` 0: the distribution, 8: its density. */
function tabled(table: usize, place: f64, part: usize): f64 {
  if (!(place > 0)) return 0;
  if (place >= <f64>(2 * END * STEPS)) return part ? 0 : 1;
  const i = <i32>place;
  const p = table + <usize>(16 * i) + part;
  const v = load<f64>(p);
  return v + (place - <f64>i) * (load<f64>(p, 16) - v);
}

function entry(m: usize, i: i32, j: i32): usize {
  return m + <usize>(8 * (ROW * i + j));
}

/**
 * Solves the lower half `m` of a symmetric system for `rhs`, both in place, by Cholesky. Returns false without a
 * solution.
 */
function solve(m: usize, rhs: usize): bool {
  for (let i = 0; i < SOUGHT; i++)
    for (let j = 0; j <= i; j++) {
      let sum = load<f64>(entry(m, i, j));
      for (let k = 0; k < j; k++) sum -= load<f64>(entry(m, i, k)) * load<f64>(entry(m, j, k));
      if (i == j) {
        if (!(sum > 1e-12)) return false;
        store<f64>(entry(m, i, i), Math.sqrt(sum));
      } else store<f64>(entry(m, i, j), sum / load<f64>(entry(m, j, j)));
    }
  for (let i = 0; i < SOUGHT; i++) {
    let sum = load<f64>(rhs + <usize>(8 * i));
    for (let k = 0; k < i; k++) sum -= load<f64>(entry(m, i, k)) * load<f64>(rhs + <usize>(8 * k));
    store<f64>(rhs + <usize>(8 * i), sum / load<f64>(entry(m, i, i)));
  }
  for (let i = SOUGHT - 1; i >= 0; i--) {
    let sum = load<f64>(rhs + <usize>(8 * i));
    for (let k = i + 1; k < SOUGHT; k++) sum -= load<f64>(entry(m, k, i)) * load<f64>(rhs + <usize>(8 * k));
    store<f64>(rhs + <usize>(8 * i), sum / load<f64>(entry(m, i, i)));
  }
  return true;
}

function sample(line: usize, k: i32): f64 {
  return load<f64>(line + ((<usize>k) << 3));
}

/** Mean of the known samples in from..to-1. */
function meanOf(line: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let k = from; k < to; k++) {
    const v = sample(line, k);
    if (v != v) continue;
    sum += v;
    count += 1;
  }
  return sum / count;
}

/** Number of samples from the darkest one to half the depth of the profile, in the direction `way` (1 or -1). */
function halfDepth(line: usize, darkest: i32, way: i32, level: f64): f64 {
  for (let k = darkest + way; k >= 0 && k < SAMPLES; k += way) {
    const v = sample(line, k);
    if (v != v) return NaN;
    if (v < level) continue;
    const before = sample(line, k - way);
    return <f64>abs(k - way - darkest) + (level - before) / (v - before);
  }
  return NaN;
}

/** Writes position and width at half the depth to `out`. Returns false if there are none. */
function halfWidth(line: usize, step: f64, out: usize): bool {
  const left = meanOf(line, 0, SAMPLES >> 3);
  const right = meanOf(line, SAMPLES - (SAMPLES >> 3), SAMPLES);
  let darkest = SAMPLES >> 1;
  for (let k = SAMPLES >> 2; k < SAMPLES - (SAMPLES >> 2); k++)
    if (sample(line, k) < sample(line, darkest)) darkest = k;
  const bottom = sample(line, darkest);
  const before = halfDepth(line, darkest, -1, 0.5 * (left + bottom));
  const after = halfDepth(line, darkest, 1, 0.5 * (right + bottom));
  if (!(before + after > 0)) return false;
  store<f64>(out, (<f64>darkest + 0.5 * (after - before) - 0.5 * <f64>(SAMPLES - 1)) * step);
  store<f64>(out, (before + after) * step, 8);
  return true;
}

function limited(v: f64, most: f64): f64 {
  return v > most ? most : v < -most ? -most : v;
}

/** Approximate width of a blurred box from its width at half the depth. */
function withoutBlur(half: f64, s: f64): f64 {
  const seen = half / (2.355 * s);
  return half * Math.sqrt(seen > 1.05 ? 1 - 1 / (seen * seen * seen) : 0.12);
}

/** Adds the contribution of a sample to the lower half of the system at `m` and to its right-hand side. */
function accumulate(m: usize, rhs: usize, row: usize, weight: f64, e: f64): void {
  const error = f64x2.splat(weight * e);
  for (let j: usize = 0; j < 8 * ROW; j += 16)
    v128.store(rhs + j, f64x2.add(v128.load(rhs + j), f64x2.mul(error, v128.load(row + j))));
  for (let i = 0; i < SOUGHT; i++) {
    const part = f64x2.splat(weight * load<f64>(row + <usize>(8 * i)));
    const line = entry(m, i, 0);
    for (let j: usize = 0; j <= <usize>(8 * i); j += 16)
      v128.store(line + j, f64x2.add(v128.load(line + j), f64x2.mul(part, v128.load(row + j))));
  }
}

/**
 * Least squares over the profile at `line`, starting from the position and width in `out`. The blur is fixed or, with
 * `free`, also fitted. Writes position, width, blur and uncertainty to `out`: the residual relative to the depth, or
 * the standard error of the blur. The width is NaN if it is uncertain. Returns false if no vessel fits.
 */
function fit(line: usize, step: f64, sigma: f64, free: bool, table: usize, work: usize, out: usize): bool {
  const reach = 0.5 * <f64>SAMPLES * step;
  const taps = Math.max(1, Math.ceil(step));
  // Blur added by the mean over a step.
  const added = (step * step * (1 - 1 / (taps * taps))) / 12;
  let s = Math.sqrt(sigma * sigma + added);
  const start = withoutBlur(load<f64>(out, 8), s);
  const middle = <f64>(END * STEPS);
  let reflex = start > 3 * s && start > 5;
  const spring = free ? LOOSE : SPRING;
  const m = work;
  const rhs = m + 8 * ROW * SOUGHT;
  const row = rhs + 8 * ROW;
  let a: f64 = 0;
  let b: f64 = 0;
  let d: f64 = 0;
  let r: f64 = 0;
  let c = load<f64>(out);
  let w = start;
  let misfit: f64 = Infinity;
  store<f64>(row, 1);
  store<f64>(row, 0, 56);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    memory.fill(work, 0, 8 * ROW * (SOUGHT + 1));
    const scale = <f64>STEPS / s;
    const perBlur = d / s;
    const reflexScale = <f64>STEPS / Math.sqrt(s * s + 0.007 * start * start);
    // Samples whose residual exceeds the noise belong to another vessel or to a lesion.
    const tolerated = iteration ? 0.0625 * d * d + misfit : Infinity;
    let weights: f64 = 0;
    let squares: f64 = 0;
    for (let k = 0; k < SAMPLES; k++) {
      const v = sample(line, k);
      if (v != v) continue;
      const t = (<f64>k - 0.5 * <f64>(SAMPLES - 1)) * step;
      const left = (t - c + 0.5 * w) * scale;
      const right = (t - c - 0.5 * w) * scale;
      const box = tabled(table, left + middle, 0) - tabled(table, right + middle, 0);
      const rise = tabled(table, left + middle, 8);
      const fall = tabled(table, right + middle, 8);
      const shine = reflex ? tabled(table, (t - c) * reflexScale + middle, 8) : 0;
      const along = t / reach;
      const e = v - (a + b * along - d * box + r * shine);
      const weight = 1 / (1 + (e * e) / tolerated);
      store<f64>(row, along, 8);
      store<f64>(row, -box, 16);
      store<f64>(row, shine, 24);
      store<f64>(row, perBlur * (rise - fall), 32);
      store<f64>(row, -0.5 * perBlur * (rise + fall), 40);
      store<f64>(row, free ? (perBlur * (left * rise - right * fall)) / <f64>STEPS : 0, 48);
      accumulate(m, rhs, row, weight, e);
      weights += weight;
      squares += weight * e * e;
    }
    if (!(weights >= 12)) return false;
    misfit = squares / weights;
    for (let i = 0; i < SOUGHT; i++) {
      const cell = entry(m, i, i);
      store<f64>(cell, 1.0001 * load<f64>(cell) + 1e-6);
    }
    // Regularized by a weak spring if the data do not determine it.
    const held = entry(m, 3, 3);
    store<f64>(held, load<f64>(held) + spring);
    store<f64>(rhs, load<f64>(rhs, 24) - spring * r, 24);
    if (!solve(m, rhs)) return false;
    a += load<f64>(rhs);
    b += load<f64>(rhs, 8);
    d += load<f64>(rhs, 16);
    r += load<f64>(rhs, 24);
    if (r < 0 && !free) {
      r = 0;
      // Not immediately: until the borders are in place, a missing reflex may be an effect of the borders.
      if (iteration > 3) reflex = false;
    }
    const moved = limited(load<f64>(rhs, 32), 0.4 * w);
    const widened = limited(load<f64>(rhs, 40), 0.4 * w);
    const blurred = limited(load<f64>(rhs, 48), 0.3 * s);
    c += moved;
    w = Math.max(LEAST, w + widened);
    s += blurred;
    // At least two steps: the first one, without a depth, changes nothing.
    if (iteration > 1 && Math.abs(moved) + Math.abs(widened) + Math.abs(blurred) < 0.005 * w) break;
  }
  const spread = Math.sqrt(misfit);
  const unsure = spread / load<f64>(entry(m, 5, 5));
  // The blur reduces the apparent depth of a narrow vessel.
  const half = (0.5 * w * <f64>STEPS) / s;
  const depth = d * (tabled(table, middle + half, 0) - tabled(table, middle - half, 0));
  // A vessel border must be well inside the profile to be visible.
  if (!(depth > 1 && depth > 1.5 * spread && Math.abs(c) + 0.5 * w < 0.85 * reach)) return false;
  store<f64>(out, c);
  store<f64>(out, free || unsure < 0.5 * w ? w : NaN, 8);
  store<f64>(out, Math.sqrt(Math.max(0.01, s * s - added)), 16);
  store<f64>(out, free ? spread / load<f64>(entry(m, 6, 6)) : spread / depth, 24);
  return true;
}

/** Fits profiles of the runs y0..y1-1. */
export function profileFits(
  samples: usize,
  runs: usize,
  table: usize,
  sigma: f64,
  free: i32,
  found: usize,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const line = (scratch + 7) & ~7;
  const work = line + 8 * SAMPLES;
  for (let n = y0; n < y1; n++) {
    const run = runs + <usize>(8 * RUN * n);
    const first = <i32>load<f64>(run);
    const count = <i32>load<f64>(run, 8);
    const near = <i32>load<f64>(run, 16);
    const step = load<f64>(run, 24);
    const every = <i32>load<f64>(run, 32);
    // Centered between both ends.
    const begin = ((count - 1) % every) >> 1;
    for (let i = 0; i < count; i++) {
      const out = found + <usize>(8 * FOUND * (first + i));
      if (i % every == begin) {
        meanProfile(samples + <usize>(4 * SAMPLES * first), count, i, near, line);
        if (halfWidth(line, step, out) && fit(line, step, sigma, free != 0, table, work, out)) continue;
      }
      for (let k = 0; k < FOUND; k++) store<f64>(out + <usize>(8 * k), NaN);
    }
  }
  return 0;
}

export function profileFitsScratch(): i32 {
  return 8 * SAMPLES + 8 * ROW * (SOUGHT + 2) + 64;
}
