// The annotated recordings beside the checkout (../shared/data/pupil, or FOVEOLA_SHARED): addresses and truth.
// Truth of a frame: { present, x, y, r, circle }: center and mean semi-axis of the ellipse, radius of the circle fit.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readCsv } from '../../parts/csv.mjs';

const absent = { present: false };

function outline(row) {
  if (row.present !== 'true') return absent;
  const [x, y, a, b, circle] = [row.cx, row.cy, row.semi_major, row.semi_minor, row.circle_r].map(Number);
  return { present: true, x, y, r: (a + b) / 2, circle };
}

const certain = (row) => row.quality !== 'uncertain';

function mrgaze(folder) {
  const rows = readCsv(path.join(folder, 'mrgaze/annotations.csv')).filter(certain);
  return {
    name: 'mrgaze',
    title: `mrgaze, ${rows.length} outlines`,
    heading: 'mrgaze',
    images: rows.map(({ image }) => `mrgaze/${image}`),
    subjects: rows.map(({ image }) => /^images\/([^_.]+)/.exec(image)[1]),
    truth: rows.map(outline),
  };
}

function clip(folder, name, file, rate) {
  const rows = readCsv(path.join(folder, `videos/${file}/annotations.csv`)).filter(certain);
  const truth = rows.map(outline);
  const without = truth.filter(({ present }) => !present).length;
  return {
    name,
    title: `${name} clip, ${truth.length - without} with and ${without} without a pupil`,
    heading: name,
    images: rows.map(({ frame }) => `videos/${file}/frames/${frame.padStart(6, '0')}.png`),
    truth,
    video: { address: `videos/${file}.webm`, rate, frames: rows.map(({ frame }) => Number(frame)) },
  };
}

function meye(folder) {
  const rows = JSON.parse(readFileSync(path.join(folder, 'meye-human/groundtruth.json'), 'utf8'));
  const truth = rows.map(({ derived_from_mask: mask }) => {
    if (!mask) return absent;
    const r = (mask.semi_major + mask.semi_minor) / 2;
    return { present: true, x: mask.cx, y: mask.cy, r, circle: r };
  });
  const without = truth.filter(({ present }) => !present).length;
  return {
    name: 'meye-human',
    title: `meye-human, ${truth.length - without} with and ${without} without (masks a little small, see peers)`,
    heading: 'meye-human',
    images: rows.map(({ image }) => `meye-human/${image}`),
    subjects: rows.map(({ subject }) => subject),
    truth,
  };
}

function pupilCore(folder) {
  const file = 'videos/pupilcore_eye0_rec2';
  const rows = readCsv(path.join(folder, `${file}.reference.csv`));
  const truth = rows.map((row) => {
    if (row.detected !== '1') return absent;
    const r = (Number(row.axis_a_full) + Number(row.axis_b_full)) / 4;
    return { present: true, x: Number(row.x_in_video), y: Number(row.y_in_video), r, circle: r };
  });
  const without = truth.filter(({ present }) => !present).length;
  return {
    name: 'pupilcore rec2',
    title: `pupilcore rec2, ${truth.length - without} with and ${without} without (reference: Pupil Core itself)`,
    heading: 'pupilcore rec2',
    truth,
    video: { address: `${file}.webm`, rate: 61, frames: rows.map(({ frame }) => Number(frame) - 1) },
  };
}

/** The sets, or null where there are none. `every`: take each so-many-th frame (sequences are cut short instead). */
export function realSets(shared, every = 1) {
  const folder = shared && path.join(shared, 'data/pupil');
  if (!folder || !existsSync(folder)) return null;
  const sets = [
    mrgaze(folder),
    clip(folder, 'eyeloop', 'eyeloop_short_human_3blink', 60),
    clip(folder, 'deepvog', 'deepvog_demo', 25),
    meye(folder),
    pupilCore(folder),
  ];
  if (every === 1) return sets;
  return sets.map((set) => {
    const { images, truth, video } = set;
    if (!images) {
      const kept = Math.ceil(truth.length / every);
      return { ...set, truth: truth.slice(0, kept), video: { ...video, frames: video.frames.slice(0, kept) } };
    }
    const take = (list) => list?.filter((_, i) => i % every === 0);
    const frames = video && take(video.frames);
    return {
      ...set,
      images: take(images),
      subjects: take(set.subjects),
      truth: take(truth),
      ...(video && { video: { ...video, frames } }),
    };
  });
}
