/**
 * Loading ahead of the call that needs the models: it crosses the worker's door as any operation, with its progress and
 * its cancel, and the call then finds them. The page's end asks for it (runtime/engine/engine.ts).
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
