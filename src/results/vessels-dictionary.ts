/** The JSON file next to the CSV of vessel segments. */
import type { CsvOptions } from './csv.ts';
import type { ColumnNote } from './dictionary.ts';
import { aboutVessels, segmentNames, type VesselExportHeader } from './export-vessels.ts';
import type { VesselResult } from './types.ts';

const texts: Readonly<Record<(typeof segmentNames)[number], string>> = {
  segment: 'Number of the segment, starting at 1',
  x1: 'First end, to the right',
  y1: 'First end, downwards',
  x2: 'Second end, to the right',
  y2: 'Second end, downwards',
  length_px: 'Length along the center line',
  width_px: 'Mean width. Empty: it could not be measured',
  length_um: 'Length in micrometers. Empty: the scale is not known',
  width_um: 'Mean width in micrometers',
};

const columns: readonly ColumnNote[] = segmentNames.map((name) => ({
  name,
  ...(name !== 'segment' && { unit: name.endsWith('um') ? 'um' : 'px' }),
  description: `${texts[name]}.`,
}));

/** Describes the table of `vesselsCsv`: `vesselsJson` without the points of the segments, with `columns`. */
export function vesselsCsvJson(
  result: VesselResult,
  header: VesselExportHeader,
  { format = 'plain' }: CsvOptions = {},
): string {
  return `${JSON.stringify({ ...aboutVessels(result, header), format, columns }, null, 2)}\n`;
}
