// Frames and files of known content.
import { FoveolaError } from '../../src/runtime/error.ts';

export async function failure(work: () => unknown): Promise<FoveolaError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof FoveolaError) return error;
    throw error;
  }
  throw new Error('this should have failed');
}

/** A repeatable sequence of bytes. */
export function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  let state = seed;
  return Uint8Array.from({ length }, () => (state = (state * 48271) % 2147483647) >> 8);
}

export interface YuvOptions {
  format: 'I420' | 'NV12' | 'I422' | 'I444' | 'I420A';
  width: number;
  height: number;
  fullRange?: boolean;
  visible?: DOMRectInit;
  display?: { width: number; height: number };
}

/** A YUV frame whose luma is noise and whose chroma is gray; returns the luma of the whole coded frame with it. */
export function yuvFrame({ format, width, height, fullRange, visible, display }: YuvOptions) {
  const luma = noise(width * height);
  const half = (n: number) => (n + 1) >> 1;
  const chroma = {
    I420: 2 * half(width) * half(height),
    NV12: 2 * half(width) * half(height),
    I422: 2 * half(width) * height,
    I444: 2 * width * height,
    I420A: 2 * half(width) * half(height) + width * height,
  }[format];
  const data = new Uint8Array(luma.length + chroma).fill(128);
  data.set(luma);
  const frame = new VideoFrame(data, {
    format,
    codedWidth: width,
    codedHeight: height,
    timestamp: 1000,
    colorSpace:
      fullRange === undefined ? undefined : { fullRange, matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
    ...(visible && { visibleRect: visible }),
    ...(display && { displayWidth: display.width, displayHeight: display.height }),
  } as VideoFrameBufferInit);
  return { frame, luma };
}

/** (Y - 16) * 255 / 219, rounded and clamped. */
export const expand = (y: number) => Math.max(0, Math.min(255, Math.round(((y - 16) * 255) / 219)));

/** A runtime without threads for tests of frames. */
export async function openRuntime() {
  const { Runtime } = await import('../../src/runtime/runtime.ts');
  const module = await WebAssembly.compileStreaming(fetch('/dist/kernels.wasm'));
  return Runtime.create({ module });
}

/** The header of a PNG that claims a size, without pixels. */
export function pngHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 0, 0, 0, 0], 24);
  return bytes;
}
