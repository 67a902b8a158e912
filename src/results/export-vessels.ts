/**
 * Vessels as files: segments as CSV, everything except the planes as JSON, mask and overlay as RGBA samples, which a
 * canvas converts to PNG. An unknown value is an empty field in CSV and null in JSON.
 */
import {
  checkFormat,
  csvLines,
  type CsvOptions,
  csvStart,
  type Field,
  inertJson,
  rounded,
  tableFormats,
} from './csv.ts';
import { type About, notice } from './recording.ts';
import type { VesselResult } from './types.ts';

/** Corrections in exported data: a summary in words, and the corrections themselves. */

/** A correction of src/vessels/correct: any plain object with an action. */
export interface CorrectionNote {
  readonly action: string;
}

const words: Readonly<Record<string, string>> = {
  add: 'vessels added',
  erase: 'vessels erased',
  cut: 'vessels cut',
  disc: 'optic disc placed',
  fovea: 'fovea placed',
  kind: 'kind of a vessel set',
};

/** Number of corrections per action, ordered by first occurrence. */
export function countedCorrections(corrections: readonly CorrectionNote[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of corrections) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** '3 corrections by hand: vessels added 2, optic disc placed 1'. */
export function correctionsText(corrections: readonly CorrectionNote[]): string {
  const counts = Object.entries(countedCorrections(corrections)).map(
    ([action, n]) => `${words[action] ?? action} ${n}`,
  );
  const all = `${corrections.length} correction${corrections.length === 1 ? '' : 's'} by hand`;
  return counts.length ? `${all}: ${counts.join(', ')}` : all;
}

/** Origin of the result. It contains everything needed to understand an export without the page. */
export interface VesselExportHeader {
  version: string;
  /** Only if any of its texts was given. */
  about?: About;
  source: { name: string; sha256: string | null };
  parameters: Record<string, unknown>;
  backend: string;
  renderer: string | null;
  threads: number;
  /** Manual corrections of the detected vessels. Absent if no one could make any. */
  corrections?: readonly CorrectionNote[];
  /** The result of retinalMeasures. */
  retina?: object | null;
  /** Every measure by its name in a report. */
  measures?: object | null;
}

export const segmentNames = [
  ...['segment', 'x1', 'y1', 'x2', 'y2', 'length_px', 'width_px', 'length_um', 'width_um'],
] as const;

/** Everything about a result except its points. */
export const aboutVessels = (
  { mask, fraction, confidence, scale = null, warnings }: VesselResult,
  { version, source, corrections, retina, measures, ...computed }: VesselExportHeader,
) => ({
  software: 'foveola',
  version,
  notice,
  source: { ...source, width: mask.width, height: mask.height },
  ...computed,
  ...{ fraction, confidence, scale, warnings },
  ...(corrections && { corrections: { count: countedCorrections(corrections), list: corrections } }),
  ...(measures && { measures }),
  ...(retina && { retina }),
});

/**
 * One row per segment: its ends, length and mean width (empty if it could not be measured) in pixels, and in
 * micrometers if the scale is known. `vesselsCsvJson` describes the table.
 */
export function vesselsCsv(
  result: VesselResult,
  header: VesselExportHeader,
  { format = 'plain' }: CsvOptions = {},
): string {
  checkFormat(format, tableFormats);
  const rows = (result.segments ?? []).map(
    ({ points, length, width, lengthMicrometres, widthMicrometres }, i): Field[] => [
      i + 1,
      ...[points[0], points[1], points[points.length - 2], points[points.length - 1]].map((value) => cell(value)),
      ...[length, width, lengthMicrometres, widthMicrometres].map((value) => cell(value)),
    ],
  );
  return (
    csvStart(segmentNames, format, () =>
      Object.entries(aboutVessels(result, header)).map(([name, value]) => `${name}: ${inertJson(value)}`),
    ) + csvLines(rows, format)
  );
}

const cell = (value: number | undefined) => rounded(value ?? NaN, 3);

/** The header, fraction, confidence, warnings, branch points, and the segments with their points and widths. */
export function vesselsJson(result: VesselResult, header: VesselExportHeader): string {
  const { branchPoints = [], segments = [] } = result;
  const round = (values: Float32Array) => Array.from(values, (v) => (Number.isNaN(v) ? null : Number(v.toFixed(2))));
  const all = {
    ...aboutVessels(result, header),
    branchPoints,
    segments: segments.map(({ points, widths, width, length, widthMicrometres, lengthMicrometres }) => ({
      ...{
        length,
        width: width ?? null,
        lengthMicrometres: lengthMicrometres ?? null,
        widthMicrometres: widthMicrometres ?? null,
      },
      points: round(points),
      widths: round(widths),
    })),
  };
  return JSON.stringify(all, null, 1) + '\n';
}

/** RGBA of the mask only: white on black. */
export function maskPixels({ mask: { width, height, data } }: VesselResult): ImageData {
  const out = new ImageData(width, height);
  for (let i = 0; i < data.length; i++) {
    out.data.fill(data[i]!, 4 * i, 4 * i + 3);
    out.data[4 * i + 3] = 255;
  }
  return out;
}

/** RGBA of the mask in a color, transparent elsewhere, for drawing over the photograph. */
export function overlayPixels(
  { mask: { width, height, data } }: VesselResult,
  [red, green, blue]: readonly [number, number, number],
  opacity: number,
): ImageData {
  const out = new ImageData(width, height);
  const alpha = Math.round(255 * opacity);
  for (let i = 0; i < data.length; i++) {
    if (!data[i]) continue;
    out.data[4 * i] = red;
    out.data[4 * i + 1] = green;
    out.data[4 * i + 2] = blue;
    out.data[4 * i + 3] = alpha;
  }
  return out;
}
