// The choice of the confidence on rendered frames. A frame: { set, group, mixed, present, list: judged outlines }.
import { choose } from '../../parts/choice.mjs';
import { dot, fitLogistic, sigmoid } from '../../../bench/pupil/parts/logistic.mjs';

const RIDGE = 5e-4;
/** Rendered persons are left out a twentieth at a time. */
const PARTS = 20;

/** The best outline of a frame and its confidence: by these weights, or as the kernel scored it. */
export function confident(frame, weights) {
  let best = null;
  let z = -Infinity;
  for (const one of frame.list) {
    const score = weights ? dot(one.features, weights) : one.score;
    if (score > z) [best, z] = [one, score];
  }
  return { frame, best, z, p: best ? sigmoid(z) : 0 };
}

/**
 * Log-odds of being right over all outlines that are right or wrong, then calibrated on the best of each mixed frame. With `base`
 * the features that it has weights of enter as one, their sum by these weights, which stay as they are: what is added to them is
 * fitted, on their scale.
 */
export function fitConfidence(frames, base = []) {
  const gather = (features) =>
    base.length ? [1, dot(features.slice(0, base.length), base), ...features.slice(base.length)] : features;
  const spread = (w) => (base.length ? [...base.map((v, i) => w[1] * v + (i ? 0 : w[0])), ...w.slice(2)] : w);
  const rows = frames.flatMap(({ list }) => {
    const clear = list.filter(({ unclear }) => !unclear);
    return clear.map(({ features, right }) => ({
      features: gather(features),
      right,
      weight: 1 / Math.sqrt(clear.length),
    }));
  });
  const raw = spread(fitLogistic(rows, RIDGE));
  if (base.length) return [...base, ...raw.slice(base.length).map((weight) => (weight * base[1]) / raw[1])];
  const best = frames.filter(({ mixed, list }) => mixed && list.length).map((frame) => confident(frame, raw));
  const [shift, scale] = fitLogistic(
    best.map(({ z, best }) => ({ features: [1, Math.max(-12, Math.min(12, z))], right: best.right, weight: 1 })),
    0,
  );
  return raw.map((weight, i) => scale * weight + (i ? 0 : shift));
}

/** Every frame judged by weights that its group took no part in. */
export function crossed(frames, folds, base) {
  const weights = Array.from({ length: folds }, (_, fold) =>
    fitConfidence(
      frames.filter(({ group }) => group !== fold),
      base,
    ),
  );
  return frames.map((frame) => confident(frame, weights[frame.group]));
}

export function tally(judged, cut) {
  const sum = { eyes: 0, right: 0, near: 0, without: 0, silent: 0 };
  for (const { frame, best, p } of judged) {
    const found = best !== null && p >= cut;
    if (frame.present) {
      sum.eyes++;
      if (found && best.right) sum.right++;
      if (found && best.off <= 5) sum.near++;
    } else {
      sum.without++;
      if (!found) sum.silent++;
    }
  }
  return sum;
}

/**
 * The cut worth the most on the mixed frames: share of the eyes found, less so many times the share of alarms. `gain`: how much
 * more than the one in use, with its error by parts of the rendered persons (jackknife); `better`: by more than twice that error.
 */
export function chooseCut(judged, used, cuts, alarm) {
  const mixed = judged.filter(({ frame }) => frame.mixed);
  const parts = [...new Set(mixed.map(({ frame }) => frame.person % PARTS))];
  const of = (part) => mixed.filter(({ frame }) => frame.person % PARTS === part);
  const counts = (cut) => Object.fromEntries(parts.map((part) => [part, tally(of(part), cut)]));
  const worth = ({ eyes, right, without, silent }) => right / eyes - alarm * (1 - silent / without);
  const all = [used, ...cuts.filter((cut) => cut !== used)];
  const { best, gain, error, better } = choose(all.map(counts), worth);
  return { cut: all[best], gain, error, better: better !== null };
}
