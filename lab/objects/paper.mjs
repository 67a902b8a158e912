// Objects: tables 2 and 3 of paper 004, by components, on car and david enlarged to its three frame sizes.
//   --write: into docs; the GPU's side of the tables comes from `bench hardware objects`
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { readClips } from './parts/clips.mjs';
import { nativeTld, openSides, processor } from './parts/sides.mjs';

const STEPS = 20;
const WARM = 8;

/** Milliseconds of the paper's sequential program and of H-TLD. */
const TABLE_2 = {
  variance: [0.17, 0.046],
  compaction: [NaN, 0.046],
  indices: [5.296, 0.32],
  confidence: [0.95, 0.138],
  overhead: [NaN, 0.152],
  total: [6.416, 0.702],
};
const TABLE_3 = {
  '480x270': {
    recall: [5.93, 0.7],
    blur: [1.69, 0.09],
    integral: [0.27, 0.02],
    flow: [1.1, 1.73],
    others: [1.17, 1.17],
    total: [10.16, 3.71],
  },
  '960x540': {
    recall: [20.4, 1.9],
    blur: [9.6, 0.13],
    integral: [1.1, 0.02],
    flow: [4.28, 2],
    others: [2.14, 2.14],
    total: [37.52, 6.19],
  },
  '1920x1080': {
    recall: [62.5, 4.31],
    blur: [33.6, 0.33],
    integral: [4.56, 0.03],
    flow: [17.52, 3],
    others: [4.28, 4.28],
    total: [122.46, 11.95],
  },
};
const MODES = [
  ['scalar', 'scalar baseline'],
  ['one', 'WASM, one thread'],
  ['two', 'WASM, two threads'],
];
const ms = (value) => fixed(value, 2);

function recall({ components: { variance = 0, compaction = 0, indices = 0, confidence = 0 } }) {
  return variance + compaction + indices + confidence;
}

/** Components of a run by falling time, as figure 1 of the paper. */
function falling(run) {
  const { blur = 0, integral = 0, flow = 0, others = 0 } = run.components;
  const { learning, similarity } = run.within;
  const parts = {
    'total recall': recall(run),
    ...{ blur, 'LK flow': flow, 'learning, with patch warping': learning, 'integral images': integral },
    ...{ 'NCC, candidates': similarity, rest: others - learning - similarity },
  };
  const sum = Object.values(parts).reduce((a, b) => a + b, 0);
  return Object.entries(parts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => [name, ms(value), `${fixed((100 * value) / sum, 1)} %`]);
}

export default async function paper(given) {
  const { shared, log } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const sides = await openSides(given);
  const clips = readClips(shared);
  const report = new Report(given);
  report.line(
    'Milliseconds a frame. Components are means by the clock; the total is the median frame. Fern indices of the WASM side have the confidences in them: a vote is summed as its codes are found. Car and david are enlarged by cubic convolution; the paper’s own 464 frames are not there. All run the tracker as published, variant “paper”. The scalar baseline is the same tracker on kernels without SIMD (AssemblyScript at -O3, bench/objects/scalar), so that it runs in a page as well.',
  );
  const recallRows = [
    ['', 'frame', 'side', 'variance', 'compaction', 'fern indices', 'confidence', 'overhead', 'total'],
  ];
  const rows = [
    [
      '',
      'frame',
      'side',
      'total recall',
      'blur',
      'integral',
      'LK',
      'others',
      'total',
      'processor time',
      'speed-up',
      'same results',
    ],
  ];
  const two = (which) => Object.values(TABLE_2).map((pair) => ms(pair[which]));
  recallRows.push(['paper', '480x270', 'TLD', ...two(0)], ['paper', '480x270', 'H-TLD', ...two(1)]);
  const baselines = [];
  const figure1 = {};
  for (const [width, height] of sides.SIZES) {
    const size = `${width}x${height}`;
    const printed = TABLE_3[size];
    const three = (which) => Object.values(printed).map((pair) => ms(pair[which]));
    rows.push(
      ['paper', size, 'TLD', ...three(0), '', '1.0', ''],
      ['paper', size, 'H-TLD', ...three(1), '', fixed(printed.total[0] / printed.total[1], 2), ''],
    );
    for (const clip of clips) {
      const large = sides.enlarged(clip, width, height);
      const runs = {};
      for (const [side] of MODES)
        runs[side] = await sides.runClip(sides[side], large, {
          frames: STEPS,
          warm: WARM,
          cpu: processor,
          params: { variant: 'paper' },
        });
      if (new Set(Object.values(runs).map(({ digest }) => digest)).size !== 1)
        throw new Error(`${clip.name} ${size}: the sides give different results.`);
      const opencv = nativeTld(large, STEPS, WARM);
      baselines.push([clip.name, size, runs.scalar, opencv]);
      figure1[`${clip.name}, ${size}`] = falling(runs.scalar);
      for (const [side, title] of MODES) {
        const { components: c, digest, cpu, ms: total } = runs[side];
        recallRows.push([
          clip.name,
          size,
          title,
          ms(c.variance),
          ms(c.compaction),
          ms(c.indices),
          '',
          '-',
          ms(recall(runs[side])),
        ]);
        rows.push([
          clip.name,
          size,
          title,
          ...[recall(runs[side]), c.blur, c.integral, c.flow, c.others, total, cpu].map(ms),
          fixed(runs.scalar.ms / total, 2),
          digest === runs.scalar.digest ? 'yes' : 'NO',
        ]);
      }
    }
  }
  report.heading('Table 2: total recall');
  report.table(recallRows);
  report.heading('Table 3: all components');
  report.table(rows);
  report.heading('Table 1 and figure 1: components of the sequential program by falling time, milliseconds a frame');
  for (const [name, parts] of Object.entries(figure1))
    report.table([[`scalar baseline, ${name}`, 'ms a frame', 'share'], ...parts]);
  report.line(
    'The paper’s order at 1920x1080: total recall, blur, LK flow, patch warping, integral images. Its milliseconds are in a picture ' +
      'whose text has none; those of tables 2 and 3 are above and below.',
  );
  report.heading("The scalar baseline beside OpenCV's TLD, processor milliseconds a frame");
  report.table([
    ['', 'frame', 'scalar', "OpenCV's TLD", 'ratio, at most 2 wanted'],
    ...baselines.map(([name, size, scalar, opencv]) => [
      name,
      size,
      ms(scalar.cpu),
      opencv.skipped ?? ms(opencv.cpu),
      fixed(scalar.cpu / opencv.cpu, 2),
    ]),
  ]);
  sides.dispose();
  report.finish('lab/results/performance.md', 'paper objects', 'paper objects');
}
