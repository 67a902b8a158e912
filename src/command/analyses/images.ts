/** The analyses whose results are images or fields: edges, vessels and optical flow. */
import {
  maskPng,
  overlayPng,
  Recording,
  vesselsCsv,
  vesselsCsvJson,
  vesselsJson,
  type RecordingHeader,
  type VesselExportHeader,
  type VesselResult,
  type DecodedFrame,
  type OpticalFlowResult,
  withFrame,
  encodePng,
  type GrayImage,
} from '../../node/index.ts';
import { columnsOf, type Analysis, type Outcome } from './analysis.ts';

const segmentColumns = columnsOf(
  ['segment'],
  ['x1', 3, 'px'],
  ['y1', 3, 'px'],
  ['x2', 3, 'px'],
  ['y2', 3, 'px'],
  ['length', 3, 'px'],
  ['width', 3, 'px'],
  ['lengthMicrometres', 3, 'um'],
  ['widthMicrometres', 3, 'um'],
);

function segmentRows({ segments = [] }: VesselResult): Recording {
  const recording = new Recording(segmentColumns);
  segments.forEach(({ points, length, width, lengthMicrometres, widthMicrometres }, i) =>
    recording.push([
      i + 1,
      ...[points[0], points[1], points[points.length - 2], points[points.length - 1]].map((value) => value ?? NaN),
      ...[length, width, lengthMicrometres, widthMicrometres].map((value) => value ?? NaN),
    ]),
  );
  return recording;
}

const exportHeader = ({
  version,
  source,
  parameters,
  backend,
  renderer,
  threads,
}: RecordingHeader): VesselExportHeader => ({
  ...{ version, parameters, backend, renderer, threads },
  source: { name: source.name, sha256: source.sha256 },
});

export const vessels: Analysis = {
  help: 'vessels of fundus photographs, as a PNG mask and one row per segment',
  takes: ['image'],
  method: () => 'vessels',
  async run({ engine, input, parameters, options, header, write, signal, onFrame }) {
    if (input.kind !== 'image') throw new TypeError('vessels needs images');
    const { image } = input.file;
    const result = await engine.vessels(image, { measures: true, ...parameters, signal });
    onFrame(1);
    const { width, height } = image;
    const about = exportHeader(header({ width, height }));
    const png = async (name: string, blob: Promise<Blob>) =>
      write(name, new Uint8Array(await (await blob).arrayBuffer()));
    await png('vessels.png', maskPng(result, { header: about }));
    if (options.overlay) await png('vessels.overlay.png', overlayPng(image, result, { header: about }));
    return {
      ...{ width, height, frames: 1, lastMediaTime: null },
      tables: {
        vessels: {
          recording: segmentRows(result),
          texts: {
            csv: (whole) => vesselsCsv(result, exportHeader(whole)),
            'csv.json': (whole) => vesselsCsvJson(result, exportHeader(whole)),
            json: (whole) => vesselsJson(result, exportHeader(whole)),
          },
        },
      },
      summary: { fraction: result.fraction, confidence: result.confidence, segments: result.segments?.length ?? 0 },
      warnings: result.warnings,
    };
  },
};

const flowColumns = columnsOf(
  ['frame'],
  ['timestamp', 3, 'ms'],
  ['mediaTime', 3, 'ms'],
  ['valid', 4],
  ['u', 4, 'px'],
  ['v', 4, 'px'],
  ['speed', 4, 'px'],
  ['speed95', 4, 'px'],
);

/** Share of pixels with a flow, mean flow, and median and 95th percentile of its length. */
function statistics({ u, v, valid }: OpticalFlowResult): number[] {
  let count = 0;
  let [sumU, sumV] = [0, 0];
  const speeds = new Float32Array(u.length);
  for (let i = 0; i < u.length; i++) {
    if (!valid[i]) continue;
    sumU += u[i]!;
    sumV += v[i]!;
    speeds[count++] = Math.hypot(u[i]!, v[i]!);
  }
  if (!count) return [0, NaN, NaN, NaN, NaN];
  const sorted = speeds.subarray(0, count).sort();
  const at = (share: number) => sorted[Math.floor(share * (count - 1))]!;
  return [count / u.length, sumU / count, sumV / count, at(0.5), at(0.95)];
}

/**
 * Middlebury's .flo: 'PIEH', width, height, then u and v of each pixel as 32-bit floats. 1e9 and more means unknown.
 */
function floFile({ width, height, u, v, valid }: OpticalFlowResult): Uint8Array {
  const view = new DataView(new ArrayBuffer(12 + 8 * u.length));
  view.setFloat32(0, 202021.25, true);
  view.setInt32(4, width, true);
  view.setInt32(8, height, true);
  for (let i = 0; i < u.length; i++) {
    view.setFloat32(12 + 8 * i, valid[i] ? u[i]! : 1e10, true);
    view.setFloat32(16 + 8 * i, valid[i] ? v[i]! : 1e10, true);
  }
  return new Uint8Array(view.buffer);
}

export const flow: Analysis = {
  help: 'dense optical flow of recordings, one row per frame (mean, median and 95th percentile). --fields writes .flo files',
  takes: ['recording'],
  method: () => 'opticalFlow',
  async run({ engine, input, parameters, options, write, signal, onFrame }) {
    if (input.kind !== 'recording') throw new TypeError('flow needs recordings');
    const recording = new Recording(flowColumns);
    let previous: DecodedFrame | null = null;
    let frames = 0;
    let [width, height] = [0, 0];
    let lastMediaTime: number | null = null;
    try {
      for await (const { frame, timestamp, mediaTime, clock, dropped } of input.frames) {
        const timing = { frame: frames, timestamp, mediaTime, clock, dropped, throttled: 0 };
        const rows: number[][] = [];
        if (previous) {
          const field = await engine.opticalFlow(previous, frame, { ...parameters, signal });
          rows.push([frames, timestamp, mediaTime, ...statistics(field)]);
          if (options.fields) await write(`flow.${String(frames).padStart(6, '0')}.flo`, floFile(field));
          previous.close();
        }
        for (const row of withFrame(rows, flowColumns, timing)) recording.push(row);
        [width, height] = [frame.displayWidth, frame.displayHeight];
        lastMediaTime = mediaTime;
        previous = frame.clone();
        onFrame(++frames);
      }
    } finally {
      previous?.close();
    }
    return { ...{ width, height, frames, lastMediaTime, tables: { flow: { recording } }, summary: {} } };
  },
};

// A gray image as PNG.

const png = async (image: GrayImage): Promise<Uint8Array> =>
  new Uint8Array(await (await encodePng({ ...image, channels: 1 })).arrayBuffer());

const methods = { canny: 'canny', lines: 'houghLines', circles: 'houghCircles' } as const;
const lineColumns = columnsOf(
  ['rho', 3, 'px'],
  ['theta', 6, 'rad'],
  ['votes'],
  ['x1', 2, 'px'],
  ['y1', 2, 'px'],
  ['x2', 2, 'px'],
  ['y2', 2, 'px'],
);
const circleColumns = columnsOf(['x', 2, 'px'], ['y', 2, 'px'], ['r', 2, 'px'], ['votes']);

export const edges: Analysis = {
  help: 'edges of images as PNG (Canny), or lines or circles as a table (--operation canny, lines or circles)',
  takes: ['image'],
  method: ({ operation = 'canny' }) => methods[operation],
  async run({ engine, input, parameters, options: { operation = 'canny' }, write, signal, onFrame }) {
    if (input.kind !== 'image') throw new TypeError('edges needs images');
    const { image } = input.file;
    const tables: Outcome['tables'] = {};
    const summary: Record<string, number> = {};
    const given = { ...parameters, signal };
    if (operation === 'canny') {
      const found: GrayImage = await engine.canny(image, given);
      await write('edges.png', await png(found));
      summary['share'] = found.data.reduce((sum, value) => sum + value, 0) / 255 / found.data.length;
    } else {
      const recording = new Recording(operation === 'lines' ? lineColumns : circleColumns);
      const rows =
        operation === 'lines' ? await engine.houghLines(image, given) : await engine.houghCircles(image, given);
      for (const row of rows as unknown as Record<string, number>[])
        recording.push(recording.columns.map(({ name }) => row[name] ?? NaN));
      tables[operation] = { recording };
      summary[operation] = recording.length;
    }
    onFrame(1);
    const { width, height } = image;
    return { ...{ width, height, frames: 1, lastMediaTime: null, tables, summary } };
  },
};
