/**
 * Shared code of the analyses with a tracker: it processes each frame, writes rows for each result and draws overlays.
 */
import {
  Recording,
  type Column,
  type FrameTiming,
  type Source,
  faceColumns,
  faceRows,
  photographFaces,
  type FaceResult,
  addEvents,
  type Pupil,
  pupilColumns,
  pupilRows,
} from '../../node/index.ts';
import { type Mark, Overlay, box, ellipse } from '../overlay.ts';
import { framesOf, type Outcome, type Work, type Analysis } from './analysis.ts';

interface FrameTracker<R> {
  process(source: Source, options: { timestamp: number }): Promise<R>;
  dispose(): Promise<void>;
}

interface Tracked<R> {
  name: string;
  columns: readonly Column[];
  rowsOf(result: R, timing: FrameTiming): number[][];
  /** Information in a result about earlier rows. */
  settle?(recording: Recording, result: R): void;
  marksOf(result: R): Mark[];
  /** Called with the first frame, before it is processed. */
  first?(source: Source): Promise<unknown>;
}

export async function track<R extends object>(
  work: Work,
  tracker: FrameTracker<R>,
  { name, columns, rowsOf, settle, marksOf, first }: Tracked<R>,
): Promise<Outcome & { recording: Recording }> {
  const recording = new Recording(columns);
  const overlay = work.options.overlay ? new Overlay(work, name) : null;
  const size = { width: 0, height: 0 };
  const warnings = new Set<string>();
  let frames = 0;
  let lastMediaTime: number | null = null;
  try {
    for await (const { source, timing, width, height } of framesOf(work)) {
      if (!frames++) {
        Object.assign(size, { width, height });
        await first?.(source);
      }
      const result = await tracker.process(source, { timestamp: timing.timestamp });
      for (const row of rowsOf(result, timing)) recording.push(row);
      settle?.(recording, result);
      if ('warnings' in result) for (const warning of result.warnings as string[]) warnings.add(warning);
      await overlay?.add(source, timing, marksOf(result));
      lastMediaTime = timing.mediaTime;
    }
  } finally {
    await tracker.dispose();
    await overlay?.close();
  }
  return { ...size, frames, lastMediaTime, tables: {}, summary: {}, warnings: [...warnings], recording };
}

/** Share of the rows in which a boolean column is true. */
export function shareOf(recording: Recording, flag: string): number {
  const column = recording.columns.findIndex(({ name }) => name === flag);
  let set = 0;
  for (let row = 0; row < recording.length; row++) set += recording.at(row, column) === 1 ? 1 : 0;
  return recording.length ? set / recording.length : 0;
}

const POINTS = 68;

export const faces: Analysis = {
  help: 'faces in recordings and images, with 68 points or only boxes (--params {"model": null}), one row per face and frame',
  takes: ['recording', 'image'],
  method: () => 'createFaceTracker',
  photographDefaults: photographFaces,
  async run(work) {
    // The tracker waits for a named model, so every frame has its landmarks.
    const { model = 'landmarks-network', ...parameters } = work.parameters;
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

const marksOf = ({ ellipse: e, circle: { x, y, r } }: Pupil): Mark[] => [
  ellipse(e ?? { x, y, major: 2 * r, minor: 2 * r, angle: 0 }),
  { points: [e?.x ?? x, e?.y ?? y], kind: 'dots' },
];

export const pupil: Analysis = {
  help: 'pupils in recordings and images, one row per frame',
  takes: ['recording', 'image'],
  method: () => 'createPupilTracker',
  async run(work) {
    const tracker = work.engine.createPupilTracker(work.parameters);
    const { recording, ...outcome } = await track(work, tracker, {
      ...{ name: 'pupil', columns: pupilColumns, rowsOf: pupilRows },
      settle: (all, { events }) => addEvents(all, events),
      marksOf: ({ pupils }) => pupils.flatMap((one) => (one.found ? marksOf(one) : [])),
    });
    return {
      ...outcome,
      tables: { pupil: { recording } },
      summary: { found: shareOf(recording, 'found') },
    };
  },
};
