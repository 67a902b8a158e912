// Constants of what is read from a series: light reflexes, blinks, saccades, by rendered traces whose answers are known.
import { at } from './lines.mjs';

const [TRACES, SEED] = [60, 500_000];
const RATES = [30, 60, 120];
/** Errors that are worth nothing; smaller ones are worth more in proportion: ms, and shares of what is true. */
const WORTHLESS = { latency: 40, amplitude: 0.08, velocity: 0.25, minimum: 120, t50: 150, t75: 250 };
/** Sum of the errors of a blink's onset and offset that is worth nothing, ms. */
const BLINK = 160;
/** A found saccade is the true one where they overlap, give or take this or a sample; beside blinks nothing counts, ms. */
const [SLACK, NEAR_BLINK] = [20, 150];

export const about = (seeds) =>
  `${seeds.length} rendered traces of pupils and as many of gaze from seed ${seeds[0]} on, each at ${RATES.join(', ')} Hz. Worth: the mean of three: ` +
  'light reflexes (six figures, 1 where exact and 0 from an error on that is written in the list), blinks (onset and offset likewise, false ' +
  'ones count as missed ones), F1 of the saccades. Groups: traces. The numbers of Kret and Sjak-Shie and of Engbert and Kliegl are not among them.';

export const constants = at('src/series', [
  ['onset.ts', 'BEFORE = 300', 220, 400],
  ['onset.ts', 'TOWARDS_PEAK = 0.9', 0.8, 1],
  ['onset.ts', 'OUTLIER = 6', 4.5, 8],
  ['local-fit.ts', 'BALANCE = 0.25', 0.18, 0.35],
  ['light-reflex.ts', 'CLEAR = 3', 2.2, 4],
  ['reflex-parameters.ts', 'baselineLength: number({\n    default: 500', 350, 700],
  ['reflex-parameters.ts', 'velocityWindow: number({\n    default: 200', 150, 270],
  ['reflex-parameters.ts', 'diameterWindow: number({\n    default: 250', 180, 350],
  ['artifacts.ts', 'TREND_RATE = 100', 70, 140],
  ['artifacts.ts', 'TREND_CUTOFF = 16', 11, 22],
  ['artifacts.ts', 'PASSES = 4', 3, 6],
  ['clean-parameters.ts', 'allowedSpeed: number({\n    default: 2', 1.5, 2.7],
  ['clean-parameters.ts', 'allowedDistance: number({\n    default: 0.03', 0.02, 0.045],
  ['clean-parameters.ts', 'longestGap: number({\n    default: 600', 400, 900],
  ['eye-events.ts', 'BEFORE = 100', 70, 140],
  ['eye-events.ts', 'AFTER = 160', 115, 220],
  ['eye-events.ts', 'SPEED = 0.0015', 0.001, 0.002],
  ['eye-events.ts', 'SUPPORT = 0.8', 0.7, 0.88],
  ['eye-events.ts', 'SHORTEST_STEP = 8', 6, 11],
  ['eye-events.ts', 'REMEMBERED = 31', 21, 45],
  ['eye-events.ts', 'ENOUGH = 5', 3, 8],
  ['gaze-parameters.ts', 'velocityWindow: number({\n    default: 50', 35, 70],
  ['gaze-parameters.ts', 'shortest: number({ default: 12', 8, 17],
  ['gaze-parameters.ts', 'pause: number({\n    default: 20', 14, 28],
  ['gaze-parameters.ts', 'gapMargin: number({\n    default: 50', 35, 70],
  ['saccades.ts', 'PLACE = 3', 2, 5],
  ['saccades.ts', 'LEADS_SOMEWHERE = 3', 2.2, 4],
]);

export const prepare = ({ more = 0 }) => Array.from({ length: TRACES }, (_, i) => SEED + more + i);

const worthOf = (error, worthless) => Math.max(0, 1 - Math.abs(error) / worthless) || 0; // no answer is worth nothing

function reflexCounts(found, truth) {
  const off = (measured, real) => measured / real - 1;
  const scores = [
    worthOf(found.latency - truth.latency, WORTHLESS.latency),
    worthOf(off(found.amplitude, truth.amplitude), WORTHLESS.amplitude),
    worthOf(off(found.peakConstrictionVelocity, truth.peakConstrictionVelocity), WORTHLESS.velocity),
    worthOf(found.timeToMinimum - truth.timeToMinimum, WORTHLESS.minimum),
    worthOf(found.t50 - truth.t50, WORTHLESS.t50),
    worthOf(found.t75 - truth.t75, WORTHLESS.t75),
  ];
  return { figures: scores.length, exact: scores.reduce((a, b) => a + b, 0) };
}

/** Blinks, their worth, and those that are none. */
function blinkCounts(found, real) {
  const overlap = (a, b) => a.onset < b.offset && a.offset > b.onset;
  const worths = real.map((one) =>
    Math.max(
      0,
      ...found
        .filter((other) => overlap(one, other))
        .map(({ onset, offset }) => worthOf(Math.abs(onset - one.onset) + Math.abs(offset - one.offset), BLINK)),
    ),
  );
  return {
    blinks: real.length,
    met: worths.reduce((a, b) => a + b, 0),
    noBlink: found.filter((one) => !real.some((other) => overlap(one, other))).length,
  };
}

function saccadeCounts(found, { saccades, blinks }, rate) {
  const slack = Math.max(SLACK, 1000 / rate);
  const beside = ({ start, end }) =>
    blinks.some(({ onset, offset }) => end > onset - NEAR_BLINK && start < offset + NEAR_BLINK);
  const free = new Set(found);
  const counts = { hits: 0, missed: 0, wrong: 0 };
  for (const one of saccades) {
    const match = [...free].find(({ start, end }) => start <= one.end + slack && end >= one.start - slack);
    free.delete(match);
    if (!beside(one)) counts[match ? 'hits' : 'missed']++;
  }
  counts.wrong = [...free].filter((one) => !beside(one)).length;
  return counts;
}

/** By trace: figures and what they are worth, blinks, saccades. */
export async function measure({ importTs }, seeds, file = '') {
  const { cleanSeries, lightReflex, saccades } = await importTs('src/series/index.ts');
  const { pupilTrace } = await importTs('tools/series/pupil-trace.ts');
  const { gazeTrace } = await importTs('tools/series/gaze-trace.ts');
  const { add } = await import('./choice.mjs');
  const gazeAlone = /gaze|saccades/.test(file);
  const pupilAlone = file && !gazeAlone;
  const groups = {};
  for (const seed of seeds) {
    let counts = {};
    for (const rate of RATES) {
      if (!gazeAlone) {
        const { samples, truth } = pupilTrace(seed, rate);
        const cleaned = cleanSeries(samples);
        const { onset, duration } = truth;
        counts = add(counts, reflexCounts(lightReflex(cleaned, { onset, duration }), truth));
        counts = add(counts, blinkCounts(cleaned.blinks, truth.blinks));
      }
      if (!pupilAlone) {
        const trace = gazeTrace(seed, rate);
        counts = add(counts, saccadeCounts(saccades(trace.samples), trace, rate));
      }
    }
    groups[`trace ${seed}`] = counts;
  }
  return groups;
}

const reflexes = ({ exact, figures }) => exact / figures;
const blinks = ({ met, blinks: all, noBlink }) => met / (all + noBlink);
const f1 = ({ hits, missed, wrong }) => (2 * hits) / (2 * hits + missed + wrong);

export const worth = (counts) => (reflexes(counts) + blinks(counts) + f1(counts)) / 3;
export const figures = (counts) =>
  `reflexes ${reflexes(counts).toFixed(3)}, blinks ${blinks(counts).toFixed(3)} of ${counts.blinks} (${counts.noBlink} others), ` +
  `saccades F1 ${f1(counts).toFixed(3)}`;
