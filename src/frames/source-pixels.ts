/** The samples of any source, as they are: what exports use. */
import type { Source } from '../results/types.ts';
import { asFoveolaError } from '../runtime/error.ts';
import { closePacket, packetSize, type ReadablePacket } from '../runtime/engine/protocol.ts';
import { canvasPixels } from './canvas-pixels.ts';
import { toPacket } from './to-packet.ts';

export type SourcePixels =
  | { kind: 'gray'; width: number; height: number; data: Uint8Array }
  | { kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray };

/** Rejects as toPacket does. Samples that the caller gave are not copied. */
export async function sourcePixels(source: Source): Promise<SourcePixels> {
  return pixelsOf(await toPacket(source));
}

/** The packet is closed. */
export function pixelsOf(packet: ReadablePacket): SourcePixels {
  if (packet.kind === 'gray' || packet.kind === 'rgba') return packet;
  try {
    const { width, height } = packetSize(packet);
    const picture = packet.kind === 'bitmap' ? packet.bitmap : packet.frame;
    return { kind: 'rgba', width, height, data: canvasPixels(picture, width, height) };
  } catch (error) {
    throw asFoveolaError(error, 'Reading the source');
  } finally {
    closePacket(packet);
  }
}
