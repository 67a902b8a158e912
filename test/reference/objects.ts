/** References of the stages of the object tracker, put together from those of its parts. */
import { fernTable, Random } from '../../src/objects/model.ts';
import { scanningGrid, type GridRule } from '../../src/objects/windows.ts';
import { sparseParameters } from '../../src/flow/parameters.ts';
import type { Box, GrayImage } from '../../src/results/types.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Reference, ReferenceImage } from './image.ts';
import { nearestWindows, type Found } from './objects-boxes.ts';
import { ReferenceAppearance } from './objects-appearance.ts';
import { blurOf, objectDetection, WindowScan } from './objects-detection.ts';
import { ReferenceFilterIntegrator, type Sight } from './objects-filter-integrator.ts';
import { ReferenceLearner, type FernCounts, type LearnerValues } from './objects-learner.ts';
import { correlationAt, medianFlow, pointsIn } from './objects-median-flow.ts';
import { boxPatch, PatchLists } from './objects-model-patches.ts';
import { integrate } from './objects-target-integrator.ts';
import { trackPoints } from './track-points.ts';

const boxAt = (list: Float64Array, i = 0): Box => {
  const [x = 0, y = 0, width = 0, height = 0] = list.subarray(4 * i);
  return { x, y, width, height };
};

type FlowValues = {
  flowPoints: number;
  flowWindow: number;
  flowLevels: number;
  flowResidual: number;
};

/** Where a box went; null where it was lost. */
export function motionOf(from: ReferenceImage, to: ReferenceImage, box: Box, values: FlowValues): Box | null {
  const points = pointsIn(box, values.flowPoints);
  const given = { window: values.flowWindow, levels: values.flowLevels, forwardBackward: true };
  const params = resolveParameters(sparseParameters, given, 'test');
  const [moved, status, , back] = trackPoints([from, to, points, new Float32Array(0)], params) as [
    Float32Array,
    Uint8Array,
    Float32Array,
    Float32Array,
  ];
  const point = (list: Float32Array, i: number) => [list[2 * i]!, list[2 * i + 1]!] as const;
  const tracked = Array.from(status, (valid, i) => ({
    ...{ from: point(points, i), to: point(moved, i), valid: valid === 1, error: back[i]! },
    correlation: correlationAt(from, to, point(points, i), point(moved, i)),
  }));
  const motion = medianFlow(box, tracked);
  if (!motion || !(motion.residual <= values.flowResidual)) return null;
  const { x, y, width, height } = motion.box;
  const inside =
    Math.min(width, height) >= 4 && Math.min(x + width, y + height) >= 2 && x <= from.width - 2 && y <= from.height - 2;
  return inside ? motion.box : null;
}

const boxMotion: Reference = ([from, to, box], values: FlowValues) => {
  const moved = motionOf(from, to, boxAt(box), values);
  if (!moved) return [Float64Array.of(0, NaN, NaN, NaN, NaN)];
  return [Float64Array.of(1, moved.x, moved.y, moved.width, moved.height)];
};

type LearningValues = {
  seed: number;
  grid: GridRule;
  minSize: number;
  candidates: number;
  fernThreshold: number;
  nearestThreshold: number;
  validThreshold: number;
  corrected: boolean;
} & Pick<LearnerValues, keyof LearnerValues>;

/** Share of the positives of a code in single precision. */
const posteriorOf =
  ({ positives, negatives }: FernCounts) =>
  (i: number) =>
    positives[i] ? Math.fround(positives[i]! / (positives[i]! + negatives[i]!)) : 0;

/** With their padding. What is plain has no look: what rounding makes of it is left open. */
const stored = (patches: readonly (readonly number[])[]): Float32Array =>
  Float32Array.from(
    patches.flatMap((patch) => {
      const plain = patch.every((v) => v === 0);
      return plain ? Array.from({ length: 240 }, () => NaN) : [...patch, ...Array.from({ length: 15 }, () => 0)];
    }),
  );

const objectLearning: Reference = ([first, second, boxes], values: LearningValues) => {
  const table = fernTable(values.seed);
  const learner = new ReferenceLearner(new Random(values.seed), table, values);
  const grid = scanningGrid(values.grid, boxAt(boxes), first, values.minSize);
  const sceneOf = (gray: ReferenceImage) => ({ gray: gray as GrayImage, blurred: blurOf(gray) });
  const near = (box: Box) => nearestWindows(grid, box, 0.6, 10);
  const posterior = posteriorOf(learner.ferns);

  const [begin, box] = [sceneOf(first), boxAt(boxes)];
  learner.first(begin, box, near(box));
  const scan = new WindowScan(begin.gray, begin.blurred, grid, table);
  const least = 10 * learner.fernThreshold;
  const candidates = () => scan.candidates(posterior, learner.leastVariance, least);
  for (let round = 0; round < 2; round++) if (!learner.far(begin, box, candidates())) break;
  learner.raise(box, candidates());
  if (grid.scales.length) learner.background(begin, box, grid.scales);
  else learner.validThreshold = Math.max(learner.validThreshold, learner.nearestThreshold);

  const [scene, track] = [sceneOf(second), boxAt(boxes, 1)];
  const later = new WindowScan(scene.gray, scene.blurred, grid, table);
  const passed = later.candidates(posterior, learner.leastVariance, 10 * learner.fernThreshold);
  const detections = passed.slice(0, values.candidates);
  if (values.corrected) learner.correct(scene, track, near(track), boxAt(boxes, 2));
  else if (learner.mayLearn(scene, track)) learner.teach(scene, track, near(track), passed, detections);
  const { ferns, patches, leastVariance, fernThreshold, nearestThreshold, validThreshold } = learner;
  return [
    ferns.positives,
    ferns.negatives,
    stored(patches.positives),
    stored(patches.negatives),
    Float64Array.of(leastVariance, fernThreshold, nearestThreshold, validThreshold),
  ];
};

const FOUND_BY = ['none', 'tracker', 'detector', 'both'];

/** Detections of a list: box, relative and conservative similarity of each. */
const detectionsOf = (list: Float64Array): Found[] =>
  Array.from({ length: list.length / 6 }, (_, i) => {
    const [relative = 0, conservative = 0] = list.subarray(6 * i + 4);
    return { ...boxAt(list.subarray(6 * i)), relative, conservative };
  });

type FilterIntegrationValues = FlowValues & {
  minConfidence: number;
  learning: boolean;
  nearestThreshold: number;
  colored: boolean;
};

const objectFilterIntegration: Reference = (
  [first, second, list, detections, ...colors],
  values: FilterIntegrationValues,
) => {
  const box = boxAt(list);
  const colored = values.colored && Math.min(first.width, first.height) > 1;
  const [before, now] = colored ? (colors as ReferenceImage[]) : [];
  const look = new ReferenceAppearance(box, colored);
  const flow = { levels: values.flowLevels, window: values.flowWindow };
  const integrator = new ReferenceFilterIntegrator();
  integrator.teach(look.in(first, flow, before), box, 1);
  const filters = look.in(second, flow, now);
  const found = detectionsOf(detections);
  const answer = (followed: Sight | null) => {
    const said = integrator.decide(filters, second, followed, found, values);
    if (!said) return [0, NaN, NaN, NaN, NaN, NaN, NaN, NaN];
    const { x, y, width, height } = said.box;
    return [1, x, y, width, height, said.confidence, Number(said.teaches), FOUND_BY.indexOf(said.by)];
  };
  const followed = answer(integrator.follow(filters, second, motionOf(first, second, box, values)));
  const { usual } = integrator;
  integrator.lose();
  return [Float64Array.of(...followed, usual, ...answer(null))];
};

const objectIntegration: Reference = (
  [frame, box, positives, negatives, list],
  values: { nearestThreshold: number; validThreshold: number; valid: boolean },
) => {
  const patches = new PatchLists({ positives: 1000, negatives: 1000 }, new Random(1));
  for (const [name, given] of Object.entries({ positives, negatives } as Record<string, Float32Array>))
    for (let i = 0; i < given.length; i += 240)
      patches.add(Array.from(given.subarray(i, i + 225)), name as 'positives' | 'negatives');
  const found = detectionsOf(list);
  const { conservative } = patches.compare(boxPatch(frame as GrayImage, boxAt(box)));
  const valid = values.valid || conservative > values.validThreshold;
  const tracked = (box as Float64Array).length ? { box: boxAt(box), confidence: conservative, valid } : null;
  const { belief, by } = integrate(tracked, found, values.nearestThreshold);
  const source = FOUND_BY.indexOf(by);
  if (!belief) return [Float64Array.of(0, NaN, NaN, NaN, NaN, 0, 0, source)];
  const { x, y, width, height } = belief.box;
  return [Float64Array.of(1, x, y, width, height, belief.confidence, Number(belief.valid), source)];
};

export const references: Readonly<Record<string, Reference>> = {
  'objects/detection': objectDetection,
  'objects/integration': objectIntegration,
  'objects/filter-integration': objectFilterIntegration,
  'objects/learning': objectLearning,
  'objects/median-flow': boxMotion,
};
