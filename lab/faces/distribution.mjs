// Faces: figures 5.10 to 5.14 of the thesis, the distribution of IoU and of landmark errors, and the worst cases.
import { rangeOfShare, widest } from '../../bench/parts/intervals.mjs';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { overlap } from '../../bench/parts/numbers.mjs';
import { detectAll, openCvCases } from '../../bench/faces/parts/boxes.mjs';
import { annotatedFaces, errors } from '../../bench/faces/parts/data.mjs';

const WORST = 6;
const LIMITS = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.2];
/** Shares for a table, and what they count. */
function sharing() {
  const counts = [];
  const share = (list, holds) => {
    counts.push([list.filter(holds).length, list.length]);
    return fixed(list.length ? counts.at(-1)[0] / list.length : NaN, 3);
  };
  return { share, counts };
}
const share95 = (list, holds) => {
  const hits = list.filter(holds).length;
  return `${fixed(hits / list.length, 3)} (95 %: ${rangeOfShare(hits, list.length)})`;
};
const setsOf = (cases) => [...new Set(cases.map(({ set }) => set)), 'all'];
const ofSet = (cases, set) => cases.filter((one) => set === 'all' || one.set === set);

/** Each annotated face with the box that overlaps it most, 0 where none does. */
function boxCases(images, boxes) {
  return images.flatMap(({ set, name, faces }, i) =>
    faces.map(({ box, points }) => {
      const [own] = [...boxes[i]].sort((a, b) => overlap(b, box) - overlap(a, box));
      return { set, name, iou: own ? overlap(own, box) : 0, own, points, image: images[i] };
    }),
  );
}

function distribution(report, words, cases) {
  report.heading(words);
  const { share, counts } = sharing();
  const bins = Array.from({ length: 10 }, (_, k) => k / 10);
  report.table([
    ['set', 'faces', 'not found', ...bins.map((from) => `${fixed(from)} to ${fixed(from + 0.1)}`), 'above 0.7', 'below 0.5'], // prettier-ignore
    ...setsOf(cases).map((set) => {
      const list = ofSet(cases, set);
      const within = (from) => share(list, ({ iou }) => iou > 0 && iou >= from && (iou < from + 0.1 || from === 0.9));
      const rest = [share(list, ({ iou }) => iou > 0.7), share(list, ({ iou }) => iou < 0.5)];
      return [set, list.length, share(list, ({ iou }) => iou === 0), ...bins.map(within), ...rest];
    }),
  ]);
  report.line(`${widest(counts)} Above 0.7 of all: ${share95(cases, ({ iou }) => iou > 0.7)}.`);
  report.line(`The worst ${WORST}: ${worst(cases, ({ iou }) => -iou, ({ iou }) => `IoU ${fixed(iou, 2)}`)}.`); // prettier-ignore
}

const worst = (cases, badness, words) =>
  [...cases]
    .sort((a, b) => badness(b) - badness(a))
    .slice(0, WORST)
    .map((one) => `${one.set}/${one.name} (${words(one)})`)
    .join(', ');

async function landmarks(report, engine, cases) {
  report.heading('Figures 5.12 and 5.14: landmarks from those boxes, the shipped model');
  const fitted = [];
  const { share, counts } = sharing();
  for (const one of cases) {
    if (!one.points || !one.own || one.iou < 0.4) continue;
    const [shape] = await engine.landmarks(one.image, [one.own]);
    fitted.push({ ...one, ...errors(shape, one.points) });
  }
  report.table([
    [
      'set',
      'faces',
      ...LIMITS.map((limit) => `NME at most ${limit}`),
      'mean',
      'largest',
      'mean E',
      'least E',
      'largest E',
      'E at most 0.1',
    ],
    ...setsOf(fitted).map((set) => {
      const list = ofSet(fitted, set).map(({ nme }) => nme);
      const mean = list.reduce((a, b) => a + b, 0) / list.length;
      const under = LIMITS.map((limit) => share(list, (nme) => nme <= limit));
      const equation = ofSet(fitted, set).map(({ thesis }) => thesis);
      const ends = [
        equation.reduce((a, b) => a + b, 0) / equation.length,
        Math.min(...equation),
        Math.max(...equation),
      ];
      const e = [...ends.map((value) => fixed(value, 4)), share(equation, (value) => value <= 0.1)];
      return [set, list.length, ...under, fixed(mean, 4), fixed(Math.max(...list), 4), ...e];
    }),
  ]);
  report.line(`${widest(counts)} At most 0.1 of all: ${share95(fitted, ({ nme }) => nme <= 0.1)}.`);
  report.line(
    'The thesis on 300-W: about 75 % at most 0.1, mean 0.1977, least 0.00032, largest 6.01. NME is the mean over the points by the ' +
      'distance of the outer eye corners; E is its equation 5.2, the root of the summed squares by 68 of these distances, so that E is ' +
      'about an eighth of the NME.',
  );
  report.line(`The worst ${WORST}: ${worst(fitted, ({ nme }) => nme, ({ nme, iou }) => `NME ${fixed(nme, 3)}, IoU of its box ${fixed(iou, 2)}`)}.`); // prettier-ignore
}

export default async function (given) {
  const { shared, openBrowser, importTs, log } = given;
  const images = shared && (await annotatedFaces(shared, openBrowser));
  if (!images) return log('needs ../shared/data/faces (FOVEOLA_SHARED names another folder)');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const engine = await library.createEngine();
  const cases = boxCases(images, await detectAll(engine, images, {}));
  distribution(report, 'Figure 5.10: overlap of the detector’s boxes with those of OpenCV.js, the same cascade', await openCvCases(engine, images, shared)); // prettier-ignore
  report.line(
    'The thesis, 543 images of LFW in which OpenCV finds a face, its boxes as truth: most at 0.8 to 0.9, more than half above 0.7 to ' +
      '0.8, about 0.3 % below 0.5. Faces that only this detector finds do not count, as there.',
  );
  distribution(report, 'The default detector’s boxes against the annotated faces', cases);
  await landmarks(report, engine, cases);
  await engine.dispose();
  report.finish('lab/results/accuracy.md', 'distribution faces', 'distribution faces');
}
