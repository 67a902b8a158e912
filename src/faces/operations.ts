/** Detection and landmarks as calls of the engine. */
import { loadCascade } from '../models/cascades.ts';
import type { ModelSource } from '../models/load.ts';
import { loadLandmarks } from '../models/landmark-models.ts';
import { defineOperation } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import { detectsOnGpu, GpuFaceDetector } from './detector.gpu.ts';
import { FaceDetector } from './detector.ts';
import type { FaceBox } from './grouping.ts';
import { checkBoxes, fitLandmarks, mapBox } from './landmarks.ts';
import {
  detectionModels,
  detectionParameters,
  landmarkParameters,
  landmarkRequests,
  resolveDetection,
  splitModel,
  type LandmarkValues,
} from './parameters.ts';

export const detectFacesOperation = defineOperation({
  name: 'detectFaces',
  params: detectionParameters,
  sources: ['gray'],
  resolve: (given) => resolveDetection(given) as never,
  models: detectionModels,
  async run({ runtime, signal, slice, progress }, [plane], params): Promise<FaceBox[]> {
    const { cascade, confirm, ...values } = params as unknown as ReturnType<typeof resolveDetection>;
    const [model, second] = await Promise.all([
      loadCascade(runtime, cascade, { signal }),
      confirm === null ? null : loadCascade(runtime, confirm, { signal }),
    ]);
    if (detectsOnGpu(runtime, model, plane!, values)) {
      const detector = new GpuFaceDetector(runtime, model, plane!, values, second);
      try {
        await detector.prepare();
        const faces = await detector.detect(plane!);
        await slice(); // where a cancel is heard
        progress(1);
        return faces;
      } finally {
        detector.dispose();
      }
    }
    await plane!.arena();
    const detector = new FaceDetector(runtime.wasm, model, plane!.width, plane!.height, values, second);
    try {
      const search = detector.run(plane!);
      for (;;) {
        const { done, value } = search.next();
        if (done) {
          progress(1);
          return value;
        }
        await slice();
      }
    } finally {
      detector.dispose();
    }
  },
});

export const landmarksOperation = defineOperation({
  name: 'landmarks',
  params: landmarkParameters,
  sources: ['gray'],
  data: ['boxes'],
  resolve(given) {
    const { source, rest } = splitModel('landmarks', 'model', given);
    if (source === undefined)
      throw new FoveolaError(
        'invalid-argument',
        'landmarks: model must be the address or the bytes of a landmark model; docs/models.md tells how to get one.',
      );
    const values = resolveParameters(landmarkParameters, rest as Partial<LandmarkValues>, 'landmarks');
    return { ...values, model: source } as never;
  },
  models: ({ model }) => landmarkRequests(model),
  async run({ runtime, signal }, [plane], params, given): Promise<Float32Array[]> {
    const { model: source, boxKind } = params as LandmarkValues & { model: ModelSource };
    const boxes = checkBoxes('landmarks', given);
    const model = await loadLandmarks(runtime, source, { signal });
    await plane!.arena();
    return fitLandmarks(runtime, plane!, boxKind === 'model' ? boxes : boxes.map((box) => mapBox(box, model)), model);
  },
});
