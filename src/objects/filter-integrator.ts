/** The integrator of the default variant (assembly/objects/filter-integrator.ts), with the memory of its filters. */
import type { RecordOf } from '../runtime/wasm/record.ts';
import { AppearanceRecord, FilterIntegratorRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { SharedFrame } from './frame.ts';

// Stores the appearance of a target as correlation filters: tables, working memory for one frame, and the filters
// themselves, which the kernels write and read (assembly/objects/appearance.ts).

/**
 * Tables of the correlation filters over oriented gradients (assembly/objects/appearance.ts): cosines and sines for the
 * transforms, the spectrum of the desired response, weights of the cells.
 */
/** Number of cells across the window. */
export const CELLS = 32;
/** Number of channels for a target without and with color. */
export const CHANNELS = 32;
export const COLOR_CHANNELS = 36;
/** Bytes of the real part of a channel's spectrum, and of all of it. */
export const HALF_SPECTRUM = 4 * CELLS * (CELLS / 2 + 1);
export const SPECTRUM = 2 * HALF_SPECTRUM;
/** Width of the desired peak in cells. */
const SIGMA = 1;

/** Cosine and sine of k pi / n, k = 0..n-1. */
export function turns(n: number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, i) => {
    const angle = ((i >> 1) * Math.PI) / n;
    return i & 1 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** The spectrum of an even Gaussian is real. It is the product of two one-dimensional spectra. */
export function labelSpectrum(): Float32Array {
  const line = Array.from({ length: CELLS }, (_, u) => {
    let sum = 0;
    for (let x = 0; x < CELLS; x++) {
      const d = Math.min(x, CELLS - x);
      sum += Math.exp((-d * d) / (2 * SIGMA * SIGMA)) * Math.cos((2 * Math.PI * u * x) / CELLS);
    }
    return sum;
  });
  return Float32Array.from({ length: HALF_SPECTRUM / 4 }, (_, i) => line[Math.floor(i / CELLS)]! * line[i % CELLS]!);
}

/** Hann window. */
export function hann(): Float32Array {
  return Float32Array.from({ length: CELLS * CELLS }, (_, i) => {
    const w = (k: number) => Math.sin((Math.PI * (k + 0.5)) / CELLS) ** 2;
    return w(i % CELLS) * w((i / CELLS) | 0);
  });
}

/** A soft-edged rectangle: 1 inside a target of `width` x `height` cells, falling to 0 within `soft` cells. */
export function around(width: number, height: number, soft: number): Float32Array {
  const edge = (k: number, size: number) => {
    const d = Math.abs(k - (CELLS - 1) / 2) - size / 2;
    return d <= 0 ? 1 : d >= soft ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * d) / soft);
  };
  return Float32Array.from({ length: CELLS * CELLS }, (_, i) => edge(i % CELLS, width) * edge((i / CELLS) | 0, height));
}

/** Side of the window divided by the geometric mean of the box's sides. */
const PADDING = 2.5;
/** Parameters of the follower's updates, see the kernels. */
export const APPEARANCE_RULE = { inertia: 6, pull: 0.3 };
/** A view extends a little beyond the box, with a soft edge of this many cells. */
const REACH = 1.1;
const SOFT = 3;
/** Soft edge of the follower's weights, in cells. */
const EDGE = 2;
/** Maximum number of views in addition to the first one. */
export const MOST_VIEWS = 8;
/** Bytes of one channel for all cells. */
const PLANE = 4 * CELLS * CELLS;
/** Number of floats in the numerators and denominators of a filter. */
export const filterFloats = (colored: boolean) =>
  (SPECTRUM * (colored ? COLOR_CHANNELS : CHANNELS) + HALF_SPECTRUM) / 4;

export class Appearance {
  readonly record: RecordOf<typeof AppearanceRecord>;
  /** Whether the filters use colors. */
  readonly colored: boolean;
  readonly #scope: Scope;

  /** The scope owns the memory. */
  constructor(scope: Scope, { width, height }: { width: number; height: number }, colored = false) {
    this.#scope = scope;
    this.colored = colored;
    const channels = colored ? COLOR_CHANNELS : CHANNELS;
    const cell = (PADDING * Math.sqrt(width * height)) / CELLS;
    const masks = [
      hann(),
      around((REACH * width) / cell, (REACH * height) / cell, SOFT),
      around(width / cell, height / cell, EDGE),
    ];
    const table = (list: Float32Array) => scope.table(list).address;
    this.record = scope.record(AppearanceRecord, {
      mask: -1,
      channelCount: channels,
      padding: PADDING,
      ...APPEARANCE_RULE,
      directions: table(turns(9)),
      twiddles: table(turns(16)),
      label: table(labelSpectrum()),
      masks: table(Float32Array.from(masks.flatMap((mask) => Array.from(mask)))),
      channels: scope.block(PLANE * channels).address,
      response: scope.block(PLANE).address,
      spectra: scope.block(SPECTRUM * channels).address,
      follower: this.#newFilter(),
      previous: scope.block(SPECTRUM * channels).address,
      slack: scope.block(SPECTRUM * channels).address,
      trusted: this.#newFilter(),
      views: scope.block(4 * (MOST_VIEWS + 2)).address,
    });
  }

  get address(): number {
    return this.record.address;
  }

  /** Returns the values of a filter as a view that is valid until the arena grows. */
  #filter(address: number): Float32Array {
    return this.#scope.f32({ address }, filterFloats(this.colored));
  }

  #newFilter(): number {
    return this.#scope.zeros(4 * filterFloats(this.colored)).address;
  }

  get viewCount(): number {
    return this.record.get('viewCount');
  }

  /** The last trusted follower, then the views. The arrays are valid until the arena grows. */
  get filters(): Float32Array[] {
    const views = this.#scope.u32({ address: this.record.get('views') }, this.viewCount);
    return [this.record.get('trusted'), ...views].map((address) => this.#filter(address));
  }

  /** Allocates memory for the next view, which must be done before the view is prepared. */
  makeRoom(): void {
    if (!this.record.get('prepared')) this.record.set({ prepared: this.#newFilter() });
  }

  /** Loads exported filters: the trusted follower, and the views. */
  load(trusted: Float32Array, views: readonly Float32Array[]): void {
    for (const name of ['trusted', 'follower'] as const) this.#filter(this.record.get(name)).set(trusted);
    for (const values of views) {
      const count = this.viewCount;
      const view = this.#newFilter();
      this.#filter(view).set(values);
      this.#scope.arena.i32[(this.record.get('views') >> 2) + count] = view;
      this.record.set({ viewCount: count + 1 });
    }
  }
}

/**
 * Decision rules of the default variant (assembly/objects/filter-integrator.ts). Values are shares of the usual
 * response unless noted otherwise. They were set by hand on the sequences of `npm run bench -- accuracy objects`. `tune
 * objects` scores each value a step lower and a step higher, and leaves one sequence out at a time.
 */
export const FILTER_RULE = {
  /** Minimum response to be trusted, to be learned from, and not to break the chain. */
  trusted: 0.75,
  learned: 0.5,
  broken: 0.4,
  /** Finding the target again needs more evidence than keeping it: at its last place, and elsewhere. */
  found: 0.3,
  jump: 0.35,
  /** Minimum amount by which another place must fit better. */
  better: 0.03,
  /** Update rate of the usual responses, and their minimum values, as responses. */
  usualRate: 0.03,
  leastUsual: 0.1,
  leastView: 0.42,
  /** Share of a size change that is applied in one frame. */
  gain: 0.5,
  /** Number of consecutive frames for which a target that was found again must be trusted before it is shown. */
  proof: 8,
  /** Evidence at which a target that was found again is shown at once. */
  sure: 1,
  /** Update rate of the rivalry. About five frames count. */
  rivalRate: 0.2,
  /** Confidence is 0.5 at this rivalry, and decreases with this slope, like the share of correct boxes. */
  level: 0.43,
  slope: 1.85,
  /** Initial usual response of a view. */
  viewUsual: 0.45,
};

/** Initial usual response, and the learning rate of the follower for a correction by the user. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class FilterIntegrator {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof FilterIntegratorRecord>;
  readonly #scope: Scope;

  /** The scope owns the memory. */
  constructor(scope: Scope, size: { width: number; height: number }, colored = false) {
    this.#scope = scope;
    this.appearance = new Appearance(scope, size, colored);
    this.record = scope.record(FilterIntegratorRecord, {
      usual: FIRST_USUAL,
      lastWidth: size.width,
      lastHeight: size.height,
      rivalry: 1,
      ...FILTER_RULE,
    });
  }

  get usual(): number {
    return this.record.get('usual');
  }

  set usual(usual: number) {
    this.record.set({ usual });
  }

  get viewUsual(): number {
    return this.record.get('viewUsual');
  }

  set viewUsual(viewUsual: number) {
    this.record.set({ viewUsual });
  }

  /** Starts with the box record as the target. */
  begin(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, 1);
  }

  /** Learns a correction by the user. */
  correct(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, CORRECTED);
  }

  *#teach(frame: SharedFrame, box: Address, rate: number): Plan<void> {
    const { record: integrator, appearance } = this;
    appearance.makeRoom();
    yield* this.#scope.kernels.filterTeach({ integrator, appearance, frame, box, rate });
  }

  /** Updates the follower's position of the target. `flow` writes the motion of a box to a record. */
  *follow(frame: SharedFrame, flow: (box: { readonly address: number }) => Plan<Address>): Plan<void> {
    const { record: integrator, appearance } = this;
    if (!integrator.get('placed')) return yield* this.lose();
    const motion = yield* flow(integrator);
    yield* this.#scope.kernels.filterFollow({ integrator, appearance, frame, motion });
  }

  /** Marks the target as lost. It then has to be found again, because there is no frame to follow it from. */
  *lose(): Plan<void> {
    yield* this.#scope.kernels.filterLose({ integrator: this.record });
  }

  /** Decides where the target is, and writes it to the record `belief`. Returns whether there is a result. */
  *decide(
    frame: SharedFrame,
    model: Address,
    search: Address,
    belief: Address,
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): Plan<boolean> {
    const { record: integrator, appearance } = this;
    integrator.set({ minConfidence, learning });
    yield* this.#scope.kernels.filterDecide({ integrator, appearance, model, search, frame, belief });
    if (integrator.get('prepares')) {
      appearance.makeRoom();
      yield* this.#scope.kernels.filterPrepare({ integrator, appearance, frame });
    }
    return integrator.get('kept') === 1;
  }
}
