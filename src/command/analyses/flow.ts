import { Recording, type DecodedFrame, type OpticalFlowResult, withFrame } from '../../node/index.ts';
import { columnsOf, type Analysis } from './analysis.ts';

const columns = columnsOf(
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
    const recording = new Recording(columns);
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
        for (const row of withFrame(rows, columns, timing)) recording.push(row);
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
