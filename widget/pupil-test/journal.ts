/**
 * What is written down of a test while it runs: everything comes on the page's time line (performance.now), and is kept on the
 * clock of the frames. Markers go to the recording of the element that measures as well.
 */
import type { Marker, PlannedStep, Protocol, PupilResult } from '../../src/index.ts';
import type { FoveolaPupil } from '../pupil/pupil.component.ts';
import { type PupilTestResult, TestRecord } from './test-record.ts';

/** What is needed of the element that measures. */
type Measuring = Pick<FoveolaPupil, 'now' | 'mark'>;

export class TestJournal {
  readonly #tracker: () => Measuring | null;
  readonly #marked: (marker: Marker) => void;
  readonly #record: TestRecord;
  #converted = { at: NaN, time: NaN };

  /** `marked`: a marker was set. */
  constructor(protocol: Protocol, tracker: () => Measuring | null, marked: (marker: Marker) => void) {
    this.#record = new TestRecord(protocol);
    this.#tracker = tracker;
    this.#marked = marked;
  }

  /** A frame was measured. */
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

  /** A step was seen from then on. */
  seen(planned: PlannedStep, at: number): void {
    const timestamp = this.#onFrames(at);
    this.#record.seen(planned, timestamp);
    const { label } = planned.step as { label?: string };
    if (label === undefined) return;
    this.#tracker()?.mark(label, timestamp);
    this.#marked({ label, timestamp });
  }

  /** The step is no longer seen. */
  over({ step }: PlannedStep, at: number): void {
    const over = this.#record.over(this.#onFrames(at));
    if (over && step.type === 'flash') this.mark(`${over.label ?? 'flash'} end`, at);
  }

  result(complete: boolean): PupilTestResult {
    return this.#record.result(complete);
  }

  /** The same time twice gives the same. */
  #onFrames(at: number): number {
    if (this.#converted.at !== at)
      this.#converted = { at, time: (this.#tracker()?.now ?? performance.now()) - (performance.now() - at) };
    return this.#converted.time;
  }
}
