// Training samples of the classifier: boxes on rendered faces, next to them, and in pictures without faces.
import { overlap } from '../../../bench/parts/numbers.mjs';
import { drawEllipse, drawStrokes, quarters, shrink } from './pictures.mjs';

/** Stages of frontalface_alt after which windows are classified, and the stages for negative examples. */
export const STAGES = 18;
/** Folds of faces and pictures. Each is scored by templates that were trained on the others. */
export const FOLDS = 3;
const EASY = 13;
const WIDER = 17;
/** Boxes of a face below this overlap are negatives. */
const RIGHT = 0.5;
const WRONG = 0.25;
const DRAWN = 2400;
/** The one of nine positions at which a template is on the box itself. */
const MIDDLE = 4;
/** Maximum of easy windows of one picture, and of windows whose surroundings are searched. */
const MOST = 150;
const MOST_HARD = 60;
/** A patch without a face that scores more than this is a training sample. */
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

  /** One picture on the arena: windows of a cascade with a given number of stages, and gradients. */
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

  /** A box with a random shift and size. */
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

  /** A picture without faces at three sizes, and turned. `upright` false: only turned, so that no face is seen. */
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

  /** Drawn ellipses and strokes, treated like found windows. */
  function drawn() {
    return Array.from({ length: DRAWN }, (_, i) => {
      const picture = i % 2 ? drawStrokes(random) : drawEllipse(random);
      const box = jittered(picture.box, 0.15, 0.06);
      const fold = i % FOLDS;
      const rows = look(picture, (at) => [{ gradients: at.gradients([box])[0], right: false, fold }]);
      return { fold, rows, picture, hard: [box], found: [] };
    });
  }

  /** Windows without a face with the highest scores of a classifier. They are training samples too. */
  function hardest({ picture, hard, own, fold }, judge) {
    return look(picture, (at) => {
      const wrong = at.looks(judge, hard).filter(({ value, box }) => value > HARD && !(own && overlap(box, own) >= 0.3)); // prettier-ignore
      return at.gradients(wrong.map(({ box }) => box)).map((gradients) => ({ gradients, right: false, fold }));
    });
  }

  /** Windows that the detector would classify, with all inputs of the score. */
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
