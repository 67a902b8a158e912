import { pupilColumns, pupilRows, toPupilCsv } from '../../node/index.ts';
import type { Analysis } from './analysis.ts';
import { shareOf, track } from './tracked.ts';

export const pupil: Analysis = {
  help: 'pupils of recordings and photographs: one row a frame',
  takes: ['recording', 'image'],
  method: () => 'createPupilTracker',
  defaults: { method: 'robust' }, // as the element: the detector that copes with real recordings
  async run(work) {
    const tracker = work.engine.createPupilTracker(work.parameters);
    const { recording, ...outcome } = await track(work, tracker, pupilColumns, pupilRows);
    return {
      ...outcome,
      tables: { pupil: { recording, texts: { csv: (header) => toPupilCsv(recording, header) } } },
      summary: { found: shareOf(recording, 'found') },
    };
  },
};
