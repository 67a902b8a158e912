/** The tools of a person who corrects, their keys, and what each does at a place. */
import {
  cutAcross,
  kindCorrection,
  type KindCorrection,
  type VesselCorrection,
  type VesselSegment,
} from '../../../src/index.ts';
import { SegmentIndex } from '../segment-index.ts';

export const tools = ['add', 'erase', 'cut', 'disc', 'fovea', 'artery', 'vein', 'unknown'] as const;
export type Tool = (typeof tools)[number];

export const toolKeys: Readonly<Record<string, Tool>> = {
  a: 'add',
  e: 'erase',
  x: 'cut',
  d: 'disc',
  f: 'fovea',
  t: 'artery',
  v: 'vein',
  u: 'unknown',
};

/** Those that draw a line. */
export const draws = (tool: Tool): tool is 'add' | 'erase' => tool === 'add' || tool === 'erase';

/** The tool that makes such a correction. */
export const toolOf = (correction: VesselCorrection): Tool =>
  correction.action === 'kind' ? correction.kind : correction.action;

/** To a tenth of a pixel: what is exported is read by people as well. */
export const tenth = (value: number): number => Math.round(10 * value) / 10;

/** What a press at a place asks for, of the segments that are there; null where there is none. */
export function pressed(
  tool: Exclude<Tool, 'add' | 'erase' | 'disc'>,
  { segments, width, height }: { segments: readonly VesselSegment[]; width: number; height: number },
  { x, y, reach }: { x: number; y: number; reach: number },
): VesselCorrection | null {
  if (tool === 'fovea') return { action: 'fovea', x: tenth(x), y: tenth(y) };
  const hit = new SegmentIndex(segments, width, height).nearest(x, y, reach);
  if (!hit) return null;
  const segment = segments[hit.segment]!;
  return tool === 'cut' ? cutAcross(segment, x, y) : kindCorrection(segment, tool satisfies KindCorrection['kind']);
}
