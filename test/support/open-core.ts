/** An engine on the page whose inside can be looked at: what it holds of arena and textures. */
import { toPacket } from '../../src/frames/to-packet.ts';
import { readers } from '../../src/engine-home.ts';
import type { Engine } from '../../src/index.ts';
import { insideModel, modelPlaces } from '../../src/runtime/engine/assets.ts';
import { EngineBase } from '../../src/runtime/engine/engine.ts';
import { Connection } from '../../src/runtime/engine/connection.ts';
import { Host } from '../../src/runtime/engine/host.ts';
import { Port } from '../../src/runtime/engine/port.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';

export async function openCore(backend: 'wasm' | 'gpu'): Promise<{ core: Host; engine: Engine }> {
  const module = await compileKernels(fetch('/dist/kernels.wasm'));
  const places = { models: modelPlaces({}), page: document.baseURI };
  const init = { module, threads: 1, backend, places, reasons: [] };
  const core = await Host.create(init, { ...readers, worker: false, insideModel });
  const port = Port.here(core.handlers);
  const started = { port, capabilities: core.capabilities, end: () => port.request('dispose', null) };
  const engine = new EngineBase(await Connection.open(async () => started, toPacket));
  return { core, engine: engine as object as Engine };
}
