/**
 * Loading ahead of the call that needs the models: it crosses the worker's door as any operation, with its progress and
 * its cancel, and the call then finds them. The page's end asks for it (runtime/engine.ts).
 */
import { defineOperations, operationOn, LOAD_MODELS, type ModelRequest } from '../runtime/capability.ts';
import { loadModels } from './load.ts';

const loadModelsOperation = operationOn<[]>()({
  params: {},
  sources: [],
  data: ['requests'],
  async run({ runtime, signal, progress }, _planes, _params, requests): Promise<void> {
    await loadModels(runtime, requests as readonly ModelRequest[], { signal, progress });
  },
});

defineOperations({ [LOAD_MODELS]: loadModelsOperation });
