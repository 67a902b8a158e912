/** engine.hessianEigenvalues. */
import { defineOperation, type CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/stage.ts';
import {
  checkSigma,
  eigenvalueBand,
  eigenvalueParameters,
  eigenvaluesWasm,
  hessian,
  type EigenvalueValues,
} from './eigenvalues.ts';
import { eigenvaluesGpu } from './eigenvalues.gpu.ts';

/** Of every pixel, |lambda1| <= |lambda2|, in gray 0..1 per pixel^2, not scale-normalised. */
export interface HessianResult {
  width: number;
  height: number;
  lambda1: Float32Array;
  lambda2: Float32Array;
}

/** Pixels of a band: a few milliseconds of work, and all the memory that a large image takes beside its gray plane. */
const BAND_PIXELS = 1 << 18;

/** Bands of rows from the whole gray plane: there are no seams, and a cancel takes effect between two of them. */
async function byBands(
  { runtime, slice, progress }: CallContext,
  source: Plane,
  params: EigenvalueValues,
): Promise<HessianResult> {
  const { width, height } = source;
  await source.arena();
  const side = runtime.wasm;
  const lambda1 = new Float32Array(width * height);
  const lambda2 = new Float32Array(width * height);
  const rows = Math.min(height, Math.max(8, Math.floor(BAND_PIXELS / width)));
  const planes = [side.plane(width, rows, 'f32'), side.plane(width, rows, 'f32')] as const;
  try {
    const addresses = [planes[0].address, planes[1].address] as const;
    const { stride } = planes[0];
    for (let y = 0; y < height; y += rows) {
      const end = Math.min(height, y + rows);
      eigenvalueBand(side, source, params, 'magnitude', { first: y, addresses, stride }, y, end);
      for (const [i, out] of [lambda1, lambda2].entries())
        for (let r = y; r < end; r++) {
          const start = (addresses[i]! + (r - y) * stride) >> 2;
          out.set(side.arena.f32.subarray(start, start + width), r * width);
        }
      progress(end / height);
      await slice();
    }
  } finally {
    for (const plane of planes) plane.dispose();
  }
  return { width, height, lambda1, lambda2 };
}

export const hessianOperation = defineOperation({
  name: 'hessianEigenvalues',
  params: eigenvalueParameters,
  sources: ['gray'],
  async run(context, [source], params): Promise<HessianResult> {
    const { runtime } = context;
    const { width, height } = source!;
    checkSigma(width, height, params);
    const gpu = sideOf(runtime, hessian, [source!]) === 'gpu';
    if (!gpu && (runtime.wasm.threads === 1 || width * height > 1 << 24)) return byBands(context, source!, params);
    if (gpu) runtime.gpu!.usable();
    else await source!.arena();
    const planes = gpu
      ? eigenvaluesGpu(runtime.gpu!, source!, params, 'magnitude')
      : eigenvaluesWasm(runtime.wasm, source!, params, 'magnitude');
    try {
      const [lambda1, lambda2] = (await Promise.all(planes.map((plane) => plane.read()))) as [
        Float32Array,
        Float32Array,
      ];
      return { width, height, lambda1, lambda2 };
    } finally {
      for (const plane of planes) plane.dispose();
    }
  },
});
