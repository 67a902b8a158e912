/**
 * Messages between the page and its engine: how an engine starts, the contents of a call, and how frames, kept images
 * and errors are sent. Errors are sent as plain data, because a structured clone of an Error loses its code.
 */
import type { Capabilities, ImageFileNotes } from '../../results/types.ts';
import { asFoveolaError, FoveolaError, reading, textOf, type FoveolaErrorCode } from '../error.ts';
import type { PlaneArray, PlaneFormat } from '../plane.ts';
import type { Places, Backend } from '../runtime.ts';
import type { BackendProfileData } from '../backend-profile.ts';

export type BackendOption = 'auto' | 'gpu' | 'wasm';

/** The first message to a worker started from our script. It sets the worker's role. */
export interface EngineRole {
  role: 'engine';
}

export interface EngineInit {
  /** The kernels. The memory is shared if threads > 1. */
  module: WebAssembly.Module;
  threads: number;
  backend: BackendOption;
  /** Where models are loaded from. */
  places: Places;
  /** Limit of the arena in bytes. */
  maximum?: number;
  /** Numbers of kept images begin after it. Earlier numbers belong to an engine that was lost. */
  images?: number;
  /** Measurements of an earlier engine on this device. */
  profile?: BackendProfileData;
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
  /** Frames dropped before this one. They are added to the result's count. */
  dropped: number;
  /** A special method of the tracker that receives this frame instead of `process`. */
  method?: { name: string; data: unknown[] };
}

/** A call of reset, setParameters, or a special method of the tracker. */
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
  /** Operations before this one, each on the image from the previous one. */
  chain?: readonly { readonly name: string; readonly params: CheckedParameters }[];
  /** Images stay in the engine. The answer contains an ImageReference for each. */
  keep?: boolean;
}

export type Progress = (done: number, detail?: unknown) => void;

/** Data that is sent together with an answer. */
export interface Aside {
  /** The memory of a frame's samples, to be reused for the next frame. */
  spare?: ArrayBuffer;
  /** The entry of `capabilities.backends` for the operation after this call. */
  backends?: Capabilities['backends'];
}

/** An image that stays in the engine. The answer to a call contains it in place of samples. */
export interface ImageReference {
  readonly image: number;
  readonly width: number;
  readonly height: number;
  readonly format: PlaneFormat;
  readonly backend: Backend;
  /** Its samples in place, including the padding after each row, if the memory is shared and contains them. */
  readonly samples?: PlaneArray;
}

/** Whether a value is the answer to a call that kept an image. */
export const isReference = (value: unknown): value is ImageReference =>
  typeof value === 'object' && value !== null && typeof (value as ImageReference).image === 'number';

/**
 * A frame sent from the page to the engine, in a form that can be transferred to a worker without a copy if possible.
 * The receiver of a packet owns it and closes its frame or bitmap, even if the receiver throws.
 */
export type FramePacket =
  | ({ kind: 'gray'; width: number; height: number; data: Uint8Array } & Origin)
  | ({ kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray } & Origin)
  | { kind: 'bitmap'; bitmap: ImageBitmap }
  /** An image that is already in the engine (images.ts). */
  | { kind: 'image'; image: number; width: number; height: number }
  | { kind: 'frame'; frame: VideoFrame };

interface Origin {
  file?: ImageFileNotes;
  /** The samples were made for this packet and are not shared. */
  own?: boolean;
}

/** A packet that contains its pixels. */
export type ReadablePacket = Exclude<FramePacket, { kind: 'image' }>;

export function closePacket(packet: FramePacket): void {
  if (packet.kind === 'bitmap') packet.bitmap.close();
  if (packet.kind === 'frame') packet.frame.close();
}

/** Width and height of the plane that will be made from it. */
export function packetSize(packet: FramePacket): { width: number; height: number } {
  if (packet.kind === 'frame') return { width: packet.frame.displayWidth, height: packet.frame.displayHeight };
  return packet.kind === 'bitmap' ? packet.bitmap : packet;
}

/** Buffers returned by the engine. Copying into memory that is already in use takes a tenth of the time. */
export class SpareBuffers {
  #buffers: ArrayBuffer[] = [];

  take(bytes: number): ArrayBuffer {
    const i = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return i < 0 ? new ArrayBuffer(bytes) : this.#buffers.splice(i, 1)[0]!;
  }

  /** Keeps the four newest buffers. */
  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength) this.#buffers.unshift(buffer);
    this.#buffers.length = Math.min(this.#buffers.length, 4);
  }
}

/**
 * Makes a packet with exclusive samples, so that the caller may write to the array immediately and the buffer may be
 * transferred. It makes one copy, only of the image's bytes.
 */
export function ownPacket(packet: FramePacket, spare?: SpareBuffers): FramePacket {
  if ((packet.kind !== 'gray' && packet.kind !== 'rgba') || packet.own) return packet;
  const { data } = packet;
  const buffer = spare?.take(data.byteLength) ?? new ArrayBuffer(data.byteLength);
  const own = packet.kind === 'gray' ? new Uint8Array(buffer) : new Uint8ClampedArray(buffer);
  own.set(data);
  return { ...packet, data: own } as FramePacket;
}

/** Each buffer once, because two packets of a call may share a transferred buffer. */
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
 * Moves the samples of the packets into new buffers and detaches the caller's buffers: `transfer: true`.
 * @throws {FoveolaError} 'invalid-argument' for memory that cannot be transferred. Nothing is transferred then
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

/**
 * Copies an argument that is not a source's samples, as posting it to a worker would. Throws 'invalid-argument' for
 * values that cannot be copied.
 */
export const snapshot = <T>(value: T): T => reading('A parameter', () => structuredClone(value));

/** Like `snapshot`, but copies only if something in it can be changed later. */
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
  // The place of the error in the worker is more useful than the place where the message arrived.
  const origin = new Error(cause ?? message);
  if (stack) origin.stack = stack;
  return new FoveolaError(code, message, { cause: origin, partial });
}

/**
 * Everything in a message that can be transferred instead of copied. Changes `value` in place: views of the engine's
 * memory are replaced by copies, except for kept images.
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
