/** The CSV of a recording, which readers open as it is. */
export const openAsItIs = 'beside.csv';

/** A recording as the library exports it, with a blink, an empty field and a marker that contains a comma. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importTs } from '../../../tools/import-ts.mjs';

export async function writeTables() {
  const { Recording, pupilColumns, pupilRows, toCsvJson, toPupilCsv, toPupilJson } = await importTs('src/index.ts');
  const recording = new Recording(pupilColumns);
  const nothing = { ellipse: null, votes: 1, points: 1 };
  for (let i = 0; i < 5; i++) {
    const found = i !== 2;
    const [d, x] = found ? [50 + i, 10] : [NaN, NaN];
    const pupil = {
      ...{ eye: 'left', found, confidence: found ? 0.9 : 0, outlineConfidence: d, x, y: x, diameter: d },
      ...{ diameterMm: null, circle: { x, y: x, r: d / 2 }, blink: !found, ...nothing },
    };
    const result = {
      timestamp: 40 * i,
      width: 320,
      height: 240,
      pupils: [pupil],
      events: [],
      dropped: 0,
      backend: 'wasm',
    };
    const timing = { frame: i, clock: 'media', mediaTime: 40 * i, timestamp: 40 * i, dropped: 0, throttled: 0 };
    for (const row of pupilRows(result, timing)) recording.push(row);
  }
  recording.events.settle({ kind: 'blink', onset: 80, offset: 120, final: true, pupil: 0, eye: 'left' });
  recording.mark('word, color', 40);
  const header = {
    ...{
      software: 'foveola',
      version: '0.1.0',
      notice: 'For research use.',
      backend: 'wasm',
      threads: 1,
      clock: 'media',
    },
    ...{ source: { name: 'clip.webm', kind: 'file', width: 320, height: 240 }, parameters: { method: 'robust' } },
    ...{ frames: 5, dropped: 0 },
  };
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-tables-'));
  const comments = { format: 'comments' };
  writeFileSync(path.join(folder, 'alone.csv'), toPupilCsv(recording, header));
  writeFileSync(path.join(folder, 'comments.csv'), toPupilCsv(recording, header, comments));
  writeFileSync(path.join(folder, 'both.csv'), toPupilCsv(recording, header, comments));
  writeFileSync(path.join(folder, 'both.json'), toPupilJson(recording, header));
  writeFileSync(path.join(folder, 'beside.csv'), toPupilCsv(recording, header));
  writeFileSync(path.join(folder, 'beside.csv.json'), toCsvJson(recording, header));
  return folder;
}
