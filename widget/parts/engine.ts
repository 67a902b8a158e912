/**
 * The elements' only door to the engine. All elements of a page that ask for the same backend share one engine; it goes
 * when the last of them is gone. Tests put another provider here.
 */
import { type Capabilities, type PupilResult, sharedEngine, type Source } from '../../src/index.ts';

export interface ElementTracker<R> {
  process(source: Source, options?: { timestamp?: number; dropped?: number }): Promise<R>;
  reset(): Promise<void>;
  setParameters(parameters: Record<string, unknown>): Promise<void>;
  dispose(): Promise<void>;
}

export interface ElementEngine {
  readonly capabilities: Capabilities;
  createPupilTracker(parameters?: Record<string, unknown>): ElementTracker<PupilResult>;
}

export interface HeldEngine {
  readonly engine: Promise<ElementEngine>;
  release(): void;
}

export type EngineProvider = (options: { backend?: 'auto' | 'gpu' | 'wasm' }) => HeldEngine;

let provider: EngineProvider = sharedEngine;

/** Replaces where engines come from; returns the former provider. */
export function setEngineProvider(next: EngineProvider): EngineProvider {
  const before = provider;
  provider = next;
  return before;
}

export const holdEngine: EngineProvider = (options) => provider(options);
