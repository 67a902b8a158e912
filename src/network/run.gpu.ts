/**
 * A network in passes: a tensor is a texture of four channels a texel, its groups of four one below the other. Each layer is
 * one pass; filters are textures of a row of vectors for each group of outputs.
 */
import convolutionFragment from '../../glsl/network/run-convolution.frag';
import depthwiseFragment from '../../glsl/network/run-depthwise.frag';
import tensorFragment from '../../glsl/network/run-tensor.frag';
import pictureFragment from '../../glsl/network/run-picture.frag';
import resultFragment from '../../glsl/network/run-result.frag';
import { channelsOf, taps, type Network, type NetworkLayer } from '../models/network.ts';
import type { GpuBackend, Texture } from '../runtime/gpu/gpu-backend.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { allFilters, lastUses, padded, sizesOf, type Filters, type Size } from './layout.ts';

type Floats = Texture<'rgba32f'>;

const convolutionPass = definePass({
  name: 'network/convolution',
  fragment: convolutionFragment,
  textures: ['source', 'filters'],
  uniforms: { groups: 'int', size: 'ivec2', rows: 'int', step: 'int', reach: 'int', bounds: 'vec2' },
  outputs: ['value'],
});

const depthwisePass = definePass({
  name: 'network/depthwise',
  fragment: depthwiseFragment,
  textures: ['source', 'filters'],
  uniforms: { size: 'ivec2', rows: 'int', step: 'int', bounds: 'vec2' },
  outputs: ['value'],
});

const tensorPass = definePass({
  name: 'network/tensor',
  fragment: tensorFragment,
  textures: ['source', 'other'],
  uniforms: { operation: 'int', groups: 'int', size: 'ivec2', rows: 'int', bounds: 'vec2' },
  outputs: ['value'],
});

const picturePass = definePass({
  name: 'network/picture',
  fragment: pictureFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['value'],
});

const resultPass = definePass({
  name: 'network/result',
  fragment: resultFragment,
  textures: ['source'],
  uniforms: { channels: 'int', rows: 'int' },
  outputs: ['value'],
});

const groupsOf = (channels: number) => padded(channels) / 4;
/** As run-tensor.frag numbers them. */
const numbers: Readonly<Partial<Record<NetworkLayer['operation'], number>>> = {
  upsample: 0,
  concat: 1,
  add: 2,
  'max-pool': 3,
  'mean-pool': 4,
  mean: 5,
};

/** Whether its tensors are small enough for textures. */
export function networkFits(gpu: GpuBackend, picture: Size, network: Network): boolean {
  const channels = channelsOf(network);
  return sizesOf(network, picture).every(({ width, height }, i) => gpu.fits(width, height * groupsOf(channels[i]!)));
}

/** A row for each group of outputs: bias, then vectors by tap and input; those of the picture have three zeros behind each. */
function filterTexture(scope: Scope, { weights, bias }: Filters, inputs: number, deep: boolean): Floats {
  const groups = bias.length / 4;
  const each = deep ? 9 : weights.length / bias.length;
  const width = deep ? 10 : 1 + (each / inputs) * padded(inputs);
  const data = new Float32Array(4 * width * groups);
  for (let g = 0; g < groups; g++) {
    data.set(bias.subarray(4 * g, 4 * g + 4), 4 * width * g);
    for (let k = 0; k < each; k++) {
      const from = deep ? k * bias.length + 4 * g : 4 * (g * each + k);
      const place = deep ? k : Math.floor(k / inputs) * padded(inputs) + (k % inputs);
      data.set(weights.subarray(from, from + 4), 4 * (width * g + 1 + place));
    }
  }
  const texture = scope.texture(width, groups, 'rgba32f');
  scope.gpu.upload(texture, new Uint8Array(data.buffer), 16 * width);
  return texture;
}

interface Step {
  readonly layer: NetworkLayer;
  readonly filters: Filters | null;
  readonly inputs: readonly Floats[];
  readonly sizes: readonly Size[];
  readonly channels: readonly number[];
  readonly size: Size;
}

function drawLayer(scope: Scope, { layer, filters, inputs, sizes, channels, size }: Step, target: Floats): void {
  const [source, other] = [inputs[0]!, inputs[1] ?? inputs[0]!];
  const before = [sizes[0]!.width, sizes[0]!.height];
  // No function is above the largest float.
  const bounds = [layer.slope, Math.min(layer.ceiling, 3e38)];
  const common = { size: before, rows: size.height, bounds };
  if (!filters) {
    const uniforms = { ...common, operation: numbers[layer.operation]!, groups: groupsOf(channels[0]!) };
    scope.draw(tensorPass, { targets: [target], textures: { source, other }, uniforms });
    return;
  }
  const deep = layer.operation === 'depthwise';
  const inside = layer.from[0] === 0 ? 1 : padded(channels[0]!);
  const texture = filterTexture(scope, filters, inside, deep);
  const textures = { source, filters: texture };
  if (deep) scope.draw(depthwisePass, { targets: [target], textures, uniforms: { ...common, step: layer.step } });
  else {
    const reach = taps(layer.operation) > 1 ? 1 : 0;
    const uniforms = { ...common, step: layer.step, reach, groups: groupsOf(channels[0]!) };
    scope.draw(convolutionPass, { targets: [target], textures, uniforms });
  }
  scope.free(texture);
}

/** The last layer as a plane on the GPU. */
export function networkGpu(scope: Scope, source: Plane, network: Network, result: Size): Plane {
  const [channels, sizes, filters, last] = [
    channelsOf(network),
    sizesOf(network, source),
    allFilters(network),
    lastUses(network),
  ];
  const texture = (i: number): Floats =>
    scope.texture(sizes[i]!.width, sizes[i]!.height * groupsOf(channels[i]!), 'rgba32f');
  const tensors = [texture(0)];
  scope.draw(picturePass, { targets: [tensors[0]!], textures: { source }, uniforms: {} });
  network.layers.forEach((layer, i) => {
    const target = texture(i + 1);
    tensors.push(target);
    const of = <T>(list: readonly T[]) => layer.from.map((k) => list[k]!);
    const step = { layer, filters: filters[i]!, inputs: of(tensors), sizes: of(sizes), channels: of(channels) };
    drawLayer(scope, { ...step, size: sizes[i + 1]! }, target);
    tensors.forEach((tensor, k) => {
      if (k <= i && last[k] === i) scope.free(tensor);
    });
  });
  const count = channels[network.layers.length]!;
  const target = scope.gpuPlane(result.width * count, result.height, 'f32');
  const rows = sizes[network.layers.length]!.height;
  const end = tensors[network.layers.length]!;
  scope.draw(resultPass, { targets: [target], textures: { source: end }, uniforms: { channels: count, rows } });
  return target;
}
