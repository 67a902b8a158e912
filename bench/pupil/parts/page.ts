/**
 * The page's half of the pupil benchmarks: decodes or renders frames, keeps them, and runs the tracker over them by the
 * package's own modules, one thread, without a worker in between. Results go back as plain rows; Node does the scoring.
 */
import { frames } from '../../../src/frames/frames.ts';
import { toPacket } from '../../../src/frames/to-packet.ts';
import { toPlane } from '../../../src/frames/to-plane.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { loadSecondOpinion } from '../../../src/pupil/second/opinion.ts';
import type { Pupil } from '../../../src/results/types.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import {
  hardFrame,
  hardSequences,
  paperFrame,
  variedFrame,
  type Camera,
  type PaperChange,
  type Truth,
} from '../../../lab/eyes/index.ts';
import { median } from '../../parts/numbers.ts';
import { atOnce } from '../../../tools/at-once.ts';

interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

/** found, confidence, x, y, radius, milliseconds. The radius of an ellipse is the mean of its semi-axes. */
export type Row = [found: number, confidence: number, x: number, y: number, r: number, ms: number];

const sets = new Map<string, Gray[]>();
let runtime: Runtime;

export async function open(): Promise<void> {
  const places = { models: { eyes: { url: new URL('/models/eyes.bin', location.href).href } } };
  runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')), places });
}

async function grayOf(source: Blob | VideoFrame): Promise<Gray> {
  const plane = await toPlane(runtime, await toPacket(source), 'gray');
  const gray = { width: plane.width, height: plane.height, data: plane.copy() as Uint8Array };
  plane.dispose();
  return gray;
}

/** Files of images, decoded by the browser and made gray by the engine. */
export async function loadImages(name: string, addresses: string[]): Promise<number> {
  const list: Gray[] = [];
  for (const address of addresses) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
    list.push(await grayOf(await response.blob()));
  }
  sets.set(name, list);
  return list.length;
}

/** An image without a pupil: a part of a file (box in shares of it) at a size, or a rendered frame. */
interface PupilLess {
  file?: string;
  box?: [x: number, y: number, width: number, height: number];
  width?: number;
  height?: number;
  rendered?: ['hardFrame' | 'variedFrame', index: number, seed: number];
}

export async function loadPupilLess(name: string, items: PupilLess[], folder: string): Promise<void> {
  const list: Gray[] = [];
  for (const { file, box, width, height, rendered } of items) {
    if (rendered) {
      const [generator, index, seed] = rendered;
      const frame = (generator === 'hardFrame' ? hardFrame : variedFrame)(index, seed);
      if (frame.truth.present) throw new Error(`${generator} ${index}, seed ${seed}, has a pupil.`);
      list.push({ width: frame.width, height: frame.height, data: frame.data });
      continue;
    }
    const whole = await createImageBitmap(await (await fetch(folder + file!)).blob());
    const [x, y, w, h] = box!.map((share, i) => Math.floor(share * (i % 2 ? whole.height : whole.width)));
    const part = await createImageBitmap(whole, x!, y!, Math.max(8, w!), Math.max(8, h!), {
      resizeWidth: width!,
      resizeHeight: height!,
      resizeQuality: 'high',
    });
    const canvas = new OffscreenCanvas(width!, height!);
    canvas.getContext('2d')!.drawImage(part, 0, 0);
    list.push(await grayOf(await canvas.convertToBlob()));
    whole.close();
    part.close();
  }
  sets.set(name, list);
}

/** Every frame of a recording, as frames() reads them. */
export async function loadVideo(name: string, address: string, limit: number): Promise<number> {
  const list: Gray[] = [];
  const blob = await (await fetch(address)).blob();
  for await (const { frame } of frames(blob, { everyFrame: true })) {
    list.push(await grayOf(frame as VideoFrame));
    if (list.length >= limit) break;
  }
  sets.set(name, list);
  return list.length;
}

/** The images of a set at another size, by the browser's best filter. */
export async function rescale(name: string, from: string, scale: number): Promise<number> {
  const list: Gray[] = [];
  for (const { width, height, data } of sets.get(from)!) {
    const rgba = new Uint8ClampedArray(4 * width * height).map((_, i) => (i % 4 === 3 ? 255 : data[i >> 2]!));
    const [w, h] = [Math.round(scale * width), Math.round(scale * height)];
    const bitmap = await createImageBitmap(new ImageData(rgba, width, height), {
      resizeWidth: w,
      resizeHeight: h,
      resizeQuality: 'high',
    });
    const context = new OffscreenCanvas(w, h).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const pixels = context.getImageData(0, 0, w, h).data;
    list.push({ width: w, height: h, data: Uint8Array.from({ length: w * h }, (_, i) => pixels[4 * i]!) });
  }
  sets.set(name, list);
  return list.length;
}

/** Some frames of a set, by their index. */
export function pick(name: string, from: string, indexes: number[]): void {
  const list = sets.get(from)!;
  sets.set(
    name,
    indexes.map((i) => list[i]!),
  );
}

/** Pixels across the widest frame of a set. */
export const widthOf = (name: string): number => Math.max(...sets.get(name)!.map(({ width }) => width));

/** Renders frames of the hard set; returns what is true of them. */
export function renderHard(
  name: string,
  from: number,
  count: number,
  seed: number,
  camera?: Camera | null,
): { truth: Truth; kind: string }[] {
  const list = sets.get(name) ?? [];
  sets.set(name, list);
  return Array.from({ length: count }, (_, i) => {
    const { width, height, data, truth, meta } = hardFrame(from + i, seed, camera ?? undefined);
    list.push({ width, height, data });
    return { truth, kind: meta.eyeless ? `eyeless (${meta.eyeless})` : meta.kind };
  });
}

/** Of the varied set, the same. */
export function renderVaried(name: string, from: number, count: number, seed: number): Truth[] {
  const list = sets.get(name) ?? [];
  sets.set(name, list);
  return Array.from({ length: count }, (_, i) => {
    const { width, height, data, truth } = variedFrame(from + i, seed);
    list.push({ width, height, data });
    return truth;
  });
}

export function renderHardSequences(name: string, count: number) {
  const list: Gray[] = [];
  sets.set(name, list);
  return [...hardSequences({ count })].map(({ width, height, data, truth, meta }) => {
    list.push({ width, height, data });
    return { truth, kind: meta.kind, frame: meta.frame, time: meta.time };
  });
}

const radiusOf = ({ ellipse, circle }: Pupil) => (ellipse ? (ellipse.major + ellipse.minor) / 4 : circle.r);

function rowOf(pupil: Pupil, ms: number): Row {
  const { found, confidence, x, y } = pupil;
  return found ? [1, confidence, x, y, radiusOf(pupil), ms] : [0, confidence, 0, 0, 0, ms];
}

/**
 * Runs a tracker over the frames of a set. Every frame alone (a reset before each), or in sequence: `restarts` says
 * at which frames a sequence begins. The frame lies in the arena before the clock starts; the time is the median of
 * the passes over the whole set. Passes that disagree are an error.
 */
export async function detect(
  name: string,
  params: Record<string, unknown>,
  { sequence = false, restarts = [0], rate = 60, passes = 1 } = {},
): Promise<Row[]> {
  const core = new PupilTrackerCore(runtime, params);
  if (params.secondOpinion) await loadSecondOpinion(runtime);
  const list = sets.get(name)!;
  const begins = new Set(restarts);
  const all: Row[][] = [];
  for (let pass = 0; pass < passes; pass++)
    all.push(
      list.map(({ width, height, data }, i) => {
        const plane = runtime.plane(width, height, 'u8', data);
        if (!sequence || begins.has(i)) atOnce(core.reset());
        const [row] = timed(core, plane, (i * 1000) / rate);
        plane.dispose();
        return row;
      }),
    );
  atOnce(core.dispose());
  return all[0]!.map((row, i) => {
    const rows = all.map((pass) => pass[i]!);
    if (rows.some((other) => other.some((value, k) => k < 5 && value !== row[k])))
      throw new Error(`${name}: frame ${i} gave different results in two passes.`);
    return [...row.slice(0, 5), median(rows.map((other) => other[5]))] as Row;
  });
}

function timed(core: PupilTrackerCore, plane: Plane, timestamp: number): [Row, Pupil] {
  const start = performance.now();
  const result = core.track(plane, timestamp);
  const ms = performance.now() - start;
  const pupil = result.pupils[0]!;
  return [rowOf(pupil, ms), pupil];
}

/**
 * Images `from`, `from + step`, ... of the paper's set, each rendered once, through several configurations; every image
 * by itself, one pass each.
 */
export function paper(
  from: number,
  count: number,
  step: number,
  configurations: Record<string, unknown>[],
  change?: PaperChange,
) {
  const cores = configurations.map((params) => new PupilTrackerCore(runtime, params));
  const out: { truth: Truth; rows: Row[] }[] = [];
  for (let i = 0; i < count; i++) {
    const { width, height, data, truth } = paperFrame(from + i * step, change);
    const plane = runtime.plane(width, height, 'u8', data);
    const rows = cores.map((core) => {
      atOnce(core.reset());
      return timed(core, plane, 0)[0];
    });
    plane.dispose();
    out.push({ truth, rows });
  }
  for (const core of cores) atOnce(core.dispose());
  return out;
}

export * from './speed.ts';
