/** The integrator of the default variant (assembly/objects/filter-integrator.ts), with the memory of its filters. */
import type { RecordOf } from '../runtime/wasm/record.ts';
import { AppearanceRecord, FilterIntegratorRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Address, Plan } from '../runtime/wasm/kernel-step.ts';
import type { SharedFrame } from './frame.ts';

// The memory of what a target looks like as correlation filters: tables, room for one look, and the filters themselves,
// which the kernels make and read (assembly/objects/appearance.ts).

/**
 * Tables of the correlation filters over oriented gradients (assembly/objects/appearance.ts): turns of the unit circle,
 * the spectrum of the wished response, weights of the cells.
 */
/** Cells across the window. */
export const CELLS = 32;
/** Of a target without color, and with it. */
export const CHANNELS = 32;
export const COLOR_CHANNELS = 36;
/** Bytes of the real part of a channel's spectrum, and of all of it. */
export const HALF_SPECTRUM = 4 * CELLS * (CELLS / 2 + 1);
export const SPECTRUM = 2 * HALF_SPECTRUM;
/** Width of the wished peak in cells. */
const SIGMA = 1;

/** Cosine and sine of k pi / n, k = 0..n-1. */
export function turns(n: number): Float32Array {
  return Float32Array.from({ length: 2 * n }, (_, i) => {
    const angle = ((i >> 1) * Math.PI) / n;
    return i & 1 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** The spectrum of an even Gaussian is real and the product of two. */
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

/** Hann's window. */
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

/** Side of the window over the geometric mean of the box's sides. */
const PADDING = 2.5;
/** How the follower learns: see the kernels. */
export const APPEARANCE_RULE = { inertia: 6, pull: 0.3 };
/** A view reaches a little beyond the box, and ends softly within so many cells. */
const REACH = 1.1;
const SOFT = 3;
/** The follower's weights end within so many. */
const EDGE = 2;
/** The first view and so many later ones. */
export const MOST_VIEWS = 8;
/** Bytes of the cells of one channel. */
const PLANE = 4 * CELLS * CELLS;
/** Numerators and denominators of a filter. */
export const filterFloats = (colored: boolean) =>
  (SPECTRUM * (colored ? COLOR_CHANNELS : CHANNELS) + HALF_SPECTRUM) / 4;

export class Appearance {
  readonly record: RecordOf<typeof AppearanceRecord>;
  /** Whether it looks at colors. */
  readonly colored: boolean;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
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

  /** A filter's numbers, in place until the arena grows. */
  #filter(address: number): Float32Array {
    return this.#scope.f32({ address }, filterFloats(this.colored));
  }

  #newFilter(): number {
    return this.#scope.zeros(4 * filterFloats(this.colored)).address;
  }

  get viewCount(): number {
    return this.record.get('viewCount');
  }

  /** The follower as it was last trusted, then the views; in place until the arena grows. */
  get filters(): Float32Array[] {
    const views = this.#scope.u32({ address: this.record.get('views') }, this.viewCount);
    return [this.record.get('trusted'), ...views].map((address) => this.#filter(address));
  }

  /** Before a view is prepared there must be room for it. */
  makeRoom(): void {
    if (!this.record.get('prepared')) this.record.set({ prepared: this.#newFilter() });
  }

  /** As it was exported: the trusted follower, and the views. */
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
 * What decides in the default variant (assembly/objects/filter-integrator.ts); shares of the usual response unless said otherwise.
 * Set by hand on the sequences of `npm run bench -- accuracy objects`; `tune objects` scores each a step lower and a step higher,
 * with one sequence left out at a time.
 */
export const FILTER_RULE = {
  /** From here on a response is trusted, may be learned from, does not break the chain. */
  trusted: 0.75,
  learned: 0.5,
  broken: 0.4,
  /** More evidence than for keeping it takes finding it where it was, and elsewhere. */
  found: 0.3,
  jump: 0.35,
  /** By so much another place must fit better. */
  better: 0.03,
  /** How fast the usual responses follow, and their least values, as responses. */
  usualRate: 0.03,
  leastUsual: 0.1,
  leastView: 0.42,
  /** Share of a change of size that is taken in one frame. */
  gain: 0.5,
  /** So many frames in a row it must be trusted, where it was found again, until it is shown. */
  proof: 8,
  /** Unless there is so much evidence where it is found. */
  sure: 1,
  /** How fast the rivalry follows what is seen: about five frames count. */
  rivalRate: 0.2,
  /** Confidence is 0.5 at this rivalry, and falls by so much per unit of it: what the share of right boxes does. */
  level: 0.43,
  slope: 1.85,
  /** The usual response of a view, before it is known. */
  viewUsual: 0.45,
};

/** The usual response, before it is known; and how fast the follower learns what the user gave. */
const FIRST_USUAL = 0.45;
const CORRECTED = 0.5;

export class FilterIntegrator {
  readonly appearance: Appearance;
  readonly record: RecordOf<typeof FilterIntegratorRecord>;
  readonly #scope: Scope;

  /** What it holds belongs to the scope. */
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

  /** The box record is the target. */
  begin(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, 1);
  }

  /** The same by a correction. */
  correct(frame: SharedFrame, box: Address): Plan<void> {
    return this.#teach(frame, box, CORRECTED);
  }

  *#teach(frame: SharedFrame, box: Address, rate: number): Plan<void> {
    const { record: integrator, appearance } = this;
    appearance.makeRoom();
    yield* this.#scope.kernels.filterTeach({ integrator, appearance, frame, box, rate });
  }

  /** Where the follower sees the target; `flow` writes where a box went to a record. */
  *follow(frame: SharedFrame, flow: (box: { readonly address: number }) => Plan<Address>): Plan<void> {
    const { record: integrator, appearance } = this;
    if (!integrator.get('placed')) return yield* this.lose();
    const motion = yield* flow(integrator);
    yield* this.#scope.kernels.filterFollow({ integrator, appearance, frame, motion });
  }

  /** There is no frame to follow it from: it has to be found. */
  *lose(): Plan<void> {
    yield* this.#scope.kernels.filterLose({ integrator: this.record });
  }

  /** What is believed then, in the record `belief`; returns whether there is an answer. */
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
