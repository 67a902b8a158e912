/** Face detection as a call of the engine. */
import { loadCascade } from '../models/cascades.ts';
import type { ModelSource } from '../models/load.ts';
import { defineOperation } from '../runtime/capability.ts';
import { FaceDetector } from './detector.ts';
import type { FaceBox } from './grouping.ts';
import { detectionParameters, resolveDetection, type DetectionValues } from './parameters.ts';

export const detectFacesOperation = defineOperation({
  name: 'detectFaces',
  params: detectionParameters,
  sources: ['gray'],
  resolve: (given) => resolveDetection(given) as never,
  async run({ runtime, slice, progress }, [plane], params): Promise<FaceBox[]> {
    const { cascade, ...values } = params as DetectionValues & { cascade: ModelSource };
    const model = await loadCascade(runtime, cascade);
    await plane!.arena();
    const detector = new FaceDetector(runtime.wasm, model, plane!.width, plane!.height, values);
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
