/** engine.hessianEigenvalues. */
import { defineOperation } from '../runtime/capability.ts';
import { sideOf } from '../runtime/stage.ts';
import { copyRows, inBands, wantsBands } from './bands.ts';
import { checkSigma, eigenvalueBand, eigenvalueParameters, eigenvaluesWasm, hessian } from './eigenvalues.ts';
import { eigenvaluesGpu } from './eigenvalues.gpu.ts';

/** Of every pixel, |lambda1| <= |lambda2|, in gray 0..1 per pixel^2, not scale-normalised. */
export interface HessianResult {
  width: number;
  height: number;
  lambda1: Float32Array;
  lambda2: Float32Array;
}

export const hessianOperation = defineOperation({
  name: 'hessianEigenvalues',
  params: eigenvalueParameters,
  sources: ['gray'],
  async run(context, [source], params): Promise<HessianResult> {
    const { runtime } = context;
    const { width, height } = source!;
    const side = runtime.wasm;
    checkSigma(width, height, params);
    const gpu = sideOf(runtime, hessian, [source!]) === 'gpu';
    if (gpu) runtime.gpu!.usable();
    else await source!.arena();
    if (!gpu && wantsBands(side, source!)) {
      const result = {
        width,
        height,
        lambda1: new Float32Array(width * height),
        lambda2: new Float32Array(width * height),
      };
      await inBands(context, source!, 2, ([a, b], y, end) => {
        const rows = { first: y, addresses: [a!.address, b!.address] as const, stride: a!.stride };
        eigenvalueBand(side, source!, params, 'magnitude', rows, y, end);
        copyRows(side, a!, result.lambda1, y, end);
        copyRows(side, b!, result.lambda2, y, end);
      });
      return result;
    }
    const planes = gpu
      ? eigenvaluesGpu(runtime.gpu!, source!, params, 'magnitude')
      : eigenvaluesWasm(side, source!, params, 'magnitude');
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
