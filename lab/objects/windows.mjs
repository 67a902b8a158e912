// Windows of a box of 25x42 in 320x240, for which paper 004 states 29,855: by each rule that is written down.
import { Report } from '../../bench/parts/report.mjs';

const FRAME = { width: 320, height: 240 };
const STATED = 29_855;
const SIDES = [10, 15, 20, 24];

/** The released program's rule as it is written in OpenCV's language: one whole step, of a tenth of the smaller side. */
export function ported(box, least, { round = Math.round, from = 1, to = 1, scales = [-10, 10] } = {}) {
  let count = 0;
  for (let k = scales[0]; k <= scales[1]; k++) {
    const [width, height] = [box.width, box.height].map((side) => Math.round(side * 1.2 ** k));
    const narrow = Math.min(width, height);
    if (narrow < least || width > FRAME.width || height > FRAME.height) continue;
    const step = Math.max(1, round(0.1 * narrow));
    const places = (frame, side) => Math.max(0, Math.ceil((frame - side - to - from + 1) / step));
    count += places(FRAME.width, width) * places(FRAME.height, height);
  }
  return count;
}

/** Rounds halves to the even number, as OpenCV's cvRound. */
export const halfToEven = (v) => (Math.abs(v % 1) === 0.5 ? 2 * Math.round(v / 2) : Math.round(v));

/** The rule that gives the number: 42 wide and 25 high, six scales, places 2 to frame - side - 2. */
export const exact = () => ported({ width: 42, height: 25 }, 24, { round: halfToEven, from: 2, to: 2, scales: [0, 5] });

export default async function windows(given) {
  const { scanningGrid } = await given.importTs('src/objects/windows.ts');
  const report = new Report(given);
  const boxes = [
    ['', { width: 25, height: 42 }],
    [', 42 wide and 25 high', { width: 42, height: 25 }],
  ];
  const rules = (box) => [
    ['paper: a tenth of width and of height', (least) => scanningGrid('paper', box, FRAME, least).count],
    ['release: a tenth of the height on both axes', (least) => scanningGrid('release', box, FRAME, least).count],
    ['ported: a tenth of the smaller side, rounded', (least) => ported(box, least)],
  ];
  report.heading('Windows by rule and least side');
  report.table([
    ['rule', ...SIDES.map((least) => `sides of at least ${least}`)],
    ...boxes.flatMap(([words, box]) =>
      rules(box).map(([name, count]) => [name + words, ...SIDES.map((least) => count(least).toLocaleString('en'))]),
    ),
  ]);
  report.line(
    `The paper states ${STATED.toLocaleString('en')}. No rule above gives it with scales 1.2^-10 to 1.2^10. One more does, ` +
      `${exact().toLocaleString('en')}: a box 42 wide and 25 high (rows by columns), six scales from its own up, a step of a tenth of the height ` +
      'rounded with halves to even, places from 2 to frame - side - 2. It was found by trying more than a million combinations of such ' +
      'choices, of which some give any number of this size by chance, so it proves nothing.',
  );
  report.finish('lab/results/accuracy.md', 'windows objects', 'windows objects');
}
