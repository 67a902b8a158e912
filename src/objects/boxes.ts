/** Boxes in pixels, as values and as records. */
import type { Box } from '../results/types.ts';
import type { RecordOf } from '../runtime/wasm/record.ts';
import { BoxRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';

/** The part of a box inside a frame, or null. */
export function insideFrame(box: Box, width: number, height: number): Box | null {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const right = Math.min(width, box.x + box.width);
  const bottom = Math.min(height, box.y + box.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

type BoxField = 'x' | 'y' | 'width' | 'height';

/** Returns the box at the start of a record. */
export function boxOf(record: { get(name: BoxField): number }): Box {
  return { x: record.get('x'), y: record.get('y'), width: record.get('width'), height: record.get('height') };
}

/** Makes the record of box number `i` in a list with x, y, width and height of each box. */
export function boxRecord(scope: Scope, list: Float64Array, i = 0): RecordOf<typeof BoxRecord> {
  const [x = 0, y = 0, width = 0, height = 0] = list.subarray(4 * i);
  return scope.record(BoxRecord, { x, y, width, height });
}
