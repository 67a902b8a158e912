/** Detection and landmarks as calls of the engine. */
import type { Box, LandmarkFit, Source } from '../results/types.ts';
import '../models/operation.ts'; // loads the models ahead of these calls
import { loadCascade } from '../models/cascades.ts';
import { loadJudge } from '../models/face-judge.ts';
import type { ModelSource } from '../models/load.ts';
import { loadLandmarks } from '../models/landmark-models.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import { faceDetection } from './detector.ts';
import { gazesOf } from './face-eyes.ts';
import { facesOfList, type FaceBox } from './grouping.ts';
import { checkBoxes, landmarksOfBoxes, mapBox } from './landmarks.ts';
import {
  defaultLandmarks,
  detectionModels,
  detectionParameters,
  landmarkParameters,
  landmarkRequests,
  resolveDetection,
  splitModel,
  type GivenCascades,
  type LandmarkValues,
} from './parameters.ts';

const detectFacesOperation = operationOn<[source: Source], GivenCascades>()({
  params: detectionParameters,
  sources: ['gray'],
  resolve: resolveDetection,
  models: detectionModels,
  *plan(scope, [plane], params): Plan<FaceBox[]> {
    const { cascade, confirm, judged, ...values } = params;
    const { runtime } = scope;
    const [model, second, judge] = yield* scope.wait(
      Promise.all([
        loadCascade(runtime, cascade),
        confirm === null ? null : loadCascade(runtime, confirm),
        judged ? loadJudge(runtime) : null,
      ]),
    );
    const [list] = yield* scope.run(
      faceDetection,
      [plane, model, second ? [second] : [], judge ? [judge] : []],
      values,
    );
    yield* scope.turn(); // where a cancel is heard
    scope.progress(1);
    return facesOfList(list);
  },
});

interface LandmarkParameters extends LandmarkValues {
  readonly model: ModelSource;
}

function* landmarkFits(
  scope: Scope,
  where: string,
  plane: Plane,
  params: LandmarkParameters,
  given: unknown,
): Plan<LandmarkFit[]> {
  const { model: source, boxKind } = params;
  const boxes = checkBoxes(where, given);
  const model = yield* scope.wait(loadLandmarks(scope.runtime, source));
  const own = boxKind === 'model' ? boxes : boxes.map((box) => mapBox(box, model));
  const list = Float64Array.from(own.flatMap(({ x, y, width, height }) => [x, y, width, height]));
  const [points, confidences] = yield* scope.run(landmarksOfBoxes, [plane, model, list]);
  const length = 2 * model.points;
  return own.map((_, i) => ({
    landmarks: points.slice(length * i, length * (i + 1)),
    confidence: confidences[i]!,
  }));
}

/** What both calls take. */
const takesBoxes = (name: string) =>
  ({
    params: landmarkParameters,
    sources: ['gray'],
    data: ['boxes'],
    resolve(given: Record<string, unknown>): LandmarkParameters {
      const { source = defaultLandmarks, rest } = splitModel(name, 'model', given);
      const values = resolveParameters(landmarkParameters, rest as Partial<LandmarkValues>, name);
      return { ...values, model: source };
    },
    models: ({ model }: { model?: ModelSource }) => landmarkRequests(model ?? defaultLandmarks),
  }) as const;

const landmarksOperation = operationOn<[source: Source, boxes: readonly Box[]], { model?: ModelSource }>()({
  ...takesBoxes('landmarks'),
  *plan(scope, [plane], params, given): Plan<Float32Array[]> {
    const fits = yield* landmarkFits(scope, 'landmarks', plane, params, given);
    return fits.map(({ landmarks }) => landmarks);
  },
});

const landmarkFitsOperation = operationOn<[source: Source, boxes: readonly Box[]], { model?: ModelSource }>()({
  ...takesBoxes('landmarkFits'),
  *plan(scope, [plane], params, given): Plan<LandmarkFit[]> {
    const fits = yield* landmarkFits(scope, 'landmarkFits', plane, params, given);
    const gazes = yield* gazesOf(scope, plane, fits);
    return fits.map((fit, i) => ({ ...fit, ...(gazes[i] && { gaze: gazes[i] }) }));
  },
});

export const faceOperations = defineOperations({
  /**
   * Boxes of faces in source pixels. `cascade`: a shipped one by name ('frontalface_alt', the default,
   * 'frontalface_alt2', 'frontalface_default'), the address of a file, or its bytes (the compact form or OpenCV's XML).
   * `confirm`: a second cascade, which is asked about what the first one finds: faces come with a `score`, best first,
   * and `minScore` decides, before the score becomes the share of such boxes that are faces. It is 'frontalface_alt2', with a judge of gradients beside it (docs/models.md), unless `confirm`,
   * `cascade`, `minNeighbors` or `grouping` is given; with null
   * the number of windows alone decides, as in OpenCV. While models are loaded `onProgress` gets the share of their
   * bytes and a LoadProgress; `signal` ends the loading too. Source: Viola and Jones, IJCV 57(2), 2004, by the rules of
   * OpenCV's CascadeClassifier.
   * @throws {FoveolaError} (rejects) 'model-load', 'model-format', 'model-checksum', and as every call, see {@link Engine}
   */
  detectFaces: detectFacesOperation,
  /**
   * Landmarks of every box, x and y of each point in source pixels. `model`: a shipped one by name ('landmarks-68', the
   * default, 'landmarks-68-small'), the address or the bytes of a landmark model in the compact form or dlib's
   * (docs/models.md). `boxKind: 'model'`: the boxes are of the kind that the model was trained
   * with. Source: Kazemi and Sullivan, CVPR 2014.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for boxes that are none or more than 1000, 'model-load',
   * 'model-format', 'model-checksum', and as every call, see {@link Engine}
   */
  landmarks: landmarksOperation,
  /**
   * The same points with how far they are to be trusted: `{ landmarks, confidence }` of every box. The confidence is 0..1, the
   * share of faces with such a value whose points lie within a tenth of the outer eye corners' distance in the mean (docs/models.md); NaN
   * of models that have none. Where the irises are to be seen there is a `gaze` as well.
   * @throws {FoveolaError} (rejects) as `landmarks`
   */
  landmarkFits: landmarkFitsOperation,
});
