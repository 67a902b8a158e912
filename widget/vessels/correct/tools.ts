/** The correction tools, their keys, and the effect of each tool at a point. */
import {
  cutAcross,
  kindCorrection,
  type KindCorrection,
  type VesselCorrection,
  type VesselSegment,
  type DiscCorrection,
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

/** Tools that draw a line. */
export const draws = (tool: Tool): tool is 'add' | 'erase' => tool === 'add' || tool === 'erase';

/** The tool that makes this kind of correction. */
export const toolOf = (correction: VesselCorrection): Tool =>
  correction.action === 'kind' ? correction.kind : correction.action;

/** Rounds to a tenth of a pixel, since people also read the exports. */
export const tenth = (value: number): number => Math.round(10 * value) / 10;

/** Correction for a press at a point, given the current segments. Null if there is none. */
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

// The optic disc under a brush. A press inside moves it, a press on its rim resizes it, a press elsewhere places it
// there.

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Range of the draggable rim, in radii. */
const RIM = { from: 0.75, to: 1.3 };

export class DiscDrag {
  readonly #begin: Circle;
  readonly #x: number;
  readonly #y: number;
  readonly #rim: boolean;
  /** The disc at this point of the gesture. */
  now: Circle;

  /** `fallback`: radius of a new disc. */
  constructor(disc: Circle | null, x: number, y: number, fallback: number) {
    const away = disc ? Math.hypot(x - disc.x, y - disc.y) / disc.radius : Infinity;
    this.#rim = away >= RIM.from && away <= RIM.to;
    this.#begin = this.now = disc && away <= RIM.to ? disc : { x, y, radius: disc?.radius ?? fallback };
    this.#x = x;
    this.#y = y;
  }

  move(x: number, y: number): void {
    const { x: cx, y: cy, radius } = this.#begin;
    this.now = this.#rim
      ? {
          ...this.now,
          radius: Math.max(2, radius + Math.hypot(x - cx, y - cy) - Math.hypot(this.#x - cx, this.#y - cy)),
        }
      : { x: cx + x - this.#x, y: cy + y - this.#y, radius };
  }
}

/** Correction for a photograph of this size. */
export function discCorrection({ x, y, radius }: Circle, size: { width: number; height: number }): DiscCorrection {
  const inside = (v: number, length: number) => tenth(Math.max(0, Math.min(length - 1, v)));
  const most = Math.max(size.width, size.height) / 2;
  return {
    action: 'disc',
    x: inside(x, size.width),
    y: inside(y, size.height),
    radius: tenth(Math.max(1, Math.min(most, radius))),
  };
}
