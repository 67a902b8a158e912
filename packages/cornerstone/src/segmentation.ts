/** The vessels of a photograph, as a viewer and an archive need them. */
import {
  createReport,
  readImage,
  retinalMeasures,
  toDicomSeg,
  toDicomSr,
  type Engine,
  type GrayImage,
  type RetinaReport,
  type RetinalMeasures,
  type VesselResult,
} from 'foveola';
import { labelmapOf, type Labelmap } from './labelmap.ts';

export interface SegmentationOptions {
  /** Without a side, the header of the file names it, or the position of the fovea. */
  laterality?: 'left' | 'right';
  /** Default: the scale of the file. */
  micrometresPerPixel?: number;
  signal?: AbortSignal;
}

export interface VesselSegmentation {
  readonly labelmap: Labelmap;
  readonly measures: RetinalMeasures;
  readonly report: RetinaReport;
  readonly vessels: VesselResult;
  /** A DICOM Segmentation. */
  readonly seg: Uint8Array<ArrayBuffer>;
  /** A DICOM Comprehensive SR, which refers to the segmentation. */
  readonly sr: Uint8Array<ArrayBuffer>;
}

const isBytes = (source: unknown): source is ArrayBuffer | Uint8Array<ArrayBuffer> =>
  source instanceof ArrayBuffer || ArrayBuffer.isView(source);

/** Time of the photograph from its header, otherwise now. */
function takenAt({ dicom }: VesselResult): Date {
  const { date, time } = dicom?.acquired ?? {};
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(date ?? '');
  const clock = /^(\d{2})(\d{2})(\d{2})/.exec(time ?? '');
  if (!day || !clock) return new Date();
  const zone = dicom?.timezone?.replace(/(\d{2})$/, ':$1') ?? '';
  const taken = new Date(`${day.slice(1).join('-')}T${clock.slice(1).join(':')}${zone}`);
  return Number.isNaN(taken.getTime()) ? new Date() : taken;
}

/**
 * Finds the vessels, the disc and the fovea of a photograph. `source` is the bytes of a DICOM file, a `Blob`, or pixels. Only
 * a DICOM file puts the result into the study of its patient.
 */
export async function vesselSegmentation(
  engine: Pick<Engine, 'vessels' | 'opticDisc'>,
  source: ArrayBuffer | Uint8Array<ArrayBuffer> | Blob | ImageData | GrayImage,
  { laterality, micrometresPerPixel, signal }: SegmentationOptions = {},
): Promise<VesselSegmentation> {
  const file = isBytes(source) ? new Blob([source]) : source;
  const image = file instanceof Blob ? (await readImage(file, { signal })).image : file;
  const scale = micrometresPerPixel === undefined ? {} : { micrometresPerPixel };
  const vessels = await engine.vessels(image, { scales: 'all', measures: true, ...scale, signal });
  const found = await engine.opticDisc(image, { segments: vessels.segments, signal });
  const measures = retinalMeasures(vessels, found);
  const report = createReport({
    ...{ kind: 'retina', started: takenAt(vessels), result: vessels, retina: measures },
    ...(laterality && { laterality }),
  });
  const eye = report.laterality ? { laterality: report.laterality } : {};
  const seg = toDicomSeg(vessels, { id: report.id, retina: measures, ...eye });
  return {
    ...{ labelmap: labelmapOf(seg), measures, report, vessels, seg },
    sr: toDicomSr(report, { segmentation: true }),
  };
}
