// Where rendered persons look: weights of the gaze, by least squares, and how far it is off for persons that had no say.
import { generator } from '../../../tools/random.mjs';
import { FOLDS, foldOf, grouped, mean, meanInterval, quantile } from './folds.mjs';

const degree = Math.PI / 180;
/** Lids that are open enough to see an iris. */
const OPEN = 0.15;
const WIDTHS = [0, 8, 10, 12, 15, 18, 22, 60];
const CLEARNESS = [-1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1];
/** An error above this is no use as a direction, degrees: what an eye must keep below in the median to be given. */
const COARSE = 12;
/** Share of faces without dark glasses that may count as behind some: the light of a lamp from above or behind darkens cheeks too. */
const HIDDEN = 0.1;
/** Ridge, so that columns that hang together share their weight. */
const RIDGE = 1e-3;

const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);

/** The renderer's angles are positive where the nose is lowered, and against the clock. */
export function directionTruth(library, { yaw, pitch, roll, gaze }) {
  const [right, up] = library.axesOf({ yaw: yaw * degree, pitch: -pitch * degree, roll: -roll * degree });
  const [a, e] = gaze.map((angle) => angle * degree);
  const inHead = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
  return [dot(right, inHead), dot(up, inHead)];
}

export function solveRidge(library, rows, values) {
  const n = rows[0].length;
  const matrix = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) =>
      rows.reduce((s, r) => s + r[i] * r[j], i === j ? RIDGE * rows.length : 0),
    ),
  );
  const right = Float64Array.from({ length: n }, (_, i) => rows.reduce((s, r, k) => s + r[i] * values[k], 0));
  return [...library.solve(matrix, right)];
}

export const between = ([ax, ay], [bx, by]) => {
  const z = (x, y) => Math.sqrt(Math.max(0, 1 - x * x - y * y));
  return Math.acos(Math.max(-1, Math.min(1, ax * bx + ay * by + z(ax, ay) * z(bx, by)))) / degree;
};

/** @returns { across, up, clearness, bare, width } */
export function gazes(library, seen, print) {
  const trusted = seen.filter(({ measures, record }) => !measures.warnings.length && record.blink[0] < OPEN);
  const eyes = trusted
    .filter(({ record }) => !record.worn.includes('sunglasses'))
    .flatMap((face) =>
      face.irises.flatMap((iris, side) => {
        if (!iris) return [];
        const columns = library.gazeColumns(face.landmarks, side, iris, face.pose);
        return [{ face, side, iris, columns, truth: directionTruth(library, face.record), fold: foldOf(face) }];
      }),
    );
  const fit = (list) =>
    [0, 1].map((k) => solveRidge(library, list.map(({ columns }) => columns[k]), list.map(({ truth }) => truth[k]))); // prettier-ignore
  const clear = (list) => list.filter(({ iris }) => iris.clearness > 0.3);
  const held = FOLDS.map((fold) => fit(clear(eyes.filter((eye) => eye.fold !== fold))));
  const weights = fit(clear(eyes));
  for (const eye of eyes) {
    eye.given = held[eye.fold].map((w, k) => dot(w, eye.columns[k]));
    eye.inside = weights.map((w, k) => dot(w, eye.columns[k]));
    eye.error = between(eye.given, eye.truth);
  }
  const banded = (name, limits, valueOf) =>
    limits.slice(1).flatMap((to, i) => {
      const own = eyes.filter((eye) => valueOf(eye) >= limits[i] && valueOf(eye) < to);
      if (own.length < 10) return [];
      const errors = own.map(({ error }) => error);
      return [[`${name} ${limits[i]} to ${to}`, own.length, mean(errors).toFixed(1), quantile(errors, 0.5).toFixed(1), quantile(errors, 0.9).toFixed(1)]]; // prettier-ignore
    });
  const byClearness = banded('clearness', CLEARNESS, ({ iris }) => iris.clearness);
  const byWidth = banded('width', WIDTHS, ({ face }) => face.width);
  print('Gaze of single eyes, degrees, persons held out', [
    ['eyes', 'n', 'mean', 'median', '90 %'],
    ...byClearness,
    ...byWidth,
  ]);
  const least = (rows) => {
    const from = rows.findLastIndex((row) => Number(row[3]) > COARSE) + 1;
    return Number(/([-\d.]+) to/.exec(rows[Math.min(from, rows.length - 1)][0])[1]);
  };
  const clearness = Math.max(0.2, least(byClearness));
  const width = least(byWidth);
  const able = trusted.filter(({ record, width: w }) => w >= width && !record.worn.includes('sunglasses'));
  const bareOf = (list) =>
    quantile(
      list.map(({ irises }) => library.barenessOf(irises)),
      HIDDEN,
    );
  const bare = bareOf(able);
  const heldBare = FOLDS.map((fold) => bareOf(able.filter((face) => foldOf(face) !== fold)));
  // Faces: the mean of the eyes that are given.
  const faces = [...grouped(eyes.filter(({ iris, face }) => iris.clearness >= clearness && library.barenessOf(face.irises) >= heldBare[foldOf(face)] && face.width >= width), ({ face }) => face)]; // prettier-ignore
  const random = generator(4);
  const rows = [['faces', 'n', 'off, mean', '95 % of it', 'median', '90 %', 'to the side', 'up and down']];
  const line = (name, givenOf) => {
    const given = faces.map(([face, list]) => [
      face,
      [0, 1].map((k) => mean(list.map((eye) => givenOf(eye)[k]))),
      list[0].truth,
    ]);
    const errors = given.map(([, one, truth]) => between(one, truth));
    const own = (k) =>
      mean(
        given.map(([, one, truth]) => Math.abs(Math.asin(Math.max(-1, Math.min(1, one[k]))) - Math.asin(truth[k]))),
      ) / degree;
    const [low, high] = meanInterval(errors, faces.map(([{ record }]) => record.person), random); // prettier-ignore
    rows.push([
      name,
      errors.length,
      mean(errors).toFixed(1),
      `${low.toFixed(1)} to ${high.toFixed(1)}`,
      quantile(errors, 0.5).toFixed(1),
      quantile(errors, 0.9).toFixed(1),
      own(0).toFixed(1),
      own(1).toFixed(1),
    ]);
  };
  line('irises, persons held out', ({ given }) => given);
  line('in-sample', ({ inside }) => inside);
  line('the head alone: as it faces', ({ face }) => [
    Math.sin(face.pose.yaw) * Math.cos(face.pose.pitch),
    Math.sin(face.pose.pitch),
  ]);
  line('always to the camera', () => [0, 0]);
  const dark = trusted.filter(({ record }) => record.worn.includes('sunglasses'));
  const isGiven = ({ irises, width: w }, limit) =>
    w >= width && library.barenessOf(irises) >= limit && irises.some((iris) => iris?.clearness >= clearness);
  const behind = (limitOf) => dark.filter((face) => isGiven(face, limitOf(face))).length;
  const [seenDark, inside] = [behind((face) => heldBare[foldOf(face)]), behind(() => bare)];
  print(
    'Gaze of faces, degrees',
    rows,
    `given of ${faces.length} of ${able.length} trusted faces with eyes open and wide enough; of ${seenDark} of ${dark.length} behind sunglasses (in-sample ${inside})`,
  );
  const rounded = (w) => w.map((v) => Number(v.toFixed(3)));
  return { across: rounded(weights[0]), up: rounded(weights[1]), clearness, bare: bare.toFixed(2), width };
}
