/**
 * What a person corrects of vessels that were found, as plain data that can be kept, sent and exported: a list in the order
 * in which it was done. Places are in pixels of the photograph, (0, 0) the middle of the first, never numbers of segments:
 * those change with every correction.
 */
import { Check } from '../../runtime/check.ts';
import type { VesselKind } from '../retina/kinds.ts';

/** A brush along a line: x, y of each point, and how wide it is. */
export interface StrokeCorrection {
  /** 'cut' parts a vessel: its line lies across, and is as wide as the gap. */
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
/** What the vessels are whose middle lines lie at these points; several keep a vessel's kind where it is parted later. */
export interface KindCorrection {
  readonly action: 'kind';
  readonly kind: VesselKind | 'unknown';
  readonly points: readonly number[];
}
export type VesselCorrection = StrokeCorrection | DiscCorrection | FoveaCorrection | KindCorrection;
export type CorrectionAction = VesselCorrection['action'];

export const correctionActions = ['add', 'erase', 'cut', 'disc', 'fovea', 'kind'] as const;

const MOST = { corrections: 10_000, points: 20_000, width: 1000 };

/** The photograph that is corrected. */
export interface Extent {
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
 * A list of corrections, for instance from a file, checked and copied; with the size of the photograph its places must lie
 * on it.
 * @throws {FoveolaError} 'invalid-argument': the message names the path of the value and the rule
 */
export function checkCorrections(value: unknown, size?: Extent): VesselCorrection[] {
  const list = check.list('corrections', value, 'corrections');
  if (list.length > MOST.corrections)
    check.fail('corrections', `must be at most ${MOST.corrections}, not ${list.length}.`);
  return list.map((one, i) => checked(`corrections[${i}]`, one, size));
}
