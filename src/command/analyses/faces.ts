import { faceColumns, faceRows, type FaceResult, type FrameTiming } from '../../node/index.ts';
import type { Analysis } from './analysis.ts';
import { track } from './tracked.ts';

const POINTS = 68;

export const faces: Analysis = {
  help: 'faces of recordings and photographs, with 68 points where --params names a model: one row a face and frame',
  takes: ['recording', 'image'],
  method: () => 'createFaceTracker',
  async run(work) {
    const points = work.parameters.model ? POINTS : 0;
    const tracker = await work.engine.createFaceTracker(work.parameters);
    const { recording, ...outcome } = await track(
      work,
      tracker,
      faceColumns(points),
      (result: FaceResult, timing: FrameTiming) => faceRows(result, timing, points),
    );
    return { ...outcome, tables: { faces: { recording } }, summary: { rows: recording.length } };
  },
};
