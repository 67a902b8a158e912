/** Landmarks and landmark models in the formats of kernels and passes. */
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Box } from '../results/types.ts';

/** Caches the data that engines derive from landmark models: the most recently used models, and all models in use. */

/** Maximum number of models per engine, not counting models in use. */
const KEPT = 2;

interface Entry<V> {
  readonly value: V;
  /** Number of plans that read it. */
  users: number;
}

export class KeptModels<V> {
  readonly #make: (runtime: Runtime, model: PackedLandmarks) => V;
  readonly #free: (runtime: Runtime, value: V) => void;
  readonly #engines = new WeakMap<Runtime, Map<PackedLandmarks, Entry<V>>>();

  constructor(make: (runtime: Runtime, model: PackedLandmarks) => V, free: (runtime: Runtime, value: V) => void) {
    this.#make = make;
    this.#free = free;
  }

  /** Returns the derived data of the model, and makes it if needed. It exists at least as long as the scope. */
  of(scope: Scope, model: PackedLandmarks): V {
    const { runtime } = scope;
    let models = this.#engines.get(runtime);
    if (!models) this.#engines.set(runtime, (models = new Map()));
    let entry = models.get(model);
    if (!entry) {
      for (const [old, { value, users }] of models) {
        if (models.size < KEPT || users) continue;
        models.delete(old);
        this.#free(runtime, value);
      }
      entry = { value: this.#make(runtime, model), users: 0 };
      models.set(model, entry);
    }
    const used = entry;
    used.users++;
    scope.own({ dispose: () => void used.users-- });
    return used.value;
  }
}

/** Boxes and landmarks in the list formats of stages. */

/** Converts the first points of a shape from the unit square of a box to pixels. */
export function inPixels(shape: Float32Array, { x, y, width, height }: Box, { points }: PackedLandmarks): Float32Array {
  const out = new Float32Array(2 * points);
  for (let k = 0; k < out.length; k += 2) {
    out[k] = x + shape[k]! * (width - 1);
    out[k + 1] = y + shape[k + 1]! * (height - 1);
  }
  return out;
}

/** Reads x, y, width, height of each box. */
export const boxesOf = (list: Float64Array): Box[] =>
  Array.from({ length: list.length / 4 }, (_, i) => {
    const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
    return { x, y, width, height };
  });

/** Confidences for models that do not report them. */
export const untold = (count: number): Float64Array => new Float64Array(count).fill(NaN);

/** Joins the points of all faces. */
export function flat(shapes: readonly Float32Array[]): Float32Array {
  const length = shapes[0]?.length ?? 0;
  const points = new Float32Array(length * shapes.length);
  shapes.forEach((shape, i) => points.set(shape, length * i));
  return points;
}
