/** A packet becomes a plane: in the engine, so mostly in its worker. The packet is closed, also on throw. */
import { gray } from '../image/gray.ts';
import { closePacket, type FramePacket } from '../runtime/packet.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { run } from '../runtime/stage.ts';
import { FoveolaError } from '../runtime/error.ts';

export function toPlane(runtime: Runtime, packet: FramePacket, wanted: 'gray' | 'rgba'): Plane | Promise<Plane> {
  if (packet.kind === 'gray' && wanted === 'gray') return runtime.plane(packet.width, packet.height, 'u8', packet.data);
  if (packet.kind === 'rgba' && wanted === 'rgba')
    return runtime.plane(packet.width, packet.height, 'rgba8', packet.data);
  if (packet.kind === 'rgba') return toGray(runtime, runtime.plane(packet.width, packet.height, 'rgba8', packet.data));
  closePacket(packet);
  throw new FoveolaError('source-unsupported', 'not yet');
}

async function toGray(runtime: Runtime, rgba: Plane): Promise<Plane> {
  try {
    return (await run(runtime, gray, [rgba]))[0]!;
  } finally {
    rgba.dispose();
  }
}
