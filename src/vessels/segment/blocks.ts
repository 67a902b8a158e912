/**
 * Means over blocks of a photograph: brightness for the detection of the field of view, one channel for the working
 * plane.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { choice, number } from '../../runtime/parameters.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';

const wasmOnly = 'One read of each byte: bringing the photograph to a GPU takes longer than the means themselves.';

/** Bytes between pixels of one channel. */
const stepOf = ({ format }: Plane) => (format === 'rgba8' ? 4 : 1);

/**
 * Brightness of the brightest channel, over about every fourth row of a block. A few rows are as informative as all of
 * them.
 */
function* brightness(scope: Scope, source: Plane, block: number): Plan<[Plane]> {
  const { width, height } = source;
  const target = scope.plane(Math.ceil(width / block), Math.ceil(height / block), 'f32');
  const skip = Math.max(1, block >> 2);
  yield* scope.kernels.blockBrightness(
    { source, step: stepOf(source), width, height, block, skip, target },
    { rows: target.height, cost: (width * block) / skip },
  );
  return [target];
}

const brightnessParameters = {
  block: number({ default: 4, min: 1, max: 512, integer: true, unit: 'px', effect: 'Side of a block.' }),
} as const;

/** Mean brightness of every block. The last ones in a row or column may be smaller. */
export const blockBrightness = defineStage({
  name: 'vessels/block-brightness',
  params: brightnessParameters,
  inputs: ['u8'],
  outputs: ['f32'],
  // For values up to 255.
  tolerance: 1e-4,
  wasmOnly,
  wasm: (scope, [source], { block }) => brightness(scope, source, block),
});

export const blockBrightnessRgba = defineStage({
  name: 'vessels/block-brightness-rgba',
  params: brightnessParameters,
  inputs: ['rgba8'],
  outputs: ['f32'],
  tolerance: 1e-4,
  wasmOnly,
  wasm: (scope, [source], { block }) => brightness(scope, source, block),
});

/** Means of gray, or of one channel. */
function* means(scope: Scope, source: Plane, block: number, offset = 0): Plan<[Plane]> {
  const { width, height, address, stride } = source;
  if (block > Math.min(width, height))
    throw new FoveolaError('invalid-argument', `block must be at most the shorter side of the image, not ${block}.`);
  const target = scope.plane(Math.floor(width / block), Math.floor(height / block), 'f32');
  const channel = { address: address + offset, stride };
  yield* scope.kernels.blockMean(
    { source: channel, step: stepOf(source), block, target, width: target.width },
    { rows: target.height, cost: target.width * block * block },
  );
  return [target];
}

const meanParameters = {
  block: number({ default: 2, min: 1, max: 1024, integer: true, unit: 'px', effect: 'Side of a block.' }),
} as const;

const offsets = { red: 0, green: 1 };

/** Means over whole blocks. */
export const blockMeans = defineStage({
  name: 'vessels/block-means',
  params: meanParameters,
  inputs: ['u8'],
  outputs: ['f32'],
  // For values up to 255.
  tolerance: 1e-4,
  wasmOnly,
  wasm: (scope, [source], { block }) => means(scope, source, block),
});

export const blockMeansRgba = defineStage({
  name: 'vessels/block-means-rgba',
  params: {
    ...meanParameters,
    channel: choice({ default: 'green', values: ['red', 'green'], effect: 'The channel that is averaged.' }),
  },
  inputs: ['rgba8'],
  outputs: ['f32'],
  tolerance: 1e-4,
  wasmOnly,
  wasm: (scope, [source], { block, channel }) => means(scope, source, block, offsets[channel]),
});
