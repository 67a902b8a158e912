import {
  maskPng,
  overlayPng,
  Recording,
  vesselsCsv,
  vesselsJson,
  type RecordingHeader,
  type VesselExportHeader,
  type VesselResult,
} from '../../node/index.ts';
import { columnsOf, type Analysis } from './analysis.ts';

const columns = columnsOf(
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
  const recording = new Recording(columns);
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
            json: (whole) => vesselsJson(result, exportHeader(whole)),
          },
        },
      },
      summary: { fraction: result.fraction, confidence: result.confidence, segments: result.segments?.length ?? 0 },
      warnings: result.warnings,
    };
  },
};
