/** What a test leaves behind: its samples, steps and markers on the clock of the frames, and how good the picture was. */
import {
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
  type TestMeasures,
  version,
} from '../../src/index.ts';

/** One eye in one frame. `diameter` is NaN where no pupil was found. */
export interface TestSample {
  /** Whose eye. */
  eye: Laterality;
  /** Milliseconds on the clock of the frames. */
  timestamp: number;
  /** In the result's unit. */
  diameter: number;
  confidence: number;
  blink: boolean;
  /** The event that covers it. */
  event: EyeEventKind | null;
}

/** A step as it was seen. */
export interface TestStep {
  /** Where it stands in the protocol, as in `steps[2].steps[0]`. */
  path: string;
  type: PlannedStep['step']['type'];
  /** Of a flash: the eye of the person that it lights; null of other steps. */
  eye: 'both' | 'left' | 'right' | null;
  /** 1 for the first time of its repeat. */
  round: number;
  label: string | null;
  /** Milliseconds on the clock of the frames; `offset` is null where it was cut short. */
  onset: number;
  offset: number | null;
}

export interface PupilTestResult {
  software: 'foveola';
  version: string;
  notice: string;
  protocol: Protocol;
  /** ISO 8601 wall-clock time of the beginning. */
  started: string;
  /** Whether the protocol came to its end. */
  complete: boolean;
  /** Millimetres with a calibration, else pixels of the picture. */
  unit: 'mm' | 'px';
  /** One list an eye, the left half of the picture first; whose eye it is, the samples say. */
  eyes: TestSample[][];
  /** Blinks, closures and losses, by their onsets. */
  events: EyeEvent[];
  steps: TestStep[];
  markers: Marker[];
  quality: RecordingQuality;
  /** By the protocol's `measure`; diameters in `unit`. */
  measures: TestMeasures;
  backend: ResultBackend | null;
}

/** Longest test whose quality is judged as a whole, s: a day. */
const WHOLE = 86_400;

/** What results warn of in a smaller share of the frames is a moment, and not the recording. */
const OFTEN = 0.1;

export class TestRecord {
  readonly #protocol: Protocol;
  /** Diameters in pixels, and the same in millimetres where they are known: at the end one of the two is given. */
  readonly #eyes: TestSample[][];
  readonly #scaled: number[][] = [[], []];
  readonly #steps: TestStep[] = [];
  readonly #markers: Marker[] = [];
  readonly #meter: QualityMeter;
  readonly #events = new EventList();
  /** Frames by what their results warn of. */
  readonly #warned = new Map<string, number>();
  #millimetres = true;
  #side: ResultBackend | null = null;
  readonly #started = new Date().toISOString();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
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

  seen({ step, path, round }: PlannedStep, at: number): void {
    const { label = null } = step as { label?: string };
    const eye = step.type === 'flash' ? (step.eye ?? 'both') : null;
    this.#steps.push({ path, type: step.type, eye, round, label, onset: at, offset: null });
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
      ...{ software: 'foveola' as const, version, notice, protocol, started: this.#started, complete },
      ...{ unit: scaled ? ('mm' as const) : ('px' as const), eyes, steps, markers: this.#markers },
      events: this.#events.all,
      ...{ quality: this.#meter.judge(), measures, backend: this.#side },
    };
  }
}

/** JSON of a test; a number that is not there is null. The samples stand in `eyes` alone. */
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
