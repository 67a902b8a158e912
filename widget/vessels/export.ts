/** Exports of `<foveola-vessels>` as files. Loaded with the tools. */
import {
  type CsvOptions,
  maskPng,
  type RetinalMeasures,
  type VesselCorrection,
  vesselsCsv,
  vesselsCsvJson,
  type VesselExportHeader,
  vesselsJson,
  type VesselResult,
  version,
  type Capabilities,
} from '../../src/index.ts';
import { overlayPngOf, type RetinaRow, type SourcePixels } from '../../src/internal.ts';
import type { Feed } from '../base/feed.ts';
import { aboutOf, type AboutProperties, sha256 } from '../base/page.ts';

export interface VesselExport {
  result: VesselResult;
  /** Pixels of the analyzed image. */
  pixels: () => Promise<SourcePixels>;
  feed: Pick<Feed, 'name' | 'bytes'>;
  /** Says who was measured. */
  element: AboutProperties;
  capabilities: Capabilities;
  /** All parameters, including defaults. */
  parameters: Record<string, unknown>;
  /** Color as `#rrggbb`, and opacity from 0 to 1. */
  color: string;
  opacity: number;
  /** Manual corrections, and the measures around the optic disc. Null if these were not requested. */
  corrections: readonly VesselCorrection[];
  retina: RetinalMeasures | null;
  /** Every measure. Null: not known. */
  rows: readonly RetinaRow[] | null;
}

/** The names on screen and in a report belong to these names. */
export const measuresOf = (rows: readonly RetinaRow[], retina: RetinalMeasures | null): Record<string, unknown> => ({
  lengthUnit: retina?.micrometresPerPixel ? 'um' : 'px',
  ...Object.fromEntries(rows.map(({ name, value }) => [name, value])),
});

/** Origin of a result. */
export async function exportHeader({
  result,
  feed,
  element,
  capabilities,
  parameters,
  corrections,
  retina,
  rows,
}: VesselExport): Promise<VesselExportHeader> {
  const { gpu: renderer, threads } = capabilities;
  const source = { name: feed.name, sha256: await sha256(feed.bytes) };
  const backend = result.backend ?? capabilities.backend;
  const measures = rows && measuresOf(rows, retina);
  return {
    version,
    ...aboutOf(element),
    source,
    parameters,
    backend,
    renderer,
    threads,
    corrections,
    retina,
    measures,
  };
}

export const rgbOf = (color: string): [number, number, number] => {
  const value = parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

export const exportedMask = async (of: VesselExport): Promise<Blob> =>
  maskPng(of.result, { header: await exportHeader(of) });

export const exportedOverlay = async (of: VesselExport): Promise<Blob> =>
  overlayPngOf(await of.pixels(), of.result, {
    header: await exportHeader(of),
    color: rgbOf(of.color),
    opacity: of.opacity,
  });

export const exportedCsv = async (of: VesselExport, options: CsvOptions): Promise<string> =>
  vesselsCsv(of.result, await exportHeader(of), options);

/** Describes the table. */
export const exportedCsvJson = async (of: VesselExport, options: CsvOptions): Promise<string> =>
  vesselsCsvJson(of.result, await exportHeader(of), options);

export const exportedJson = async (of: VesselExport): Promise<string> => vesselsJson(of.result, await exportHeader(of));
