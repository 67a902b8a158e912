/** Recordings for tests: numbers that follow from the row, on columns of every kind. */
import { addEvents, pupilColumns } from '../../src/results/export-pupil.ts';
import { type Column, notice, Recording, type RecordingHeader } from '../../src/results/recording.ts';
import type { JournalBytes } from '../../src/recordings/journal-reader.ts';
import { EyeEventDetector } from '../../src/series/eye-events.ts';

export const columns: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: ['capture', 'media'] },
  { name: 'found', type: 'boolean' },
  { name: 'diameter', type: 'number', digits: 3, unit: 'px' },
];

export const header: RecordingHeader = {
  software: 'foveola',
  version: '0.1.0',
  notice,
  started: '2026-01-31T12:00:00.000Z',
  source: { name: 'eye.webm', kind: 'video', sha256: null, width: 640, height: 480 },
  parameters: { method: 'robust' },
  backend: 'wasm',
  renderer: null,
  threads: 1,
  clock: 'media: milliseconds into the recording',
  frames: 0,
  dropped: 0,
};

export function made(rows: number): Recording {
  const recording = new Recording(columns);
  addRows(recording, rows);
  return recording;
}

export function addRows(recording: Recording, rows: number): void {
  for (let i = 0; i < rows; i++) {
    const frame = recording.length;
    const found = frame % 3 !== 2;
    recording.push([frame, frame * 8.3337, 1, Number(found), found ? 40 + frame / 7 : NaN]);
  }
}

/** Frames of a pupil, one or two eyes, 120 a second, with a blink of 200 ms every four seconds, a closure and their events. */
export function pupils(frames: number, { eyes = 1, millimetres = false, from = 0 } = {}): Recording {
  const recording = new Recording(pupilColumns);
  const detectors = Array.from({ length: eyes }, () => new EyeEventDetector());
  const at = (name: string) => pupilColumns.findIndex((column) => column.name === name);
  for (let frame = from; frame < from + frames; frame++)
    for (const [pupil, detector] of detectors.entries()) {
      const row = pupilRow(frame, pupil, millimetres, eyes);
      const [found, outlineConfidence, diameter] = [
        row[at('found')] === 1,
        row[at('outlineConfidence')]!,
        row[at('diameter')]!,
      ];
      const { events } = detector.update({ found, outlineConfidence, diameter }, row[at('timestamp')]!);
      recording.push(row);
      addEvents(
        recording,
        events.map((event) => ({
          ...event,
          pupil,
          eye: eyes < 2 ? ('unknown' as const) : pupil ? ('left' as const) : ('right' as const),
        })),
      );
    }
  return recording;
}

/** Flags as they come with the frame. */
export function pupilRow(frame: number, pupil: number, millimetres: boolean, eyes = 2): number[] {
  const timestamp = (frame * 1000) / 120 + 17.25;
  const closed = (frame + 60 * pupil) % 480 > 455;
  const lost = (frame + 100 * pupil) % 1700 > 1600;
  const found = !closed && !lost;
  const diameter = Math.fround(60 + 6 * Math.sin(frame / 90 + pupil));
  const value = (v: number) => (found ? Math.fround(v) : NaN);
  const cells: Record<string, number> = {
    ...{ frame, timestamp, clock: 1, mediaTime: timestamp, pupil, eye: eyes < 2 ? 2 : 1 - pupil, found: Number(found) },
    ...{ confidence: Math.fround(found ? 0.9 : 0.1), outlineConfidence: value(0.8) },
    ...{ x: value(300 + frame / 1000), y: value(200), diameter: value(diameter) },
    ...{ diameterMm: value(millimetres && frame > 50 ? diameter / 15 : NaN) },
    ...{ ellipseX: value(300 + frame / 1000), ellipseY: value(200) },
    ...{ major: value(diameter), minor: value(diameter * 0.9), angle_deg: value(104.5) },
    ...{ blink: Number(closed), dropped: Number(frame % 500 === 499), throttled: 0, backend: 0 },
  };
  return pupilColumns.map(({ name }) => cells[name] ?? NaN);
}

export const inPieces = (bytes: Uint8Array, size = 1000): JournalBytes =>
  function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

export function together(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const rowsOf = (recording: Recording): number[][] =>
  Array.from({ length: recording.length }, (_, row) => recording.columns.map((_, column) => recording.at(row, column)));
