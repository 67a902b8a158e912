/** What the kernels listed, read back. */
import type { Detector } from '../../src/objects/detector.ts';
import type { SharedFrame } from '../../src/objects/frame.ts';
import { RecordView } from '../../src/runtime/record.ts';
import { CandidateRecord, WindowPairRecord } from '../../src/runtime/records.ts';
import type { Windows } from '../../src/objects/windows.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';

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
export function candidateCodes(runtime: Runtime, frame: SharedFrame, { address, record }: Detector): Uint16Array[] {
  const { wasm } = runtime;
  return Array.from({ length: record.get('candidateCount') }, (_, i) =>
    wasm.temporary(20, (out) => {
      const candidate = record.get('candidates') + CandidateRecord.bytes * i;
      wasm.kernels.call('candidateCodes', address, frame.address, candidate, out);
      return new Uint16Array(wasm.arena.u8.slice(out, out + 20).buffer);
    }),
  );
}

/** The number, in the grid's order, of the window at a place of the layout: batch * widest + number within the batch. */
export function numberAt(runtime: Runtime, windows: Windows, place: number): number {
  let left = place % windows.widest;
  for (let pair = windows.starts[Math.floor(place / windows.widest)]!; ; pair++) {
    const view = new RecordView(runtime.arena, WindowPairRecord, windows.pairs + WindowPairRecord.bytes * pair);
    if (left < view.get('count')) return view.get('number') + left * view.get('step');
    left -= view.get('count');
  }
}
