// Where heads are turned and whether eyes are closed, as measureFace says it of found points, against what was rendered.
import { mean } from '../../parts/numbers.mjs';
import { fixed } from '../../parts/report.mjs';

const degree = Math.PI / 180;
/** The renderer's angles are positive where the nose is lowered, and against the clock. */
const SIGNS = { yaw: 1, pitch: -1, roll: -1 };
/** Blinks of the renders, 0 to 1: eyes between them are neither. */
const [OPEN, SHUT] = [0.05, 0.85];

/** @param faces [{ record, shape, points }]: what was rendered, the points that were found, and the true ones */
export function poseTables(report, faces, measureFace) {
  const errorsOf = (shapeOf, angle, chosen) =>
    chosen.flatMap((face) => {
      const measures = measureFace(shapeOf(face));
      return measures ? [Math.abs(measures[angle] / degree - SIGNS[angle] * face.record[angle])] : [];
    });
  const groups = [
    ['all', () => true],
    ['yaw 0 to 15°', ({ record }) => Math.abs(record.yaw) < 15],
    ['yaw 15 to 30°', ({ record }) => Math.abs(record.yaw) >= 15 && Math.abs(record.yaw) < 30],
    ['yaw above 30°', ({ record }) => Math.abs(record.yaw) >= 30],
  ];
  const rows = groups.flatMap(([name, has]) => {
    const chosen = faces.filter(has);
    return [
      ['found', ({ shape }) => shape],
      ['true', ({ points }) => points],
    ].map(([kind, shapeOf]) => [
      ...[name, kind, chosen.length],
      ...Object.keys(SIGNS).map((angle) => {
        const errors = errorsOf(shapeOf, angle, chosen).sort((a, b) => a - b);
        return `${fixed(mean(errors), 1)} (${fixed(errors[Math.floor(0.9 * errors.length)], 1)})`;
      }),
    ]);
  });
  report.heading('Pose: mean error and, in brackets, that of 90 %, degrees');
  report.table([['faces', 'points', 'n', ...Object.keys(SIGNS)], ...rows]);
  const eyes = faces.flatMap(({ record, shape }) => {
    const measures = measureFace(shape);
    const hidden = record.worn.includes('sunglasses');
    return measures && !hidden ? measures.eyes.map(({ closed }, side) => ({ closed, blink: record.blink[side] })) : [];
  });
  const share = (list) => `${fixed((100 * list.filter(({ closed }) => closed).length) / list.length, 1)} %`;
  const [open, shut] = [eyes.filter(({ blink }) => blink < OPEN), eyes.filter(({ blink }) => blink > SHUT)];
  report.line(
    `Called closed: ${share(shut)} of ${shut.length} closed eyes, ${share(open)} of ${open.length} open ones (found points, without sunglasses).`,
  );
}
