// Reports made in tests: a pupil test of two eyes with known values, and a photograph of the retina.
import type { PupilReportInput } from '../../src/reports/pupil-input.ts';
import type { RetinaReportInput } from '../../src/reports/retina-report.ts';
import type { VesselResult } from '../../src/results/types.ts';

export const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const common = {
  id,
  created: '2026-05-04T09:32:00Z',
  started: '2026-05-04T09:30:00Z',
  ended: '2026-05-04T09:30:06.5Z',
  camera: { name: 'Eye camera', model: 'EC-1', serial: '0042' },
  backend: 'wasm',
  parameters: { method: 'robust', fit: 'ellipse', votes: 12, smooth: { cutoff: 1.5 }, empty: '' },
  patient: 'Patient/42',
  encounter: 'Encounter/7',
};

const SAMPLES = 260;
const RATE = 40;

/** Millimetres at a time, ms: at rest, down from 1200 on, back with a half time of one second. One blink at 4 s. */
export function diameterAt(time: number, baseline = 6): number {
  if (time < 1200) return baseline + 0.05 * Math.sin(time / 90);
  if (time < 1900) return baseline - 2 * Math.sin(((time - 1200) / 700) * (Math.PI / 2));
  return baseline - 2 * 0.5 ** ((time - 1900) / 1000);
}

export function series(baseline = 6) {
  const timestamp = Float64Array.from({ length: SAMPLES }, (_, i) => (1000 * i) / RATE);
  const blink = (time: number) => time >= 4000 && time < 4200;
  const diameter = timestamp.map((time) => (blink(time) ? NaN : diameterAt(time, baseline)));
  const valid = Uint8Array.from(diameter, (value) => Number(!Number.isNaN(value)));
  return { timestamp, diameter, raw: diameter, valid, rate: RATE, blinks: [{ onset: 4000, offset: 4200 }] };
}

export const reflex = {
  onset: 1000,
  stimulus: 'white, 1 s',
  latency: 200,
  baseline: 6,
  minimum: 4,
  amplitude: 2,
  amplitudePercent: 100 / 3,
  constrictionVelocity: 2 / 0.7,
  peakConstrictionVelocity: 4.488,
  dilationVelocity: 0.8,
  timeToMinimum: 900,
  t50: 1000,
  t75: NaN,
  quality: 0.875,
  warnings: ['A blink during the recovery.'],
};

export const pupilInput = (): PupilReportInput => ({
  kind: 'pupil',
  ...common,
  unit: 'mm',
  calibration: { millimetresPerPixel: 0.05, method: 'disc of 10 mm' },
  quality: { frames: 260, found: 1, confidence: 0.9, rate: 40, dropped: 0, blinking: 0.03, faults: [] },
  source: { name: 'eye <1> & "two".webm', sha256: 'A'.repeat(64), width: 640, height: 480 },
  eyes: [
    { laterality: 'left', reflexes: [reflex], series: series() },
    { laterality: 'right', series: series(5.5) },
  ],
});

export const pixelInput = (): PupilReportInput => {
  const input = pupilInput();
  return {
    ...input,
    unit: 'px',
    calibration: null,
    patient: null,
    encounter: null,
    camera: null,
    ended: null,
    eyes: [{ reflexes: [{ ...reflex, baseline: 120, minimum: 80, amplitude: 40 }] }],
  };
};

const WIDTH = 37;
const HEIGHT = 23;

/** A diagonal and a cross of vessels; the width is no multiple of eight. */
export const mask = {
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    return x === y || y === 11 || x === WIDTH - 1 ? 255 : 0;
  }),
};

const segment = (length: number, width?: number) => ({
  points: Float32Array.of(0, 0, length, 0),
  widths: Float32Array.of(width ?? NaN, width ?? NaN),
  length,
  lengthMicrometres: length * 8,
  ...(width !== undefined && { width, widthMicrometres: width * 8 }),
});

export const vessels = (): VesselResult => ({
  mask,
  response: new Float32Array(WIDTH * HEIGHT),
  fieldOfView: { ...mask, data: new Uint8Array(WIDTH * HEIGHT).fill(255) },
  fraction: 0.125,
  confidence: 0.9,
  warnings: ['The photograph is small.'],
  segments: [segment(30, 4), segment(10, 8), segment(5)],
  branchPoints: [{ x: 11, y: 11 }],
  scale: { micrometresPerPixel: 8, from: 'file' },
});

export const dicom = {
  sopClassUid: '1.2.840.10008.5.1.4.1.1.77.1.5.1',
  sopInstanceUid: '1.2.3.4.5.6.1',
  studyInstanceUid: '1.2.3.4.5.6.2',
  seriesInstanceUid: '1.2.3.4.5.6.3',
  patient: { name: 'Müller^Änne', id: '42', birthDate: '19800229', sex: 'F' },
  study: { date: '20260504', time: '101500', accessionNumber: 'A7', referringPhysician: '', id: 'S1' },
  seriesNumber: 8001,
};

export const retinaInput = (): RetinaReportInput => ({
  kind: 'retina',
  ...common,
  ended: null,
  laterality: 'right',
  result: vessels(),
  source: { name: 'fundus.dcm', dicom },
  vessels: { crae: 150.26, crve: 222, avr: 0.676, tortuosity: 1.1, fractalDimension: 1.45 },
});
