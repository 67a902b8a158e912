/**
 * Runs a network over a picture. Inputs: the picture, and the network. Output: the channels of its last layer, those of a
 * pixel next to each other, so that a layer of one channel is a picture. In WASM a tensor is rows of pixels with a border of
 * zeros; it is freed after its last reader. Past the picture its last samples go on, up to the network's multiple.
 */
import { channelsOf, taps, type Network, type NetworkLayer } from '../models/network.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Backend } from '../runtime/runtime.ts';
import type { Block, Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { unlessLost, type Plan } from '../runtime/wasm/kernel-step.ts';
import { allFilters, lastUses, pitchOf, sizesOf, type Filters, type Size } from './layout.ts';
import { networkFits, networkGpu } from './run.gpu.ts';

/** Zeros around a tensor, which a filter of three pixels reads. */
const BORDER = 1;

interface Tensor extends Size {
  readonly block: Block;
  /** Of its first pixel. */
  readonly address: number;
  readonly stride: number;
  /** Floats of a pixel. */
  readonly pitch: number;
}

function tensorOf(scope: Scope, { width, height }: Size, pitch: number): Tensor {
  const stride = (4 * pitch * (width + 2 * BORDER) + 15) & ~15;
  const block = scope.block(stride * (height + 2 * BORDER) + 16);
  const address = block.address + stride * BORDER + 4 * pitch * BORDER;
  const { u8 } = scope.arena;
  // The end of a row and the beginning of the next one are next to each other.
  for (let y = -1; y <= height; y++) {
    const end = address + y * stride + 4 * pitch * width;
    u8.fill(0, end, Math.min(end + stride - 4 * pitch * width, block.address + block.bytes));
  }
  u8.fill(0, block.address, address);
  u8.fill(0, address + height * stride - 4 * pitch, block.address + block.bytes);
  return { width, height, block, address, stride, pitch };
}

function* convolve(scope: Scope, layer: NetworkLayer, filters: Filters, source: Tensor, target: Tensor): Plan<void> {
  const { step, slope, ceiling } = layer;
  const { width, height, pitch } = target;
  const [weights, bias] = [scope.table(filters.weights), scope.table(filters.bias)];
  const given = { source, target, width, step, weights, bias, slope, ceiling };
  const work = { rows: height, minimumBand: 1, cost: (width * filters.weights.length) >> 4 };
  if (layer.operation === 'depthwise') yield* scope.kernels.depthwise({ ...given, channels: pitch }, work);
  else {
    const reach = taps(layer.operation) > 1 ? 1 : 0;
    yield* scope.kernels.convolution({ ...given, inputs: source.pitch, outputs: pitch, pitch, reach }, work);
  }
  scope.free(weights);
  scope.free(bias);
}

function* pool(scope: Scope, { operation }: NetworkLayer, source: Tensor, target: Tensor): Plan<void> {
  const { width, height, pitch } = target;
  const [across, down] = operation === 'mean' ? [source.width, source.height] : [2, 2];
  const work = { rows: height, minimumBand: 1, cost: width * across * down };
  yield* scope.kernels.poolTensor(
    { source, target, width, channels: pitch, across, down, largest: operation === 'max-pool' },
    work,
  );
}

function* copy(scope: Scope, source: Tensor, target: Tensor, channel: number, shift: number): Plan<void> {
  const { width, height, pitch } = target;
  const at = { address: target.address + 4 * channel, stride: target.stride };
  yield* scope.kernels.copyChannels(
    { source, target: at, width, channels: source.pitch, sourcePitch: source.pitch, pitch, shift },
    { rows: height, cost: (width * source.pitch) >> 2 },
  );
}

function* runLayer(
  scope: Scope,
  layer: NetworkLayer,
  filters: Filters | null,
  inputs: readonly Tensor[],
  target: Tensor,
): Plan<void> {
  const [first, second] = inputs as [Tensor, Tensor];
  const { operation, slope, ceiling } = layer;
  const { width, height, pitch } = target;
  if (filters) yield* convolve(scope, layer, filters, first, target);
  else if (operation === 'add')
    yield* scope.kernels.addTensors(
      { source: first, other: second, target, width, channels: pitch, slope, ceiling },
      { rows: height, cost: (width * pitch) >> 2 },
    );
  else if (operation === 'upsample') yield* copy(scope, first, target, 0, 1);
  else if (operation === 'concat') {
    yield* copy(scope, first, target, 0, 0);
    yield* copy(scope, second, target, first.pitch, 0);
  } else yield* pool(scope, layer, first, target);
}

function* pictureTensor(scope: Scope, source: Plane, size: Size): Plan<Tensor> {
  const target = tensorOf(scope, size, 1);
  const { width, height } = source;
  const given = { source, target, width, height, columns: size.width };
  yield* scope.kernels.planeToTensor(given, { rows: size.height });
  return target;
}

/** Part of the last tensor that belongs to the picture. */
export function resultSize(network: Network, { width, height }: Size): Size {
  const sizes = sizesOf(network, { width, height });
  const [first, last] = [sizes[0]!, sizes[sizes.length - 1]!];
  return {
    width: Math.ceil((width * last.width) / first.width),
    height: Math.ceil((height * last.height) / first.height),
  };
}

export const runNetwork = defineStage({
  name: 'network/run',
  params: {},
  inputs: ['f32', 'network'],
  outputs: ['f32'],
  // Sums of floats in another order, through several layers of values of order 1.
  tolerance: 5e-4, // log-odds: the sums of some twenty layers are rounded in another order
  fits: (gpu, [source, network]) => networkFits(gpu, source, network),
  *gpu(scope, [source, network]) {
    return [networkGpu(scope, source, network, resultSize(network, source))];
  },
  *wasm(scope, [source, network]) {
    const { layers } = network;
    const [channels, sizes, filters, last] = [
      channelsOf(network),
      sizesOf(network, source),
      allFilters(network),
      lastUses(network),
    ];
    const tensors = [yield* pictureTensor(scope, source, sizes[0]!)];
    for (const [i, layer] of layers.entries()) {
      const target = tensorOf(scope, sizes[i + 1]!, pitchOf(i + 1, channels));
      tensors.push(target);
      const inputs = layer.from.map((k) => tensors[k]!);
      yield* runLayer(scope, layer, filters[i]!, inputs, target);
      tensors.forEach(({ block }, k) => {
        if (k <= i && last[k] === i) scope.free(block);
      });
    }
    const result = tensors[layers.length]!;
    const { width, height } = resultSize(network, source);
    const count = channels[layers.length]!;
    const target = scope.plane(width * count, height, 'f32');
    yield* scope.kernels.tensorToPlane(
      { source: result, target, width, channels: count, pitch: result.pitch },
      { rows: height },
    );
    return [target];
  },
});

interface Answers {
  readonly numbers: Float32Array;
  /** How many of them are in a row. */
  readonly width: number;
  /** What computed them. */
  readonly backend: Backend;
}

/** The numbers of the last layer. WASM computes them if the GPU loses its context meanwhile. */
export function* networkAnswers(scope: Scope, picture: Plane, network: Network): Plan<Answers> {
  function* on(backend: Backend): Plan<Answers> {
    const [answers] = yield* scope.run(runNetwork, [picture, network], {}, backend);
    return { numbers: (yield* scope.read(answers)) as Float32Array, width: answers.width, backend };
  }
  const first = scope.backendOf(runNetwork, [picture, network]);
  return (yield* unlessLost(on(first))) ?? (yield* on('wasm'));
}
