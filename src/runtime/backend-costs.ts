/**
 * Predicted time of a call on each backend before either was measured, in milliseconds for n million pixels and t
 * threads. WASM: w n / t^spread, plus `down` for an image that is only on the GPU. GPU: fence + g n, plus `up` for each
 * megabyte that is not there yet and `down` for each megabyte of the result. The coefficients hold for a class of
 * devices. `npm run lab -- sides door --write` fits them to a saved result of a device of that class. There is no
 * such result for an integrated GPU, so nothing is predicted for it. Software GPUs are never used.
 */

interface Costs {
  readonly fence: number;
  readonly up: number;
  readonly down: number;
  readonly spread: number;
  /** By operation: w, g, and bytes of the result per pixel. */
  readonly calls: Readonly<Record<string, readonly [number, number, number]>>;
}

const discrete: Costs = {
  // bench: sides door
  fence: 1.3,
  up: 0.48,
  down: 1.7,
  spread: 0.65,
  calls: {
    gaussian: [0.57, 0, 1],
    morphology: [0.85, 1.4, 1],
    median: [2.4, 4.2, 1],
    canny: [1.6, 1.9, 1],
    integral: [0.3, 1.6, 4],
    hessianEigenvalues: [3.9, 0.36, 8],
    opticalFlow: [72, 9.6, 6.5],
    detectFaces: [47, 24, 0],
    inpaint: [64, 82, 4],
    vessels: [4.7, 4.3, 2],
  },
  // /bench
};

/** Names of graphics cards with dedicated memory. The others share the processor's memory. */
export const isDiscrete = (renderer: string): boolean => /nvidia|geforce|radeon (rx|pro)/i.test(renderer);

export interface Prediction {
  readonly wasm: number;
  /** The part of `gpu` for moving the image (`up`) and the result (`down`). */
  readonly gpu: number;
  readonly up: number;
  readonly down: number;
}

/**
 * Null if the device or an operation is unknown. `place`: where the image is, 'gpu', 'both', 'arena', or the kind of a
 * packet. `keep`: the result stays in the engine.
 */
export function predict(
  renderer: string,
  threads: number,
  steps: readonly string[],
  pixels: number,
  place: string,
  keep?: boolean,
): Prediction | null {
  const { fence, calls, spread } = discrete;
  const own = steps.flatMap((step) => (calls[step] ? [calls[step]] : []));
  if (own.length < steps.length || !isDiscrete(renderer)) return null;
  const mega = pixels / 1e6;
  const fetched = discrete.down * mega;
  const sum = (part: 0 | 1) => own.reduce((total, call) => total + call[part], 0) * mega;
  const away = place === 'gpu';
  const up = away || place === 'both' ? 0 : discrete.up * mega * (/rgba|bitmap|frame/.test(place) ? 4 : 1);
  // A result that stays may be downloaded later. A download is unlikely if the image was already on the GPU.
  const down = away && keep ? 0 : fetched * own.at(-1)![2];
  return {
    wasm: sum(0) / threads ** spread + (away ? fetched : 0),
    gpu: fence + sum(1) + up + down,
    up,
    down,
  };
}
