/**
 * A frame on its way from the page to the engine: what can be transferred to a worker without a copy where possible.
 * Whoever receives a packet owns it and closes its frame or bitmap, also when it throws.
 */
export type FramePacket =
  | { kind: 'gray'; width: number; height: number; data: Uint8Array }
  | { kind: 'rgba'; width: number; height: number; data: Uint8ClampedArray }
  | { kind: 'bitmap'; bitmap: ImageBitmap }
  | { kind: 'frame'; frame: VideoFrame };

export function closePacket(packet: FramePacket): void {
  if (packet.kind === 'bitmap') packet.bitmap.close();
  if (packet.kind === 'frame') packet.frame.close();
}
