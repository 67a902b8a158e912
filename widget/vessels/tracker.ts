/**
 * Vessels as a tracker, so that the elements' sessions drive it. A picture gives a preview of a reduced one at once, where
 * it is large or while a slider is held, and the whole result after it; new settings end the run that is under way.
 */
import {
  type Engine,
  FoveolaError,
  resolveParameters,
  type Source,
  vesselParameters,
  type VesselResult,
} from '../../src/index.ts';
import type { ElementTracker } from '../parts/engine.ts';
import { VesselPicture } from './pictures.ts';

export type VesselEngine = Pick<Engine, 'vessels'>;
type VesselOptions = NonNullable<Parameters<Engine['vessels']>[1]>;

/** What one picture gives. */
export interface VesselFrame extends VesselResult {
  timestamp: number;
  /** Of the source; the planes of a preview are smaller. */
  width: number;
  height: number;
  dropped: number;
  /** Of a reduced picture and without measures; the whole result follows. */
  preview: boolean;
  /** From call to result. */
  milliseconds: number;
}

export interface VesselWatch {
  preview(frame: VesselFrame): void;
  /** What `process` is about to resolve with; returns what it resolves with. */
  made(frame: VesselFrame): VesselFrame;
  progress(done: number): void;
}

/** A preview should take about this long, in milliseconds, */
const wanted = 60;
/** of a picture of this many pixels to begin with, and of so many at least and at most. */
const budgets = { first: 400_000, least: 90_000, most: 1_200_000 };
/** Larger pictures get a preview also when they are opened. */
const large = 1_000_000;

const cancelled = () => new FoveolaError('aborted', 'The settings or the image changed.');

export class VesselTracker implements ElementTracker<VesselFrame> {
  readonly #engine: VesselEngine;
  readonly #watch: VesselWatch;
  #parameters: VesselOptions;
  #picture: { source: Source; timestamp: number; made: Promise<VesselPicture> } | null = null;
  #run: AbortController | null = null;
  #held: { release(): void; released: Promise<void> } | null = null;
  #budget = budgets.first;
  /** Previews follow each other, so that something is seen however fast the slider goes. */
  #previews: Promise<unknown> = Promise.resolve();
  /** Frames of what plays: previews only, and each of them is finished. */
  live = false;

  constructor(engine: VesselEngine, parameters: VesselOptions, watch: VesselWatch) {
    this.#engine = engine;
    this.#watch = watch;
    this.#parameters = checked(parameters);
  }

  get held(): boolean {
    return this.#held !== null;
  }

  /** While a slider is held only previews are made. */
  hold(on: boolean): void {
    if (on && !this.#held) {
      let release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      this.#held = { release, released };
    } else if (!on) {
      this.#held?.release();
      this.#held = null;
    }
  }

  /** Ends the run that is under way; it rejects with 'aborted'. */
  cancel(): void {
    this.#run?.abort();
    this.#run = null;
  }

  /** What was analysed last, as the engine takes it; null before the first. */
  async picture(): Promise<Source | null> {
    return (await this.#picture?.made.catch(() => null))?.whole ?? null;
  }

  async process(source: Source, { timestamp = 0, dropped = 0 } = {}): Promise<VesselFrame> {
    const start = performance.now();
    const picture = this.#take(source, timestamp);
    if (this.live) return this.#watch.made(await this.#preview(await picture, { timestamp, dropped, start }));
    this.cancel();
    const run = (this.#run = new AbortController());
    const { signal } = run;
    const check = () => {
      if (signal.aborted) throw cancelled();
    };
    const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(cancelled())));
    ended.catch(() => {}); // also when nobody waits for anything
    // What is decoded cannot be ended, and belongs to the next run of this picture.
    const whole = await Promise.race([picture, ended]);
    const about = { timestamp, dropped, start };
    if (this.#held || whole.pixels > large) {
      const frame = await this.#preview(whole, about);
      if (whole === (await this.#picture?.made)) this.#watch.preview(frame);
      check();
    }
    await Promise.race([this.#held?.released, ended]);
    check();
    const result = await this.#engine.vessels(whole.whole, {
      ...this.#parameters,
      measures: true,
      signal,
      onProgress: (done: number) => !signal.aborted && this.#watch.progress(done),
    });
    check();
    return this.#watch.made(Object.assign(result, frameOf(whole, about), { preview: false }));
  }

  async #preview(picture: VesselPicture, about: About): Promise<VesselFrame> {
    const work = this.#previews.then(async () => {
      const { source, ratio, pixels } = await picture.small(this.#budget);
      const { sigma = 0, ...rest } = this.#parameters;
      const start = performance.now();
      const result = await this.#engine.vessels(source, {
        ...rest,
        sigma: sigma === 'auto' ? sigma : sigma / ratio,
        measures: false,
      });
      this.#adapt(performance.now() - start, pixels);
      return Object.assign(result, frameOf(picture, about), { preview: true });
    });
    this.#previews = work.catch(() => {});
    return work;
  }

  /** More pixels where there is time for them. */
  #adapt(milliseconds: number, pixels: number): void {
    const could = (pixels * wanted) / Math.max(1, milliseconds);
    const next = this.#budget + 0.5 * (could - this.#budget);
    this.#budget = Math.max(budgets.least, Math.min(budgets.most, next));
  }

  #take(source: Source, timestamp: number): Promise<VesselPicture> {
    const known = this.#picture;
    if (known && known.source === source && known.timestamp === timestamp) return known.made;
    this.#forget();
    const made = VesselPicture.of(source);
    made.catch(() => this.#picture?.made === made && (this.#picture = null));
    this.#picture = { source, timestamp, made };
    return made;
  }

  #forget(): void {
    const made = this.#picture?.made;
    this.#picture = null;
    // After the preview that may still read it.
    void Promise.all([made, this.#previews]).then(
      ([picture]) => picture?.close(),
      () => {},
    );
  }

  async reset(): Promise<void> {
    this.cancel();
    this.#forget();
  }

  async setParameters(parameters: Record<string, unknown>): Promise<void> {
    this.#parameters = checked(parameters as VesselOptions);
    this.cancel();
  }

  dispose(): Promise<void> {
    this.hold(false);
    return this.reset();
  }
}

interface About {
  timestamp: number;
  dropped: number;
  start: number;
}

const frameOf = ({ width, height }: VesselPicture, { timestamp, dropped, start }: About) => ({
  ...{ timestamp, dropped, width, height },
  milliseconds: performance.now() - start,
});

function checked(parameters: VesselOptions): VesselOptions {
  resolveParameters(vesselParameters, parameters as never, 'The settings');
  return parameters;
}
