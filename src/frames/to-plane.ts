/**
 * Converts a packet to a plane, in the engine and so usually in its worker. Samples are copied to the arena unchanged.
 * Bitmaps and frames are uploaded directly to a texture if the GPU is preferred, otherwise they reach the arena in the
 * fastest way. The packet is closed, even if this throws.
 */
import { chromaPlane, gray } from '../image/gray.ts';
import type { SourceFormat } from '../runtime/capability.ts';
import { asFoveolaError } from '../runtime/error.ts';
import { closePacket, packetSize, type FramePacket, type ReadablePacket } from '../runtime/engine/protocol.ts';
import { Plane } from '../runtime/plane.ts';
import { type Runtime, gpuForPictures } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import { drive } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { chromaOfRgba } from './chroma.ts';
import { canvasBands } from './canvas-pixels.ts';
import { lumaPlane, rgbaPlane } from './video-frame.ts';

export interface ToPlaneOptions {
  /** Upload frames to a texture. Default: if the GPU is preferred and is not a software GPU. */
  upload?: boolean;
  /** 'wasm': the plane is needed on the arena, whatever backend is preferred. */
  backend?: 'wasm';
  /** The packet stays open. */
  keep?: boolean;
}

export function toPlane(
  runtime: Runtime,
  packet: ReadablePacket,
  format: SourceFormat,
  options: ToPlaneOptions = {},
): Plane | Promise<Plane> {
  if (packet.kind === 'gray') {
    const plane = runtime.plane(packet.width, packet.height, 'u8', packet.data);
    plane.file = packet.file;
    if (format !== 'rgba') return plane;
    const rgba = grayToRgba(runtime, plane);
    plane.dispose();
    return rgba;
  }
  if (packet.kind === 'rgba') {
    const plane = runtime.plane(packet.width, packet.height, 'rgba8', packet.data);
    plane.file = packet.file;
    return as(format, runtime, plane, options);
  }
  return ofPicture(runtime, packet, format, options);
}

async function ofPicture(
  runtime: Runtime,
  packet: FramePacket & { kind: 'bitmap' | 'frame' },
  format: SourceFormat,
  options: ToPlaneOptions,
): Promise<Plane> {
  const { width, height } = packetSize(packet);
  const picture = packet.kind === 'bitmap' ? packet.bitmap : packet.frame;
  try {
    const gpu = options.backend === 'wasm' || format === 'pixels' ? null : gpuForPictures(runtime, width, height);
    // Software drawing of a frame takes 20 times as long as copying its luma. Bitmaps have no faster way.
    if (gpu && (options.upload ?? (packet.kind === 'bitmap' || !gpu.capabilities.software)))
      return await as(format, runtime, gpu.fromSource(picture, width, height), options);
    if (packet.kind === 'frame') {
      const gray = format === 'gray' || format === 'color';
      const luma = gray ? await lumaPlane(runtime, packet.frame, options.backend, format === 'color') : null;
      if (luma) return luma;
      const rgba = await rgbaPlane(runtime, packet.frame);
      if (rgba) return await as(format, runtime, rgba, options);
    }
    const rgba = drawn(runtime, picture, width, height);
    closePacket(packet); // a photograph is large, and is in memory twice here
    return await as(format, runtime, rgba, options);
  } catch (error) {
    throw asFoveolaError(error, 'Reading the frame');
  } finally {
    if (!options.keep) closePacket(packet);
  }
}

/** Some rows at a time, because a photograph would otherwise be in memory once more. */
function drawn(runtime: Runtime, picture: CanvasImageSource, width: number, height: number): Plane {
  const plane = Plane.onArena(runtime, width, height, 'rgba8');
  try {
    for (const { y, rgba } of canvasBands(picture, width, height)) plane.put(rgba, y);
    return plane;
  } catch (error) {
    plane.dispose();
    throw error;
  }
}

/**
 * The gray plane of an RGBA plane, with a measure of how colored it was. `colored` adds its colors. The caller's scope
 * owns it.
 */
export function* grayOf(scope: Scope, rgba: Plane, colored: boolean): Plan<Plane> {
  const { width, height, stride, address } = rgba.on === 'gpu' ? { ...sizeOf(rgba), address: 0 } : rgba;
  const { u8 } = scope.runtime.arena;
  const chroma = address
    ? chromaOfRgba(u8.subarray(address, address + stride * height), width, height, stride)
    : undefined;
  const [made] = yield* scope.run(gray, [rgba]);
  made.chroma = chroma;
  if (colored && address && Math.min(width, height) > 1)
    made.colors = scope.release((yield* scope.run(chromaPlane, [rgba]))[0]);
  return made;
}
const sizeOf = ({ width, height, stride }: Plane) => ({ width, height, stride });

/**
 * A new plane in another format: gray from color, with or without its colors, or color from gray. The original plane is
 * not disposed.
 */
export async function planeAs(
  runtime: Runtime,
  plane: Plane,
  format: 'gray' | 'rgba' | 'color',
  { backend }: ToPlaneOptions = {},
): Promise<Plane> {
  if (format !== 'rgba')
    return drive(
      runtime,
      function* (scope): Plan<Plane> {
        return scope.release(yield* grayOf(scope, plane, format === 'color'));
      },
      { backend },
    );
  await plane.arena();
  return grayToRgba(runtime, plane);
}

async function as(format: SourceFormat, runtime: Runtime, rgba: Plane, options: ToPlaneOptions): Promise<Plane> {
  if (format !== 'gray' && format !== 'color') return rgba;
  try {
    return await planeAs(runtime, rgba, format, options);
  } finally {
    rgba.dispose();
  }
}

/** Converts gray if color is required (rare: inpainting of a gray image). */
export function grayToRgba(runtime: Runtime, plane: Plane): Plane {
  const samples = plane.copy();
  const rgba = new Uint8Array(samples.length * 4);
  samples.forEach((value, i) => rgba.set([value, value, value, 255], 4 * i));
  return runtime.plane(plane.width, plane.height, 'rgba8', rgba);
}
