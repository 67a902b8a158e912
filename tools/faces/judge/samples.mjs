// What the judge learns from: boxes on rendered faces, beside them, and in pictures without faces.
import { overlap } from '../../../bench/parts/numbers.mjs';
import { drawEllipse, drawStrokes, quarters, shrink } from './pictures.mjs';

/** Stages of frontalface_alt after which windows are judged, and those for examples of what is no face. */
export const STAGES = 20;
const EASY = 13;
const WIDER = 18;
/** The same face below this overlap is none. */
const RIGHT = 0.5;
const WRONG = 0.25;
const DRAWN = 2400;
/** Of easy windows of one picture. */
const MOST = 250;

/** The rule of a face's box: 1.05 times the mean side of the points' box, 9 % of it higher. */
function boxOf(points) {
  const side = (k) => {
    const own = points.filter((_, i) => i % 2 === k);
    return [own.reduce((a, b) => Math.min(a, b)), own.reduce((a, b) => Math.max(a, b))];
  };
  const [[left, right], [top, bottom]] = [side(0), side(1)];
  const size = (1.05 * (right - left + bottom - top)) / 2;
  return { x: (left + right - size) / 2, y: (top + bottom - size) / 2 - 0.09 * size, width: size, height: size };
}

export function makeSampler({ library, runtime, cascade, second, random }) {
  const now = (plan) => library.driveNow(runtime, plan);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const options = { scaling: 'image', scaleFactor: 1.1, step: 0, maxSize: 0 };

  /** One picture on the arena: windows of a cascade of so many stages, and gradients. */
  function look({ width, height, data }, body) {
    const plane = runtime.plane(width, height, 'u8', data);
    const windows = (stages, minSize) => {
      const short = { ...cascade, stages: cascade.stages.slice(0, stages) };
      return now((scope) => library.searchCascade(scope, short, plane, { ...options, minSize })).windows;
    };
    const boxes = (list) =>
      Array.from({ length: list.length / 4 }, (_, i) => {
        const [x, y, w, h] = list.subarray(4 * i);
        return { x, y, width: w, height: h };
      });
    const out = body({
      boxes: (stages, minSize) => boxes(windows(stages, minSize)),
      groups: (stages, minSize) => now((scope) => library.groupAll(scope, windows(stages, minSize))),
      gradients: (list) => now((scope) => library.gradientsOf(scope, plane, list)),
      confirmed: (list) => now((scope) => library.countWindows(scope, second, plane, list)),
    });
    plane.dispose();
    return out;
  }

  const pick = (list, most) => Array.from({ length: Math.min(most, list.length) }, () => list[Math.floor(random() * list.length)]); // prettier-ignore

  /** What the detector would judge, with all that a score is made of. */
  function candidates({ groups, gradients, confirmed }, minSize, rightOf) {
    const found = groups(STAGES, minSize);
    const [looks, counts] = [gradients(found), confirmed(found)];
    return found.map((box, i) => ({
      gradients: looks[i],
      windows: box.neighbors * library.stepAt('image', box.width / cascade.width, 0),
      confirmed: counts[i],
      right: rightOf(box),
      side: box.width,
    }));
  }

  /** A rendered face, brought to a size between 24 and 100 pixels. */
  function face({ picture, points, record, number }) {
    const whole = boxOf(points);
    const wanted = 24 * Math.pow(4.2, random());
    const side = Math.round((picture.width * wanted) / whole.width);
    const small = shrink(picture, side, side);
    const share = side / picture.width;
    const own = Object.fromEntries(Object.entries(whole).map(([name, v]) => [name, v * share]));
    const fold = number % 5;
    return look(small, (at) => {
      const alike = (box) => overlap(box, own);
      const wide = at.boxes(WIDER, 20);
      const right = pick(wide.filter((box) => alike(box) >= RIGHT), 3); // prettier-ignore
      for (let k = 0; k < 2; k++) {
        const size = own.width * (1 + 0.09 * normal());
        const [x, y] = [0.5 + 0.05 * normal(), 0.5 + 0.05 * normal()];
        right.push({ x: own.x + own.width * x - size / 2, y: own.y + own.width * y - size / 2, width: size, height: size }); // prettier-ignore
      }
      const wrong = wide.filter((box) => alike(box) < WRONG).slice(0, 6);
      wrong.push(...pick(at.boxes(EASY, 20).filter((box) => alike(box) < WRONG), 2)); // prettier-ignore
      for (let k = 0; k < 20 && wrong.length < 10; k++) {
        const size = own.width * Math.exp(0.7 * normal());
        const [x, y] = [1.4 * random() - 0.2, 1.4 * random() - 0.2];
        const box = {
          x: own.x + own.width * x - size / 2,
          y: own.y + own.width * y - size / 2,
          width: size,
          height: size,
        };
        if (alike(box) < WRONG && size >= 18 && size < side) wrong.push(box);
      }
      const looks = at.gradients([...right, ...wrong]);
      return {
        fold,
        rows: looks.map((gradients, i) => ({ gradients, right: i < right.length, fold })),
        candidates: candidates(at, 24, (box) => (alike(box) >= RIGHT ? 1 : alike(box) < WRONG ? 0 : null)),
        yaw: Math.abs(record.yaw),
        size: own.width,
      };
    });
  }

  /** A picture without faces at three sizes, and turned. `upright` false: only as no face is seen. */
  function faceless({ picture, upright, fold }) {
    const rows = [];
    const found = [];
    for (const share of [1, 0.66, 0.42])
      for (const turn of upright ? [0, 1, 2, 3] : [1, 2, 3]) {
        const scale = (share * 640) / Math.max(picture.width, picture.height);
        if (scale > 1.3) continue;
        const least = Math.min(1, scale);
        const own = quarters(shrink(picture, Math.round(picture.width * least), Math.round(picture.height * least)), turn); // prettier-ignore
        look(own, (at) => {
          const looks = at.gradients([...pick(at.boxes(EASY, 24), MOST), ...at.boxes(WIDER, 24).slice(0, MOST)]);
          rows.push(...looks.map((gradients) => ({ gradients, right: false, fold })));
          found.push(...candidates(at, 30, () => 0));
        });
      }
    return { fold, rows, candidates: found };
  }

  /** Drawn ellipses and strokes, looked at as if they had been found. */
  function drawn() {
    return Array.from({ length: DRAWN }, (_, i) => {
      const picture = i % 2 ? drawStrokes(random) : drawEllipse(random);
      const size = picture.box.width * (1 + 0.15 * normal());
      const [x, y] = [0.5 + 0.06 * normal(), 0.5 + 0.06 * normal()];
      const box = { x: picture.box.x + picture.box.width * x - size / 2, y: picture.box.y + picture.box.width * y - size / 2, width: size, height: size }; // prettier-ignore
      return look(picture, (at) => ({ gradients: at.gradients([box])[0], right: false, fold: i % 5 }));
    });
  }
  return { face, faceless, drawn };
}
