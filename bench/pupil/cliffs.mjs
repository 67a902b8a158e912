// Pupil: every method on every annotated set over image sizes 60 to 800 px in steps of 4 %: share found right, falls, confidence.
//   --frames 12: per set; --methods robust,hough; --sets mrgaze; --from 60; --to 800; --step 4; --write
import { ofGroups, range, widest } from '../parts/intervals.mjs';
import { mean } from '../parts/numbers.mjs';
import { atMost, fixed, Report } from '../parts/report.mjs';
import { openPupilPage } from './parts/pupil-page.mjs';
import { realSets } from './parts/real-sets.mjs';
import { scaled } from './parts/scaled.mjs';
import { score } from './parts/score.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
/** Targets in percentage points: between neighboring sizes, and below the best size. */
const [NEIGHBORS, BEST] = [3, 5];
/** A wrong answer with at least this confidence counts as a confident one. */
const CONFIDENT = 0.9;
/** Frames at the start of a video without single images that the sample is spread over. */
const VIDEO_FRAMES = 300;

/** Image widths that differ by so many percent. */
function sizesBetween(from, to, percent) {
  const sizes = [];
  for (let size = from; size <= to; size *= 1 + percent / 100) sizes.push(Math.round(size));
  return sizes;
}

/** Loads the sample as 'own'. Returns the truth and the subject of each of its frames. */
async function loadSample(call, set, count) {
  const { images, video } = set;
  const all = images ? set.truth.length : Math.min(VIDEO_FRAMES, set.truth.length);
  const picked = Array.from({ length: Math.min(count, all) }, (_, i) => Math.floor((i * all) / Math.min(count, all)));
  const url = (file) => `/shared/data/pupil/${file}`;
  if (images) {
    const files = picked.map((i) => url(images[i]));
    await call('loadImages', 'own', files);
  } else {
    await call('loadVideo', 'video', url(video.address), video.frames[picked.at(-1)] + 1);
    const frames = picked.map((i) => video.frames[i]);
    await call('pick', 'own', 'video', frames);
  }
  return {
    truth: picked.map((i) => set.truth[i]),
    // A clip shows one person.
    subjects: picked.map((i) => `${set.name} ${set.subjects?.[i] ?? ''}`),
  };
}

/** The answers of one method at one size: right, wrong and confidence of each frame. */
function answersOf(rows, truth, subjects, scale) {
  const { errors } = score(rows, truth, 'ellipse');
  const right = new Set(errors.filter(({ center }) => center <= 5 * scale).map(({ i }) => i));
  return rows.map(([found, confidence], i) => ({
    present: truth[i].present,
    subject: subjects[i],
    right: right.has(i),
    wrong: Boolean(found) && !right.has(i),
    confidence,
  }));
}

const shareOf = (answers) => {
  const present = answers.filter((answer) => answer.present);
  return (100 * present.filter(({ right }) => right).length) / present.length;
};

/** The greatest fall between neighboring sizes in either direction, the greatest below the best size, and their places. */
function fallsOf(sizes, shares) {
  const steps = shares.slice(1).map((share, i) => Math.abs(share - shares[i]));
  const step = Math.max(...steps);
  const at = steps.indexOf(step);
  const [best, least] = [Math.max(...shares), Math.min(...shares)];
  return {
    step,
    stepAt: `${sizes[at]} to ${sizes[at + 1]}`,
    below: best - least,
    belowAt: sizes[shares.indexOf(least)],
  };
}

/** Every method, in halves of the subjects: no constant may be right for one half only. */
function subjectHalves(answers) {
  const names = [...new Set(answers.map(({ subject }) => subject))].sort();
  const first = new Set(names.filter((_, i) => i % 2 === 0));
  return [true, false].map((half) => answers.filter(({ subject }) => first.has(subject) === half));
}

function methodRow(method, sizes, bySize) {
  const falls = fallsOf(sizes, bySize.map(shareOf));
  const all = bySize.flat();
  const confidence = (list) => (list.length ? fixed(mean(list.map((answer) => answer.confidence)), 3) : '-');
  const wrong = all.filter((answer) => answer.wrong);
  const sure = wrong.filter((answer) => answer.confidence >= CONFIDENT);
  return [
    method,
    fixed(shareOf(all)),
    ...subjectHalves(all).map((half) => fixed(shareOf(half))),
    `${fixed(falls.step)} (${falls.stepAt})`,
    `${fixed(falls.below)} (${falls.belowAt})`,
    confidence(all.filter(({ right }) => right)),
    confidence(wrong),
    fixed((100 * wrong.length) / all.length),
    fixed((100 * sure.length) / all.length),
  ];
}

export default async function cliffs(given) {
  const { shared, args, log } = given;
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const [frames, from, to, step] = [
    ['--frames', 12],
    ['--from', 60],
    ['--to', 800],
    ['--step', 4],
  ].map(([name, otherwise]) => Number(option(name, otherwise)));
  const methods = option('--methods', METHODS.join()).split(',');
  const names = option('--sets', null)?.split(',');
  const report = new Report(given);
  const sets = realSets(shared)?.filter(({ name }) => !names || names.includes(name));
  if (!sets) {
    report.line('Skipped: there is no ../shared/data (FOVEOLA_SHARED names another folder).');
    return report.finish('lab/results/accuracy.md', 'cliffs pupil', 'cliffs pupil');
  }
  const { call } = await openPupilPage(given);
  const sizes = sizesBetween(from, to, step);
  const answers = new Map(methods.map((method) => [method, sizes.map(() => [])]));
  for (const set of sets) {
    const { truth, subjects } = await loadSample(call, set, frames);
    const width = await call('widthOf', 'own');
    for (const [s, size] of sizes.entries()) {
      const scale = size / width;
      await call('rescale', 'scaled', 'own', scale);
      const expected = truth.map((one) => scaled(one, scale));
      for (const method of methods)
        answers
          .get(method)
          [s].push(...answersOf(await call('detect', 'scaled', { method }, {}), expected, subjects, scale));
    }
    log(set.name);
  }
  summarize(report, { sizes, methods, answers, frames, sets });
  return report.finish('lab/results/accuracy.md', 'cliffs pupil', 'cliffs pupil');
}

function summarize(report, { sizes, methods, answers, frames, sets }) {
  report.line(
    `${frames} frames of each of ${sets.length} sets, spread evenly, each frame separately, at ${sizes.length} widths from ${sizes[0]} to ` +
      `${sizes.at(-1)} px by the browser's best filter. Right: center within 5 px of the set's size. Percent of frames with a pupil; ` +
      `wrong and confident (at least ${CONFIDENT}) in percent of all frames. First and second half: of the subjects.`,
  );
  report.table([
    [
      '',
      'right',
      'first half',
      'second half',
      'greatest fall (px)',
      'below best (px)',
      'confidence, right',
      'wrong',
      'wrong %',
      'confident',
    ],
    ...methods.map((method) => methodRow(method, sizes, answers.get(method))),
  ]);
  report.table([
    ['px', ...methods],
    ...sizes.map((size, s) => [size, ...methods.map((method) => fixed(shareOf(answers.get(method)[s])))]),
  ]);
  const counts = methods.flatMap((method) =>
    answers
      .get(method)
      .map((list) => [list.filter(({ right }) => right).length, list.filter(({ present }) => present).length]),
  );
  report.line(`Of every share: ${widest(counts)}`);
  for (const method of methods) {
    const shares = answers.get(method).map(shareOf);
    const { step, below } = fallsOf(sizes, shares);
    report.line(`${method}: mean over the sizes ${fixed(mean(shares))} %, 95 % ${range(ofGroups(shares))}.`);
    report.line(atMost(`points between neighboring sizes, ${method}`, step, NEIGHBORS));
    report.line(atMost(`points below the best size, ${method}`, below, BEST));
  }
}
