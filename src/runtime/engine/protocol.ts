/**
 * What crosses between the page and its engine: how an engine starts, what a call brings, and how frames, kept images and errors
 * travel. Errors travel as plain data, because a structured clone of an Error loses its code.
 */
import type { Capabilities, ImageFileNotes } from '../../results/types.ts';
import { asFoveolaError, FoveolaError, reading, textOf, type FoveolaErrorCode } from '../error.ts';
import type { PlaneArray, PlaneFormat } from '../plane.ts';
import type { Places } from '../runtime.ts';
import type { SideProfileData } from '../side-profile.ts';
import type { Side } from '../side.ts';

export type Backend = 'auto' | 'gpu' | 'wasm';

/** The first message to a worker that was started from our script; it says which part the worker plays. */
export interface EngineRole {
  role: 'engine';
}

export interface EngineInit {
  /** The kernels; the memory is shared when threads > 1. */
  module: WebAssembly.Module;
  threads: number;
  backend: Backend;
  /** Where models are loaded from. */
  places: Places;
  /** Limit of the arena in bytes. */
  maximum?: number;
  /** Numbers of kept images begin after it; earlier numbers belong to an engine that was lost. */
  images?: number;
  /** What an engine of this device measured before. */
  profile?: SideProfileData;
  /** Fallbacks that were used before the engine started. */
  reasons: string[];
}

/** Parameters with their defaults. They are checked once, on the page, before anything is sent. */
export type CheckedParameters = object;

export interface FrameCall {
  tracker: number;
  /** One packet. */
  packets: FramePacket[];
  timestamp: number;
  /** Frames that were dropped before this one; added to the result's own count. */
  dropped: number;
  /** A method of the tracker's own that takes this frame, instead of `process`. */
  method?: { name: string; data: unknown[] };
}

/** reset, setParameters, or a method of the tracker's own. */
export interface TrackerCall {
  tracker: number;
  method: string;
  data: unknown[];
}

export interface OperationCall {
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

/** Travels with an answer, beside it. */
export interface Aside {
  /** The memory of a frame's samples, to be used again for the next. */
  spare?: ArrayBuffer;
  /** What `capabilities.sides` says of the operation after this call. */
  sides?: Capabilities['sides'];
}

/** An image that stays in the engine; what a call is answered with in place of samples. */
export interface ImageReference {
  readonly image: number;
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  readonly side: Side;
  /** Its samples in place, with the gaps after each row, if the memory is shared and they are there. */
  readonly samples?: PlaneArray;
}

/** What answers a call that kept something. */
export const isReference = (value: unknown): value is ImageReference =>
  typeof value === 'object' && value !== null && typeof (value as ImageReference).image === 'number';

/**
 * A frame on its way from the page to the engine: what can be transferred to a worker without a copy where possible.
 * The receiver of a packet owns it and closes its frame or bitmap, also when it throws.
 */
export type FramePacket =
  | ({ kind: 'gray'; width: number; height: number; data: Uint8Array } & Origin)
  | ({ kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray } & Origin)
  | { kind: 'bitmap'; bitmap: ImageBitmap }
  /** One that is in the engine already (images.ts). */
  | { kind: 'image'; image: number; width: number; height: number }
  | { kind: 'frame'; frame: VideoFrame };

interface Origin {
  file?: ImageFileNotes;
  /** The samples were made for this packet: nobody else has them. */
  own?: boolean;
}

/** One that brings its pixels. */
export type ReadablePacket = Exclude<FramePacket, { kind: 'image' }>;

export function closePacket(packet: FramePacket): void {
  if (packet.kind === 'bitmap') packet.bitmap.close();
  if (packet.kind === 'frame') packet.frame.close();
}

/** Width and height of the plane that will be made of it. */
export function packetSize(packet: FramePacket): { width: number; height: number } {
  if (packet.kind === 'frame') return { width: packet.frame.displayWidth, height: packet.frame.displayHeight };
  return packet.kind === 'bitmap' ? packet.bitmap : packet;
}

/** Buffers that came back from the engine: a copy into memory that is in use already takes a tenth of the time. */
export class SpareBuffers {
  #buffers: ArrayBuffer[] = [];

  take(bytes: number): ArrayBuffer {
    const i = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return i < 0 ? new ArrayBuffer(bytes) : this.#buffers.splice(i, 1)[0]!;
  }

  /** Keeps the newest four. */
  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength) this.#buffers.unshift(buffer);
    this.#buffers.length = Math.min(this.#buffers.length, 4);
  }
}

/**
 * Samples that belong to the packet alone, so that the caller may write to the array at once and the buffer may be
 * transferred. One copy, and only of the image's own bytes.
 */
export function ownPacket(packet: FramePacket, spare?: SpareBuffers): FramePacket {
  if ((packet.kind !== 'gray' && packet.kind !== 'rgba') || packet.own) return packet;
  const { data } = packet;
  const buffer = spare?.take(data.byteLength) ?? new ArrayBuffer(data.byteLength);
  const own = packet.kind === 'gray' ? new Uint8Array(buffer) : new Uint8ClampedArray(buffer);
  own.set(data);
  return { ...packet, data: own } as FramePacket;
}

/** Each once: two packets of a call may share a buffer that was given away. */
export function packetTransferables(packets: readonly FramePacket[]): Transferable[] {
  const all = packets.flatMap((packet) => {
    if (packet.kind === 'image') return [];
    if (packet.kind === 'bitmap') return packet.bitmap;
    if (packet.kind === 'frame') return packet.frame;
    return packet.data.buffer as ArrayBuffer;
  });
  return [...new Set(all)];
}

/**
 * The packets with their samples in new buffers, which were the caller's; those are detached: `transfer: true`.
 * @throws {FoveolaError} 'invalid-argument' for memory that cannot be given away; then nothing was
 */
export function takenOver<P extends FramePacket>(packets: readonly P[]): P[] {
  const views = packets.map((packet) => ('data' in packet && !packet.own ? packet.data : null));
  const buffers = new Set(views.flatMap((view) => (view ? [view.buffer as ArrayBuffer] : [])));
  let taken: (Uint8Array | Uint8ClampedArray | null)[];
  try {
    taken = structuredClone(views, { transfer: [...buffers] });
  } catch (cause) {
    const text = `transfer: the memory of a source cannot be transferred (${textOf(cause)}). Omit transfer for shared and WebAssembly memory.`;
    throw new FoveolaError('invalid-argument', text, { cause });
  }
  return packets.map((packet, i) => (taken[i] ? { ...packet, data: taken[i], own: true } : packet));
}

/** Copy of what is not samples of a source, as a worker would get it. Throws 'invalid-argument' for what cannot be copied. */
export const snapshot = <T>(value: T): T => reading('A parameter', () => structuredClone(value));

/** The same only where something in it can be changed later. */
export const snapshotOptions = <T extends object>(params: T): T =>
  Object.values(params).some((value) => typeof value === 'object' && value !== null) ? snapshot(params) : params;

export interface PlainError {
  code: FoveolaErrorCode;
  message: string;
  stack?: string;
  cause?: string;
  partial?: unknown;
}

export function plainError(error: unknown, doing: string): PlainError {
  const { code, message, stack, cause, partial } = asFoveolaError(error, doing);
  return { code, message, stack, cause: cause === undefined ? undefined : String(cause), partial };
}

export function fromPlainError({ code, message, stack, cause, partial }: PlainError): FoveolaError {
  // Where it happened in the worker helps more than where the message arrived.
  const origin = new Error(cause ?? message);
  if (stack) origin.stack = stack;
  return new FoveolaError(code, message, { cause: origin, partial });
}

/**
 * Everything in a message that can be handed over instead of copied. Views of the engine's own memory are replaced by
 * copies, except those of images that stay: `value` is changed in place.
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
