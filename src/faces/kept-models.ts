/** Caches the data that engines derive from landmark models: the most recently used models, and all models in use. */
import type { PackedLandmarks } from '../models/landmarks.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';

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
