/** Detection and landmarks as calls of the engine. */
import type { Box, LandmarkFit, Source } from '../results/types.ts';
import '../models/operation.ts'; // loads the models before these calls
import { loadCascade } from '../models/cascades.ts';
import { loadJudge } from '../models/face-judge.ts';
import type { ModelSource } from '../models/load.ts';
import { loadLandmarks } from '../models/landmark-models.ts';
import { faceNetworkIfThere, loadFaceNetwork } from '../models/network-models.ts';
import { defineOperations, operationOn } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { faceDetection } from './detector.ts';
import { gazesOf } from './face-eyes.ts';
import { facesOfList, type FaceBox } from './grouping.ts';
import { landmarksOfBoxes, mapBox } from './landmarks.ts';
import { addNetworkFaces, networkFaces } from './network-detector.ts';
import { checkBoxes, isNetwork } from './point-model.ts';
import { networkLandmarks } from './network-landmarks.ts';
import {
  detectFacesParameters,
  detectionModels,
  landmarkParameters,
  landmarkRequests,
  resolveDetection,
  resolveLandmarks,
  type GivenCascades,
} from './parameters.ts';

const detectFacesOperation = operationOn<[source: Source], GivenCascades>()({
  params: detectFacesParameters,
  sources: ['gray'],
  resolve: resolveDetection,
  models: detectionModels,
  *plan(scope, [plane], params): Plan<FaceBox[]> {
    const { variant, cascade, verifier, judged, ...values } = params;
    const { runtime } = scope;
    if (variant === 'network')
      return yield* networkFaces(scope, plane, yield* scope.wait(loadFaceNetwork(runtime)), values);
    const [model, second, judge] = yield* scope.wait(
      Promise.all([
        loadCascade(runtime, cascade),
        verifier === null ? null : loadCascade(runtime, verifier),
        judged ? loadJudge(runtime) : null,
      ]),
    );
    const [list] = yield* scope.run(
      faceDetection,
      [plane, model, second ? [second] : [], judge ? [judge] : []],
      values,
    );
    yield* scope.turn(); // checks for a cancel
    const faces = facesOfList(list);
    const network = variant === 'default' && (yield* scope.wait(faceNetworkIfThere(runtime)));
    if (network) yield* addNetworkFaces(scope, plane, { network, cascades: [model, second, judge] }, faces, values);
    scope.progress(1);
    return faces;
  },
});

function* landmarkFits(
  scope: Scope,
  where: string,
  plane: Plane,
  params: ReturnType<typeof resolveLandmarks>,
  given: unknown,
): Plan<LandmarkFit[]> {
  const { model: source, boxKind } = params;
  const boxes = checkBoxes(where, given);
  const model = yield* scope.wait(loadLandmarks(scope.runtime, source));
  if (isNetwork(model)) return yield* networkLandmarks(scope, plane, boxes, model);
  const own = boxKind === 'model' ? boxes : boxes.map((box) => mapBox(box, model));
  const list = Float64Array.from(own.flatMap(({ x, y, width, height }) => [x, y, width, height]));
  const [points, confidences] = yield* scope.run(landmarksOfBoxes, [plane, model, list]);
  const length = 2 * model.points;
  return own.map((_, i) => ({
    landmarks: points.slice(length * i, length * (i + 1)),
    confidence: confidences[i]!,
  }));
}

/** Common options of both calls. */
const takesBoxes = (name: string) =>
  ({
    params: landmarkParameters,
    sources: ['gray'],
    data: ['boxes'],
    resolve: (given: Record<string, unknown>) => resolveLandmarks(name, given),
    models: (given: Record<string, unknown>) => landmarkRequests(resolveLandmarks(name, given).model),
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
   * Detects faces and returns their boxes in source pixels. `cascade` is a shipped one by name ('frontalface_alt', the
   * default, 'frontalface_alt2', 'frontalface_default'), the URL of a file, or its bytes (the compact form or OpenCV's
   * XML). `verifier` is a second cascade that verifies the results of the first one. Faces then have a `score` and are
   * sorted, best first. `minScore` is applied before the score is converted to the share of such boxes that are faces.
   *
   * The default of `verifier` is 'frontalface_alt2', together with a face verifier based on gradients (docs/models.md).
   * The default does not apply if `verifier`, `cascade`, `minNeighbors` or `grouping` is set. With null, only the number
   * of windows decides, like in OpenCV. While models are loaded, `onProgress` receives the share of their bytes and a
   * LoadProgress. `signal` also aborts the load. Source: Viola and Jones, IJCV 57(2), 2004, by the rules of OpenCV's
   * CascadeClassifier.
   *
   * A learned network adds faces that it is sure of, turned by any angle. Faces that it sees also have `roll` and five
   * `points`. Without its model, or if you set up the cascades, only the cascades decide. `variant` names one of both.
   * @throws {FoveolaError} (rejects) 'model-load', 'model-format', 'model-checksum', and as every call, see {@link
   * Engine}
   */
  detectFaces: detectFacesOperation,
  /**
   * Finds 68 landmarks of every box, x and y of each point in source pixels, by a learned network. A box may have a
   * `roll`, as those of `detectFaces` with its network.
   *
   * `variant: 'trees'` uses regression trees, which take less time. `model` is a shipped one by name
   * ('landmarks-network', the default, or 'landmarks-68'), or the URL or bytes of a model in the compact form or dlib's
   * format (docs/models.md). With `boxKind: 'model'`, the boxes are of the kind that the model was
   * trained with. Source of the trees: Kazemi and Sullivan, CVPR 2014.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for invalid boxes or more than 1000 boxes, 'model-load',
   * 'model-format', 'model-checksum', and as every call, see {@link Engine}
   */
  landmarks: landmarksOperation,
  /**
   * Like `landmarks`, with a confidence: `{ landmarks, confidence }` of every box. The confidence is 0..1: the share of
   * faces with such a value whose mean point error is within a tenth of the distance between the outer eye corners
   * (docs/models.md). It is NaN for models without a confidence. The network also returns `errors`, the expected error
   * of each point in pixels. If the irises are visible, there is also a `gaze`.
   * @throws {FoveolaError} (rejects) as `landmarks`
   */
  landmarkFits: landmarkFitsOperation,
});
