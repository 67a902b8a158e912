import { faceColumns, faceRows, photographFaces, type FaceResult } from '../../node/index.ts';
import { box, type Mark } from '../overlay.ts';
import type { Analysis } from './analysis.ts';
import { track } from './tracked.ts';

const POINTS = 68;

export const faces: Analysis = {
  help: 'faces in recordings and images, with 68 points or only boxes (--params {"model": null}), one row per face and frame',
  takes: ['recording', 'image'],
  method: () => 'createFaceTracker',
  photographDefaults: photographFaces,
  async run(work) {
    // The tracker waits for a named model, so every frame has its landmarks.
    const { model = 'landmarks-68', ...parameters } = work.parameters;
    const points = model === null ? 0 : POINTS;
    const tracker = await work.engine.createFaceTracker({ ...parameters, model: model as string | null });
    const { recording, ...outcome } = await track<FaceResult>(work, tracker, {
      ...{ name: 'faces', columns: faceColumns(points) },
      rowsOf: (result, timing) => faceRows(result, timing, points),
      marksOf: (result) =>
        result.faces.flatMap((face): Mark[] => [
          box(face),
          ...(face.landmarks ? [{ points: face.landmarks, kind: 'dots' as const }] : []),
        ]),
    });
    return { ...outcome, tables: { faces: { recording } }, summary: { rows: recording.length } };
  },
};
