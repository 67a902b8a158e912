/** An engine on the page whose inside can be looked at: what it holds of arena and textures. */
import { toPacket } from '../../src/frames/to-packet.ts';
import { readers } from '../../src/engine-home.ts';
import type { Engine } from '../../src/index.ts';
import { insideModel, modelPlaces } from '../../src/runtime/engine/assets.ts';
import { EngineBase } from '../../src/runtime/engine/engine.ts';
import { EngineCore } from '../../src/runtime/engine/engine-core.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';

export async function openCore(backend: 'wasm' | 'gpu'): Promise<{ core: EngineCore; engine: Engine }> {
  const module = await compileKernels(fetch('/dist/kernels.wasm'));
  const places = { models: modelPlaces({}), page: document.baseURI };
  const init = { module, threads: 1, backend, places, reasons: [] };
  const core = await EngineCore.create(init, { ...readers, worker: false, insideModel });
  const engine = new EngineBase({ port: core, capabilities: core.capabilities }, toPacket);
  return { core, engine: engine as object as Engine };
}
