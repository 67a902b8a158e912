/** The one list of blinks, closures and losses of a recording, which chart, timeline, table, exports and reports read. */
import type { EyeEvent, EyeEventKind } from './types.ts';

/** In the order in which exports store them. */
export const eventKinds = ['blink', 'closure', 'loss'] as const satisfies readonly EyeEventKind[];

type Span = Pick<EyeEvent, 'onset' | 'offset' | 'final'>;

/** Whether a time lies in an event; one that is not final lasts up to its last frame. */
export const covers = ({ onset, offset, final }: Span, timestamp: number): boolean =>
  timestamp >= onset && (timestamp < offset || (!final && timestamp === offset));

/** The first of the list whose time is after this one; by bisection. */
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

/** The event of the list that covers this time, null where none does. Events of one pupil do not overlap. */
export function eventAt<E extends Span>(events: readonly E[], timestamp: number): E | null {
  const event = events[firstAfter(events, timestamp, ({ onset }) => onset) - 1];
  return event && covers(event, timestamp) ? event : null;
}

export class EventList {
  readonly #byPupil: EyeEvent[][] = [];

  /** Of both pupils, by their onsets. The last one of a pupil may not be final. */
  get all(): EyeEvent[] {
    const [first = [], second = []] = this.#byPupil;
    return second.length ? [...first, ...second].sort((a, b) => a.onset - b.onset) : [...first];
  }

  of(pupil: number): readonly EyeEvent[] {
    return this.#byPupil[pupil] ?? [];
  }

  /** Adds an event, in the place of what was known of it so far, which it returns. */
  settle(event: EyeEvent): EyeEvent | null {
    const events = (this.#byPupil[event.pupil] ??= []);
    const last = events.at(-1);
    const before = last && !last.final ? events.pop()! : null;
    events.push(event);
    return before;
  }

  /** Those that reach into a stretch of time. */
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
