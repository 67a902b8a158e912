/** The parts of a retina that a DICOM Segmentation contains, each with a mask, codes, and how it was found. */
import { paintStroke } from '../results/strokes.ts';
import type { CorrectionNote } from '../results/export-vessels.ts';
import { notice } from '../results/recording.ts';
import type { VesselResult } from '../results/types.ts';
import type { RecordCheck } from './check.ts';
import { concepts, type CodedConcept } from './measures.ts';

/** Parts of the result of `retinalMeasures`. */
export interface SegmentedRetina {
  readonly disc?: { readonly x: number; readonly y: number; readonly radius: number } | null;
  readonly fovea?: { readonly x: number; readonly y: number } | null;
  readonly zone?: {
    readonly vessels?: readonly { readonly segment: number; readonly kind: 'artery' | 'vein' | null }[];
  } | null;
}

export interface RetinaSegment {
  readonly label: string;
  readonly description: string;
  readonly property: CodedConcept;
  /** (PS3.3, C.8.20.2.3) */
  readonly algorithm: 'AUTOMATIC' | 'SEMIAUTOMATIC' | 'MANUAL';
  /** One byte per pixel. */
  readonly data: Uint8Array;
}

type Masked = Pick<VesselResult, 'mask'> & Partial<Pick<VesselResult, 'segments'>>;

/**
 * For each pixel of the mask, 1 + the index of the segment whose center line is nearest along the mask. 0: none. Costs
 * one visit per pixel of the mask.
 */
function nearestSegments({ mask: { width, height, data }, segments = [] }: Masked): Uint32Array {
  const labels = new Uint32Array(data.length);
  let edge: number[] = [];
  const reach = (x: number, y: number, label: number, next: number[]) => {
    const i = y * width + x;
    if (x < 0 || y < 0 || x >= width || y >= height || !data[i] || labels[i]) return;
    labels[i] = label;
    next.push(i);
  };
  segments.forEach(({ points }, s) => {
    for (let k = 0; k < points.length; k += 2) reach(Math.round(points[k]!), Math.round(points[k + 1]!), s + 1, edge);
  });
  while (edge.length) {
    const next: number[] = [];
    for (const i of edge) {
      const [x, y] = [i % width, Math.floor(i / width)];
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) reach(x + dx, y + dy, labels[i]!, next);
    }
    edge = next;
  }
  return labels;
}

/** Kind of each segment in the zone. A segment whose pieces differ has none. */
function kindsOf({ zone }: SegmentedRetina, count: number, check: RecordCheck): Map<number, 'artery' | 'vein' | null> {
  const kinds = new Map<number, 'artery' | 'vein' | null>();
  (zone?.vessels ?? []).forEach(({ segment, kind }, i) => {
    if (kind === null) return;
    check.oneOf(`retina.zone.vessels[${i}].kind`, kind, ['artery', 'vein']);
    if (!Number.isInteger(segment) || segment < 0 || segment >= count)
      check.fail(
        `retina.zone.vessels[${i}].segment`,
        `must be one of the ${count} segments of the result. Pass the result that retinalMeasures was called with.`,
      );
    kinds.set(segment, kinds.has(segment) && kinds.get(segment) !== kind ? null : kind);
  });
  return kinds;
}

/** Radius of the mark of a fovea: this share of the disc's radius, or pixels without a disc. */
const MARK = { share: 0.5, pixels: 2 };

/**
 * Vessels, and with the result of `retinalMeasures` also arteries, veins, disc and fovea, as far as they were found.
 * Throws 'invalid-argument' for a retina that does not fit the result.
 */
export function retinaSegments(
  result: Masked,
  retina: SegmentedRetina | null,
  corrections: readonly CorrectionNote[],
  check: RecordCheck,
): RetinaSegment[] {
  const { width, height, data } = result.mask;
  const byHand = (...actions: string[]) => corrections.some(({ action }) => actions.includes(action));
  const strokes = byHand('add', 'erase', 'cut');
  const segments: RetinaSegment[] = [
    {
      ...{ label: 'Retinal vessels', description: notice, property: concepts.bloodVessel, data },
      algorithm: strokes ? 'SEMIAUTOMATIC' : 'AUTOMATIC',
    },
  ];
  if (!retina) return segments;
  const kinds = kindsOf(check.object('retina', retina), result.segments?.length ?? 0, check);
  const labels = kinds.size ? nearestSegments(result) : null;
  for (const kind of ['artery', 'vein'] as const) {
    const own = labels?.map((label) => Number(label > 0 && kinds.get(label - 1) === kind));
    if (!own?.includes(1)) continue;
    segments.push({
      label: kind === 'artery' ? 'Retinal arteries' : 'Retinal veins',
      description: `Vessels that cross the zone around the optic disc. ${notice}`,
      property: concepts[kind],
      algorithm: strokes || byHand('kind') ? 'SEMIAUTOMATIC' : 'AUTOMATIC',
      data: Uint8Array.from(own),
    });
  }
  const circle = (path: string, x: number, y: number, radius: number) => {
    const mask = new Uint8Array(width * height);
    const place = [check.known(`${path}.x`, x, -0.5, width - 0.5), check.known(`${path}.y`, y, -0.5, height - 0.5)];
    paintStroke({ width, height, data: mask }, place, check.known(`${path}.radius`, radius, 0.5), 255);
    return mask;
  };
  const { disc, fovea } = retina;
  if (disc)
    segments.push({
      ...{ label: 'Optic disc', description: `A circle. ${notice}`, property: concepts.disc },
      algorithm: byHand('disc') ? 'MANUAL' : 'AUTOMATIC',
      data: circle('retina.disc', disc.x, disc.y, disc.radius),
    });
  if (fovea)
    segments.push({
      ...{ label: 'Fovea', description: `Its position, marked by a circle. ${notice}`, property: concepts.fovea },
      algorithm: byHand('fovea') ? 'MANUAL' : 'AUTOMATIC',
      data: circle('retina.fovea', fovea.x, fovea.y, disc ? MARK.share * disc.radius : MARK.pixels),
    });
  return segments;
}
