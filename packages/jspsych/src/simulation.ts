/** Results for jsPsych's simulation mode: 30 frames per second, a slow change of the diameter, and a blink now and then. */
import type { EyeEvent } from 'foveola';
import type { RecordedResult } from './recorder.ts';

const INTERVAL = 1000 / 30;
/** A blink starts every 4 s and lasts 150 ms. */
const [BLINKS, CLOSED] = [4000, 150];

/** jsPsych's simulation mode, or null. Version 7 has another name for it, and version 8 does not declare it. */
export function simulationMode(jsPsych: object): string | null {
  const mode: unknown = Reflect.get(jsPsych, 'simulationMode') ?? Reflect.get(jsPsych, 'simulation_mode');
  return typeof mode === 'string' ? mode : null;
}

/** Results from `from` up to, but not including, `to`. Equal times give equal results. */
export function simulatedResults(from: number, to: number, millimetresPerPixel: number | null): RecordedResult[] {
  const results: RecordedResult[] = [];
  for (let i = Math.ceil(from / INTERVAL); i * INTERVAL < to; i++) {
    const timestamp = i * INTERVAL;
    const onset = Math.floor(timestamp / BLINKS) * BLINKS;
    const blink = timestamp - onset < CLOSED;
    const diameter = blink ? NaN : 60 + 6 * Math.sin(timestamp / 1700) + Math.sin(timestamp / 170);
    const events: EyeEvent[] = blink
      ? [{ kind: 'blink', onset, offset: onset + CLOSED, final: false, pupil: 0, eye: 'unknown' }]
      : [];
    const pupil = {
      eye: 'unknown' as const,
      found: !blink,
      confidence: blink ? 0 : 0.97,
      outlineConfidence: blink ? NaN : 0.95,
      x: blink ? NaN : 160,
      y: blink ? NaN : 120,
      diameter,
      diameterMm: millimetresPerPixel === null || blink ? null : diameter * millimetresPerPixel,
      ellipse: null,
      circle: { x: blink ? NaN : 160, y: blink ? NaN : 120, r: diameter / 2 },
      ...{ blink, votes: NaN, points: NaN },
    };
    const frame = { width: 320, height: 240, dropped: 0, backend: 'wasm' as const, clock: 'simulated' as const };
    results.push({ timestamp, pupils: [pupil], events, ...frame });
  }
  return results;
}
