/** The only list of blinks, closures and losses of a recording. Chart, timeline, table, exports and reports read it. */
import type { EyeEvent, EyeEventKind } from './types.ts';

/** In the order that exports store them. */
export const eventKinds = ['blink', 'closure', 'loss'] as const satisfies readonly EyeEventKind[];

type Span = Pick<EyeEvent, 'onset' | 'offset' | 'final'>;

/** Whether a time is inside an event. An event that is not final includes its last frame. */
export const covers = ({ onset, offset, final }: Span, timestamp: number): boolean =>
  timestamp >= onset && (timestamp < offset || (!final && timestamp === offset));

/** Index of the first event whose time is after this one, by bisection. */
function firstAfter<E>(events: readonly E[], timestamp: number, timeOf: (event: E) => number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(events[middle]!) <= timestamp) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The event that covers this time, or null. Events of one pupil do not overlap. */
export function eventAt<E extends Span>(events: readonly E[], timestamp: number): E | null {
  const event = events[firstAfter(events, timestamp, ({ onset }) => onset) - 1];
  return event && covers(event, timestamp) ? event : null;
}

export class EventList {
  readonly #byPupil: EyeEvent[][] = [];

  /** Events of both pupils, ordered by onset. The last event of a pupil may not be final. */
  get all(): EyeEvent[] {
    const [first = [], second = []] = this.#byPupil;
    return second.length ? [...first, ...second].sort((a, b) => a.onset - b.onset) : [...first];
  }

  of(pupil: number): readonly EyeEvent[] {
    return this.#byPupil[pupil] ?? [];
  }

  /** Adds an event. Replaces the earlier version of the event, if there is one, and returns it. */
  settle(event: EyeEvent): EyeEvent | null {
    const events = (this.#byPupil[event.pupil] ??= []);
    const last = events.at(-1);
    const before = last && !last.final ? events.pop()! : null;
    events.push(event);
    return before;
  }

  /** Events that overlap a period. */
  between(from: number, to: number, pupil: number): readonly EyeEvent[] {
    const events = this.of(pupil);
    return events.slice(
      firstAfter(events, from, ({ offset }) => offset),
      firstAfter(events, to, ({ onset }) => onset),
    );
  }

  at(timestamp: number, pupil: number): EyeEvent | null {
    return eventAt(this.of(pupil), timestamp);
  }

  clear(): void {
    this.#byPupil.length = 0;
  }
}
