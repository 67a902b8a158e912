/**
 * Exposes vessel detection as a tracker, so that element sessions can run it. A large image, or any image while a
 * slider is held, first gets a preview from a reduced copy. The full result follows. New settings abort the analysis in
 * progress.
 */
import {
  type Engine,
  FoveolaError,
  resolveParameters,
  type Source,
  vesselParameters,
  type VesselResult,
} from '../../src/index.ts';
import type { ElementTracker } from '../base/engine.ts';
import { VesselPicture } from './pictures.ts';

export type VesselEngine = Pick<Engine, 'vessels'>;
type VesselOptions = NonNullable<Parameters<Engine['vessels']>[1]>;

/** Result of one image. */
export interface VesselFrame extends VesselResult {
  timestamp: number;
  /** Size of the source. The planes of a preview are smaller. */
  width: number;
  height: number;
  dropped: number;
  /** True: computed from a reduced image and without measures. The full result follows. */
  preview: boolean;
  /** Time from call to result. */
  milliseconds: number;
}

export interface VesselWatch {
  preview(frame: VesselFrame): void;
  /** Gets the frame before `process` resolves, and returns the frame that it resolves with. */
  made(frame: VesselFrame): VesselFrame;
  progress(done: number): void;
}

/** Target duration of a preview in milliseconds. */
const wanted = 60;
/** Number of pixels of a preview: the initial value, the minimum and the maximum. */
const budgets = { first: 400_000, least: 90_000, most: 1_200_000 };
/** Images with more pixels also get a preview when they are opened. */
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
  /** Previews run one after the other, so that each is shown even if the slider moves fast. */
  #previews: Promise<unknown> = Promise.resolve();
  /** Frames of a playing source: only previews, and each of them is finished. */
  live = false;

  constructor(engine: VesselEngine, parameters: VesselOptions, watch: VesselWatch) {
    this.#engine = engine;
    this.#watch = watch;
    this.#parameters = checked(parameters);
  }

  get held(): boolean {
    return this.#held !== null;
  }

  /** While a slider is held, only previews are computed. */
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

  /** Aborts the analysis in progress, which rejects with 'aborted'. */
  cancel(): void {
    this.#run?.abort();
    this.#run = null;
  }

  /** The last analyzed image, in the engine's format. Null before the first one. */
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
    ended.catch(() => {}); // also if nothing awaits it
    // Decoding cannot be aborted. Its result is used by the next analysis of this image.
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

  /** Uses more pixels if there is time for them. */
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
