/** createEngine: combines the runtime, the frame sources and the capabilities. */
import './capabilities.ts';
import type { Engine, EngineSync } from './api.ts';
import { toPacket } from './frames/to-packet.ts';
import { grayOf, grayToRgba } from './frames/to-plane.ts';
import { readers } from './engine-home.ts';
import { checkOptions, type EngineOptions } from './runtime/engine/options.ts';
import type { Connection } from './runtime/engine/connection.ts';
import { engineSharing, startEngine, startSync } from './runtime/engine/start.ts';
import { EngineBase } from './runtime/engine/engine.ts';
import { EngineSyncBase } from './runtime/engine/sync.ts';

/**
 * EngineBase creates a method for everything that is registered. test/runtime/engine-type.test.ts compares it with the
 * type.
 */
function hasMethods(_engine: EngineBase): asserts _engine is EngineBase & Engine {}

/**
 * Creates an engine: in a worker if the page allows one, otherwise on the page's thread (`engine.capabilities` reports
 * which and why). Works in Node with GrayImage and ImageData sources.
 * @throws {FoveolaError} 'invalid-argument', 'wasm-blocked', 'worker-blocked' (only with `worker: true`), 'no-webgl2'
 * (only with `backend: 'gpu'`), 'out-of-memory'
 */
export async function createEngine(options?: EngineOptions): Promise<Engine> {
  return engineOn(await startEngine(checkOptions(options), readers, toPacket));
}

/** The engine behind a connection. */
export function engineOn(connection: Connection): Engine {
  const engine = new EngineBase(connection);
  hasMethods(engine);
  return engine;
}

/** EngineSyncBase creates these methods from the registries. */
function hasSyncMethods(_engine: EngineSyncBase): asserts _engine is EngineSyncBase & EngineSync {}

/**
 * Creates an engine without promises, for use in your own worker or in Node. It runs WASM on the caller's thread.
 * Inputs are samples. Results are views of its memory, which are valid until its next call. Operations that load models
 * are not available.
 * @throws {FoveolaError} 'invalid-argument', 'wasm-blocked', 'asset-missing', 'out-of-memory'
 */
export async function createEngineSync(options?: Pick<EngineOptions, 'assetBase'>): Promise<EngineSync> {
  const engine = new EngineSyncBase(await startSync(checkOptions(options)), {
    toPacket,
    gray: grayOf,
    rgba: grayToRgba,
  });
  hasSyncMethods(engine);
  return engine;
}

/** The engine that the elements of a page share: reference-counted, one for equal options. */
export const sharedEngine = engineSharing<Engine>(createEngine);
