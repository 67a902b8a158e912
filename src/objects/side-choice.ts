/**
 * Which side looks for the targets, where graphics hardware is there and nobody asked for one: both are tried on a few
 * frames, the faster one is kept, and the other gets another chance now and then. Results are the same on either side.
 */
import type { Side } from '../runtime/stage.ts';

/** Frames that compile shaders and fill pools; their times say nothing. */
const WARM = 3;
const TRIED = 7;
const KEPT = 900;

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1]!;

export class SideChoice {
  #times: Record<Side, number[]> = { gpu: [], wasm: [] };
  #kept: Side | null = null;
  #frames = 0;

  /** The side of the next frame. */
  get side(): Side {
    if (this.#kept) return this.#kept;
    return this.#times.gpu.length < WARM + TRIED ? 'gpu' : 'wasm';
  }

  /** How long a frame took on a side, milliseconds. */
  took(side: Side, ms: number): void {
    if (this.#kept) {
      if (++this.#frames === KEPT) this.restart();
      return;
    }
    this.#times[side].push(ms);
    const { gpu, wasm } = this.#times;
    if (gpu.length < WARM + TRIED || wasm.length < WARM + TRIED) return;
    this.#kept = median(gpu.slice(WARM)) < median(wasm.slice(WARM)) ? 'gpu' : 'wasm';
  }

  /** Frames or targets have changed: measures anew. */
  restart(): void {
    this.#times = { gpu: [], wasm: [] };
    this.#kept = null;
    this.#frames = 0;
  }
}
