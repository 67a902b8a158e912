/**
 * What crosses the border between the page and the engine's worker. Errors travel as plain data, because a structured
 * clone of an Error loses its code; results hand over the memory of their typed arrays.
 */
import { isReference } from './image-reference.ts';
import type { FramePacket } from './packet.ts';
import type { Capabilities } from '../../results/types.ts';
import { asFoveolaError, FoveolaError, type FoveolaErrorCode } from '../error.ts';
import type { Places } from '../runtime.ts';
import type { SideProfileData } from '../side-profile.ts';

export type Backend = 'auto' | 'gpu' | 'wasm';

/** The first message that a worker made of our script gets; it says which part it plays. */
export interface EngineRole {
  role: 'engine';
}

export interface EngineInit {
  /** The shared-memory build when threads > 1, else the single-thread build. */
  module: WebAssembly.Module;
  threads: number;
  backend: Backend;
  /** Where models are loaded from. */
  places: Places;
  /** Limit of the arena in bytes. */
  maximum?: number;
  /** Numbers of kept images begin after it; those up to it were of an engine that died. */
  images?: number;
  /** What an engine of this device measured before. */
  profile?: SideProfileData;
  /** Fallbacks that were taken before the engine came to life. */
  reasons: string[];
}

/** Parameters with their defaults. They are checked once, on the page, before anything is sent. */
export type CheckedParameters = object;

export interface ProcessCall {
  tracker: number;
  /** The place of this call among those of its tracker, counted from 0. */
  turn: number;
  call: number;
  packet: FramePacket;
  timestamp: number;
  /** Frames that were dropped before this one; added to the result's own count. */
  dropped: number;
  /** A method of the tracker's own that takes this frame, instead of `process`. */
  method?: { name: string; data: unknown[] };
}

/** reset, setParameters, dispose, or a method of the tracker's own. */
export interface TrackerCall {
  tracker: number;
  turn: number;
  method: string;
  data: unknown[];
}

export interface OperationCall {
  call: number;
  name: string;
  packets: FramePacket[];
  data: unknown[];
  params: CheckedParameters;
  /** Operations that come before it, each with the picture of the one before. */
  chain?: readonly { readonly name: string; readonly params: CheckedParameters }[];
  /** Pictures stay in the engine: the answer has an ImageReference for each. */
  keep?: boolean;
}

export type Progress = (done: number, detail?: unknown) => void;

/** The engine as both its homes offer it: the worker through Comlink, the page's own thread directly. */
export interface EnginePort {
  operation(call: OperationCall, progress?: Progress): Promise<unknown>;
  /** `turn`: the number of its first call; 0 unless it comes back after the death of its worker. */
  createTracker(tracker: number, kind: string, params: CheckedParameters, turn?: number): Promise<void>;
  process(call: ProcessCall): Promise<unknown>;
  trackerCall(call: TrackerCall): Promise<unknown>;
  /** The call of this turn does not come: its source could not be read. */
  skip(tracker: number, turn: number): void;
  abort(call: number): void;
  profile(): Promise<SideProfileData | null>;
  /** A kept image is wanted no more. */
  drop(image: number): void;
  /** Ends everything; resolves when threads and GPU are given back. */
  dispose(): Promise<void>;
}

export interface StartedEngine {
  port: EnginePort;
  capabilities: Capabilities;
  /** Resolves when its worker is dead. */
  died?: Promise<FoveolaError>;
}

interface PlainError {
  code: FoveolaErrorCode;
  message: string;
  stack?: string;
  cause?: string;
  partial?: unknown;
}

export type Reply<T = unknown> = ({ value: T } | { error: PlainError }) & {
  /** The memory of a frame's samples, to be used again for the next. */
  spare?: ArrayBuffer;
  /** What `capabilities.sides` says of the operation after this call. */
  sides?: Capabilities['sides'];
};

export function toReply(error: unknown, doing: string): Reply<never> {
  const { code, message, stack, cause, partial } = asFoveolaError(error, doing);
  return { error: { code, message, stack, cause: cause === undefined ? undefined : String(cause), partial } };
}

export function fromReply<T>(reply: Reply<T>): T {
  if ('value' in reply) return reply.value;
  const { code, message, stack, cause, partial } = reply.error;
  // Where it happened in the worker helps more than where the message arrived.
  const origin = new Error(cause ?? message);
  if (stack) origin.stack = stack;
  throw new FoveolaError(code, message, { cause: origin, partial });
}

/**
 * Everything in a result that can be handed over instead of copied. Views of the engine's own memory are replaced by
 * copies, but for those of images that stay: `value` is changed in place.
 */
export function transferables(value: unknown, keep?: ArrayBufferLike): Transferable[] {
  const found = new Set<Transferable>();
  const visit = (item: unknown, depth: number): void => {
    if (typeof item !== 'object' || item === null || depth > 6 || isReference(item)) return;
    if (ArrayBuffer.isView(item)) {
      if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
      return;
    }
    if (item instanceof ArrayBuffer) return void found.add(item);
    if (typeof ImageBitmap !== 'undefined' && item instanceof ImageBitmap) return void found.add(item);
    if (typeof VideoFrame !== 'undefined' && item instanceof VideoFrame) return void found.add(item);
    if (typeof ImageData !== 'undefined' && item instanceof ImageData) return void found.add(item.data.buffer);
    for (const [key, part] of Object.entries(item)) {
      if (keep && ArrayBuffer.isView(part) && part.buffer === keep)
        (item as Record<string, unknown>)[key] = (part as Uint8Array).slice();
      visit((item as Record<string, unknown>)[key], depth + 1);
    }
  };
  visit(value, 0);
  return [...found];
}
