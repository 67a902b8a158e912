/** createEngine: where the runtime, the frame sources and the capabilities are joined. */
import './capabilities.ts';
import type { Engine } from './api.ts';
import { toPacket } from './frames/to-packet.ts';
import { readers } from './engine-home.ts';
import { checkOptions, type EngineOptions } from './runtime/engine/engine-options.ts';
import { engineSharing } from './runtime/engine/engine-shared.ts';
import { startEngine } from './runtime/engine/engine-start.ts';
import { EngineBase } from './runtime/engine/engine.ts';

/** EngineBase makes a method of all that is registered: test/runtime/engine-type.test.ts holds it against the type. */
function hasMethods(_engine: EngineBase): asserts _engine is EngineBase & Engine {}

/**
 * A new engine: in a worker where the page allows one, else on the page's own thread (`engine.capabilities` says which
 * and why). Works in Node on GrayImage and ImageData sources.
 * @throws {FoveolaError} 'invalid-argument', 'wasm-blocked', 'worker-blocked' (only with `worker: true`), 'no-webgl2'
 * (only with `backend: 'gpu'`), 'out-of-memory'
 */
export async function createEngine(options?: EngineOptions): Promise<Engine> {
  const engine = new EngineBase(await startEngine(checkOptions(options), readers), toPacket);
  hasMethods(engine);
  return engine;
}

/** The engine that the elements of a page share: reference-counted, one for equal options. */
export const sharedEngine = engineSharing<Engine>(createEngine);
