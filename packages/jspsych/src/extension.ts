/** The jsPsych extension: opens the camera once, and adds the columns of trial-data.ts to each trial that names it. */
import type { CameraOptions, Engine, RecordingQuality } from 'foveola';
import type { JsPsych, JsPsychExtension, JsPsychExtensionInfo } from 'jspsych';
import { version } from '../package.json';
import type { Delay } from './delay.ts';
import { bidsFiles } from './bids.ts';
import { Recorder, type RecordedResult } from './recorder.ts';
import { simulatedResults, simulationMode } from './simulation.ts';
import { columns, messageOf, trialData } from './trial-data.ts';

export type Foveola = typeof import('foveola');
type TrackerParameters = NonNullable<Parameters<Engine['createPupilTracker']>[0]>;

/** Parameters of the extension in `initJsPsych({ extensions: [{ type: PupilExtension, params }] })`. All are optional. */
export interface PupilExtensionParameters {
  /** A camera that the page has opened, for instance shared with another extension. It is not stopped. */
  stream?: MediaStream;
  /** Which camera to open, without `stream`. Default: the one that faces the user. */
  camera?: CameraOptions;
  /** Results of your own tracker, in place of a camera. */
  results?: AsyncIterable<RecordedResult>;
  /** Options of foveola's pupil tracker, such as `method`, `eyes`, `view` and `millimetresPerPixel`. */
  tracker?: TrackerParameters;
  /** Engine of the page. It is not disposed. Default: a new one. */
  engine?: Engine;
  /** Delay from screen to camera, measured earlier on this device. */
  delay?: Delay;
  /** The library. Pages without a bundler pass `import('./foveola/foveola.js')`. Default: `import('foveola')`. */
  library?: Foveola | Promise<Foveola>;
}

/** Maximum time to wait for the frames of a trial's end, in ms. */
const PATIENCE = 500;
/** Duration of the data of a trial that takes no time, as in 'data-only' simulation, in ms. */
const SIMULATED = 1000;

export class PupilExtension implements JsPsychExtension {
  static readonly info: JsPsychExtensionInfo = { name: 'foveola-pupil', version, data: columns };

  /** Delay from screen to camera. Null until it is measured or set. */
  delay: Delay | null = null;
  /** The camera. Null in a simulation, and with `results`. */
  stream: MediaStream | null = null;
  /** Resolves when the camera and the engine are open. Rejects with a FoveolaError that says what to change. */
  ready: Promise<void> = Promise.reject(new Error('The extension is not in initJsPsych({ extensions }).'));

  readonly #jsPsych: JsPsych;
  #library!: Foveola;
  #recorder: Recorder | null = null;
  #tracker: ReturnType<Engine['createPupilTracker']> | null = null;
  #failure: unknown = null;
  #eyes: 1 | 2 = 1;
  #scale: number | null = null;
  #from = 0;
  #simulatedTo = 0;
  #close: () => Promise<void> = async () => {};

  constructor(jsPsych: JsPsych) {
    this.#jsPsych = jsPsych;
    this.ready.catch(() => {}); // a plug-in that waits for it gets the error
  }

  /** True in jsPsych's simulation mode: no camera is opened, and `pupil_clock` is 'simulated'. */
  get simulated(): boolean {
    return simulationMode(this.#jsPsych) !== null;
  }

  get library(): Foveola {
    return this.#library;
  }

  async initialize(params: PupilExtensionParameters = {}): Promise<void> {
    this.ready = this.#open(params).catch((error: unknown) => {
      this.#failure = error; // jsPsych 8 does not wait for this method, so the trials have the message as well
      throw error;
    });
    await this.ready;
  }

  on_start(): void {
    this.#recorder?.forget(performance.now());
    this.#from = performance.now();
  }

  on_load(): void {
    this.#from = performance.now();
  }

  async on_finish(): Promise<Record<string, unknown>> {
    const to = performance.now();
    if (this.simulated) return this.#simulatedData(to);
    const recorder = this.#recorder;
    if (!recorder)
      return { pupil_error: messageOf(this.#failure ?? 'The camera is not open yet. Start with a camera preview.') };
    const complete = await recorder.until(to, PATIENCE);
    return this.#data(recorder, this.#from, to, complete);
  }

  /** Trials of a 'data-only' simulation take no time, so their data follow each other on a clock that is ahead. */
  async #simulatedData(now: number): Promise<Record<string, unknown>> {
    await this.ready;
    const from = Math.max(this.#from, this.#simulatedTo);
    const to = Math.max(now, from + SIMULATED);
    this.#simulatedTo = to;
    const recorder = new Recorder(new this.#library.EventList());
    for (const result of simulatedResults(from, to, this.#scale)) recorder.add(result);
    return this.#data(recorder, from, to, true);
  }

  #data(recorder: Recorder, from: number, to: number, complete: boolean): Record<string, unknown> {
    return trialData(new this.#library.QualityMeter(this.#eyes, Infinity), {
      results: recorder.between(from, to),
      events: recorder.eventsBetween(from, to),
      ...{ from, to, complete, delay: this.delay, error: recorder.error },
    });
  }

  /** Results from `from` up to `to`, in ms of performance.now(). Waits for the frames of the end. */
  async results(from: number, to: number): Promise<RecordedResult[]> {
    if (this.simulated) return simulatedResults(from, to, this.#scale);
    await this.#recorder?.until(to, PATIENCE);
    return this.#recorder?.between(from, to) ?? [];
  }

  /** Quality of the last `seconds`. */
  quality(seconds = 3): RecordingQuality {
    const meter = new this.#library.QualityMeter(this.#eyes, seconds);
    const now = performance.now();
    const results = this.#recorder?.between(now - seconds * 1000, now) ?? [];
    for (const result of results) meter.add(result);
    return meter.judge();
  }

  /** Sets the millimeters per pixel of all later results. Null removes the scale. */
  async setScale(millimetresPerPixel: number | null): Promise<void> {
    this.#scale = millimetresPerPixel;
    await this.#tracker?.setParameters({ millimetresPerPixel });
  }

  /**
   * Files of the whole experiment in the format of BIDS eye tracking. Call it at the end.
   * @param name prefix of the file names, for instance 'sub-01_task-stroop'
   * @param recordedEye the eye of the person
   * @throws {FoveolaError} 'invalid-argument'
   */
  toBids(name: string, recordedEye: 'left' | 'right') {
    const rows = this.#jsPsych.data.get().values() as Record<string, unknown>[];
    return bidsFiles(this.#library, rows, name, recordedEye);
  }

  /** Stops the camera and the engine that the extension has opened. */
  async dispose(): Promise<void> {
    await this.#close();
  }

  async #open({ stream, camera, results, tracker, engine, delay, library }: PupilExtensionParameters): Promise<void> {
    this.#library = await (library ?? import('foveola'));
    const { createEngine, EventList, frames, openCamera } = this.#library;
    this.delay = delay ?? null;
    this.#eyes = tracker?.eyes === 2 ? 2 : 1;
    this.#scale = tracker?.millimetresPerPixel || null;
    const recorder = new Recorder(new EventList());
    if (this.simulated) return;
    if (results) {
      this.#recorder = recorder;
      recorder.read(results).catch(() => {}); // it does not reject
      return;
    }
    const opened = stream ? null : await openCamera({ facing: 'user', ...camera });
    this.stream = stream ?? opened!.stream;
    const running = engine ?? (await createEngine());
    this.#tracker = running.createPupilTracker(tracker);
    const ending = new AbortController();
    const reading = recorder.read(track(frames(this.stream, { signal: ending.signal }), this.#tracker));
    this.#recorder = recorder;
    this.#close = async () => {
      ending.abort();
      await reading;
      await this.#tracker?.dispose();
      if (!engine) await running.dispose();
      opened?.stop();
    };
  }
}

/** Frames are measured one at a time. While one is measured, newer ones replace each other and count as dropped. */
async function* track(
  frames: ReturnType<Foveola['frames']>,
  tracker: ReturnType<Engine['createPupilTracker']>,
): AsyncGenerator<RecordedResult> {
  for await (const { frame, timestamp, clock, dropped } of frames) {
    yield { ...(await tracker.process(frame, { timestamp, dropped })), clock };
  }
}
