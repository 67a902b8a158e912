/** Records a test: its samples, steps and markers on the clock of the frames, and the image quality. */
import {
  type About,
  evaluateTest,
  EventList,
  type EyeEvent,
  type EyeEventKind,
  type Laterality,
  notice,
  type Marker,
  type PlannedStep,
  type Protocol,
  type PupilResult,
  QualityMeter,
  type RecordingQuality,
  type ResultBackend,
  type Stimulus,
  type StimulusScreen,
  type TestMeasures,
  version,
} from '../../src/index.ts';
import { stimulusOf } from '../../src/internal.ts';
import type { FoveolaPupil } from '../pupil/pupil.component.ts';

/** One eye in one frame. `diameter` is NaN if no pupil was found. */
export interface TestSample {
  /** The person's left or right eye. */
  eye: Laterality;
  /** Milliseconds on the clock of the frames. */
  timestamp: number;
  /** In the result's unit. */
  diameter: number;
  confidence: number;
  blink: boolean;
  /** Event at this time. */
  event: EyeEventKind | null;
}

/** A step, with the times at which it was visible. */
export interface TestStep {
  /** Path in the protocol, as in `steps[2].steps[0]`. */
  path: string;
  type: PlannedStep['step']['type'];
  /** Flashes: the person's eye that is stimulated. Other steps: null. */
  eye: 'both' | 'left' | 'right' | null;
  /** Flashes: the light, as far as the screen is known. Other steps: null. */
  stimulus: Stimulus | null;
  /** Repetition of its repeat step, starting at 1. */
  round: number;
  label: string | null;
  /** Milliseconds on the clock of the frames, later by the lag of the screen. `offset` is null if it was interrupted. */
  onset: number;
  offset: number | null;
}

export interface PupilTestResult {
  software: 'foveola';
  version: string;
  notice: string;
  /** Only in exports, if any of its texts was given. */
  about?: About;
  protocol: Protocol;
  /** The screen as described to the element. */
  screen: StimulusScreen | null;
  /** ISO 8601 wall-clock time of the start. */
  started: string;
  /** Whether the protocol was finished. */
  complete: boolean;
  /** Millimeters with a calibration, otherwise image pixels. */
  unit: 'mm' | 'px';
  /** One list per eye, the left half of the image first. The samples contain which eye it is. */
  eyes: TestSample[][];
  /** Blinks, closures and losses, sorted by onset. */
  events: EyeEvent[];
  steps: TestStep[];
  markers: Marker[];
  quality: RecordingQuality;
  /** By the protocol's `measure`. Diameters are in `unit`. */
  measures: TestMeasures;
  backend: ResultBackend | null;
}

/** Maximum length of a test whose quality is assessed as a whole, in seconds: one day. */
const WHOLE = 86_400;

/** A warning in a smaller fraction of the frames concerns a moment, not the recording. */
const OFTEN = 0.1;

export class TestRecord {
  readonly #protocol: Protocol;
  readonly #screen: StimulusScreen | null;
  /** Diameters in pixels, and in millimeters if known. One of the two is returned at the end. */
  readonly #eyes: TestSample[][];
  readonly #scaled: number[][] = [[], []];
  readonly #steps: TestStep[] = [];
  readonly #markers: Marker[] = [];
  readonly #meter: QualityMeter;
  readonly #events = new EventList();
  /** Number of frames by warning. */
  readonly #warned = new Map<string, number>();
  #millimetres = true;
  #side: ResultBackend | null = null;
  readonly #started = new Date().toISOString();

  constructor(protocol: Protocol, screen: StimulusScreen | null = null) {
    this.#protocol = protocol;
    this.#screen = screen;
    const eyes = protocol.eyes ?? 1;
    this.#eyes = Array.from({ length: eyes }, () => []);
    this.#meter = new QualityMeter(eyes, WHOLE);
  }

  add(result: PupilResult): void {
    this.#meter.add(result);
    this.#side = this.#side && this.#side !== result.backend ? 'both' : result.backend;
    for (const text of result.warnings ?? []) this.#warned.set(text, (this.#warned.get(text) ?? 0) + 1);
    for (const event of result.events) if (event.pupil < this.#eyes.length) this.#events.settle(event);
    for (const [i, samples] of this.#eyes.entries()) {
      const pupil = result.pupils[i];
      const found = pupil?.found ?? false;
      if (found && pupil!.diameterMm === null) this.#millimetres = false;
      samples.push({
        eye: pupil?.eye ?? 'unknown',
        timestamp: result.timestamp,
        diameter: found ? pupil!.diameter : NaN,
        confidence: pupil?.confidence ?? 0,
        ...{ blink: false, event: null }, // known at the end
      });
      this.#scaled[i]!.push(found ? (pupil!.diameterMm ?? NaN) : NaN);
    }
  }

  seen({ step, path, round, luminance }: PlannedStep, at: number): void {
    const { label = null } = step as { label?: string };
    const flash = step.type === 'flash' ? step : null;
    const eye = flash && (flash.eye ?? 'both');
    const stimulus = flash && stimulusOf(flash, luminance, this.#screen ?? {});
    this.#steps.push({ path, type: step.type, eye, stimulus, round, label, onset: at, offset: null });
    if (label !== null) this.mark(label, at);
  }

  over(at: number): TestStep | null {
    const last = this.#steps.at(-1);
    if (!last || last.offset !== null) return null;
    last.offset = at;
    return last;
  }

  mark(label: string, timestamp: number): Marker {
    const marker = { label, timestamp };
    this.#markers.push(marker);
    return marker;
  }

  result(complete: boolean): PupilTestResult {
    const found = this.#eyes.some((samples) => samples.some(({ diameter }) => !Number.isNaN(diameter)));
    const scaled = this.#millimetres && found;
    const eyes = this.#eyes.map((samples, i) =>
      samples.map((sample, n): TestSample => {
        const event = this.#events.at(sample.timestamp, i)?.kind ?? null;
        return { ...sample, ...(scaled && { diameter: this.#scaled[i]![n]! }), blink: event === 'blink', event };
      }),
    );
    const protocol = this.#protocol;
    const steps = this.#steps;
    const measures = evaluateTest({ protocol, eyes, steps });
    const frames = this.#eyes[0]!.length;
    for (const [text, times] of this.#warned)
      if (times >= OFTEN * frames) measures.warnings.push(`${text} (${times} of ${frames} frames)`);
    return {
      ...{
        software: 'foveola' as const,
        version,
        notice,
        protocol,
        screen: this.#screen,
        started: this.#started,
        complete,
      },
      ...{ unit: scaled ? ('mm' as const) : ('px' as const), eyes, steps, markers: this.#markers },
      events: this.#events.all,
      ...{ quality: this.#meter.judge(), measures, backend: this.#side },
    };
  }
}

/** JSON of a test. Missing numbers are null. The samples are only in `eyes`. */
export const testJson = (result: PupilTestResult): string =>
  JSON.stringify(
    result,
    (key, value: unknown) => {
      if (key === 'samples') return undefined;
      if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
      return typeof value === 'number' && !Number.isFinite(value) ? null : value;
    },
    1,
  );

// Records a test while it runs. Events arrive on the page's time line (performance.now) and are stored on the clock
// of the frames. Markers are also added to the recording of the measuring element.

/** Members of the measuring element used here. */
type Measuring = Pick<FoveolaPupil, 'now' | 'mark'>;

export class TestJournal {
  readonly #tracker: () => Measuring | null;
  readonly #marked: (marker: Marker) => void;
  readonly #record: TestRecord;
  /** Time from a change in the page until its light, ms. */
  readonly #lag: number;
  #converted = { at: NaN, time: NaN };

  /** `marked`: called when a marker was set. */
  constructor(
    protocol: Protocol,
    screen: StimulusScreen | null,
    tracker: () => Measuring | null,
    marked: (marker: Marker) => void,
  ) {
    this.#record = new TestRecord(protocol, screen);
    this.#lag = screen?.lag ?? 0;
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
    const timestamp = this.#onFrames(at + this.#lag);
    this.#record.seen(planned, timestamp);
    const { label } = planned.step as { label?: string };
    if (label === undefined) return;
    this.#tracker()?.mark(label, timestamp);
    this.#marked({ label, timestamp });
  }

  /** The step is no longer visible. */
  over({ step }: PlannedStep, at: number): void {
    const dark = at + this.#lag;
    const over = this.#record.over(this.#onFrames(dark));
    if (over && step.type === 'flash') this.mark(`${over.label ?? 'flash'} end`, dark);
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
