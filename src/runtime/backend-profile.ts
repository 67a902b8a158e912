/**
 * Chooses the backend of a call on this device by measured times: first the predicted backend (backend-costs.ts), then the
 * other one in a trial or two, then the faster one. The slower one is tried again as long as trials take at most a
 * twentieth of the time, because devices throttle and drivers change. Calls are distinguished by operation, parameters,
 * number of pixels and location of the image. If a later call downloads a result that stayed on the GPU, that cost is
 * added to the call that left it there.
 */
import type { Capabilities } from '../results/types.ts';
import type { Prediction } from './backend-costs.ts';
import type { Backend } from './runtime.ts';

// Entry of `engine.capabilities.backends` for an operation that chooses per call: the backend and the reason, by image
// size.

export interface BackendChoice {
  readonly backend: Backend;
  readonly why: string;
}

/** Binary logarithm of a number of pixels, rounded. Calls of one class count as similar. */
export const sizeClass = (pixels: number): number => Math.round(Math.log2(Math.max(1, pixels)));

/** Two digits. */
export const shown = (value: number): number => Number(value.toPrecision(2));

/** `first`: the backend of the first calls if nothing is predicted. */
export function firstChoice(predicted: Prediction | null, first: Backend = 'wasm'): BackendChoice {
  if (!predicted) return { backend: first, why: 'nothing predicted' };
  const { wasm, gpu, up, down } = predicted;
  return {
    backend: gpu < wasm ? 'gpu' : 'wasm',
    why: `predicted: wasm ${shown(wasm)} ms, gpu ${shown(gpu)} ms, of it ${shown(up)} ms up, ${shown(down)} ms down`,
  };
}

export class BackendReasons {
  readonly #backends: Record<string, Capabilities['backends'][string]>;
  readonly #classes: Record<string, Record<number, BackendChoice>> = {};

  /** `backends`: part of the engine's capabilities, which is updated with each call. */
  constructor(backends: Capabilities['backends']) {
    this.#backends = backends;
  }

  /** Sets the entry for calls of this size class, replacing the previous one. */
  say(name: string, size: number, choice: BackendChoice): void {
    const classes = (this.#classes[name] ??= {});
    classes[size] = choice;
    const all = Object.entries(classes); // by size
    this.#backends[name] = {
      backend: all.every(([, { backend }]) => backend === choice.backend) ? choice.backend : 'measured',
      why: all
        .map(([size, { backend, why }]) => `${shown(2 ** +size / 1e6)} megapixels: ${backend}, ${why}`)
        .join('; '),
    };
  }
}

/** Number of calls that a median uses. */
const KEPT = 5;
/** Calls of the WASM backend before the GPU is tried, because the first calls compile. */
const WARM = 2;
/** Trials of the GPU before its time counts, because the first one compiles its programs. */
const TRIALS = 2;
/** Maximum share of the time for trials. */
const BUDGET = 0.05;
/** A call through the GPU waits for a fence, at least this many milliseconds. Faster calls are not tried on the GPU. */
const FENCE = 1;
/**
 * The GPU must be faster by this factor to be chosen, because times are noisy and its results arrive late under load.
 */
const CLEAR = 0.95;

export interface BackendTimes {
  /** Milliseconds of the last calls. */
  readonly wasm: readonly number[];
  readonly gpu: readonly number[];
}

/** The measurements, as plain data. */
export interface BackendProfileData {
  /**
   * The graphics device, as the browser names it, and the threads of the WASM backend. Times of other devices do not
   * apply.
   */
  readonly device: string;
  readonly calls: Readonly<Record<string, BackendTimes>>;
}

/** Milliseconds of one call, and the cost added to it later. */
interface Time {
  ms: number;
}

interface Entry {
  wasm: Time[];
  gpu: Time[];
  /** Number of calls, and milliseconds since the last trial. */
  calls: Record<Backend, number>;
  since: number;
  /** The GPU was requested, and no stage used it. */
  wasmOnly: boolean;
}

const isTimes = (list: unknown): boolean =>
  Array.isArray(list) && list.length <= 64 && list.every((ms) => typeof ms === 'number' && ms >= 0 && ms < Infinity);

/** Whether external data, perhaps stored for months, has this shape. */
export function isProfile(data: unknown): data is BackendProfileData {
  const { device, calls } = Object(data) as Partial<BackendProfileData>;
  return (
    typeof device === 'string' &&
    typeof calls === 'object' &&
    calls !== null &&
    Object.values(calls).every((times) => isTimes(times?.wasm) && isTimes(times?.gpu))
  );
}

const other = (backend: Backend): Backend => (backend === 'gpu' ? 'wasm' : 'gpu');
const numbers = (times: readonly Time[]): number[] => times.map(({ ms }) => ms);
const times = (list: readonly number[]): Time[] => list.slice(-KEPT).map((ms) => ({ ms }));

const median = (list: readonly Time[]): number =>
  list.length ? numbers(list).sort((a, b) => a - b)[list.length >> 1]! : NaN;

/**
 * Sums up time spans that may overlap and counts each moment once: milliseconds of `begun` to `ended` that were not in
 * an earlier span.
 */
function onceEach(): (begun: number, ended: number) => number {
  let until = -Infinity;
  return (begun, ended) => {
    const more = Math.max(0, ended - Math.max(begun, until));
    until = Math.max(until, ended);
    return more;
  };
}

/** Receives a later cost of a call: its start and end, in milliseconds of the page's clock. */
export type Charge = (begun: number, ended: number) => void;

/** Numbers of pixels within a factor of two share a key. */
export const callKey = (name: string, params: object, pixels: number, place: string): string =>
  `${name} ${JSON.stringify(params)} 2^${sizeClass(pixels)} ${place}`;

export class BackendProfile {
  readonly #device: string;
  readonly #entries = new Map<string, Entry>();

  /** `data` from another device is ignored. */
  constructor(device: string, data?: BackendProfileData) {
    this.#device = device;
    if (data?.device === device)
      for (const [key, { wasm, gpu }] of Object.entries(data.calls)) {
        const entry = this.#entry(key);
        entry.wasm = times(wasm);
        entry.gpu = times(gpu);
        entry.calls = { wasm: WARM + entry.wasm.length, gpu: TRIALS + entry.gpu.length };
      }
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { wasm: [], gpu: [], calls: { wasm: 0, gpu: 0 }, since: 0, wasmOnly: false };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** The faster backend if both were measured, otherwise null. */
  #faster({ wasm, gpu }: Entry): Backend | null {
    if (!wasm.length || !gpu.length) return null;
    return median(gpu) < CLEAR * median(wasm) ? 'gpu' : 'wasm';
  }

  /** The backend for the next call. `first`: the backend of the first calls. */
  choose(key: string, first: Backend = 'wasm'): Backend {
    const entry = this.#entry(key);
    const { wasm, gpu, calls, since, wasmOnly } = entry;
    if (wasmOnly) return 'wasm';
    if (first === 'gpu' && calls.gpu < TRIALS) return 'gpu';
    if (calls.wasm < WARM) return 'wasm';
    const own = median(wasm);
    if (calls.gpu < TRIALS || !gpu.length) return own < FENCE ? 'wasm' : 'gpu';
    const better = this.#faster(entry) ?? 'wasm';
    const cost = (median(gpu) - own) * (better === 'gpu' ? -1 : 1);
    return Math.max(0, cost) <= BUDGET * since ? other(better) : better;
  }

  /** The best backend for such calls so far, and why. `first`: the choice before measurements. */
  choice(key: string, first: BackendChoice): BackendChoice {
    const entry = this.#entry(key);
    const backend = this.#faster(entry);
    const [wasm, gpu] = [shown(median(entry.wasm)), shown(median(entry.gpu))];
    if (backend) return { backend, why: `measured: wasm ${wasm} ms, gpu ${gpu} ms` };
    if (entry.wasmOnly) return { backend: 'wasm', why: 'none of its stages uses the GPU' };
    return wasm < FENCE ? { backend: 'wasm', why: `measured: wasm ${wasm} ms (a GPU fence is slower)` } : first;
  }

  /**
   * Records the time of a call, and whether a stage of it ran on the GPU. Returns a function that records later costs.
   */
  took(key: string, chosen: Backend, milliseconds: number, onGpu: boolean): Charge | undefined {
    const entry = this.#entry(key);
    if (chosen === 'gpu' && !onGpu) {
      entry.wasmOnly = true;
      return undefined;
    }
    entry.since = chosen === (this.#faster(entry) ?? 'wasm') ? entry.since + milliseconds : 0;
    const count = ++entry.calls[chosen];
    if (count <= (chosen === 'gpu' ? TRIALS - 1 : WARM - 1)) return undefined; // compiled just now
    const time: Time = { ms: milliseconds };
    entry[chosen].push(time);
    if (entry[chosen].length > KEPT) entry[chosen].shift();
    const once = onceEach();
    return (begun, ended) => void (time.ms += once(begun, ended));
  }

  toJSON(): BackendProfileData {
    const calls: Record<string, BackendTimes> = {};
    for (const [key, { wasm, gpu }] of this.#entries)
      if (wasm.length || gpu.length) calls[key] = { wasm: numbers(wasm), gpu: numbers(gpu) };
    return { device: this.#device, calls };
  }
}
