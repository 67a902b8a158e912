// What the judge learns from: boxes on rendered faces, beside them, and in pictures without faces.
import { overlap } from '../../../bench/parts/numbers.mjs';
import { drawEllipse, drawStrokes, quarters, shrink } from './pictures.mjs';

/** Stages of frontalface_alt after which windows are judged, and those for examples of what is no face. */
export const STAGES = 18;
/** Parts of faces and pictures of which each is judged by templates that did not learn from it. */
export const FOLDS = 3;
const EASY = 13;
const WIDER = 17;
/** The same face below this overlap is none. */
const RIGHT = 0.5;
const WRONG = 0.25;
const DRAWN = 2400;
/** The place of nine at which a template lies on a box itself. */
const MIDDLE = 4;
/** Of easy windows of one picture, and of those that others are looked for about. */
const MOST = 150;
const MOST_HARD = 60;
/** A look that scores more than this and is none at a face is learned from. */
const HARD = -2;

/** The rule of a face's box: 1.05 times the mean side of the points' box, 9 % of it higher. */
export function boxOf(points) {
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
    const out = body({
      groups: (stages, minSize) => now((scope) => library.groupAll(scope, windows(stages, minSize))),
      gradients: (list) => now((scope) => library.gradientsOf(scope, plane, list)).map((all) => library.gradientsAt(all, MIDDLE)), // prettier-ignore
      looks: (judge, list) => {
        const first = now((scope) => library.looksAt(scope, judge, plane, list));
        const sizes = now((scope) => library.looksAtSizes(scope, judge, plane, list));
        return first.map((looks, i) => {
          const all = [...looks, ...sizes[i]];
          return { ...library.bestLook(all), first: library.bestLook(looks).value, reported: library.placeOf(all) };
        });
      },
      confirmed: (list) => now((scope) => library.countWindows(scope, second, plane, list)),
    });
    plane.dispose();
    return out;
  }

  const pick = (list, most) => Array.from({ length: Math.min(most, list.length) }, () => list[Math.floor(random() * list.length)]); // prettier-ignore

  /** A box moved and of another size by chance. */
  const jittered = (box, size, shift) => {
    const side = box.width * Math.exp(size * normal());
    const [x, y] = [0.5 + shift * normal(), 0.5 + shift * normal()];
    return { x: box.x + box.width * x - side / 2, y: box.y + box.width * y - side / 2, width: side, height: side };
  };

  /** A rendered face, brought to a size between 24 and 100 pixels. */
  function face({ picture, points, record, number }) {
    const whole = boxOf(points);
    const wanted = 24 * Math.pow(4.2, random());
    const side = Math.round((picture.width * wanted) / whole.width);
    const share = side / picture.width;
    const own = Object.fromEntries(Object.entries(whole).map(([name, v]) => [name, v * share]));
    const small = shrink(picture, side, side);
    const alike = (box) => overlap(box, own);
    return look(small, (at) => {
      const right = [jittered(own, 0.04, 0.03), jittered(own, 0.07, 0.04)];
      const wrong = at.groups(WIDER, 20).filter((box) => alike(box) < WRONG).slice(0, 6); // prettier-ignore
      for (let k = 0; k < 5; k++) {
        const box = jittered(own, 0.7, 0.5);
        if (alike(box) < WRONG && box.width >= 18 && box.width < 1.1 * side) wrong.push(box);
      }
      const looks = at.gradients([...right, ...wrong]);
      const fold = number % FOLDS;
      return {
        fold,
        rows: looks.map((gradients, i) => ({ gradients, right: i < right.length, yaw: record.yaw, fold })),
        picture: small,
        hard: wrong,
        found: at.groups(STAGES, 24).map((box) => ({ box, right: alike(box) >= RIGHT ? 1 : alike(box) < WRONG ? 0 : null })), // prettier-ignore
        own,
        yaw: Math.abs(record.yaw),
        size: own.width,
      };
    });
  }

  /** A picture without faces at three sizes, and turned. `upright` false: only as no face is seen. */
  function faceless({ picture, upright, fold }) {
    const all = [];
    for (const share of [1, 0.66, 0.42])
      for (const turn of upright ? [0, 1, 2, 3] : [1, 2, 3]) {
        const scale = (share * 640) / Math.max(picture.width, picture.height);
        if (scale > 1.3) continue;
        const least = Math.min(1, scale);
        const small = quarters(shrink(picture, Math.round(picture.width * least), Math.round(picture.height * least)), turn); // prettier-ignore
        all.push(
          look(small, (at) => {
            const wide = at.groups(WIDER, 24).slice(0, MOST);
            const looks = at.gradients([...pick(at.groups(EASY, 24), MOST), ...wide]);
            const rows = looks.map((gradients) => ({ gradients, right: false, fold }));
            const found = at.groups(STAGES, 30).map((box) => ({ box, right: 0 }));
            return { fold, rows, picture: small, hard: wide.slice(0, MOST_HARD), found };
          }),
        );
      }
    return all;
  }

  /** Drawn ellipses and strokes, looked at as if they had been found. */
  function drawn() {
    return Array.from({ length: DRAWN }, (_, i) => {
      const picture = i % 2 ? drawStrokes(random) : drawEllipse(random);
      const box = jittered(picture.box, 0.15, 0.06);
      const fold = i % FOLDS;
      const rows = look(picture, (at) => [{ gradients: at.gradients([box])[0], right: false, fold }]);
      return { fold, rows, picture, hard: [box], found: [] };
    });
  }

  /** What a judge takes for a face most about places where there is none: it learns from these as well. */
  function hardest({ picture, hard, own, fold }, judge) {
    return look(picture, (at) => {
      const wrong = at.looks(judge, hard).filter(({ value, box }) => value > HARD && !(own && overlap(box, own) >= 0.3)); // prettier-ignore
      return at.gradients(wrong.map(({ box }) => box)).map((gradients) => ({ gradients, right: false, fold }));
    });
  }

  /** What the detector would judge, with all that a score is made of. */
  function candidates({ picture, found, own, fold }, judge) {
    const clear = found.filter(({ right }) => right !== null);
    return look(picture, (at) => {
      const looks = at.looks(judge, clear.map(({ box }) => box)); // prettier-ignore
      const counts = at.confirmed(looks.map(({ box }) => box));
      return clear.map(({ box, right }, i) => ({
        ...{ right, fold, value: looks[i].value, gain: looks[i].value - looks[i].first, confirmed: counts[i] },
        windows: box.neighbors * library.stepAt('image', box.width / cascade.width, 0),
        boxes: own && { own, found: box, seen: looks[i].box, reported: looks[i].reported },
      }));
    });
  }
  return { face, faceless, drawn, hardest, candidates };
}
