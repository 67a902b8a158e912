// A blurred box fitted to the gray levels across a vessel: see src/vessels/segment/profiles.ts.

/** Samples of a profile. */
const SAMPLES = 64;
/** Numbers of a run of points: the first, how many, neighbors to either side, a sample's step. */
const RUN = 4;
/** Numbers that are found of a point: place, width, misfit in parts of the depth that is seen. */
const FOUND = 3;
/** The normal distribution's table: from -END to END in steps of a STEPS-th, value and density. */
const END = 5;
const STEPS = 64;
const ITERATIONS = 12;
/** What is sought: level, slope, depth, reflex, place and width. */
const SOUGHT = 6;

/** Means over the rows around row i of a run, weights falling to either side. */
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

/** The table at z in steps from its beginning; `part` 0: the distribution, 8: its density. */
function tabled(table: usize, place: f64, part: usize): f64 {
  if (!(place > 0)) return 0;
  if (place >= <f64>(2 * END * STEPS)) return part ? 0 : 1;
  const i = <i32>place;
  const p = table + <usize>(16 * i) + part;
  const v = load<f64>(p);
  return v + (place - <f64>i) * (load<f64>(p, 16) - v);
}

function entry(m: usize, i: i32, j: i32): usize {
  return m + <usize>(8 * (SOUGHT * i + j));
}

/** Solves the lower half `m` of a symmetric system for `rhs`, both in place, by Cholesky; false where it has no answer. */
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

/** Mean of the samples from..to-1 that are known. */
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

/** Samples from the darkest one to where the profile is half as deep, by `way` (1 or -1). */
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

/** Place and width at half the depth, to `out`; false where there is none. */
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

/**
 * Least squares over the profile at `line`, from the place and width in `out`: place, width and misfit to `out`; false
 * where no vessel fits. Work: 48 numbers.
 */
function fit(line: usize, step: f64, sigma: f64, table: usize, work: usize, out: usize): bool {
  const start = load<f64>(out, 8);
  const reach = 0.5 * <f64>SAMPLES * step;
  const taps = Math.max(1, Math.ceil(step));
  // What the mean over a step adds to the blur.
  const s = Math.sqrt(sigma * sigma + (step * step * (1 - 1 / (taps * taps))) / 12);
  const scale = <f64>STEPS / s;
  const middle = <f64>(END * STEPS);
  let reflex = start > 5 * s && start > 5;
  const reflexScale = <f64>STEPS / Math.sqrt(s * s + 0.02 * start * start);
  const m = work;
  const rhs = m + 8 * SOUGHT * SOUGHT;
  const row = rhs + 8 * SOUGHT;
  let a: f64 = 0;
  let b: f64 = 0;
  let d: f64 = 0;
  let r: f64 = 0;
  let c = load<f64>(out);
  let w = start;
  let misfit: f64 = Infinity;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    memory.fill(work, 0, 8 * (SOUGHT * SOUGHT + SOUGHT));
    // Samples that are further from the fit than noise are another vessel's, or a lesion's.
    const tolerated = iteration ? 0.0625 * d * d + misfit : Infinity;
    let weights: f64 = 0;
    let squares: f64 = 0;
    for (let k = 0; k < SAMPLES; k++) {
      const v = load<f64>(line + ((<usize>k) << 3));
      if (v != v) continue;
      const t = (<f64>k - 0.5 * <f64>(SAMPLES - 1)) * step;
      const left = (t - c + 0.5 * w) * scale + middle;
      const right = (t - c - 0.5 * w) * scale + middle;
      const box = tabled(table, left, 0) - tabled(table, right, 0);
      const rise = tabled(table, left, 8);
      const fall = tabled(table, right, 8);
      const shine = reflex ? tabled(table, (t - c) * reflexScale + middle, 8) : 0;
      const along = t / reach;
      const e = v - (a + b * along - d * box + r * shine);
      const weight = 1 / (1 + (e * e) / tolerated);
      store<f64>(row, 1);
      store<f64>(row, along, 8);
      store<f64>(row, -box, 16);
      store<f64>(row, shine, 24);
      store<f64>(row, (d * (rise - fall)) / s, 32);
      store<f64>(row, (-0.5 * d * (rise + fall)) / s, 40);
      for (let i = 0; i < SOUGHT; i++) {
        const part = weight * load<f64>(row + <usize>(8 * i));
        const at = rhs + <usize>(8 * i);
        store<f64>(at, load<f64>(at) + part * e);
        for (let j = 0; j <= i; j++) {
          const cell = entry(m, i, j);
          store<f64>(cell, load<f64>(cell) + part * load<f64>(row + <usize>(8 * j)));
        }
      }
      weights += weight;
      squares += weight * e * e;
    }
    if (!(weights >= 12)) return false;
    misfit = squares / weights;
    for (let i = 0; i < SOUGHT; i++) {
      const cell = entry(m, i, i);
      store<f64>(cell, 1.01 * load<f64>(cell) + 1e-6);
    }
    // A reflex is at most a part of the depth: held by a weak spring where nothing speaks for it.
    const spring = entry(m, 3, 3);
    store<f64>(spring, load<f64>(spring) + 0.05);
    store<f64>(rhs, load<f64>(rhs, 24) - 0.05 * r, 24);
    if (!solve(m, rhs)) return false;
    a += load<f64>(rhs);
    b += load<f64>(rhs, 8);
    d += load<f64>(rhs, 16);
    r += load<f64>(rhs, 24);
    if (r < 0) {
      r = 0;
      reflex = false;
    }
    const moved = limited(load<f64>(rhs, 32), 0.4 * w);
    const widened = limited(load<f64>(rhs, 40), 0.4 * w);
    c += moved;
    w += widened;
    // Two steps at least: the first, without a depth, moves nothing.
    if (iteration > 1 && Math.abs(moved) + Math.abs(widened) < 0.002 * w) break;
  }
  const spread = Math.sqrt(misfit);
  const unsure = spread / load<f64>(entry(m, 5, 5));
  // A border of the vessel that is not well inside of the profile was not seen.
  // Through the blur a narrow vessel is less deep than it is.
  const half = 0.5 * w * scale;
  const depth = d * (tabled(table, middle + half, 0) - tabled(table, middle - half, 0));
  if (!(depth > 1 && depth > 1.5 * spread && w > 0.3 && Math.abs(c) + 0.5 * w < 0.85 * reach)) return false;
  if (!(unsure < 0.25 * w)) return false;
  store<f64>(out, c);
  store<f64>(out, w, 8);
  store<f64>(out, spread / depth, 16);
  return true;
}

/** Fits the profiles of the runs y0..y1-1. */
export function profileFits(
  samples: usize,
  runs: usize,
  table: usize,
  sigma: f64,
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
    for (let i = 0; i < count; i++) {
      const out = found + <usize>(8 * FOUND * (first + i));
      meanProfile(samples + <usize>(4 * SAMPLES * first), count, i, near, line);
      if (!(halfWidth(line, step, out) && fit(line, step, sigma, table, work, out)))
        for (let k = 0; k < FOUND; k++) store<f64>(out + <usize>(8 * k), NaN);
    }
  }
  return 0;
}

export function profileFitsScratch(): i32 {
  return 8 * SAMPLES + 8 * (SOUGHT * SOUGHT + 2 * SOUGHT) + 64;
}
