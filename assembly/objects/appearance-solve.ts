// Correlation filter limited to the target. It is the ridge regression from all shifts of a window to a narrow peak,
// where only the center of the window may have weights (Kiani Galoogahi et al. 2017). It also stays close to the
// previous filter (Li et al. 2018). The surroundings of the target serve only as negatives and are not tracked. Solved
// by alternating directions: in the frequency domain without the mask, in the image domain with it.
import { channelSpectra, planesOf } from './appearance-spectra';

const ROW: usize = 128;
const PLANE: usize = 4096;
const PART: usize = 17 * ROW;
const SPECTRUM: usize = 2 * PART;
/** The weight of the mask grows in each round. */
const PULL_GROWS: f32 = 10;
/** Rounds for the first filter, and for one with a previous filter. */
const FIRST_ROUNDS: i32 = 4;
const ROUNDS: i32 = 2;

/** A flat window has no energy. Rounding errors must not become a target. */
const LEAST_ENERGY: f32 = 0.01;

/** Bytes of scratch for `filterSolve`. */
export const SOLVE_BYTES: usize = 6 * PLANE;

/** Mean over the frequencies of the energy of all channels. */
function meanEnergy(spectra: usize, count: i32): f32 {
  let sum = f32x4.splat(0);
  const end = spectra + <usize>count * SPECTRUM;
  for (let p = spectra; p < end; p += 16) {
    const v = v128.load(p);
    sum = f32x4.add(sum, f32x4.mul(v, v));
  }
  const all =
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
  return all / <f32>(17 * 32);
}

/**
 * The filter of `spectra` under `mask` (32x32 f32). `inertia` times the mean energy keeps it close to `filter` (0:
 * there is no previous filter). previous, slack: space for one filter each.
 */
export function filterSolve(
  spectra: usize,
  count: i32,
  label: usize,
  mask: usize,
  inertia: f32,
  firstPull: f32,
  twiddles: usize,
  filter: usize,
  previous: usize,
  slack: usize,
  scratch: usize,
): void {
  const bytes = <usize>count * SPECTRUM;
  const energy = max(LEAST_ENERGY, meanEnergy(spectra, count));
  const near = inertia * energy;
  const planes = scratch + 4 * PLANE;
  if (inertia > 0) memory.copy(previous, filter, bytes);
  else {
    memory.fill(previous, 0, bytes);
    memory.fill(filter, 0, bytes);
  }
  memory.fill(slack, 0, bytes);
  let pull = firstPull * energy;
  const rounds = inertia > 0 ? ROUNDS : FIRST_ROUNDS;
  for (let round = 0; round < rounds; round++, pull *= PULL_GROWS) {
    unmasked(spectra, count, label, near, pull, previous, filter, slack);
    for (let n = 0; n < count; n += 2) {
      const at = <usize>n * SPECTRUM;
      planesOf(slack + at, twiddles, planes, scratch);
      channelSpectra(planes, 2, mask, twiddles, filter + at, scratch);
    }
    for (let at: usize = 0; at < bytes; at += 16)
      v128.store(slack + at, f32x4.sub(v128.load(slack + at), v128.load(filter + at)));
  }
}

/** Adds the filter without a mask to the slack: (X X' + a)^-1 b for every frequency, X the channels there. */
function unmasked(
  spectra: usize,
  count: i32,
  label: usize,
  near: f32,
  pull: f32,
  previous: usize,
  filter: usize,
  slack: usize,
): void {
  const g = f32x4.splat(near);
  const r = f32x4.splat(pull);
  const a = f32x4.splat(near + pull);
  const inverse = f32x4.splat(1 / (near + pull));
  for (let at: usize = 0; at < PART; at += 16) {
    const y = v128.load(label + at);
    let energy = a;
    let sumRe = f32x4.splat(0);
    let sumIm = f32x4.splat(0);
    let p = at;
    for (let n = 0; n < count; n++, p += SPECTRUM) {
      const xr = v128.load(spectra + p);
      const xi = v128.load(spectra + p, PART);
      const br = wanted(xr, y, g, r, previous + p, filter + p, slack + p);
      const bi = wanted(xi, y, g, r, previous + p + PART, filter + p + PART, slack + p + PART);
      energy = f32x4.add(energy, f32x4.add(f32x4.mul(xr, xr), f32x4.mul(xi, xi)));
      sumRe = f32x4.add(sumRe, f32x4.add(f32x4.mul(xr, br), f32x4.mul(xi, bi)));
      sumIm = f32x4.add(sumIm, f32x4.sub(f32x4.mul(xr, bi), f32x4.mul(xi, br)));
    }
    const tr = f32x4.div(sumRe, energy);
    const ti = f32x4.div(sumIm, energy);
    p = at;
    for (let n = 0; n < count; n++, p += SPECTRUM) {
      const xr = v128.load(spectra + p);
      const xi = v128.load(spectra + p, PART);
      const br = wanted(xr, y, g, r, previous + p, filter + p, slack + p);
      const bi = wanted(xi, y, g, r, previous + p + PART, filter + p + PART, slack + p + PART);
      const re = f32x4.sub(br, f32x4.sub(f32x4.mul(xr, tr), f32x4.mul(xi, ti)));
      const im = f32x4.sub(bi, f32x4.add(f32x4.mul(xr, ti), f32x4.mul(xi, tr)));
      const s = slack + p;
      v128.store(s, f32x4.add(v128.load(s), f32x4.mul(inverse, re)));
      v128.store(s, f32x4.add(v128.load(s, PART), f32x4.mul(inverse, im)), PART);
    }
  }
}

/** Four values of the right-hand side: example, previous filter, masked filter. */
function wanted(x: v128, y: v128, near: v128, pull: v128, previous: usize, filter: usize, slack: usize): v128 {
  const masked = f32x4.mul(pull, f32x4.sub(v128.load(filter), v128.load(slack)));
  return f32x4.add(f32x4.mul(x, y), f32x4.add(f32x4.mul(near, v128.load(previous)), masked));
}
