/**
 * Eigenvalues of the Hessian of a smoothed gray image (paper 003, section 2). Three channels: 'gaussian' smooths with
 * sigma and takes second differences (x+1) - 2 x + (x-1), the mixed one over the four diagonal neighbours / 4; 'sobel'
 * takes the Laplacian of Sobel derivatives across, down and along the diagonal, each divided by 8, and knows no sigma;
 * 'gradients' smooths with a Gaussian cut at 4 sigma, not 3, and takes gradients of gradients, ((x+1) - (x-1)) / 2 twice,
 * one-sided in the first and last row and column, as scikit-image's hessian_matrix does (0.19, border replicated).
 * Both eigenvalues come from one root, sqrt((IH - IV)^2 + 4 ID^2): the paper prints this root with a wrong sign.
 * Otherwise the border is replicated at each step. Units: gray 0..1 per pixel^2, not scale-normalised.
 *
 * Cost on the WASM side, radius r: about 11 r / 8 + 5 r / 4 + 9 vector operations a pixel, nothing but the results
 * leaves the cache.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { eigenvalueParameters, type EigenvalueOrder, type EigenvalueValues } from './eigenvalue-parameters.ts';
import { eigenvaluesGpu } from './eigenvalues.gpu.ts';
import { floatTaps, gradientRadius } from './gaussian-taps.ts';

const padded = (width: number) => (width + 15) & ~15;

/** Bytes that a thread needs: row addresses, column sums and smoothed rows; or three rows of three derivatives. */
export function eigenvaluesScratch(width: number, radius: number, rows = 3): number {
  const line = 4 * (padded(width) + 8);
  const smooth = 8 * (radius + 1) + 8 * (radius + 7) + line + 64 + rows * line;
  return Math.max(smooth, 9 * line) + 256;
}

/** Throws 'invalid-argument' where the Gaussian would be wider than the image. */
export function checkSigma(width: number, height: number, { sigma, derivative }: EigenvalueValues): void {
  const side = Math.max(width, height);
  if (derivative !== 'sobel' && sigma > side)
    throw new FoveolaError(
      'invalid-argument',
      `sigma must be at most the longer side of the image (${side} px), not ${sigma} px.`,
    );
}

/** Where rows of both eigenvalues go: row `first` of the image is the first row there. */
export interface EigenvalueRows {
  readonly first: number;
  readonly addresses: readonly [number, number];
  readonly stride: number;
}

/** Rows from..to-1 of both eigenvalues, on one thread: a band of a large image. */
export function eigenvalueBand(
  side: WasmSide,
  source: Plane,
  params: EigenvalueValues,
  order: EigenvalueOrder,
  { first, addresses, stride }: EigenvalueRows,
  from: number,
  to: number,
): void {
  withKernel(side, source, params, order, { first, addresses, stride }, (name, args, scratch) =>
    side.once(name, [...args, from, to], scratch),
  );
}

function withKernel(
  side: WasmSide,
  { width, height, stride, address }: Plane,
  { sigma, derivative }: EigenvalueValues,
  order: EigenvalueOrder,
  rows: EigenvalueRows,
  body: (name: string, args: number[], scratch: number) => void,
): void {
  const ordered = order === 'magnitude' ? 1 : 0;
  const head = [address, stride, ...rows.addresses, rows.stride, width, height];
  if (derivative === 'sobel')
    return body('sobelEigenvalues', [...head, 1 / (8 * 255), ordered, rows.first], eigenvaluesScratch(width, 0));
  const gradients = derivative === 'gradients';
  const reach = gradients ? gradientRadius(sigma) : undefined;
  const down = floatTaps(sigma, 1 / 255, reach);
  const bytes = down.byteLength;
  side.temporary(2 * bytes, (table) => {
    side.arena.f32.set(down, table >> 2);
    side.arena.f32.set(floatTaps(sigma, 1, reach), (table + bytes) >> 2);
    const radius = down.length - 1;
    body(
      gradients ? 'gradientEigenvalues' : 'hessianEigenvalues',
      [...head, table, table + bytes, radius, ordered, rows.first],
      eigenvaluesScratch(width, radius, gradients ? 5 : 3),
    );
  });
}

/** Both eigenvalues as planes on the arena, over all threads. */
export function eigenvaluesWasm(
  side: WasmSide,
  source: Plane,
  params: EigenvalueValues,
  order: EigenvalueOrder,
): Plane[] {
  const { width, height } = source;
  checkSigma(width, height, params);
  const planes = [side.plane(width, height, 'f32'), side.plane(width, height, 'f32')] as const;
  const rows = { first: 0, addresses: [planes[0].address, planes[1].address] as const, stride: planes[0].stride };
  withKernel(side, source, params, order, rows, (name, args, scratch) =>
    side.bands(name, height, args, { scratch, minimumBand: 32 }),
  );
  return [...planes];
}

/** Outputs in ascending order: which of two of nearly equal magnitude comes second is a matter of the last bit. */
export const hessian = defineOldStage({
  name: 'vessels/hessian',
  params: eigenvalueParameters,
  inputs: ['u8'],
  outputs: ['f32', 'f32'],
  // 5e-4 gray levels of 255, as the golden figures allow: second differences of smoothed samples cancel.
  tolerance: 2e-6,
  gpu: (side, [source], params) => {
    checkSigma(source!.width, source!.height, params);
    return eigenvaluesGpu(side, source!, params, 'value');
  },
  wasm: (side, [source], params) => eigenvaluesWasm(side, source!, params, 'value'),
});
