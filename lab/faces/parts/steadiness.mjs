// What the tracker shows of one photograph, at rest and moving, with the filter and without.
import { mean } from '../../../bench/parts/numbers.mjs';
import { generator } from '../../../tools/random.mjs';
import { errors } from '../../../bench/faces/parts/data.mjs';

export const FRAMES = 45;
/** Frames before anything is counted: the filter and the search settle. */
export const SETTLE = 15;
export const NOISE = 3;
/** Pixels a frame. */
export const SPEED = 5;

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
export function jitter(shapes) {
  let sum = 0;
  for (let k = 0; k < 136; k++) {
    const mean = shapes.reduce((s, shape) => s + shape[k], 0) / shapes.length;
    sum += shapes.reduce((s, shape) => s + (shape[k] - mean) ** 2, 0) / shapes.length;
  }
  return Math.sqrt(sum / 136);
}

/** Jitter about the places that the photograph was moved to. */
export const placedJitter = (shapes, places) =>
  jitter(shapes.map((shape, i) => shape.map((v, k) => v - places[i][k % 2])));

/** Where a head at rest is moved to, frame by frame. */
export function stillPlaces() {
  const random = generator(5);
  return Array.from({ length: FRAMES }, () => [0, 1].map(() => 0.5 * Math.floor(3 * random())));
}

export class Trial {
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
      verifier: __,
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
    return { picture: jitter(shapes), place: placedJitter(shapes, still.slice(SETTLE)) };
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

/** One of `annotatedFaces` with its first face, at 320 pixels; `side` is that of the face. */
export function reducedPhoto(library, runtime, image) {
  const source = runtime.plane(image.width, image.height, 'u8', image.data);
  const reduced = library.driveNow(runtime, (scope) => library.reduceTo(scope, source, 320));
  const scale = reduced.width / image.width;
  const photo = { width: reduced.width, height: reduced.height, data: reduced.copy() };
  reduced.dispose();
  source.dispose();
  const points = image.faces[0].points.map((v) => (v + 0.5) * scale - 0.5);
  return { ...photo, name: image.name, points, side: Math.round(image.faces[0].box.width * scale) };
}

/** What a tracker consists of beside its landmark model. */
export function trackerParts(library, file) {
  const [cascade, second] = ['frontalface_alt', 'frontalface_alt2'].map((name) => library.readCascade(file(name)));
  return { cascade, second, judge: library.readJudge(file('face-judge')) };
}
