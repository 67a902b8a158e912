/** What `engine.capabilities.sides` says of an operation that chooses for each call: by its size, which side and why. */
import type { Capabilities } from '../results/types.ts';
import type { Prediction } from './side-costs.ts';
import type { Side } from './side.ts';

export interface SideChoice {
  readonly side: Side;
  readonly why: string;
}

/** The binary logarithm of a number of pixels, rounded: calls of one class count as alike. */
export const sizeClass = (pixels: number): number => Math.round(Math.log2(Math.max(1, pixels)));

/** Two digits. */
export const shown = (value: number): number => Number(value.toPrecision(2));

/** `first`: the side of the first calls where nothing is predicted. */
export function firstChoice(predicted: Prediction | null, first: Side = 'wasm'): SideChoice {
  if (!predicted) return { side: first, why: 'nothing predicted' };
  const { wasm, gpu, up, down } = predicted;
  return {
    side: gpu < wasm ? 'gpu' : 'wasm',
    why: `predicted: wasm ${shown(wasm)} ms, gpu ${shown(gpu)} ms, of it ${shown(up)} ms up, ${shown(down)} ms down`,
  };
}

export class SideReasons {
  readonly #sides: Record<string, Capabilities['sides'][string]>;
  readonly #classes: Record<string, Record<number, SideChoice>> = {};

  /** `sides`: of the engine's capabilities; changed as calls come. */
  constructor(sides: Capabilities['sides']) {
    this.#sides = sides;
  }

  /** Of calls of this size class; in place of what was said of them before. */
  say(name: string, size: number, choice: SideChoice): void {
    const classes = (this.#classes[name] ??= {});
    classes[size] = choice;
    const all = Object.entries(classes); // by size
    this.#sides[name] = {
      side: all.every(([, { side }]) => side === choice.side) ? choice.side : 'measured',
      why: all.map(([size, { side, why }]) => `${shown(2 ** +size / 1e6)} megapixels: ${side}, ${why}`).join('; '),
    };
  }
}
