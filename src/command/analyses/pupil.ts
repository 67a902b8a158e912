import {
  addEvents,
  type Pupil,
  pupilColumns,
  pupilRows,
  toPupilCsv,
  toPupilJson,
  type Recording,
} from '../../node/index.ts';
import { ellipse, type Mark } from '../overlay.ts';
import type { Analysis, Table } from './analysis.ts';
import { shareOf, track } from './tracked.ts';

const marksOf = ({ ellipse: e, circle: { x, y, r } }: Pupil): Mark[] => [
  ellipse(e ?? { x, y, major: 2 * r, minor: 2 * r, angle: 0 }),
  { points: [e?.x ?? x, e?.y ?? y], kind: 'dots' },
];

const textsOf = (recording: Recording): Table['texts'] => ({
  csv: (header) => toPupilCsv(recording, header),
  json: (header) => toPupilJson(recording, header),
});

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
      tables: { pupil: { recording, texts: textsOf(recording) } },
      summary: { found: shareOf(recording, 'found') },
    };
  },
};
