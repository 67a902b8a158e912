/** The samples of all trials as files in the format of BIDS eye tracking. */
import type { Foveola } from './extension.ts';

interface Sample {
  t: number;
  diameter: number | null;
  diameter_mm: number | null;
  x: number | null;
  y: number | null;
  eye: string;
}
type Event = { kind: 'blink' | 'closure' | 'loss'; eye: string; onset: number; offset: number; final: boolean };

/** The samples of all trials as files, on the clock of performance.now(). Samples of the other eye are left out. */
export function bidsFiles(
  { FoveolaError, toBids }: Foveola,
  rows: readonly Record<string, unknown>[],
  name: string,
  recordedEye: 'left' | 'right',
) {
  const trials = rows.filter(({ pupil_samples }) => Array.isArray(pupil_samples));
  const of = ({ eye }: { eye: string }) => eye === recordedEye || eye === 'unknown';
  const samples = trials.flatMap((trial) =>
    (trial.pupil_samples as Sample[]).filter(of).map((one) => ({ ...one, at: (trial.pupil_onset as number) + one.t })),
  );
  const events = trials.flatMap((trial) =>
    (trial.pupil_events as Event[]).filter(of).map((one) => ({
      ...one,
      onset: (trial.pupil_onset as number) + one.onset,
      offset: (trial.pupil_onset as number) + one.offset,
    })),
  );
  if (!samples.length)
    throw new FoveolaError('invalid-argument', 'toBids: no trial has samples of this eye. Check `view` and `eye`.');
  const scaled = samples.every(({ diameter, diameter_mm }) => diameter === null || diameter_mm !== null);
  return toBids({
    ...{ name, recordedEye, coordinateSystem: 'eye-in-head', coordinateUnit: 'pixel' },
    timestamp: samples.map(({ at }) => at),
    x: samples.map(({ x }) => x ?? NaN),
    y: samples.map(({ y }) => y ?? NaN),
    pupil: samples.map(({ diameter, diameter_mm }) => (scaled ? diameter_mm : diameter) ?? NaN),
    pupilUnit: scaled ? 'mm' : 'px',
    // An event that spans two trials is in the data of both.
    events: events.filter(({ onset }, i) => !i || Math.abs(onset - events[i - 1]!.onset) > 0.1),
  });
}
