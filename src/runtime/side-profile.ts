/**
 * Which side a call takes on this device, by what calls took: the WASM side first, then the GPU in a trial or two, then
 * the faster one. The slower one is tried again as often as a twentieth of the time allows, since devices throttle and
 * drivers change. Calls are told apart by operation, parameters, number of pixels and where the image lies.
 */
import type { Side } from './side.ts';

/** Medians of so many calls. */
const KEPT = 5;
/** Calls of the WASM side before the GPU is tried: the first ones compile. */
const WARM = 2;
/** Trials of the GPU before its time counts: the first one compiles its programs. */
const TRIALS = 2;
/** Share of the time that trials may take. */
const BUDGET = 0.05;
/** A call through the GPU waits for a fence, at least so many milliseconds: below that nothing is tried. */
const FENCE = 1;
/** The GPU has to be faster by this factor to be taken: times are noisy, and its results arrive late under load. */
const CLEAR = 0.95;

export interface SideTimes {
  /** Milliseconds of the last calls. */
  readonly wasm: readonly number[];
  readonly gpu: readonly number[];
}

/** What was measured, as plain data. */
export interface SideProfileData {
  /** The graphics device, as the browser names it, and the threads of the WASM side: times of others say nothing. */
  readonly device: string;
  readonly calls: Readonly<Record<string, SideTimes>>;
}

interface Entry {
  wasm: number[];
  gpu: number[];
  /** Calls, and milliseconds since the last trial. */
  calls: Record<Side, number>;
  since: number;
  /** The GPU was wanted, and no stage took it. */
  wasmOnly: boolean;
}

const isTimes = (list: unknown): boolean =>
  Array.isArray(list) && list.length <= 64 && list.every((ms) => typeof ms === 'number' && ms >= 0 && ms < Infinity);

/** Whether something from outside, perhaps kept for months, has this shape. */
export function isProfile(data: unknown): data is SideProfileData {
  const { device, calls } = Object(data) as Partial<SideProfileData>;
  return (
    typeof device === 'string' &&
    typeof calls === 'object' &&
    calls !== null &&
    Object.values(calls).every((times) => isTimes(times?.wasm) && isTimes(times?.gpu))
  );
}

const median = (list: readonly number[]): number =>
  list.length ? [...list].sort((a, b) => a - b)[list.length >> 1]! : NaN;

/** Numbers of pixels within a factor of two count as one. */
export const callKey = (name: string, params: object, pixels: number, place: string): string =>
  `${name} ${JSON.stringify(params)} 2^${Math.round(Math.log2(Math.max(1, pixels)))} ${place}`;

export class SideProfile {
  readonly #device: string;
  readonly #entries = new Map<string, Entry>();

  /** `data` of another device is left aside. */
  constructor(device: string, data?: SideProfileData) {
    this.#device = device;
    if (data?.device === device)
      for (const [key, { wasm, gpu }] of Object.entries(data.calls)) {
        const entry = this.#entry(key);
        entry.wasm = wasm.slice(-KEPT);
        entry.gpu = gpu.slice(-KEPT);
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

  /** The side for the next call; `first`: that of the first calls, where the image lies. */
  choose(key: string, first: Side = 'wasm'): Side {
    const { wasm, gpu, calls, since, wasmOnly } = this.#entry(key);
    if (wasmOnly) return 'wasm';
    if (first === 'gpu' && calls.gpu < TRIALS) return 'gpu';
    if (calls.wasm < WARM) return 'wasm';
    const own = median(wasm);
    if (calls.gpu < TRIALS || !gpu.length) return own < FENCE ? 'wasm' : 'gpu';
    const theirs = median(gpu);
    const [better, slower, cost]: [Side, Side, number] =
      theirs < CLEAR * own ? ['gpu', 'wasm', own - theirs] : ['wasm', 'gpu', theirs - own];
    return Math.max(0, cost) <= BUDGET * since ? slower : better;
  }

  /** What a call took, and whether a stage of it ran on the GPU. */
  told(key: string, chosen: Side, milliseconds: number, onGpu: boolean): void {
    const entry = this.#entry(key);
    if (chosen === 'gpu' && !onGpu) {
      entry.wasmOnly = true;
      return;
    }
    const faster = entry.gpu.length > 0 && median(entry.gpu) < CLEAR * median(entry.wasm) ? 'gpu' : 'wasm';
    entry.since = chosen === faster ? entry.since + milliseconds : 0;
    const count = ++entry.calls[chosen];
    if (count <= (chosen === 'gpu' ? TRIALS - 1 : WARM - 1)) return; // compiled just now
    entry[chosen].push(milliseconds);
    if (entry[chosen].length > KEPT) entry[chosen].shift();
  }

  toJSON(): SideProfileData {
    const calls: Record<string, SideTimes> = {};
    for (const [key, { wasm, gpu }] of this.#entries) if (wasm.length || gpu.length) calls[key] = { wasm, gpu };
    return { device: this.#device, calls };
  }
}
