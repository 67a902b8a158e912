/** What the kernels listed, read back. */
import type { Detector } from '../../src/objects/detector.ts';
import type { SharedFrame } from '../../src/objects/frame.ts';
import { windowsOf } from '../reference/objects-boxes.ts';
import { RecordView } from '../../src/runtime/wasm/record.ts';
import { CandidateRecord } from '../../src/runtime/wasm/records.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import type { WindowLayout } from '../../src/objects/windows.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { testing } from './memory.ts';

const FIELDS = ['x', 'y', 'width', 'height', 'number', 'vote', 'scale'] as const;

export type Listed = Record<(typeof FIELDS)[number], number>;

/** The windows of a list of candidates. */
export function listed(runtime: Runtime, { record }: Detector, list: 'candidates' | 'nearest'): Listed[] {
  const count = record.get(list === 'candidates' ? 'candidateCount' : 'nearestCount');
  return Array.from({ length: count }, (_, i) => {
    const view = new RecordView(runtime.arena, CandidateRecord, record.get(list) + CandidateRecord.bytes * i);
    return Object.fromEntries(FIELDS.map((name) => [name, view.get(name)])) as Listed;
  });
}

/** The codes of every candidate. */
export const candidateCodes = (runtime: Runtime, frame: SharedFrame, search: Detector): Uint16Array[] =>
  driveNow(runtime, function* (scope) {
    const target = scope.block(20);
    const codes: Uint16Array[] = [];
    for (let i = 0; i < search.record.get('candidateCount'); i++) {
      const candidate = search.record.get('candidates') + CandidateRecord.bytes * i;
      yield* testing(scope).kernels.candidateCodes({ search, frame, candidate, target });
      codes.push(new Uint16Array(scope.arena.u8.slice(target.address, target.address + 20).buffer));
    }
    return codes;
  });

/** The numbers, in the grid's order, of windows by their place in the layout: batch * widest + number within the batch. */
export function numbersOf({ grid, widest, starts }: WindowLayout): (place: number) => number {
  // Windows stand in the order of their pairs, that is of scales and rows.
  const rows = grid.scales.flatMap(({ lefts, tops }) => Array.from(tops, () => lefts.length));
  const all = windowsOf(grid);
  const before = starts.map((first) => rows.slice(0, first).reduce((sum, count) => sum + count, 0));
  return (place) => all[before[Math.floor(place / widest)]! + (place % widest)]!.number;
}
