/** createEngine: where the runtime, the frame sources and the capabilities are joined. */
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

/** EngineBase makes a method of all that is registered: test/runtime/engine-type.test.ts holds it against the type. */
function hasMethods(_engine: EngineBase): asserts _engine is EngineBase & Engine {}

/**
 * A new engine: in a worker where the page allows one, else on the page's own thread (`engine.capabilities` says which
 * and why). Works in Node on GrayImage and ImageData sources.
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

/** What is made of EngineSyncBase's methods. */
function hasSyncMethods(_engine: EngineSyncBase): asserts _engine is EngineSyncBase & EngineSync {}

/**
 * An engine without promises, for a worker of one's own or Node: WASM on the caller's thread, samples in, views of its
 * memory out, which hold until its next call. Operations that load models are not among its calls.
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
