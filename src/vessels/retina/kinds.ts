/**
 * Arteries and veins around the disc, distinguished by how dark they are in red and in green: the blood of veins has less oxygen and
 * takes more red away. What is dark differs between eyes and cameras, so the vessels are compared with each other: two
 * clusters in one number, as Grisan and Ruggeri 2003 do (who divide the zone into quarters; here what is beside the vessel is
 * divided out instead). Where the clusters do not stand apart, nothing is said.
 */
import type { Section } from './zone.ts';

export type VesselKind = 'artery' | 'vein';

export interface Kinds {
  /** Of each section; null for those that were not judged. */
  readonly kinds: readonly (VesselKind | null)[];
  /** 0..1 for each section: 0 half-way between the clusters, 1 at the middle of one. */
  readonly sure: readonly number[];
  /** 0..1: how far the clusters stand apart; 0 where nothing is said. */
  readonly confidence: number;
}

/** Narrower than this part of the widest, a vessel's darkness is that of the photograph's blur. */
const NARROW = 0.4;
/** Sections on which two clusters are sought at least. */
const LEAST = 6;
/**
 * Share of the spread that lies between the two clusters (Otsu 1979, eta squared). Of one normal cluster cut in two it is 2 / pi
 * where the vessels are many; of n it is above 2 / pi + 0.6 / sqrt(n) once in ten times (drawn 2000 times for n of 6 to 40).
 * There the confidence begins, and it is full at the second number.
 */
const BETWEEN = { none: (count: number) => 2 / Math.PI + 0.6 / Math.sqrt(count), sure: 0.95 };

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const variance = (values: readonly number[]) => {
  const middle = mean(values);
  return mean(values.map((v) => (v - middle) ** 2));
};

/** The border that leaves the least spread in both parts (Otsu 1979, for few values). */
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

/** `among`: the vessels that the clusters are made of, where these are more than those asked about. */
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
