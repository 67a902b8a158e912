/** engine.hessianEigenvalues. */
import { defineOperations, operation, type CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/side.ts';
import { copyRows, inBands, wantsBands } from './bands.ts';
import { eigenvalueParameters } from './eigenvalue-parameters.ts';
import { checkSigma, eigenvalueBand, eigenvaluesWasm, hessian } from './eigenvalues.ts';
import { eigenvaluesGpu, packedEigenvalues } from './eigenvalues.gpu.ts';

/** Of every pixel, |lambda1| <= |lambda2|, in gray 0..1 per pixel^2, not scale-normalised. */
export interface HessianResult {
  width: number;
  height: number;
  lambda1: Float32Array;
  lambda2: Float32Array;
}

/** Pixels that are read at a time: a read blocks the thread while it copies. */
const READ_PIXELS = 1 << 20;

/** Rows of samples, four a texel, without what lies past the width. */
function copyTexels(bytes: Uint8Array, out: Float32Array, from: number, rows: number, width: number): void {
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const stride = samples.length / rows;
  if (stride === width) out.set(samples, from * width);
  else for (let y = 0; y < rows; y++) out.set(samples.subarray(y * stride, y * stride + width), (from + y) * width);
}

/** Drawn at once, read in bands. */
async function packedOnGpu(
  { runtime, slice, progress }: CallContext,
  source: Plane,
  sigma: number,
): Promise<HessianResult> {
  const gpu = runtime.gpu!;
  const { width, height } = source;
  const textures = packedEigenvalues(gpu, source, sigma, 'magnitude');
  try {
    const planes = [new Float32Array(width * height), new Float32Array(width * height)] as const;
    const most = Math.min(height, Math.max(8, Math.floor(READ_PIXELS / width)));
    for (let y = 0; y < height; y += most) {
      const rows = Math.min(most, height - y);
      const region = { x: 0, y, width: textures[0].width, height: rows };
      const bands = await Promise.all(textures.map((texture) => gpu.read(texture, region)));
      bands.forEach((bytes, i) => copyTexels(bytes, planes[i]!, y, rows, width));
      progress((y + rows) / height);
      await slice();
    }
    return { width, height, lambda1: planes[0], lambda2: planes[1] };
  } finally {
    for (const texture of textures) gpu.release(texture);
  }
}

const hessianOperation = operation({
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
    if (gpu && params.derivative === 'gaussian') return packedOnGpu(context, source!, params.sigma);
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

export const hessianOperations = defineOperations({
  /**
   * Eigenvalues of the Hessian of the smoothed gray image, for lines and blobs: `lambda1` and `lambda2` of width x height,
   * row by row, |lambda1| <= |lambda2|, gray in 0..1 per pixel^2, not scale-normalized. `sigma` is in pixels. `derivative`:
   * 'gaussian' takes second differences of the Gaussian, 'sobel' the Laplacian of Sobel derivatives (paper 003),
   * 'gradients' central differences twice, as scikit-image's hessian_matrix.
   * @throws {FoveolaError} (rejects) 'invalid-argument' where sigma exceeds the image, and as every call, see {@link Engine}
   */
  hessianEigenvalues: hessianOperation,
});
