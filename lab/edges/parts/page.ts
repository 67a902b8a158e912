/** The page's half of `bench speed edges`: our calls, the plain loops and OpenCV.js on one page, one thread each. */
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { callsOf, circleCalls, timeOf, type Calls } from './operations.ts';
import { openCv } from '../../../bench/image/parts/opencv.ts';
import { eyeScene, type Scene } from './scenes.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- OpenCV.js is a global without types here */
let runtime: Runtime;
let calls: Calls;
let circles: Record<string, () => Plane[]> = {};
let peer: Record<string, () => any> = {};

function peerCalls(cv: any, { width, height, data }: Scene): Record<string, () => any> {
  const source = new cv.Mat(height, width, cv.CV_8UC1);
  source.data.set(data);
  const [smooth, out, edges, lines] = [new cv.Mat(), new cv.Mat(), new cv.Mat(), new cv.Mat()];
  cv.Canny(source, edges, 50, 150, 3, false);
  const size = new cv.Size(5, 5);
  return {
    'Canny, L1': () => (cv.Canny(source, out, 50, 150, 3, false), out),
    'Canny, L2': () => (cv.Canny(source, out, 50, 150, 3, true), out),
    'Canny, smoothed 5x5, sigma 2': () => {
      cv.GaussianBlur(source, smooth, size, 2, 2, cv.BORDER_REPLICATE);
      cv.Canny(smooth, out, 20, 60, 3, false);
      return out;
    },
    'Hough lines': () => (cv.HoughLines(edges, lines, 1, Math.PI / 180, 100), null),
  };
}

/** Opens both sides on one image; returns the names of the calls and what they work on. */
export async function open(scene: Omit<Scene, 'data'> & { url: string }) {
  runtime?.dispose();
  runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')) });
  const data = new Uint8Array(await (await fetch(scene.url)).arrayBuffer());
  calls = callsOf(runtime, { ...scene, data });
  const cv = 'cv' in globalThis ? (await openCv()).cv : null;
  peer = cv ? peerCalls(cv, { ...scene, data }) : {};
  const { compared, own, plain, edges, lines } = calls;
  return {
    compared: Object.keys(compared),
    own: Object.keys(own),
    plain: Object.keys(plain),
    edges,
    lines,
    peer: cv !== null,
  };
}

export async function openCircles(minRadius: number, maxRadius: number, steps: number[]): Promise<void> {
  runtime?.dispose();
  runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')) });
  circles = circleCalls(runtime, eyeScene(1280, 1024), minRadius, maxRadius, steps);
}

export const time = (name: string, budget: number) => timeOf((calls.compared[name] ?? calls.own[name])!, budget);
export const timePlain = (name: string, budget: number) => timeOf(calls.plain[name]!, budget);
export const timeCircles = (step: number, budget: number) => timeOf(circles[`${step}`]!, budget);

/** Milliseconds, or why there are none. */
export function timePeer(name: string, budget: number): number | string {
  if (!peer[name]) return 'not in this build';
  try {
    return timeOf(() => void peer[name]!(), budget);
  } catch (error) {
    return error instanceof Error ? error.message : `error ${String(error)}`;
  }
}

/** The result's samples, to be compared with native OpenCV's; null for lines. */
export async function digest(name: string): Promise<string | null> {
  const planes = calls.compared[name]!();
  if (!planes) return null;
  const samples = planes[0]!.copy() as Uint8Array<ArrayBuffer>;
  for (const plane of planes) plane.dispose();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', samples));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
