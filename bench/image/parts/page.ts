/** The page's half of the image bench: our stages and OpenCV.js on one page, one thread each. */
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { imageOperations, largeData, largeLoops, largeOperations, timeOf, type Operations } from './operations.ts';
import { openCv, peerOperations, type PeerCall } from './opencv.ts';

let runtime: Runtime;
let ours: Operations = {};
let theirs: Record<string, PeerCall> = {};
let loops: Record<string, () => unknown> = {};

async function fresh(): Promise<void> {
  runtime?.dispose();
  runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')) });
}

/** Opens both sides on one image; returns the names of the operations and whether OpenCV.js is there. */
export async function open(image: string, width: number, height: number) {
  await fresh();
  const gray = new Uint8Array(await (await fetch(image)).arrayBuffer());
  ours = imageOperations(runtime, gray, width, height);
  const peer = 'cv' in globalThis ? await openCv() : null;
  theirs = peer ? peerOperations(peer.cv, gray, width, height) : {};
  loops = {};
  return { names: Object.keys(ours), peer: peer !== null };
}

export async function openLarge(): Promise<string[]> {
  await fresh();
  const data = largeData();
  ours = largeOperations(runtime, data);
  loops = largeLoops(data);
  theirs = {};
  return Object.keys(ours);
}

export const time = (name: string, budget: number) => timeOf(ours[name]!, budget);
export const timeLoop = (name: string, budget: number) => timeOf(loops[name]!, budget);

/** Milliseconds, or why there are none. */
export function timePeer(name: string, budget: number): number | string {
  if (!theirs[name]) return 'not in this build';
  try {
    return timeOf(() => theirs[name]!.call(), budget);
  } catch (error) {
    return error instanceof Error ? error.message : `error ${String(error)}`;
  }
}

/** Whether both give the same samples; null where their forms differ. */
export function same(name: string): boolean | null {
  const peer = theirs[name];
  if (!peer?.bytesOf) return null;
  try {
    peer.call();
  } catch {
    return null;
  }
  const planes = ours[name]!();
  const results = planes.map((plane) => new Uint8Array(plane.copy().buffer));
  for (const plane of planes) plane.dispose();
  return peer.bytesOf().every((view, k) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    return bytes.length === results[k]!.length && bytes.every((value, i) => value === results[k]![i]);
  });
}
