/**
 * The judge of what a search finds. The first cascade ends some stages early, so that it lets through nearly every face, and
 * several times as many other windows; what hangs together of these is looked at as gradients (assembly/faces/judge.ts), with
 * one linear template, and by the second cascade (confirmation.ts). A logistic regression makes a score of the template's
 * value and of both numbers of windows. `npm run train:judge` fits all of it, on rendered faces and pictures without faces.
 */
import type { Cascade } from '../models/cascade.ts';
import { JUDGE_CELLS, JUDGE_CHANNELS, type FaceJudge } from '../models/face-judge.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { countWindows, density, withoutDoubles, type SearchManner } from './confirmation.ts';
import type { FaceBox } from './grouping.ts';

/** What is looked at, times the box's side, and its samples on each side. */
const SPAN = 1.25;
const SAMPLES = 4 * JUDGE_CELLS;
/** Numbers of a box as the kernel leaves them: a zero behind each cell's. */
const CELL = JUDGE_CHANNELS + 1;
const CELLS = JUDGE_CELLS * JUDGE_CELLS;
const DIRECTIONS = Float32Array.from({ length: 18 }, (_, i) =>
  i % 2 ? Math.sin((Math.floor(i / 2) * Math.PI) / 9) : Math.cos((Math.floor(i / 2) * Math.PI) / 9),
);
/** Windows about a box that the second cascade can let pass. */
const MOST_CONFIRMED = 448;

/** The judge of a stage, none or one. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    'judge[]': readonly FaceJudge[];
  }
}

/** Gradients about each box: 100 cells of 27 numbers. */
export const gradientsOf = (scope: Scope, image: Plane, boxes: readonly Box[]): Plan<Float32Array[]> =>
  scope.part(function* (inner) {
    if (!boxes.length) return [];
    const places = boxes.flatMap(({ x, y, width, height }) => [
      x + (width - 1) / 2,
      y + (height - 1) / 2,
      (SPAN * width) / SAMPLES,
    ]);
    const features = inner.block(4 * CELL * CELLS * boxes.length);
    const { width, height } = image;
    const directions = inner.table(DIRECTIONS);
    const given = { source: image, width, height, boxes: inner.table(Float32Array.from(places)), directions, features };
    yield* inner.kernels.boxGradients(given, { rows: boxes.length, minimumBand: 1, cost: 40_000 });
    const all = inner.f32(features, CELL * CELLS * boxes.length);
    return boxes.map((_, i) => {
      const own = all.subarray(CELL * CELLS * i, CELL * CELLS * (i + 1));
      return Float32Array.from({ length: JUDGE_CHANNELS * CELLS }, (_, k) => {
        return own[Math.floor(k / JUDGE_CHANNELS) * CELL + (k % JUDGE_CHANNELS)]!;
      });
    });
  });

/** The template's value of gradients. */
export const templateValue = ({ template, constant }: FaceJudge, gradients: Float32Array): number =>
  gradients.reduce((sum, v, k) => sum + v * template[k]!, constant);

/** Odds of a face, as 0..1. */
export function judgedScore({ weights }: FaceJudge, value: number, windows: number, confirmed: number): number {
  const [constant, a, b, c] = weights;
  return 1 / (1 + Math.exp(-(constant + a * value + b * Math.log1p(windows) + c * Math.log1p(confirmed))));
}

const shortened = new WeakMap<Cascade, Cascade>();

/** The cascade without its last stages; the same object each time. */
export function shortenCascade(cascade: Cascade, stages: number): Cascade {
  const known = shortened.get(cascade);
  if (known && known.stages.length === Math.min(stages, cascade.stages.length)) return known;
  const short = { ...cascade, stages: cascade.stages.slice(0, stages) };
  shortened.set(cascade, short);
  return short;
}

/** The groups that score enough, without those that lie on a better one. Gives way after each. */
export function* judgeByGradients(
  scope: Scope,
  judge: FaceJudge,
  second: Cascade,
  image: Plane,
  groups: readonly FaceBox[],
  manner: SearchManner,
): Plan<FaceBox[]> {
  const gradients = yield* gradientsOf(scope, image, groups);
  yield* scope.turn();
  const windowsOf = (group: FaceBox) => group.neighbors * density(second, group, manner);
  // The second cascade is asked only where its answer can matter.
  const open = groups.flatMap((group, i) => {
    const value = templateValue(judge, gradients[i]!);
    return judgedScore(judge, value, windowsOf(group), MOST_CONFIRMED) >= manner.minScore ? [{ group, value }] : [];
  });
  const boxes = open.map(({ group }) => group);
  const counts = yield* countWindows(scope, second, image, boxes);
  const scored = open.map(({ group, value }, i) => ({
    ...group,
    score: judgedScore(judge, value, windowsOf(group), counts[i]!),
  }));
  return withoutDoubles(scored, manner.minScore);
}

/** An image, a judge or none, boxes (x, y, width, height of each); the template's value of each. */
export const templateValues = defineStage({
  name: 'faces/judge',
  params: {},
  inputs: ['u8', 'judge[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 1e-3,
  wasmOnly: 'A few boxes of some thousand samples: less work than the passes and the read-back would take.',
  *wasm(scope, [source, [judge], list]) {
    const boxes = Array.from({ length: list.length / 4 }, (_, i) => {
      const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
      return { x, y, width, height };
    });
    const gradients = yield* gradientsOf(scope, source, boxes);
    return [Float64Array.from(gradients, (own) => (judge ? templateValue(judge, own) : 0))];
  },
});
