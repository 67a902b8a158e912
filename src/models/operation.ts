/**
 * Loads models before a call needs them. It runs in the worker like any operation, with progress and cancellation, and
 * the later call finds the loaded models. The page-side engine requests it (runtime/engine/engine.ts).
 */
import { defineOperations, operationOn, LOAD_MODELS, type ModelRequest } from '../runtime/capability.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { loadModels, type LoadProgress } from './load.ts';

const loadModelsOperation = operationOn<[]>()({
  params: {},
  sources: [],
  data: ['requests'],
  *plan(scope, _planes, _params, requests): Plan<void> {
    const { signal } = scope.options;
    const progress = (done: number, detail: LoadProgress) => scope.progress(done, detail);
    yield* scope.wait(loadModels(scope.runtime, requests as readonly ModelRequest[], { signal, progress }));
  },
});

defineOperations({ [LOAD_MODELS]: loadModelsOperation });
