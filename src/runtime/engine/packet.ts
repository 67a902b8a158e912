import type { ImageFileNotes } from '../../results/types.ts';

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

export function packetTransferables(packets: readonly FramePacket[]): Transferable[] {
  return packets.flatMap((packet) => {
    if (packet.kind === 'image') return [];
    if (packet.kind === 'bitmap') return packet.bitmap;
    if (packet.kind === 'frame') return packet.frame;
    return packet.data.buffer as ArrayBuffer;
  });
}
