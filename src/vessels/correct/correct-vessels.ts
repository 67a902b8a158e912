/** Applies a list of corrections to a result: the mask, the disc and the fovea, and the kind of each segment. */
import { Check } from '../../runtime/check.ts';
import type { VesselKind } from '../retina/zone.ts';
import { strandsOf, type MiddleLine } from '../retina/strands.ts';
import { paintStroke } from '../../results/strokes.ts';
import type { GrayImage, VesselResult } from '../../results/types.ts';
import type { RetinalOptions } from '../retina/retinal-measures.ts';

// Manual corrections of detected vessels, as plain data that can be stored, sent and exported: a list in the order that
// they were made. Positions are in pixels of the photograph, (0, 0) is the center of the first pixel. Corrections do
// not contain segment numbers, because every correction changes them.

/** A brush along a line: x, y of each point, and its width. */
export interface StrokeCorrection {
  /** 'cut' separates a vessel: its line runs across the vessel, and its width is the width of the gap. */
  readonly action: 'add' | 'erase' | 'cut';
  readonly points: readonly number[];
  readonly width: number;
}
export interface DiscCorrection {
  readonly action: 'disc';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
export interface FoveaCorrection {
  readonly action: 'fovea';
  readonly x: number;
  readonly y: number;
}
/**
 * Kind of the vessels whose center lines pass through these points. With several points a vessel keeps its kind if it
 * is split later.
 */
export interface KindCorrection {
  readonly action: 'kind';
  readonly kind: VesselKind | 'unknown';
  readonly points: readonly number[];
}
export type VesselCorrection = StrokeCorrection | DiscCorrection | FoveaCorrection | KindCorrection;
export type CorrectionAction = VesselCorrection['action'];

const correctionActions = ['add', 'erase', 'cut', 'disc', 'fovea', 'kind'] as const;

const MOST = { corrections: 10_000, points: 20_000, width: 1000 };

/** Size of the corrected photograph. */
interface Extent {
  readonly width: number;
  readonly height: number;
}

const check: Check = new Check('checkCorrections');

function pointsOf(path: string, value: unknown, size: Extent | undefined): number[] {
  const list = check.list(path, value, 'numbers, x and y in turn');
  if (list.length < 2 || list.length % 2 || list.length > 2 * MOST.points)
    check.fail(path, `must have x and y of 1 to ${MOST.points} points in turn, not ${list.length} numbers.`);
  return list.map((one, i) => within(`${path}[${i}]`, one, size && (i % 2 ? size.height : size.width)));
}

const within = (path: string, value: unknown, length: number | undefined): number =>
  length === undefined ? check.known(path, value) : check.known(path, value, -0.5, length - 0.5);

function checked(path: string, value: unknown, size: Extent | undefined): VesselCorrection {
  const given = check.object(path, value) as Record<string, unknown>;
  const place = () => ({
    x: within(`${path}.x`, given.x, size?.width),
    y: within(`${path}.y`, given.y, size?.height),
  });
  const action = check.oneOf(`${path}.action`, given.action, correctionActions);
  const names = { disc: ['x', 'y', 'radius'], fovea: ['x', 'y'], kind: ['kind', 'points'] } as const;
  const known: readonly string[] = names[action as keyof typeof names] ?? ['points', 'width'];
  for (const name of Object.keys(given))
    if (name !== 'action' && !known.includes(name))
      check.fail(`${path}.${name}`, `is not known: '${action}' has ${known.join(', ')}.`);
  switch (action) {
    case 'disc': {
      const most = size ? Math.max(size.width, size.height) / 2 : Infinity;
      return { action, ...place(), radius: check.known(`${path}.radius`, given.radius, 1, most) };
    }
    case 'fovea':
      return { action, ...place() };
    case 'kind':
      return {
        action,
        kind: check.oneOf(`${path}.kind`, given.kind, ['artery', 'vein', 'unknown']),
        points: pointsOf(`${path}.points`, given.points, size),
      };
    default:
      return {
        action,
        points: pointsOf(`${path}.points`, given.points, size),
        width: check.known(`${path}.width`, given.width, 1, MOST.width),
      };
  }
}

/**
 * Checks and copies a list of corrections, for instance from a file. If the size of the photograph is passed, positions
 * must be inside it.
 * @throws {FoveolaError} 'invalid-argument': the message names the path of the value and the rule
 */
export function checkCorrections(value: unknown, size?: Extent): VesselCorrection[] {
  const list = check.list('corrections', value, 'corrections');
  if (list.length > MOST.corrections)
    check.fail('corrections', `must be at most ${MOST.corrections}, not ${list.length}.`);
  return list.map((one, i) => checked(`corrections[${i}]`, one, size));
}

// Converts a position that the user points at to a correction: the vessel that a cut crosses, and the marks of a
// vessel.

/** Distance of a position from the points of a center line, in pixels. */
export function distanceTo({ points }: MiddleLine, x: number, y: number): number {
  let least = Infinity;
  for (let k = 0; k < points.length; k += 2) least = Math.min(least, (points[k]! - x) ** 2 + (points[k + 1]! - y) ** 2);
  return Math.sqrt(least);
}

/** Minimum gap in pixels. A smaller one would be closed again before thinning (segment/closing.ts). */
const GAP = 4;
/**
 * How far a cut extends beyond the borders of a vessel, in vessel widths and in pixels, because a mask is a little
 * wider than its vessel.
 */
const BEYOND = { widths: 0.4, pixels: 3 };
/** Default width in pixels if no width is known. */
const USUAL = 6;

const rounded = (values: readonly number[]) => values.map((v) => Math.round(10 * v) / 10);

/** Line across the vessel, at the point of its center line that is nearest to a position. */
export function cutAcross(segment: MiddleLine, x: number, y: number): StrokeCorrection {
  const strands = strandsOf([segment]);
  const away = (strand: { x: number; y: number }) => Math.hypot(strand.x - x, strand.y - y);
  const at = strands.reduce((best, strand) => (away(strand) < away(best) ? strand : best));
  const half = (0.5 + BEYOND.widths) * (at.width || USUAL) + BEYOND.pixels;
  const [u, v] = [-at.dy * half, at.dx * half];
  return { action: 'cut', points: rounded([at.x - u, at.y - v, at.x + u, at.y + v]), width: GAP };
}

/** Distance between marks in pixels, and of the first and last mark from the ends, where other vessels begin. */
const MARKS = 12;

/** Correction that sets the kind of the vessel, also if it is split later. */
export function kindCorrection(
  { points, widths, width = USUAL }: MiddleLine,
  kind: KindCorrection['kind'],
): KindCorrection {
  const count = widths.length;
  const step = count > 1 ? Math.hypot(points[2]! - points[0]!, points[3]! - points[1]!) || 1 : 1;
  const end = Math.min(Math.round(width / step), (count - 1) >> 1);
  const every = Math.max(1, Math.round(MARKS / step));
  const marks: number[] = [];
  for (let k = end; k < count - end; k += every) marks.push(points[2 * k]!, points[2 * k + 1]!);
  return { action: 'kind', kind, points: rounded(marks) };
}

// A list of corrections and the number of active ones. Undo and redo move the position. Undone corrections are kept
// until a new one is added.

export class CorrectionHistory {
  #list: readonly VesselCorrection[] = [];
  #position = 0;

  /** The active corrections. */
  get current(): readonly VesselCorrection[] {
    return this.#list.slice(0, this.#position);
  }

  get canUndo(): boolean {
    return this.#position > 0;
  }

  get canRedo(): boolean {
    return this.#position < this.#list.length;
  }

  /** Removes undone corrections and adds one. */
  add(correction: VesselCorrection): void {
    this.#list = [...this.current, correction];
    this.#position = this.#list.length;
  }

  /** Returns the undone correction, or null. */
  undo(): VesselCorrection | null {
    return this.canUndo ? this.#list[--this.#position]! : null;
  }

  /** Returns the restored correction, or null. */
  redo(): VesselCorrection | null {
    return this.canRedo ? this.#list[this.#position++]! : null;
  }

  /** Replaces all corrections. Each of them can be undone. */
  set(corrections: readonly VesselCorrection[]): void {
    this.#list = [...corrections];
    this.#position = this.#list.length;
  }
}

export interface CorrectedMask {
  readonly mask: GrayImage;
  /** 255 if the mask differs from the detected one. */
  readonly byHand: GrayImage;
  /** Share of the field of view that the mask covers. */
  readonly fraction: number;
}

const isStroke = (correction: VesselCorrection): correction is StrokeCorrection => 'width' in correction;

/**
 * Applies the strokes of a list of corrections to the mask of a result of `engine.vessels`. Vessels are added only in
 * the field of view. `engine.vesselMeasures` measures the new mask.
 * @throws {FoveolaError} 'invalid-argument' for an invalid list, or one that does not fit the photograph
 */
export function correctedMask(
  { mask, fieldOfView }: Pick<VesselResult, 'mask' | 'fieldOfView'>,
  corrections: readonly VesselCorrection[],
): CorrectedMask {
  const { width, height } = mask;
  const strokes = checkCorrections(corrections, mask).filter(isStroke);
  const data = Uint8Array.from(mask.data);
  for (const { action, points, width: across } of strokes)
    paintStroke({ width, height, data }, points, across / 2, action === 'add' ? 255 : 0);
  const byHand = new Uint8Array(data.length);
  let [field, covered] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    const inside = fieldOfView.data[i] !== 0;
    if (!inside && data[i]! > mask.data[i]!) data[i] = mask.data[i]!;
    if ((data[i] === 0) !== (mask.data[i] === 0)) byHand[i] = 255;
    if (!inside) continue;
    field++;
    if (data[i]) covered++;
  }
  return {
    mask: { width, height, data },
    byHand: { width, height, data: byHand },
    fraction: field ? covered / field : 0,
  };
}

/** A position is on a center line within half the vessel's width, but within at least this many pixels. */
const REACH = 3;

type CorrectedKind = KindCorrection['kind'] | null;

/** Kind of each segment according to the last correction that applies to it. Null without such a correction. */
export function correctedKinds(
  segments: readonly MiddleLine[],
  corrections: readonly VesselCorrection[],
): CorrectedKind[] {
  const kinds: CorrectedKind[] = segments.map(() => null);
  for (const correction of corrections) {
    if (correction.action !== 'kind') continue;
    const { kind, points } = correction;
    for (let k = 0; k < points.length; k += 2) {
      const [x, y] = [points[k]!, points[k + 1]!];
      let [nearest, least] = [-1, Infinity];
      segments.forEach((segment, i) => {
        const away = distanceTo(segment, x, y);
        if (away < least && away <= Math.max(REACH, (segment.width ?? 0) / 2)) [nearest, least] = [i, away];
      });
      if (nearest >= 0) kinds[nearest] = kind;
    }
  }
  return kinds;
}

/**
 * Combines the detected disc and fovea (`engine.opticDisc` with the current segments) with a list of corrections.
 * Returns options for `retinalMeasures`. A disc placed manually has no confidence.
 */
export function correctedOptions(
  found: RetinalOptions,
  corrections: readonly VesselCorrection[],
  segments: readonly MiddleLine[],
): RetinalOptions {
  const last = <A extends VesselCorrection['action']>(action: A) =>
    corrections.filter((one): one is Extract<VesselCorrection, { action: A }> => one.action === action).at(-1);
  const [disc, fovea] = [last('disc'), last('fovea')];
  return {
    ...found,
    ...(disc && { disc: { x: disc.x, y: disc.y, radius: disc.radius } }),
    ...(fovea && { fovea: { x: fovea.x, y: fovea.y } }),
    corrected: correctedKinds(segments, corrections),
  };
}
