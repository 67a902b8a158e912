// The limits below which eyes are shut: of an eye of which nothing is known, and by what the same eyes have when they are open.
import { bestLimit, FOLDS, foldOf, grouped, interval } from './folds.mjs';

/** Lids of the renders, 0 to 1: those between are neither open nor shut. */
const [OPEN, SHUT] = [0.15, 0.95];
/** Eyes are open far more often than shut: an open one that is called shut counts so many times. */
const COST = 2;
const BANDS = [0, 0.15, 0.4, 0.6, 0.8, 0.95, 1.01];
const lidsOf = ({ record }) => (record.blink[0] + record.blink[1]) / 2;

/** @returns { closed, shut } */
export function blinks(library, seen, print) {
  const trusted = seen.filter(
    ({ measures, record }) => !measures.warnings.length && !record.worn.includes('sunglasses'),
  );
  const groups = grouped(trusted, ({ record, share }) => `${record.person} ${share}`);
  const samples = trusted.flatMap((face) => {
    const others = groups
      .get(`${face.record.person} ${face.share}`)
      .filter((other) => other !== face && lidsOf(other) < OPEN);
    if (others.length < 3) return [];
    const open = [0, 1].map((side) => library.openOf(others.map(({ measures }) => measures.eyes[side].opening)));
    const heights = face.measures.eyes.map(({ opening }) => opening);
    const own = heights.map((height, side) => height / open[side]);
    return [
      { face, lids: lidsOf(face), absolute: (heights[0] + heights[1]) / 2, relative: library.jointOpenness(own) },
    ];
  });
  const clear = samples.filter(({ lids }) => lids < OPEN || lids > SHUT);
  const rows = [['lids', 'called shut by height alone', 'by its own open height', 'in-sample']];
  const limits = {};
  for (const kind of ['absolute', 'relative']) {
    const asked = (list) => list.map((s) => ({ value: s[kind], positive: s.lids > SHUT }));
    const held = FOLDS.map((fold) => bestLimit(asked(clear.filter(({ face }) => foldOf(face) !== fold)), COST));
    limits[kind] = bestLimit(asked(clear), COST);
    for (const sample of samples) sample[`${kind} shut`] = sample[kind] < held[foldOf(sample.face)];
    for (const sample of samples) sample[`${kind} inside`] = sample[kind] < limits[kind];
  }
  BANDS.slice(1).forEach((to, i) => {
    const own = samples.filter(({ lids }) => lids >= BANDS[i] && lids < to);
    const share = (key) => interval(own.filter((s) => s[key]).length, own.length);
    rows.push([
      `${BANDS[i]} to ${Math.min(1, to)}`,
      share('absolute shut'),
      share('relative shut'),
      share('relative inside'),
    ]);
  });
  print('Blinks: lids 0 open, 1 shut; share called shut, 95 % interval, limits of other persons', rows);
  return { closed: limits.absolute.toFixed(3), shut: limits.relative.toFixed(3) };
}
