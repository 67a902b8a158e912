/**
 * Records a test while it runs. Events arrive on the page's time line (performance.now) and are stored on the clock of
 * the frames. Markers are also added to the recording of the measuring element.
 */
import type { Marker, PlannedStep, Protocol, PupilResult } from '../../src/index.ts';
import type { FoveolaPupil } from '../pupil/pupil.component.ts';
import { type PupilTestResult, TestRecord } from './test-record.ts';

/** Members of the measuring element used here. */
type Measuring = Pick<FoveolaPupil, 'now' | 'mark'>;

export class TestJournal {
  readonly #tracker: () => Measuring | null;
  readonly #marked: (marker: Marker) => void;
  readonly #record: TestRecord;
  #converted = { at: NaN, time: NaN };

  /** `marked`: called when a marker was set. */
  constructor(protocol: Protocol, tracker: () => Measuring | null, marked: (marker: Marker) => void) {
    this.#record = new TestRecord(protocol);
    this.#tracker = tracker;
    this.#marked = marked;
  }

  /** Adds the result of a measured frame. */
  add(result: PupilResult): void {
    this.#record.add(result);
  }

  mark(label: string, at: number): Marker {
    const timestamp = this.#onFrames(at);
    this.#tracker()?.mark(label, timestamp);
    const marker = this.#record.mark(label, timestamp);
    this.#marked(marker);
    return marker;
  }

  /** A step became visible at this time. */
  seen(planned: PlannedStep, at: number): void {
    const timestamp = this.#onFrames(at);
    this.#record.seen(planned, timestamp);
    const { label } = planned.step as { label?: string };
    if (label === undefined) return;
    this.#tracker()?.mark(label, timestamp);
    this.#marked({ label, timestamp });
  }

  /** The step is no longer visible. */
  over({ step }: PlannedStep, at: number): void {
    const over = this.#record.over(this.#onFrames(at));
    if (over && step.type === 'flash') this.mark(`${over.label ?? 'flash'} end`, at);
  }

  result(complete: boolean): PupilTestResult {
    return this.#record.result(complete);
  }

  /** Equal times map to equal times. */
  #onFrames(at: number): number {
    if (this.#converted.at !== at)
      this.#converted = { at, time: (this.#tracker()?.now ?? performance.now()) - (performance.now() - at) };
    return this.#converted.time;
  }
}
