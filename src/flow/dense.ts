/**
 * Dense pyramidal Lucas-Kanade on the WASM side: the kernels of assembly/flow/dense.ts, level by level. The work is cut
 * into pieces of a few milliseconds, after each of which the thread may go to others.
 */
import { gradient } from '../image/gradient.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { DenseValues } from './parameters.ts';
import { Pieces, Planes } from './pieces.ts';
import type { FlowPyramid } from './pyramid.ts';
import { refine, refineWork } from './refine.ts';
import { windowsFlow } from './windows.ts';

/** Planes of one flow field; the owner disposes of them. */
export interface DenseFlow {
  u: Plane;
  v: Plane;
  valid: Plane;
  confidence: Plane;
}

/** Columns that the kernels sum at a time, see assembly/flow/dense-box.ts. */
const STRIP = 128;
/** OpenCV measures eigenvalues with derivatives in units of 1/1024. */
export const EIGENVALUE_UNIT = 1024;

const rowScratch = (width: number): number => 64 + 256 + 5 * (((width + 15) & ~15) * 4 + 512);
const columnScratch = (window: number): number => 4 * STRIP * 2 * (window + 1);

/** Pixels that the kernels of one flow field go over, for the progress. */
export function denseWork(pyramid: FlowPyramid, { variant, iterations, refine }: DenseValues): number {
  const pixels = pyramid.width * pyramid.height;
  const rest = 3 * pixels + (refine ? refineWork(pyramid) : 0);
  if (variant === 'paper') return rest + 6 * pixels;
  return pyramid.planes.reduce((sum, { width, height }) => sum + (2 * iterations + 5) * width * height, rest);
}

/** The flow from one pyramid to another of the same size. */
export async function denseFlow(
  pieces: Pieces,
  previous: FlowPyramid,
  next: FlowPyramid,
  params: DenseValues,
): Promise<DenseFlow> {
  const { window } = params;
  const { side } = pieces;
  const windows = params.variant === 'paper';
  const iterations = windows ? 0 : params.iterations;
  const planes = new Planes(side);
  try {
    let u: Plane | null = null;
    let v: Plane | null = null;
    for (let level = windows ? 0 : previous.levels - 1; ; level--) {
      const from = previous.planes[level]!;
      const to = next.planes[level]!;
      const { width, height } = from;
      [u, v] = [await expanded(pieces, planes, u, width, height), await expanded(pieces, planes, v, width, height)];
      const found = windows ? await windowsFlow(pieces, previous, next, u, v, params) : null;
      const [gx, gy] = side
        .now((scope) => gradient.wasm(scope, [from], { derivative: 'scharr' }))
        .map((plane) => planes.own(plane)) as [Plane, Plane];
      const { xx, xy, yy, eigenvalue } = await tensor(pieces, planes, gx, gy, params);
      const bx = planes.make(width, height, 'f32');
      const by = planes.make(width, height, 'f32');
      const { stride } = bx;
      const frames = [from.address, to.address, from.stride];
      const flow = [u.address, v.address, stride];
      const mismatch = (gxAddress: number) =>
        pieces.rows(
          'flowMismatchRows',
          width,
          height,
          [...frames, gxAddress, gy.address, gx.stride, ...flow, bx.address, by.address, width, height, window],
          rowScratch(width),
        );
      const inverse = [xx.address, xy.address, yy.address];
      for (let i = 0; i < iterations; i++) {
        await mismatch(gx.address);
        await pieces.rows(
          'flowSolve',
          width,
          height,
          [bx.address, by.address, ...inverse, ...flow, width, height, window, Math.max(width, height)],
          columnScratch(window),
        );
      }
      if (level > 0) {
        planes.drop(gx, gy, xx, xy, yy, eigenvalue, bx, by);
        continue;
      }
      planes.drop(xy, yy);
      if (params.refine) await refine(pieces, planes, previous, next, u, v);
      await mismatch(0);
      const box = [bx.address, stride, by.address, stride, width, height, window, 1 / window ** 2];
      await pieces.rows('boxColumns', width, height, box, columnScratch(window));
      const valid = planes.make(width, height, 'u8');
      const judged = [eigenvalue.address, by.address, xx.address, ...flow, valid.address, valid.stride, width, height];
      await pieces.rows('flowConfidence', width, height, [...judged, params.refine ? 1 : 0]);
      if (found && !params.refine) lose(side, found, valid, by);
      for (const plane of [u, v, valid, by]) planes.release(plane);
      return { u, v, valid, confidence: by };
    }
  } finally {
    planes.end();
  }
}

/** A lost window is not valid. */
function lose({ arena }: WasmSide, found: Uint8Array, valid: Plane, confidence: Plane): void {
  const { width } = valid;
  const { u8, f32 } = arena;
  found.forEach((good, i) => {
    if (good) return;
    const y = Math.floor(i / width);
    u8[valid.address + y * valid.stride + (i % width)] = 0;
    f32[(confidence.address + y * confidence.stride) / 4 + (i % width)] = 0;
  });
}

/** A flow component on the next finer level; zero where there is no coarser one. */
async function expanded(
  pieces: Pieces,
  planes: Planes,
  coarse: Plane | null,
  width: number,
  height: number,
): Promise<Plane> {
  const fine = planes.make(width, height, 'f32', coarse ? undefined : 0);
  if (coarse) {
    const from = [coarse.address, coarse.stride, fine.address, fine.stride, coarse.width, coarse.height];
    await pieces.rows('flowExpand', width, height, [...from, width, height]);
    planes.drop(coarse);
  }
  return fine;
}

/** The inverse of the mean structure tensor over the window, 0 where it is singular, and its smaller eigenvalue. */
async function tensor(
  pieces: Pieces,
  planes: Planes,
  gx: Plane,
  gy: Plane,
  { window, minEigenvalue }: DenseValues,
): Promise<Record<'xx' | 'xy' | 'yy' | 'eigenvalue', Plane>> {
  const { width, height } = gx;
  const across = [0, 1, 2].map(() => planes.make(width, height, 'f32'));
  const { stride } = across[0]!;
  const outputs = across.map(({ address }) => address);
  const products = [gx.address, gy.address, gx.stride, ...outputs, stride, width, height, window];
  await pieces.rows('flowTensorRows', width, height, products, rowScratch(width));
  const [xx, xy, yy, eigenvalue] = [0, 1, 2, 3].map(() => planes.make(width, height, 'f32')) as [
    Plane,
    Plane,
    Plane,
    Plane,
  ];
  for (const [i, out] of [xx, xy, yy].entries()) {
    const box = [across[i]!.address, stride, out.address, stride, width, height, window, 1 / window ** 2];
    await pieces.rows('boxColumns', width, height, box, columnScratch(window));
    planes.drop(across[i]!);
  }
  const invert = [xx.address, xy.address, yy.address, eigenvalue.address, stride, width, height];
  await pieces.rows('flowInvert', width, height, [...invert, minEigenvalue * EIGENVALUE_UNIT]);
  return { xx, xy, yy, eigenvalue };
}
