/**
 * What the Hessian of a smoothed float image gives for lines of any direction: (IH + IV) / 2, (IH - IV) / 2 and ID, times
 * `scale`, as 16-bit integers: half the memory of floats, eight pixels a vector, and from here on both sides of the
 * machine agree to the last bit.
 */
import { number, type Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { eigenvaluesScratch } from './eigenvalues.ts';
import { floatTaps, sigmaParameter } from './gaussian-taps.ts';
import { lineTermsGpu } from './line.gpu.ts';
import { packedOf, unpackedTo } from './packed.gpu.ts';

export const lineTermParameters = {
  sigma: sigmaParameter,
  scale: number({ default: 8000, min: 1, max: 32767, effect: 'Integer steps of a second difference of 1.' }),
} as const;

type Params = Values<typeof lineTermParameters>;

function withKernel(
  side: WasmSide,
  { width, height, address, stride }: Plane,
  { sigma, scale }: Params,
  [m, f, d]: readonly number[],
  outStride: number,
  body: (args: number[], scratch: number) => void,
): void {
  const taps = floatTaps(sigma);
  const radius = taps.length - 1;
  side.temporary(taps.byteLength, (table) => {
    side.arena.f32.set(taps, table >> 2);
    body(
      [address, stride, m!, f!, d!, outStride, width, height, table, radius, scale],
      eigenvaluesScratch(width, radius),
    );
  });
}

export function lineTermsWasm(side: WasmSide, source: Plane, params: Params): Plane[] {
  const { width, height } = source;
  const planes = Array.from({ length: 3 }, () => side.plane(width, height, 'i16'));
  lineTermRows(side, source, params, { planes, first: 0 }, 0, height);
  return planes;
}

/** Three planes of whole rows of the terms, of which the first one is row `first` of the image. */
export interface TermRows {
  readonly planes: readonly Plane[];
  first: number;
}

/** Where row 0 of the image would lie. */
export const termAddresses = ({ planes, first }: TermRows): number[] =>
  planes.map(({ address, stride }) => address - first * stride);

/** Rows from..to-1 of the three terms, over all threads. */
export function lineTermRows(
  side: WasmSide,
  source: Plane,
  params: Params,
  out: TermRows,
  from: number,
  to: number,
): void {
  withKernel(side, source, params, termAddresses(out), out.planes[0]!.stride, (args, scratch) =>
    side.bands('lineTerms', to, args, { scratch, minimumBand: 32, first: from }),
  );
}

export const lineTerms = defineOldStage({
  name: 'vessels/line-terms',
  params: lineTermParameters,
  inputs: ['f32'],
  outputs: ['i16', 'i16', 'i16'],
  // Where the float lies halfway between two integers its last bit decides.
  tolerance: 1,
  gpu: (side, [source], params, runtime) => {
    const { width, height } = source!;
    return side.scope((_, plane) => {
      const planes = Array.from({ length: 3 }, () => plane(width, height, 'i16'));
      const packed = packedOf(side, runtime.arena, source!, 'rgba32f');
      try {
        const terms = lineTermsGpu(side, packed, { width, ...params });
        planes.forEach((target, i) => unpackedTo(side, terms[i]!, target));
        for (const texture of terms) side.release(texture);
      } finally {
        side.release(packed);
      }
      return planes;
    });
  },
  wasm: (side, [source], params) => lineTermsWasm(side, source!, params),
});
