// Constants of the four pupil methods, by rendered eyes and frames without one: none of the real sets takes part.
import { at } from './lines.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];

/** Name, frames, generator, from, step, seed: seeds of their own. Groups are people, where the set has people. */
const DATA = [
  ['hard set', 40, 'hardFrame', 0, 1, 7201],
  ['wide set', 50, 'wideFrame', 0, 3, 7202],
  ['varied set', 60, 'variedFrame', 0, 1, 7203],
  ['varied set, eyeless', 40, 'variedFrame', 9, 10, 7204],
  ['hard set, eyeless', 20, 'hardFrame', 9, 10, 7205],
  ['blinks', 16, 'variedFrame', 4, 10, 7206],
  ['dark shapes', 24, 'shapesFrame', 0, 1, 7207],
];

export const about = (frames, more = 0) =>
  `${frames.length} rendered frames (${DATA.map(([name, , , , , seed]) => `${name}, seed ${seed + more}`).join('; ')}), every frame by ` +
  'itself, four methods. Worth: the share of the pupils whose center, and seven tenths of whose radius, are within 2 px or 12 % of ' +
  'the radius, less the share of the frames without a pupil in which one is reported, mean of the methods. Groups: rendered people.';

export const constants = [
  ...at('src/pupil', [
    ['parameters.ts', 'minConfidence: number({\n    default: 0.7', 0.5, 0.57, 0.63, 0.77, 0.84, 0.9],
    ['parameters.ts', 'reflectionThreshold: number({\n    default: 55', 35, 45, 70, 90],
    ['parameters.ts', 'minGradient: number({\n    default: 8', 6, 10],
    ['parameters.ts', 'minContrast: number({\n    default: 8', 6, 10],
    ['parameters.ts', 'candidates: number({\n    default: 8', 6, 12],
    ['parameters.ts', 'houghSide: number({\n    default: 240', 180, 320],
    ['parameters.ts', 'thresholdTo: number({\n    default: 100', 80, 120],
    ['parameters.ts', 'thresholdStep: number({\n    default: 20', 10, 40],
    ['hough/hough.ts', 'LEAST = 0.2', 0.15, 0.25],
    ['hough/hough.ts', 'NEAR = 0.8', 0.7, 0.9],
    ['hough/hough.ts', 'TRIED = 6', 4, 9],
    ['hough/hough.ts', 'LARGE = 2', 1.5, 3],
    ['hough/hough.ts', 'APART = 0.5', 0.35, 0.7],
    ['search/search.ts', 'const SMALL = 96', 72, 128],
    ['search/search.ts', 'ENOUGH = 3', 2, 4],
    ['search/search.ts', 'LEAD = 2', 1.5, 3],
    ['robust/robust-search.ts', 'const SMALL = 200', 160, 260],
    ['robust/robust-search.ts', 'ELLIPSES = 6', 4, 9],
    ['robust/robust-search.ts', 'SURE = 4', 3, 5],
    ['robust/robust-search.ts', 'MARGIN = 0.8', 0.7, 0.9],
    ['threshold/threshold.ts', 'LEAST_POINTS = 8', 6, 11],
    ['threshold/threshold.ts', 'LEAST_FILL = 0.5', 0.4, 0.6],
    ['threshold/threshold.ts', 'LEAST_ASPECT = 0.3', 0.24, 0.38],
    ['tracker/picture.ts', 'range: 90', 75, 110],
    ['tracker/picture.ts', 'middle: 64', 48, 80],
    ['tracker/picture.ts', 'middle: 64, base: 24', 17, 34],
    ['tracker/picture.ts', 'most: 8', 5, 12],
    ['tracker/picture.ts', 'TAIL = 3', 2, 5],
    ['tracker/working-size.ts', 'LEAST_DIAGONAL = 160', 120, 220],
  ]),
  ...at('assembly/pupil', [
    ['starburst/starts.ts', 'SHARE: f32 = 0.4', 0.3, 0.5],
    ['starburst/starts.ts', 'SHARE_OF_REGION: f32 = 0.35', 0.27, 0.45],
    ['starburst/starts.ts', 'HIGHEST: f32 = 30', 22, 40],
    ['starburst/dark-regions.ts', 'BLACK: i32 = 4', 3, 6],
    ['search/inside.ts', 'FIRST: f32 = 0.14', 0.11, 0.18],
    ['search/inside.ts', 'NEXT: f32 = 0.03', 0.022, 0.04],
    ['search/inside.ts', 'LEAST_RISE: f32 = 0.5', 0.38, 0.65],
    ['search/inside.ts', 'REACH: f32 = 0.95', 0.85, 1.05],
    ['search/inside.ts', 's.ea < 0.9', 0.8, 0.97],
    ['search/inside.ts', 'LIKELY: f32 = 0', -4, -2, -1, 1],
    ['search/propose.ts', 'APART: f32 = 0.1', 0.07, 0.14],
    ['search/propose.ts', 'LIKELY: f32 = 1', 0.5, 1.6],
    ['search/consensus.ts', 'COMPLETE: f32 = 0.96', 0.9, 1],
    ['search/consensus.ts', 'PEAKS: i32 = 3', 2, 4],
    ['search/consensus.ts', 'SETS: i32 = 160', 110, 220],
    ['search/consensus.ts', 'const limit = max<f32>(1, 0.025', 0.018, 0.034],
    ['search/consensus.ts', 'if (s.eb < 0.4', 0.3, 0.5],
    ['search/judge-shape.ts', 'const close = max<f32>(1.5, 0.04', 0.03, 0.055],
    ['search/judge-shape.ts', 'step >= max(s.minContrast, 0.4', 0.3, 0.5],
    ['search/judge-shape.ts', 'const bent: f32 = step >= 0.4', 0.3, 0.5],
    ['search/judge.ts', 'const close = max<f32>(1.5, 0.04', 0.03, 0.055],
    ['search/judge.ts', 'step >= max(s.minContrast, 0.4', 0.3, 0.5],
    ['search/judge.ts', 's.visible < 0.3', 0.22, 0.4],
    ['robust/segments.ts', 'SIMILAR: f32 = 0.766', 0.68, 0.84],
    ['robust/segments.ts', 'SHORTEST: i32 = 8', 6, 10],
    ['robust/segments.ts', 'LEAST_TURN: f32 = 0.35', 0.27, 0.45],
    ['robust/segments.ts', 'SHARP: f32 = 0.5', 0.38, 0.65],
    ['robust/segments.ts', 'const corner: f32 = 0.15', 0.11, 0.2],
    ['robust/ellipses.ts', 'MOST: i32 = 40', 30, 52],
    ['robust/ellipses.ts', 'COMBINED: i32 = 14', 10, 18],
    ['robust/ellipses.ts', 'LEAST_RATIO: f32 = 0.35', 0.27, 0.45],
    ['robust/ellipses.ts', 'const near = 0.25', 0.18, 0.34],
    ['robust/ellipses.ts', 'if (score < 0.1', 0.07, 0.14],
    ['robust/edges.ts', 'BELOW_HIGH: f32 = 0.85', 0.75, 0.92],
    ['robust/edges.ts', 'LOW: f32 = 0.45', 0.35, 0.58],
    ['robust/edges.ts', 'ABOVE_NOISE: f32 = 2', 1.5, 2.6],
    ['robust/edges.ts', 'LEAST: i32 = 32', 24, 42],
    ['robust/polish.ts', 'const limit = max<f32>(0.3', 0.22, 0.4],
    ['robust/robust.ts', 'const near: f32 = 0.06', 0.045, 0.08],
  ]),
];

export async function prepare({ importTs, more = 0 }) {
  const eyes = await importTs('tools/eyes/index.ts');
  return DATA.flatMap(([name, count, generator, from, step, seed]) =>
    Array.from({ length: count }, (_, i) => eyes[generator](from + i * step, seed + more))
      .filter(({ truth }) => !truth.partial)
      .map(({ width, height, data, truth, meta }, i) => ({
        ...{ width, height, data, truth, polarity: meta.polarity ?? 'dark' },
        group: meta.subject === undefined ? `${name} ${i}` : `person ${meta.subject}`,
      })),
  );
}

function isRight({ x, y, circle, ellipse }, truth) {
  const limit = Math.max(2, 0.12 * truth.circle.r);
  const r = ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r;
  const off = Math.hypot(x - truth.ellipse.x, y - truth.ellipse.y);
  return off <= limit && 0.7 * Math.abs(r - truth.circle.r) <= limit;
}

/** What lies in a method's own folder is of that method alone. */
const methodsOf = (file) => {
  const own = METHODS.filter((method) => method !== 'starburst' && file.includes(`/${method}/`));
  return own.length ? own : METHODS;
};

/** By group: eyes, right_<method>, without, alarms_<method>. */
export async function measure({ importTs }, frames, file) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { group, truth } of frames) {
    groups[group] ??= { eyes: 0, without: 0 };
    groups[group][truth.present ? 'eyes' : 'without']++;
  }
  for (const method of methodsOf(file))
    for (const polarity of ['dark', 'bright']) {
      const tracker = await engine.createPupilTracker({ method, polarity });
      for (const { group, truth, width, height, data } of frames.filter((frame) => frame.polarity === polarity)) {
        tracker.reset();
        const { pupils } = await tracker.process({ width, height, data, format: 'gray' });
        const counts = groups[group];
        const key = `${truth.present ? 'right' : 'alarms'}_${method}`;
        const counted = pupils[0].found && (!truth.present || isRight(pupils[0], truth));
        counts[key] = (counts[key] ?? 0) + Number(counted);
      }
      await tracker.dispose();
    }
  await engine.dispose();
  return groups;
}

const share = (counts, word, method, of) => (counts[`${word}_${method}`] ?? 0) / counts[of];

export const worth = (counts) =>
  METHODS.reduce(
    (sum, method) => sum + share(counts, 'right', method, 'eyes') - share(counts, 'alarms', method, 'without'),
    0,
  ) / METHODS.length;

const percent = (value) => (100 * value).toFixed(1);
export const figures = (counts) =>
  METHODS.map(
    (method) =>
      `${method} ${percent(share(counts, 'right', method, 'eyes'))} % of ${counts.eyes} pupils, ` +
      `silent in ${percent(1 - share(counts, 'alarms', method, 'without'))} % of ${counts.without}`,
  ).join('; ');
