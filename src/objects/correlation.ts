/**
 * Correlation filters over oriented gradients: what a square window around the target looks like, and where it is by the
 * peak of a filter's response. A filter is the ridge regression from all shifts of an example to a narrow Gaussian, solved
 * in the Fourier domain (Bolme et al. 2010; for many channels Danelljan et al. 2014). A look at a window costs its
 * histograms and their spectra, each once however often it is asked for; another filter on it a small part of that.
 */
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { SharedFrame } from './frame.ts';

/** Cells across the window; samples across a cell. */
export const CELLS = 32;
const CELL = 2;
const SAMPLES = CELLS * CELL;
const CHANNELS = 28;
const PLANE = 4 * CELLS * CELLS;
const HALF_SPECTRUM = 4 * CELLS * (CELLS / 2 + 1);
const SPECTRUM = 2 * HALF_SPECTRUM;
/** Bytes of scratch of the largest kernel. */
const SCRATCH = 35_664;
/** Width of the wished peak in cells. */
const SIGMA = 1;
/** Added to the energy of every frequency. */
const LAMBDA = 5;

/** A square window: centre and side in pixels of the frame. */
export interface Window {
  x: number;
  y: number;
  side: number;
}

export interface Peak {
  /** From the window's centre, in pixels of the frame. */
  dx: number;
  dy: number;
  /** About 1 for what the filter was made from, near 0 for anything else. */
  value: number;
}

export class Correlation {
  readonly #side: WasmSide;
  readonly #block: number;
  readonly #directions: number;
  readonly #twiddles: number;
  readonly #channels: number;
  readonly #spectra: number;
  readonly #response: number;
  readonly #label: number;
  readonly #masks: number;
  /** What the channels, and the spectra, are of. */
  #observed: { frame: SharedFrame; window: Window } | null = null;
  #transformed: number | null = null;

  /** `masks`: weights of the cells, 32x32 each. */
  constructor(side: WasmSide, masks: readonly Float32Array[]) {
    this.#side = side;
    const { arena } = side;
    this.#block = arena.allocate(256 + PLANE * (CHANNELS + 1 + masks.length) + SPECTRUM * CHANNELS + HALF_SPECTRUM);
    let at = this.#block;
    const take = (bytes: number) => (at += bytes) - bytes;
    this.#directions = take(128);
    this.#twiddles = take(128);
    this.#channels = take(PLANE * CHANNELS);
    this.#response = take(PLANE);
    this.#spectra = take(SPECTRUM * CHANNELS);
    this.#label = take(HALF_SPECTRUM);
    this.#masks = take(PLANE * masks.length);
    masks.forEach((mask, i) => arena.f32.set(mask, (this.#masks + PLANE * i) >> 2));
    this.#writeTables();
  }

  #writeTables(): void {
    const { arena } = this.#side;
    const turn = (angle: number) => [Math.cos(angle), Math.sin(angle)];
    for (let k = 0; k < 9; k++) arena.f32.set(turn((k * Math.PI) / 9), (this.#directions >> 2) + 2 * k);
    for (let k = 0; k < 16; k++) arena.f32.set(turn((k * Math.PI) / 16), (this.#twiddles >> 2) + 2 * k);
    // The spectrum of an even Gaussian is real and the product of two.
    const line = Array.from({ length: CELLS }, (_, u) => {
      let sum = 0;
      for (let x = 0; x < CELLS; x++) {
        const d = Math.min(x, CELLS - x);
        sum += Math.exp((-d * d) / (2 * SIGMA * SIGMA)) * Math.cos((2 * Math.PI * u * x) / CELLS);
      }
      return sum;
    });
    for (let u = 0; u <= CELLS / 2; u++)
      for (let v = 0; v < CELLS; v++) arena.f32[(this.#label >> 2) + u * CELLS + v] = line[u]! * line[v]!;
  }

  /** The channels of a window, from that halving of the frame whose pixels come closest to its samples. */
  observe(frame: SharedFrame, window: Window): void {
    const { x, y, side } = window;
    const last = this.#observed;
    if (last?.frame === frame && last.window.x === x && last.window.y === y && last.window.side === side) return;
    this.#observed = this.#transformed = null;
    const { planes } = frame.pyramid;
    const step = side / SAMPLES;
    const level = Math.max(0, Math.min(planes.length - 1, Math.floor(Math.log2(Math.max(step, 1)) + 0.25)));
    const { address, stride, width, height } = planes[level]!;
    const shrink = 2 ** -level;
    // Pixel i of a halving stands on pixel 2 i.
    const first = (centre: number) => (centre - side / 2 + step / 2 - 0.5) * shrink;
    this.#side.once(
      'orientedHistograms',
      [address, stride, width, height, first(x), first(y), step * shrink, this.#directions, this.#channels],
      SCRATCH,
    );
    this.#observed = { frame, window };
  }

  /** Spectra of what was observed, under a mask. */
  transform(mask: number): void {
    if (this.#transformed === mask) return;
    this.#transformed = null;
    const args = [this.#channels, CHANNELS, this.#masks + PLANE * mask, this.#twiddles, this.#spectra];
    this.#side.once('channelSpectra', args, SCRATCH);
    this.#transformed = mask;
  }

  /** Mixes what was transformed into a filter; the first time it becomes the filter. */
  learn(filter: Filter, rate: number): void {
    const { numerators, denominators } = filter;
    const share = filter.empty ? 1 : rate;
    const args = [this.#spectra, CHANNELS, this.#label, numerators, denominators, share];
    this.#side.kernels.call('filterLearn', ...args);
    filter.empty = false;
  }

  /** The response of a filter to what was transformed; `side` of its window in pixels. */
  respond({ numerators, denominators }: Filter, side: number): Peak {
    const args = [this.#spectra, CHANNELS, numerators, denominators, LAMBDA, this.#twiddles, this.#response];
    this.#side.once('filterResponse', args, SCRATCH);
    const at = this.#response >> 2;
    return peakOf(this.#side.arena.f32.subarray(at, at + CELLS * CELLS), side / CELLS);
  }

  dispose(): void {
    this.#side.arena.free(this.#block);
  }
}

const wrap = (i: number) => i & (CELLS - 1);
const signed = (i: number) => (i < CELLS / 2 ? i : i - CELLS);

export function peakOf(response: Float32Array, cell: number): Peak {
  let best = 0;
  for (let i = 1; i < response.length; i++) if (response[i]! > response[best]!) best = i;
  const x = best % CELLS;
  const y = (best / CELLS) | 0;
  const at = (u: number, v: number) => response[wrap(y + v) * CELLS + wrap(x + u)]!;
  const top = response[best]!;
  const vertex = (a: number, b: number) => {
    const curve = a + b - 2 * top;
    return curve < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (a - b)) / curve)) : 0;
  };
  return {
    dx: (signed(x) + vertex(at(-1, 0), at(1, 0))) * cell,
    dy: (signed(y) + vertex(at(0, -1), at(0, 1))) * cell,
    value: top,
  };
}

/** Numerators and denominators of a filter, on the arena. */
export class Filter {
  static readonly floats = (SPECTRUM * CHANNELS + HALF_SPECTRUM) / 4;
  readonly #side: WasmSide;
  readonly numerators: number;
  readonly denominators: number;
  empty = true;

  constructor(side: WasmSide) {
    this.#side = side;
    this.numerators = side.arena.allocate(4 * Filter.floats);
    this.denominators = this.numerators + SPECTRUM * CHANNELS;
    this.values.fill(0);
  }

  /** All of it, in place until the arena grows. */
  get values(): Float32Array {
    return this.#side.arena.f32.subarray(this.numerators >> 2, (this.numerators >> 2) + Filter.floats);
  }

  set(values: Float32Array): void {
    this.values.set(values);
    this.empty = false;
  }

  dispose(): void {
    this.#side.arena.free(this.numerators);
  }
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
