import type { ImageFileNotes } from '../../results/types.ts';
import { FoveolaError, reading, textOf } from '../error.ts';

/**
 * A frame on its way from the page to the engine: what can be transferred to a worker without a copy where possible.
 * Whoever receives a packet owns it and closes its frame or bitmap, also when it throws.
 */
export type FramePacket =
  | ({ kind: 'gray'; width: number; height: number; data: Uint8Array } & Origin)
  | ({ kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray } & Origin)
  | { kind: 'bitmap'; bitmap: ImageBitmap }
  /** One that is in the engine already (kept-images.ts). */
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

/** Sides of the plane that will be made of it. */
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
 * Samples that belong to the packet alone, so that the caller may write to his array at once and the buffer may be
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
    const text = `transfer: the memory of a source cannot be given away (${textOf(cause)}). Leave out transfer for shared memory and that of WebAssembly.`;
    throw new FoveolaError('invalid-argument', text, { cause });
  }
  return packets.map((packet, i) => (taken[i] ? { ...packet, data: taken[i], own: true } : packet));
}

/** Copy of what is not samples of a source, as a worker would get it. Throws 'invalid-argument' for what cannot be copied. */
export const snapshot = <T>(value: T): T => reading('A parameter', () => structuredClone(value));

/** The same only where something in it can be changed later. */
export const snapshotOptions = <T extends object>(params: T): T =>
  Object.values(params).some((value) => typeof value === 'object' && value !== null) ? snapshot(params) : params;
