// Faces: jitter of landmarks on a head at rest, lag and error on one that moves, with the filter and without. --tune: settings of it
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { atLeast, atMost, fixed, Report } from '../parts/report.mjs';
import { annotatedFaces, errors, landmarkModel } from './parts/data.mjs';
import { mean } from '../parts/numbers.mjs';

const PHOTOGRAPHS = 8;
const FRAMES = 45;
/** Frames before anything is counted: the filter and the search settle. */
const SETTLE = 15;
const NOISE = 3;
const SPEED = 5;

/** mulberry32 */
function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The photograph moved by (x, y), bilinear, grown by its border where it ends, with noise. */
function moved({ width, height, data }, x, y, random) {
  const out = new Uint8Array(width * height);
  const at = (u, v) => data[Math.min(height - 1, Math.max(0, v)) * width + Math.min(width - 1, Math.max(0, u))];
  const [left, top] = [Math.floor(-x), Math.floor(-y)];
  const [fx, fy] = [-x - left, -y - top];
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      const upper = at(i + left, j + top) * (1 - fx) + at(i + left + 1, j + top) * fx;
      const lower = at(i + left, j + top + 1) * (1 - fx) + at(i + left + 1, j + top + 1) * fx;
      const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      out[j * width + i] = Math.min(255, Math.max(0, Math.round(upper * (1 - fy) + lower * fy + NOISE * gauss)));
    }
  return out;
}

/** Standard deviation of every coordinate, root mean square over all. */
function jitter(shapes) {
  let sum = 0;
  for (let k = 0; k < 136; k++) {
    const mean = shapes.reduce((s, shape) => s + shape[k], 0) / shapes.length;
    sum += shapes.reduce((s, shape) => s + (shape[k] - mean) ** 2, 0) / shapes.length;
  }
  return Math.sqrt(sum / 136);
}

/** Where a head at rest is moved to, frame by frame. */
function stillPlaces() {
  const random = generator(5);
  return Array.from({ length: FRAMES }, () => [0, 1].map(() => 0.5 * Math.floor(3 * random())));
}

/** What the tracker shows of one photograph, at rest and moving, with the filter and without. */
class Trial {
  #library;
  #runtime;
  #parts;

  constructor(library, runtime, parts) {
    this.#library = library;
    this.#runtime = runtime;
    this.#parts = parts;
  }

  /** Shapes of the largest face, frame by frame, in the photograph's own pixels. */
  async track(photo, places, smooth, { inPicture = false } = {}) {
    const { FaceTrackerCore, resolveTracker } = this.#library;
    const { cascade, second, judge, model } = this.#parts;
    const {
      cascade: _,
      confirm: __,
      judged: ___,
      model: ____,
      ...values
    } = resolveTracker({ smoothLandmarks: smooth });
    const tracker = new FaceTrackerCore(this.#runtime, cascade, model, values, second, judge);
    const random = generator(17);
    const shapes = [];
    for (const [i, [x, y]] of places.entries()) {
      const plane = this.#runtime.plane(photo.width, photo.height, 'u8', moved(photo, x, y, random));
      const { faces } = await tracker.process(plane, 40 * i);
      plane.dispose();
      const largest = faces.sort((a, b) => b.width - a.width)[0];
      shapes.push(largest?.landmarks?.map((v, k) => v - (inPicture ? 0 : k % 2 ? y : x)) ?? null);
    }
    tracker.dispose();
    return shapes.slice(SETTLE);
  }

  /** Jitter in the picture and about its place; null where the face was not there in every frame. */
  async atRest(photo, smooth) {
    const still = stillPlaces();
    const shapes = await this.track(photo, still, smooth, { inPicture: true });
    if (shapes.some((shape) => !shape)) return null;
    const placed = shapes.map((shape, i) => shape.map((v, k) => v - still[SETTLE + i][k % 2]));
    return { picture: jitter(shapes), place: jitter(placed) };
  }

  async moving(photo, points) {
    const run = Array.from({ length: FRAMES }, (_, i) => [SPEED * (i - FRAMES / 2), 0]);
    const [fast, held] = [await this.track(photo, run, false), await this.track(photo, run, true)];
    if ([...fast, ...held].some((shape) => !shape)) return null;
    // In the photograph's own pixels a filter that lags shows a shape that lies behind, by so many pixels.
    const across = (shape, i) => mean(Array.from(shape, (v, k) => v - held[i][k]).filter((_, k) => k % 2 === 0));
    const behind = mean(fast.map(across));
    const [alone, filtered] = [fast, held].map((shapes) => mean(shapes.map((shape) => errors(shape, points).nme)));
    return { behind, alone, filtered };
  }
}

/** Settings of the filter that are tried. */
const CALMS = [2.8, 3, 3.2, 3.4, 3.6, 4];
const CUTOFFS = [0.15, 0.25, 0.36];
const BETAS = [0.02, 0.04];

/** What it costs to be off what is wanted: 3 in the picture, 1 about the place. */
const shortfall = ({ picture, place }) => Math.max(0, 3 / picture - 1) + Math.max(0, 1 / place - 1);
const loss = (list) => mean(list.map(shortfall)) + Math.max(...list.map(shortfall));

/** What the filter of the face was given while a tracker ran: it can be given that again, with other settings. */
async function recorded({ prototype }, run) {
  const calls = new Map();
  const { move, filter } = prototype;
  const wrap = (name, own) =>
    function (...values) {
      calls.set(this, [...(calls.get(this) ?? []), [name, structuredClone(values)]]);
      return own.apply(this, values);
    };
  Object.assign(prototype, { move: wrap('move', move), filter: wrap('filter', filter) });
  await run();
  Object.assign(prototype, { move, filter });
  return [...calls.values()].sort((a, b) => b.length - a.length)[0];
}

/** Every setting on every photograph; the best one, and for each photograph the best of the others. */
async function tune(report, library, photos, trials) {
  const { ShapeSmoother, smoothing } = library;
  const cases = [];
  for (const trial of trials)
    for (const [n, photo] of photos.entries()) {
      const raw = await trial.atRest(photo, false);
      const calls = raw && (await recorded(ShapeSmoother, () => trial.atRest(photo, true)));
      if (calls) cases.push({ n, raw, calls });
    }
  const tried = [];
  const before = { ...smoothing };
  for (const calm of CALMS)
    for (const minCutoff of CUTOFFS)
      for (const beta of BETAS) {
        Object.assign(smoothing, { calm, minCutoff, beta });
        const ratios = cases.map(({ n, raw, calls }) => {
          const smoother = new ShapeSmoother();
          const shapes = calls.map(([name, values]) => smoother[name](...values)).filter(Boolean);
          const shown = shapes.slice(SETTLE - FRAMES);
          const still = stillPlaces();
          const placed = shown.map((shape, i) => shape.map((v, k) => v - still[SETTLE + i][k % 2]));
          return { n, picture: raw.picture / jitter(shown), place: raw.place / jitter(placed) };
        });
        tried.push({ name: `${calm}, ${minCutoff}, ${beta}`, ratios });
      }
  Object.assign(smoothing, before);
  const without = (ratios, n) => ratios.filter((one) => one.n !== n);
  const best = (n) => [...tried].sort((a, b) => loss(without(a.ratios, n)) - loss(without(b.ratios, n)))[0];
  const rowOf = (name, ratios) => [
    name,
    ...['picture', 'place'].flatMap((key) =>
      [mean, (list) => Math.min(...list)].map((of) => fixed(of(ratios.map((one) => one[key])), 2)),
    ),
  ];
  const held = photos.flatMap((_, n) => best(n).ratios.filter((one) => one.n === n));
  report.heading('Settings: calm, cutoff, beta');
  report.table([
    ['setting', 'times lower in the picture, mean', 'least', 'about its place, mean', 'least'],
    ...tried.map(({ name, ratios }) => rowOf(name, ratios)),
    rowOf(`best: ${best().name}`, best().ratios),
    rowOf('each photograph by the best of the others', held),
  ]);
}

export default async function (given) {
  const { args, root, shared, openBrowser, importTs, log } = given;
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return log('needs ../shared/data/faces');
  const report = new Report(given);
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const runtime = await library.Runtime.create({ module });
  const file = (name) => new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`)));
  const dat = landmarkModel();
  const models = {
    'landmarks-68': library.readLandmarks(file('landmarks-68')),
    ...(dat && { "dlib's": library.readLandmarks(library.convertModel(dat, '8-bit')) }),
  };
  const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => library.readCascade(file(name)));
  const judge = library.readJudge(file('face-judge'));
  const trials = Object.entries(models).map(([name, model]) => [
    name,
    new Trial(library, runtime, { cascade, second, judge, model }),
  ]);
  const photos = annotated
    .filter(({ set }) => set === 'helen')
    .slice(0, PHOTOGRAPHS)
    .map((image) => {
      const source = runtime.plane(image.width, image.height, 'u8', image.data);
      const reduced = library.driveNow(runtime, (scope) => library.reduceTo(scope, source, 320));
      const scale = reduced.width / image.width;
      const photo = { width: reduced.width, height: reduced.height, data: reduced.copy() };
      reduced.dispose();
      source.dispose();
      const points = image.faces[0].points.map((v) => (v + 0.5) * scale - 0.5);
      return { ...photo, name: image.name, points, side: Math.round(image.faces[0].box.width * scale) };
    });
  report.line(
    `Photographs of helen with one large face, at 320 pixels; ${FRAMES} frames, the first ${SETTLE} not counted; noise of sigma ${NOISE}. At rest: moved by 0, 0.5 or 1 px at random in every frame; jitter is counted in the picture, where the head is held to be still and its shifts are jitter too, and about the place that it was moved to, where a filter that holds still is wrong by each shift. Moving: ${SPEED} px a frame to the side.`,
  );
  if (args.includes('--tune')) {
    await tune(report, library, photos, trials.map(([, trial]) => trial)); // prettier-ignore
    return runtime.dispose();
  }
  for (const [name, trial] of trials) {
    const rows = [
      [
        'photograph',
        'face px',
        'jitter px in the picture: regression',
        'filtered',
        'times lower',
        'about its place: regression',
        'filtered',
        'times lower',
        'lag frames',
        'NME moving',
        'filtered',
        'rise %',
      ],
    ];
    const all = [];
    for (const photo of photos) {
      const [alone, calm] = [await trial.atRest(photo, false), await trial.atRest(photo, true)];
      const moving = await trial.moving(photo, photo.points);
      if (!alone || !calm) {
        rows.push([photo.name, '-', 'not found in every frame']);
        continue;
      }
      const own = {
        ...{ picture: alone.picture / calm.picture, place: alone.place / calm.place },
        ...(moving && { lag: moving.behind / SPEED, rise: 100 * (moving.filtered / moving.alone - 1) }),
      };
      all.push(own);
      rows.push([
        ...[photo.name, photo.side],
        ...[fixed(alone.picture, 3), fixed(calm.picture, 3), fixed(own.picture, 1)],
        ...[fixed(alone.place, 3), fixed(calm.place, 3), fixed(own.place, 1)],
        ...(moving
          ? [fixed(own.lag, 2), fixed(moving.alone, 4), fixed(moving.filtered, 4), fixed(own.rise, 1)]
          : ['leaves the picture']),
      ]);
    }
    report.heading(name);
    report.table(rows);
    const least = (key) => Math.min(...all.map((one) => one[key]));
    const middle = (key) => fixed(mean(all.map((one) => one[key])), 2);
    const moved = all.filter(({ lag }) => lag !== undefined);
    const lag = Math.max(...moved.map((one) => Math.abs(one.lag)));
    report.line(
      `${all.length} photographs: jitter lower by ${middle('picture')} times in the picture and ${middle('place')} about its place, in the mean; ${moved.length} of them move.`,
    );
    report.list([
      atLeast('times less jitter in the picture, on each photograph', least('picture'), 3),
      atLeast('the same about its place', least('place'), 1),
      atMost('frames of lag', lag, 1),
      atMost('% more error of those that move', Math.max(...moved.map(({ rise }) => rise)), 5, 1),
    ]);
  }
  runtime.dispose();
  report.finish('docs/accuracy-tables.md', 'stability faces', 'stability faces');
}
