// Constants by which a pupil is followed, a black frame is left out, and glints are distinguished from skin, by rendered recordings.
import { add } from './choice.mjs';
import { at } from './lines.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];
const [COUNT, SEED] = [12, 7301];
/** Every fourth recording has little light and lies in a black frame, as a digitizer adds it: pixels, light, noise, levels. */
const FRAME = { every: 4, left: 60, top: 34, times: 3, sigma: 1, black: 5, noise: 0.8 };
/** Px: a glint this close to the image of a lamp is that image; so far from each, where no lamp is (bench/pupil/glints.mjs). */
const [WHERE, BESIDE] = [2, 4];

export const about = (frames, more = 0) =>
  `${COUNT} rendered recordings of ${frames.length / COUNT} frames with a blink or a gap (seed ${SEED + more}), tracked by four methods, every ` +
  'fourth with a third of the light in a black frame. Worth of what is followed: the share of the pupils whose center, and seven tenths of whose ' +
  'radius, are within 2 px or 12 % of the radius, less the share of the frames without a pupil in which one is reported, mean of the methods; of ' +
  'glints: the share of the lamps whose image is found, less the glints a frame where no lamp is. The mean of both. Groups: recordings.';

export const constants = [
  ...at('src/pupil', [
    ['hough/hough.ts', 'SHRINK = 0.9', 0.84, 0.95],
    ['hough/hough.ts', 'GROW = 1.11', 1.06, 1.18],
    ['hough/hough.ts', 'SLACK = 3', 2, 5],
    ['hough/hough.ts', 'LEAST_TRACKED = 0.4', 0.3, 0.5],
    ['robust/robust-search.ts', 'SURE_HERE = 1.5', 1, 2.2],
    ['starburst/start.ts', 'TRIED_WHILE_LOST = 2', 1, 3],
    ['starburst/start.ts', 'ALL_EVERY = 8', 5, 12],
    ['tracker/coarse-search.ts', 'AROUND = 1.4', 1.2, 1.7],
    ['tracker/picture.ts', 'OTHER_TAIL = 0.05', 0.035, 0.07],
    ['tracker/picture.ts', 'BRIGHTEST = 24', 17, 34],
    ['tracker/picture.ts', 'BLACK = 6', 4, 9],
    ['tracker/picture.ts', 'EVEN = 3', 2, 5],
    ['tracker/picture.ts', 'THIN = 0.1', 0.07, 0.14],
    ['glints/glints.ts', 'REACH = 2.5', 2, 3.2],
    ['glints/glints.ts', 'LARGEST = 0.35', 0.26, 0.45],
    ['glints/glints.ts', 'FINEST = 60', 42, 84],
  ]),
  ...at('assembly/pupil', [
    ['glints/glints.ts', 'LONGEST: i32 = 3', 2, 4],
    ['glints/glints.ts', 'FILLED: f32 = 0.45', 0.35, 0.58],
    ['glints/glints.ts', 'ALIKE: f32 = 0.5', 0.38, 0.65],
  ]),
];

/** A frame with less light, in black levels with the noise of a recording. */
function framed(frame, random) {
  const { left, top, times, sigma, black, noise } = FRAME;
  const normal = (s) => s * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [width, height] = [frame.width + 2 * left, frame.height + 2 * top];
  const data = Uint8ClampedArray.from({ length: width * height }, () => black + normal(noise));
  for (let y = 0; y < frame.height; y++)
    for (let x = 0; x < frame.width; x++)
      data[(y + top) * width + x + left] = frame.data[y * frame.width + x] / times + normal(sigma);
  const moved = ({ ellipse, ...truth }) =>
    ellipse ? { ...truth, ellipse: { ...ellipse, x: ellipse.x + left, y: ellipse.y + top } } : truth;
  return { ...frame, width, height, data: new Uint8Array(data.buffer), truth: moved(frame.truth), spots: null };
}

export async function prepare({ importTs, more = 0 }) {
  const { hardSequences } = await importTs('tools/eyes/index.ts');
  const { generator } = await import('../../../tools/random.mjs');
  const random = generator(SEED + more);
  return Array.from(hardSequences({ count: COUNT, seed: SEED + more }), ({ width, height, data, truth, meta }) => {
    const { sequence, frame, time, spots } = meta;
    const one = { width, height, data, truth, sequence, frame, time, spots };
    return sequence % FRAME.every === FRAME.every - 1 ? framed(one, random) : one;
  });
}

function isRight({ x, y, circle, ellipse }, truth) {
  const limit = Math.max(2, 0.12 * truth.circle.r);
  const r = ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r;
  const off = Math.hypot(x - truth.ellipse.x, y - truth.ellipse.y);
  return off <= limit && 0.7 * Math.abs(r - truth.circle.r) <= limit;
}

/** Of a frame of which the pupil was found: lamps, those that are found, glints where none is. */
function glintsOf(pupil, spots) {
  const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  const alone = (s) => spots.every((o) => o === s || distance(o, s) > o.radius + s.radius + BESIDE);
  const lamps = spots.filter((s) => alone(s) && distance(s, pupil) < 1.1 * pupil.diameter);
  return {
    frames: 1,
    lamps: lamps.length,
    lit: lamps.filter((s) => pupil.glints.some((g) => distance(s, g) <= WHERE)).length,
    wrong: pupil.glints.filter((g) => spots.every((s) => distance(s, g) > s.radius + BESIDE)).length,
  };
}

/** What lies in a method's own folder is of that method alone; glints take part in nothing else. */
function methodsOf(file) {
  if (file.includes('/glints/')) return [];
  const own = METHODS.filter((method) => method !== 'starburst' && file.includes(`/${method}/`));
  return own.length ? own : METHODS;
}

/** By recording: eyes, right_<method>, without, alarms_<method>; frames, lamps, lit, wrong. */
export async function measure({ importTs }, frames, file) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  const count = (sequence, counts) => {
    const name = `recording ${sequence}`;
    groups[name] = add(groups[name] ?? {}, counts);
  };
  const scored = frames.filter(({ truth }) => !truth.partial);
  for (const { sequence, truth } of scored)
    count(sequence, { eyes: Number(truth.present), without: Number(!truth.present) });
  const follow = async (options, used, read) => {
    const tracker = await engine.createPupilTracker(options);
    for (const { width, height, data, ...frame } of used) {
      if (frame.frame === 0) tracker.reset();
      const { pupils } = await tracker.process({ width, height, data, format: 'gray' }, frame.time);
      if (!frame.truth.partial) read(pupils[0], frame);
    }
    await tracker.dispose();
  };
  for (const method of methodsOf(file))
    await follow({ method }, frames, (pupil, { truth, sequence }) => {
      const counted = pupil.found && (!truth.present || isRight(pupil, truth));
      count(sequence, { [`${truth.present ? 'right' : 'alarms'}_${method}`]: Number(counted) });
    });
  if (!file || file.includes('/glints/'))
    await follow(
      { glints: 8 },
      frames.filter(({ spots }) => spots),
      (pupil, { truth, sequence, spots }) => {
        if (pupil.found && truth.present) count(sequence, glintsOf(pupil, spots));
      },
    );
  await engine.dispose();
  return groups;
}

const share = (counts, word, method, of) => (counts[`${word}_${method}`] ?? 0) / counts[of];
const followed = (counts) =>
  METHODS.reduce(
    (sum, method) => sum + share(counts, 'right', method, 'eyes') - share(counts, 'alarms', method, 'without'),
    0,
  ) / METHODS.length;
const lit = ({ lamps, lit, wrong, frames }) => lit / lamps - wrong / frames;

export const worth = (counts) => (followed(counts) + lit(counts)) / 2;

const percent = (value) => `${(100 * value).toFixed(1)} %`;
export const figures = (counts) =>
  [
    ...METHODS.map(
      (method) =>
        `${method} ${percent(share(counts, 'right', method, 'eyes'))} of ${counts.eyes} pupils, silent in ` +
        `${percent(1 - share(counts, 'alarms', method, 'without'))} of ${counts.without}`,
    ),
    `${percent(counts.lit / counts.lamps)} of ${counts.lamps} lamps, ${(counts.wrong / counts.frames).toFixed(3)} other glints a frame`,
  ].join('; ');
