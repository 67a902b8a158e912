/**
 * Distinguishes arteries and veins around the disc by their darkness in red and in green. The blood in veins contains
 * less oxygen and absorbs more red. Darkness differs between eyes and cameras, so the vessels are compared with each
 * other. They form two clusters in one number, after Grisan and Ruggeri 2003, who divide the zone into quarters. Here
 * the level next to the vessel is divided out instead. Without separated clusters no kinds are returned.
 */
import type { Section } from './zone.ts';

export type VesselKind = 'artery' | 'vein';

export interface Kinds {
  /** Kind of each section. Null for those that were not classified. */
  readonly kinds: readonly (VesselKind | null)[];
  /** Confidence of each section, 0 to 1: 0 halfway between the clusters, 1 at the center of one. */
  readonly sure: readonly number[];
  /** Separation of the clusters, 0 to 1. 0 without a result. */
  readonly confidence: number;
}

/** Below this share of the maximum width, the darkness of a vessel depends on the blur of the photograph. */
const NARROW = 0.4;
/** Minimum number of sections for two clusters. */
const LEAST = 6;
/**
 * Share of the spread that is between the two clusters (Otsu 1979, eta squared). For one normal cluster cut in two it
 * is 2 / pi if there are many vessels. For n vessels it is above 2 / pi + 0.6 / sqrt(n) in one of ten cases (2000
 * simulations for each n of 6 to 40). The confidence starts there and has its maximum at the second number.
 */
const BETWEEN = { none: (count: number) => 2 / Math.PI + 0.6 / Math.sqrt(count), sure: 0.95 };

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const variance = (values: readonly number[]) => {
  const middle = mean(values);
  return mean(values.map((v) => (v - middle) ** 2));
};

/** The threshold with the minimum spread in both parts (Otsu 1979, for few values). */
function border(sorted: readonly number[]): number {
  let [best, least] = [NaN, Infinity];
  for (let k = 2; k <= sorted.length - 2; k++) {
    const parts = [sorted.slice(0, k), sorted.slice(k)];
    const spread = parts.reduce((s, part) => s + part.length * variance(part), 0);
    if (spread < least) [best, least] = [(sorted[k - 1]! + sorted[k]!) / 2, spread];
  }
  return best;
}

type Colored = Pick<Section, 'width' | 'red' | 'green'>;

/** `among`: the vessels that form the clusters, if there are more than those to classify. */
export function kindsOf(sections: readonly Colored[], among: readonly Colored[] = sections): Kinds {
  const nothing = { kinds: sections.map(() => null), sure: sections.map(() => 0), confidence: 0 };
  const widest = Math.max(...among.map(({ width }) => width));
  const judges = ({ width, red, green }: Colored) => width >= NARROW * widest && !Number.isNaN(red + green);
  const judged = sections.map(judges);
  const known = among.filter(judges);
  if (known.length < LEAST) return nothing;
  const unit = (values: readonly number[]) => Math.sqrt(variance(values)) || 1;
  const [red, green] = [unit(known.map((s) => s.red)), unit(known.map((s) => s.green))];
  const darknessOf = (s: Colored) => s.red / red + s.green / green;
  const darkness = sections.map(darknessOf);
  const sorted = known.map(darknessOf).sort((a, b) => a - b);
  const middle = border(sorted);
  const [light, dark] = [sorted.filter((v) => v < middle), sorted.filter((v) => v >= middle)];
  const [artery, vein] = [mean(light), mean(dark)];
  const within = (light.length * variance(light) + dark.length * variance(dark)) / sorted.length;
  const none = BETWEEN.none(sorted.length);
  const between = 1 - within / variance(sorted);
  const confidence = Math.min(1, Math.max(0, (between - none) / (BETWEEN.sure - none)));
  if (!(confidence > 0)) return nothing;
  return {
    kinds: darkness.map((v, k) => (judged[k] ? (v < middle ? 'artery' : 'vein') : null)),
    sure: darkness.map((v, k) =>
      judged[k] ? Math.min(1, Math.abs(v - middle) / Math.abs((v < middle ? artery : vein) - middle)) : 0,
    ),
    confidence,
  };
}
