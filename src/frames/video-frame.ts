/**
 * Samples of a VideoFrame by copyTo, without a canvas: the luma plane of YUV frames without any color conversion
 * (0.05 ms against 10 ms and more through a canvas), else RGBA.
 */
import { lumaRange } from '../image/luma-range.ts';
import { chromaOfYuv } from './chroma.ts';
import { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { run } from '../runtime/stage.ts';

/** Formats whose first plane is 8-bit luma of full size, and how wide and high their other planes are. */
const lumaFormats: Readonly<Record<string, { chroma: [widthShift: number, heightShift: number]; planes: number }>> = {
  I420: { chroma: [1, 1], planes: 3 },
  I420A: { chroma: [1, 1], planes: 4 },
  I422: { chroma: [1, 0], planes: 3 },
  I422A: { chroma: [1, 0], planes: 4 },
  I444: { chroma: [0, 0], planes: 3 },
  I444A: { chroma: [0, 0], planes: 4 },
  NV12: { chroma: [1, 1], planes: 2 },
};

/** Newer members that the DOM types lack. */
type Oriented = VideoFrame & { rotation?: number; flip?: boolean };

/** Frames are shown as they are stored: not turned, not mirrored, with square pixels. */
export function isPlain(frame: VideoFrame): boolean {
  const { rotation = 0, flip = false, visibleRect, displayWidth, displayHeight } = frame as Oriented;
  return (
    rotation === 0 &&
    !flip &&
    visibleRect !== null &&
    visibleRect.width === displayWidth &&
    visibleRect.height === displayHeight
  );
}

/** Buffers of frames that were read already, one of each size in use. */
const spare: Uint8Array<ArrayBuffer>[] = [];

function borrow(bytes: number): Uint8Array<ArrayBuffer> {
  const i = spare.findIndex((buffer) => buffer.length === bytes);
  return i < 0 ? new Uint8Array(bytes) : spare.splice(i, 1)[0]!;
}

function giveBack(buffer: Uint8Array<ArrayBuffer>): void {
  spare.unshift(buffer);
  spare.length = Math.min(spare.length, 2);
}

/** Where copyTo puts each plane: the luma in rows as the arena has them, so that it moves there in one piece. */
function lumaLayout(frame: VideoFrame, stride: number): { layout: PlaneLayout[]; bytes: number } | null {
  const format = lumaFormats[frame.format ?? ''];
  if (!format) return null;
  const { width, height } = frame.visibleRect!;
  const layout = [{ offset: 0, stride }];
  let bytes = stride * height;
  for (let plane = 1; plane < format.planes; plane++) {
    const alpha = plane === 3;
    const [dx, dy] = alpha ? [0, 0] : format.chroma;
    const samples = (width + (1 << dx) - 1) >> dx;
    const row = frame.format === 'NV12' ? 2 * samples : samples;
    layout.push({ offset: bytes, stride: row });
    bytes += row * ((height + (1 << dy) - 1) >> dy);
  }
  return { layout, bytes };
}

/**
 * The gray plane of a frame with a luma plane: the luma itself, video range (16..235) expanded to 0..255. Null where
 * the frame has no such plane. Coordinates are those of `visibleRect`. `colored`: with the frame's colors.
 */
export async function lumaPlane(
  runtime: Runtime,
  frame: VideoFrame,
  side?: 'wasm',
  colored = false,
): Promise<Plane | null> {
  if (!lumaFormats[frame.format ?? ''] || frame.colorSpace.matrix === 'rgb' || !isPlain(frame)) return null;
  const { width, height } = frame.visibleRect!;
  // Unspecified range counts as video range, as decoders and browsers do.
  const expand = frame.colorSpace.fullRange !== true;
  const stride = (width + 15) & ~15;
  const { layout, bytes } = lumaLayout(frame, stride)!;
  const buffer = borrow(bytes);
  let plane: Plane;
  let chroma: number;
  let colors: Plane | undefined;
  try {
    await frame.copyTo(buffer, { layout });
    chroma = chromaOf(frame, buffer, layout);
    plane = Plane.onArena(runtime, width, height, 'u8');
    runtime.arena.u8.set(buffer.subarray(0, stride * height), plane.address);
    if (colored && Math.min(width, height) > 1) colors = colorsOf(runtime, frame, buffer, layout);
  } finally {
    giveBack(buffer);
  }
  plane.chroma = chroma;
  if (!expand) {
    plane.colors = colors;
    return plane;
  }
  try {
    const expanded = (await run(runtime, lumaRange, [plane], {}, { side }))[0]!;
    expanded.chroma = chroma;
    expanded.colors = colors;
    return expanded;
  } finally {
    plane.dispose();
  }
}

function chromaOf(frame: VideoFrame, data: Uint8Array, [, u, v]: PlaneLayout[]): number {
  const [dx, dy] = lumaFormats[frame.format!]!.chroma;
  const { width, height } = frame.visibleRect!;
  if (frame.format === 'NV12')
    return chromaOfYuv(width, height, (x, y) => {
      const at = u!.offset + (y >> 1) * u!.stride + 2 * (x >> 1);
      return [data[at]!, data[at + 1]!];
    });
  return chromaOfYuv(width, height, (x, y) => [
    data[u!.offset + (y >> dy) * u!.stride + (x >> dx)]!,
    data[v!.offset + (y >> dy) * v!.stride + (x >> dx)]!,
  ]);
}

/** U and V of every two by two pixels side by side: as NV12 has them, or put together. */
function colorsOf(runtime: Runtime, frame: VideoFrame, data: Uint8Array, [, u, v]: PlaneLayout[]): Plane {
  const [dx, dy] = lumaFormats[frame.format!]!.chroma;
  const { width, height } = frame.visibleRect!;
  const [across, down] = [width >> 1, height >> 1];
  const plane = Plane.onArena(runtime, 2 * across, down, 'u8');
  const memory = runtime.arena.u8;
  for (let y = 0; y < down; y++) {
    const to = plane.address + y * plane.stride;
    if (frame.format === 'NV12') {
      const from = u!.offset + y * u!.stride;
      memory.set(data.subarray(from, from + 2 * across), to);
      continue;
    }
    const row = y << (1 - dy);
    const [fromU, fromV] = [u!.offset + row * u!.stride, v!.offset + row * v!.stride];
    for (let x = 0; x < across; x++) {
      const at = x << (1 - dx);
      memory[to + 2 * x] = data[fromU + at]!;
      memory[to + 2 * x + 1] = data[fromV + at]!;
    }
  }
  return plane;
}

/** RGBA of a frame by copyTo; null where this browser or this frame cannot. */
export async function rgbaPlane(runtime: Runtime, frame: VideoFrame): Promise<Plane | null> {
  if (!isPlain(frame)) return null;
  const { width, height } = frame.visibleRect!;
  const same = frame.format === 'RGBA' || frame.format === 'RGBX';
  const options = same ? {} : ({ format: 'RGBA', colorSpace: 'srgb' } as VideoFrameCopyToOptions);
  let buffer: Uint8Array<ArrayBuffer> | null = null;
  try {
    // Browsers without conversion ignore `format` and answer with the size of the frame's own format.
    if (frame.allocationSize(options) !== width * height * 4) return null;
    if (!same && (frame.format === 'BGRA' || frame.format === 'BGRX') && !(await convertsToRgba())) return null;
    buffer = borrow(width * height * 4);
    await frame.copyTo(buffer, options);
    return runtime.plane(width, height, 'rgba8', buffer);
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return null; // NotSupportedError
    throw error;
  } finally {
    if (buffer) giveBack(buffer);
  }
}

let converts: Promise<boolean> | null = null;

/** Whether copyTo honors `format`: asked once with one blue pixel. */
function convertsToRgba(): Promise<boolean> {
  return (converts ??= (async () => {
    const frame = new VideoFrame(Uint8Array.of(255, 0, 0, 255), {
      format: 'BGRA',
      codedWidth: 1,
      codedHeight: 1,
      timestamp: 0,
    });
    try {
      const pixel = new Uint8Array(4);
      await frame.copyTo(pixel, { format: 'RGBA' } as VideoFrameCopyToOptions);
      return pixel[2] === 255 && pixel[0] === 0;
    } catch {
      return false;
    } finally {
      frame.close();
    }
  })());
}
