// Constants of the filter that holds landmarks still, by photographs that rest, set out and stop.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { annotatedFaces } from '../../faces/parts/data.mjs';
import * as steadiness from '../../faces/parts/steadiness.mjs';
import { at } from './lines.mjs';

/** Photographs of helen that `stability faces` does not look at. */
const [FIRST, PHOTOGRAPHS] = [8, 22];
/** A face rests, goes so many pixels a frame, and rests again: frames of each. */
const [STEP, GOES, STOPS] = [3, 25, 38];
/** Wanted: so many times less jitter in the picture, and no more about the place. */
const WANTED = 3;

export const about = (photographs) =>
  `${photographs.length} photographs of helen with one large face, others than those of \`stability faces\`, as those are moved there; and once at rest, then ` +
  `${STEP} px a frame to the side, then at rest again. What the tracker gave its filter is given to the filter with other constants. Worth: the mean of ` +
  `three: jitter in the picture (1 where it is ${WANTED} times less), jitter about the place (1 where it is no more), lag (0 from one frame on). Groups: photographs.`;

export const constants = at('src/faces', [
  ['smoothing.ts', 'minCutoff: 0.25', 0.18, 0.35],
  ['smoothing.ts', 'beta: 0.02', 0.014, 0.028],
  ['smoothing.ts', 'derivativeCutoff: 1', 0.7, 1.4],
  ['smoothing.ts', 'newest: 0.3', 0.22, 0.42],
  ['smoothing.ts', 'rest: 0.3', 0.2, 0.42],
  ['smoothing.ts', 'motion: 0.8', 0.6, 1.1],
  ['smoothing.ts', 'calm: 3.3', 2.9, 3.8],
  ['smoothing.ts', 'AT_ONCE = 0.07', 0.05, 0.1],
  ['smoothing.ts', 'NEWEST = 0.06', 0.042, 0.085],
  ['smoothing.ts', 'KNOWN = 6', 4, 9],
  ['smoothing.ts', 'FIRST = 0.3', 0.2, 0.42],
]);

export async function prepare({ importTs, root, shared, openBrowser }) {
  const annotated = shared && (await annotatedFaces(shared, openBrowser));
  if (!annotated) return null;
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const file = (name) => new Uint8Array(readFileSync(path.join(root, `models/${name}.bin`)));
  const model = library.readLandmarks(file('landmarks-68'));
  const trial = new steadiness.Trial(library, runtime, { ...steadiness.trackerParts(library, file), model });
  const gone = (i) => STEP * (Math.min(STOPS, Math.max(GOES, i)) - (GOES + STOPS) / 2);
  const runs = {
    rest: steadiness.stillPlaces(),
    moving: Array.from({ length: STOPS + 7 }, (_, i) => [gone(i), 0]),
  };
  const photographs = [];
  for (const image of annotated.filter(({ set }) => set === 'helen').slice(FIRST, FIRST + PHOTOGRAPHS)) {
    const photo = steadiness.reducedPhoto(library, runtime, image);
    const calls = {};
    for (const [name, places] of Object.entries(runs)) {
      let lost = false;
      const given = await steadiness.recorded(library.ShapeSmoother, async () => {
        const shapes = await trial.track(photo, places, true);
        lost = shapes.some((shape) => !shape);
      });
      const shapes = given?.filter(([kind]) => kind === 'filter').length ?? 0;
      if (!lost && shapes >= places.length - steadiness.SETTLE) calls[name] = given;
    }
    if (calls.rest && calls.moving) photographs.push({ name: photo.name, places: runs.rest, calls });
  }
  runtime.dispose();
  return photographs;
}

/** Shapes as they were found and as the filter gives them, those of the last frames. */
function replayed(Smoother, calls, count) {
  const smoother = new Smoother();
  const shapes = calls.flatMap(([name, values]) => {
    const filtered = smoother[name](...values);
    return name === 'filter' ? [[values[0], filtered]] : [];
  });
  return [0, 1].map((k) => shapes.slice(-count).map((pair) => pair[k]));
}

const sideways = (shape) => shape.reduce((sum, v, k) => sum + (k % 2 ? 0 : v), 0) / (shape.length / 2);

/** By photograph: what the three parts are worth. */
export async function measure({ importTs }, photographs) {
  const { ShapeSmoother } = await importTs('bench/faces/parts/library.ts');
  const { jitter, placedJitter, FRAMES, SETTLE } = steadiness;
  const groups = {};
  for (const { name, places, calls } of photographs) {
    const [found, shown] = replayed(ShapeSmoother, calls.rest, FRAMES - SETTLE);
    const own = places.slice(SETTLE);
    const picture = jitter(found) / jitter(shown);
    const place = placedJitter(found, own) / placedJitter(shown, own);
    const [before, behind] = replayed(ShapeSmoother, calls.moving, STOPS + 7 - GOES);
    const lag = before.reduce((sum, shape, i) => sum + Math.abs(sideways(shape) - sideways(behind[i])), 0);
    groups[name] = {
      ...{ photographs: 1, picture: Math.min(1, picture / WANTED), place: Math.min(1, place) },
      lag: Math.max(0, 1 - lag / before.length / STEP),
    };
  }
  return groups;
}

export const worth = ({ photographs, picture, place, lag }) => (picture + place + lag) / (3 * photographs);
export const figures = ({ photographs, picture, place, lag }) =>
  `jitter in the picture ${(picture / photographs).toFixed(3)}, about the place ${(place / photographs).toFixed(3)}, lag ${(lag / photographs).toFixed(3)}`;
