/** Fixations: what lies between saccades and gaps (velocity threshold, Salvucci and Goldberg, ETRA 2000). */
import { resolveParameters, type Given } from '../runtime/parameters.ts';
import { readGaze, usable, type GazeSample } from './gaze.ts';
import { fixationParameters } from './gaze-parameters.ts';
import { saccadesOf } from './saccades.ts';
import { mean } from './statistics.ts';

export interface Fixation {
  /** ms: first and last sample. */
  start: number;
  end: number;
  /** Mean place, in the unit of the gaze. */
  x: number;
  y: number;
}

export type FixationOptions = Given<typeof fixationParameters>;

/**
 * Throws as saccades() does. `smallest` leaves microsaccades inside a fixation, for instance 1 where gaze is in degrees.
 */
export function fixations(samples: readonly GazeSample[], options: FixationOptions = {}): Fixation[] {
  const { shortestFixation, ...values } = resolveParameters(fixationParameters, options, 'fixations');
  const gaze = readGaze('fixations', samples, 5);
  const ok = usable(gaze, values.gapMargin);
  const moving = saccadesOf(gaze, values);
  const { t, x, y } = gaze;
  const found: Fixation[] = [];
  let rest: number[] = [];
  const close = () => {
    const [first, last] = [rest[0], rest.at(-1)];
    if (first !== undefined && last !== undefined && t[last]! - t[first]! >= shortestFixation)
      found.push({
        start: t[first]!,
        end: t[last]!,
        x: mean(rest.map((i) => x[i]!)),
        y: mean(rest.map((i) => y[i]!)),
      });
    rest = [];
  };
  let next = 0;
  for (let i = 0; i < t.length; i++) {
    while (next < moving.length && moving[next]!.end < t[i]!) {
      // A saccade between two samples parts them as well.
      if (rest.length && moving[next]!.end > t[rest.at(-1)!]!) close();
      next++;
    }
    const within = next < moving.length && moving[next]!.start <= t[i]!;
    if (within || !ok[i]) close();
    else rest.push(i);
  }
  close();
  return found;
}
