/**
 * What decides in the default variant (assembly/objects/filter-integrator.ts); shares of the usual response unless said otherwise.
 * Set by hand on the sequences of `npm run bench -- accuracy objects`; `tune objects` scores each a step lower and a step higher,
 * with one sequence left out at a time.
 */
export const FILTER_RULE = {
  /** From here on a response is trusted, may be learned from, does not break the chain. */
  trusted: 0.75,
  learned: 0.5,
  broken: 0.4,
  /** More evidence than for keeping it takes finding it where it was, and elsewhere. */
  found: 0.3,
  jump: 0.35,
  /** By so much another place must fit better. */
  better: 0.03,
  /** How fast the usual responses follow, and their least values, as responses. */
  usualRate: 0.03,
  leastUsual: 0.1,
  leastView: 0.42,
  /** Share of a change of size that is taken in one frame. */
  gain: 0.5,
  /** So many frames in a row it must be trusted, where it was found again, until it is shown. */
  proof: 8,
  /** Unless there is so much evidence where it is found. */
  sure: 1,
  /** How fast the rivalry follows what is seen: about five frames count. */
  rivalRate: 0.2,
  /** Confidence is 0.5 at this rivalry, and falls by so much per unit of it: what the share of right boxes does. */
  level: 0.43,
  slope: 1.85,
  /** The usual response of a view, before it is known. */
  viewUsual: 0.45,
};
