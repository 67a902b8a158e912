/** record(): the pupil that a camera sees over time, for pages without an element. */
import type { Engine } from './api.ts';
import { createEngine } from './engine.ts';
import { openCamera, type CameraOptions } from './frames/camera.ts';
import { frames } from './frames/frames.ts';
import { toPupilCsv, toPupilJson, type PupilExportOptions } from './pupil/export.ts';
import { pupilParameters } from './pupil/parameters.ts';
import { addEvents, pupilColumns, pupilRows, type Clock } from './results/export-pupil.ts';
import { notice, Recording, type Marker, type RecordingHeader } from './results/recording.ts';
import type { PupilResult } from './results/types.ts';
import { version } from './results/version.ts';
import { FoveolaError } from './runtime/error.ts';
import { resolveParameters } from './runtime/parameters.ts';

type TrackerParameters = NonNullable<Parameters<Engine['createPupilTracker']>[0]>;

export interface RecordOptions {
  /** Which camera to open, if no stream is passed. Default: the one that faces the user. */
  camera?: CameraOptions;
  /** Options of the tracker, such as `method`, `eyes`, `view` and `millimetresPerPixel`. */
  tracker?: TrackerParameters;
  /** Engine of the page. It is not disposed. Default: a new one. */
  engine?: Engine;
  /** Receives each result with the clock of its timestamp. */
  onResult?: (result: PupilResult & { clock: Clock }) => void;
}

/** The pupil in a period, such as a trial. A value that is not known is null. */
export interface PeriodMeasures {
  /** Mean diameter outside of blinks, closures and losses, over all eyes, in `unit`. */
  diameter: number | null;
  /** 'mm' if `millimetresPerPixel` is set. Otherwise 'px'. */
  unit: 'mm' | 'px';
  /** Number of blinks that start in the period. */
  blinks: number;
  frames: number;
  /** Share of the frames with a pupil, 0 to 1. Null without frames. */
  found: number | null;
  /** Whether all frames of the period have arrived. */
  complete: boolean;
}

/** Maximum time to wait for the last frames of a period, in ms. Cameras deliver them late. */
const PATIENCE = 500;

const at = Object.fromEntries(pupilColumns.map(({ name }, index) => [name, index])) as Record<string, number>;
const mean = (values: readonly number[]) =>
  values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : null;

/** Made by `record`. All times are in milliseconds of `performance.now()`. */
export class PupilRecorder {
  readonly recording = new Recording(pupilColumns);
  /** The camera, once it is open. */
  stream: MediaStream | null;
  /** Why the camera or the tracker stopped. Null if nothing failed. */
  error: unknown = null;
  readonly #options: RecordOptions;
  readonly #ending = new AbortController();
  readonly #waiting = new Set<() => void>();
  #reading: Promise<void> | null = null;
  #opened: { stop(): void } | null = null;
  #tracker: ReturnType<Engine['createPupilTracker']> | null = null;
  #engine: Engine | null = null;
  #ended = false;
  #last: { result: PupilResult; clock: Clock } | null = null;
  #parameters: Record<string, unknown> = {};
  #started: string | null = null;
  #frames = 0;
  #dropped = 0;

  constructor(stream: MediaStream | null, options: RecordOptions) {
    this.stream = stream;
    this.#options = options;
  }

  /**
   * Opens the camera, unless a stream was passed, and starts to measure.
   * @returns a promise that resolves when the first frame is measured
   * @throws {FoveolaError} (rejects) 'camera-denied' and other errors of `openCamera`; 'invalid-argument' if it has
   * already started
   */
  async start(): Promise<void> {
    if (this.#reading)
      throw new FoveolaError('invalid-argument', 'The recorder has already started. Call record() again.');
    this.#reading = this.#read();
    await this.#until(-Infinity, Infinity);
    if (!this.#frames)
      throw this.error ?? new FoveolaError('aborted', 'The recording was stopped before its first frame.');
  }

  /** Sets a marker. It belongs to the first frame at or after its time. Default: now. */
  mark(label: string, timestamp: number = performance.now()): Marker {
    return this.recording.mark(String(label), timestamp);
  }

  /** Measures a period. Waits up to 500 ms for its last frames. `to` is now, by default. */
  async measure(from: number, to: number = performance.now()): Promise<PeriodMeasures> {
    const complete = await this.#until(to, PATIENCE);
    const { recording } = this;
    let first = recording.length;
    while (first > 0 && recording.at(first - 1, at.timestamp!) >= from) first--;
    const rows = Array.from({ length: recording.length - first }, (_, i) => first + i).filter(
      (row) => recording.at(row, at.timestamp!) < to,
    );
    const value = (row: number, name: string) => recording.at(row, at[name]!);
    const found = rows.filter((row) => value(row, 'found') === 1);
    const unit = found.some((row) => !Number.isNaN(value(row, 'diameterMm'))) ? 'mm' : 'px';
    const open = found.filter((row) => Number.isNaN(value(row, 'event')));
    const diameters = open.map((row) => value(row, unit === 'mm' ? 'diameterMm' : 'diameter'));
    return {
      diameter: mean(diameters.filter((one) => !Number.isNaN(one))),
      unit,
      blinks: recording.events.all.filter(({ kind, onset }) => kind === 'blink' && onset >= from && onset < to).length,
      frames: new Set(rows.map((row) => value(row, 'frame'))).size,
      found: mean(rows.map((row) => value(row, 'found'))),
      complete,
    };
  }

  /** Waits up to 500 ms for the last frames, closes what was opened, and returns the table. It may be called again. */
  async stop(): Promise<PupilRecord> {
    if (!this.#ended && this.#frames) await this.#until(performance.now(), PATIENCE);
    this.#ending.abort();
    await this.#reading;
    return new PupilRecord(this.recording, this.header);
  }

  /** Metadata of the exports. */
  get header(): RecordingHeader {
    const { result, clock } = this.#last ?? {};
    const { gpu = null, threads = 0, backend = '' } = this.#engine?.capabilities ?? {};
    return {
      ...{ software: 'foveola', version, notice, started: this.#started },
      source: {
        name: this.stream?.getVideoTracks()[0]?.label ?? '',
        ...{ kind: 'camera', sha256: null, width: result?.width ?? 0, height: result?.height ?? 0 },
      },
      parameters: this.#parameters,
      ...{ backend: result?.backend ?? backend, renderer: gpu, threads, clock: clock ?? '' },
      ...{ frames: this.#frames, dropped: this.#dropped },
    };
  }

  async #read(): Promise<void> {
    try {
      await this.#measureFrames();
    } catch (error) {
      if (!this.#ending.signal.aborted) this.error = error;
    }
    this.#ended = true;
    for (const wake of this.#waiting) wake();
    await this.#tracker?.dispose();
    if (!this.#options.engine) await this.#engine?.dispose();
    this.#opened?.stop();
  }

  async #measureFrames(): Promise<void> {
    const { camera, tracker, engine } = this.#options;
    const { signal } = this.#ending;
    const { millimetresPerPixel, ...others } = tracker ?? {};
    const given = { ...others, ...(millimetresPerPixel && { millimetresPerPixel }) }; // null is none
    this.#parameters = resolveParameters(pupilParameters, given, 'record');
    if (!this.stream) {
      const opened = await openCamera({ facing: 'user', ...camera });
      this.#opened = opened;
      this.stream = opened.stream;
    }
    this.#engine = engine ?? (await createEngine());
    this.#tracker = this.#engine.createPupilTracker(tracker);
    let frame = -1;
    // Frames are measured one at a time. While one is measured, newer ones replace each other and count as dropped.
    for await (const { frame: image, timestamp, mediaTime, clock, dropped } of frames(this.stream, { signal })) {
      const result = await this.#tracker.process(image, { timestamp, dropped });
      frame += 1 + dropped;
      this.#add(result, { frame, timestamp, mediaTime, clock, dropped, throttled: 0 });
    }
  }

  #add(result: PupilResult, timing: Parameters<typeof pupilRows>[1]): void {
    this.#started ??= new Date().toISOString();
    // Frames before the first row are not missing in the recording.
    if (this.#frames++) this.#dropped += timing.dropped;
    this.#last = { result, clock: timing.clock };
    for (const row of pupilRows(result, timing)) this.recording.push(row);
    addEvents(this.recording, result.events);
    this.#options.onResult?.({ ...result, clock: timing.clock });
    for (const wake of this.#waiting) wake();
  }

  /** Resolves to true once a frame from this time or later is measured. False after `patience` ms, or at the end. */
  #until(time: number, patience: number): Promise<boolean> {
    const arrived = () => this.#last !== null && this.#last.result.timestamp >= time;
    return new Promise((resolve) => {
      const wake = () => {
        if (!arrived() && !this.#ended) return;
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(arrived());
      };
      const timer = Number.isFinite(patience) ? setTimeout(() => {
        this.#waiting.delete(wake);
        resolve(false);
      }, patience) : undefined; // prettier-ignore
      this.#waiting.add(wake);
      wake();
    });
  }
}

/** The table of a recording and its texts. */
export class PupilRecord {
  readonly recording: Recording;
  readonly header: RecordingHeader;

  constructor(recording: Recording, header: RecordingHeader) {
    this.recording = recording;
    this.header = header;
  }

  get markers(): readonly Marker[] {
    return this.recording.markers;
  }

  /** One row per frame, as `toPupilCsv`. */
  csv(options?: PupilExportOptions): string {
    return toPupilCsv(this.recording, this.header, options);
  }

  /** With events, markers and metadata, as `toPupilJson`. */
  json(options?: PupilExportOptions): string {
    return toPupilJson(this.recording, this.header, options);
  }
}

/**
 * Creates a recorder of the pupil. Nothing is opened before its `start()`.
 * @param stream a camera that the page has opened. It is not stopped. Default: `start()` opens a camera
 */
export const record = (stream: MediaStream | null = null, options: RecordOptions = {}): PupilRecorder =>
  new PupilRecorder(stream, options);
