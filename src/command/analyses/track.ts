import { objectColumns, objectRows } from '../../node/index.ts';
import { box } from '../overlay.ts';
import type { Analysis } from './analysis.ts';
import { shareOf, track as tracked } from './tracked.ts';

export const track: Analysis = {
  help: 'one object in recordings, starting at --box in the first frame, one row per frame',
  takes: ['recording'],
  method: () => 'createObjectTracker',
  async run(work) {
    const [x, y, width, height] = work.options.box!;
    const tracker = work.engine.createObjectTracker(work.parameters);
    const { recording, ...outcome } = await tracked(work, tracker, {
      ...{ name: 'track', columns: objectColumns, rowsOf: objectRows },
      marksOf: ({ targets }) => targets.flatMap((target) => (target.box ? [box(target.box)] : [])),
      first: (source) => tracker.start(source, { x, y, width, height }),
    });
    return { ...outcome, tables: { track: { recording } }, summary: { found: shareOf(recording, 'found') } };
  },
};
