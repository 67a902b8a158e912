/** What a list of corrections makes of a result: the mask, the disc and the fovea, and what each segment is. */
import { paintStroke } from '../../image/strokes.ts';
import type { GrayImage, VesselResult } from '../../results/types.ts';
import { checkCorrections, type KindCorrection, type StrokeCorrection, type VesselCorrection } from './corrections.ts';
import type { RetinalOptions } from '../retina/retinal-measures.ts';
import type { MiddleLine } from '../retina/strands.ts';
import { distanceTo } from './gestures.ts';

export interface CorrectedMask {
  readonly mask: GrayImage;
  /** 255 where the mask is another than the one that was found. */
  readonly byHand: GrayImage;
  /** Share of the field of view that the mask covers. */
  readonly fraction: number;
}

const isStroke = (correction: VesselCorrection): correction is StrokeCorrection => 'width' in correction;

/**
 * The mask of a result of `engine.vessels` with the strokes of a list of corrections in it; vessels are added in the field
 * of view only. `engine.vesselMeasures` measures it.
 * @throws {FoveolaError} 'invalid-argument' for a list that is none, or does not fit the photograph
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

/** A place lies on a middle line within half of the vessel's width, and at least within so many pixels. */
const REACH = 3;

type CorrectedKind = KindCorrection['kind'] | null;

/** Of each segment: what the last correction that reaches it says it is; null where none does. */
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
 * What was found of disc and fovea (`engine.opticDisc` with the segments as they are now) with a list of corrections, as
 * options of `retinalMeasures`. A disc that was placed by hand has no confidence.
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
