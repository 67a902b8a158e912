/**
 * A trained network: layers in execution order. Each layer reads earlier ones. Weights have 8 bits and one scale per
 * output.
 *
 * Compact form, little endian: u16 layers, u16 multiple (sides of the input are padded to a multiple of it). Each layer
 * has u8 operation, u8 step, u16 outputs, u16 number of inputs (1 or 2), u16 number of each input layer (0: the image,
 * 1: the first layer), f32 slope and f32 ceiling. A value v becomes min(max(v, slope v), ceiling). Convolutions
 * continue with f32 scale and f32 bias of each output, then i8 weights, by output, row, column and input.
 */
import { ModelReader, ModelWriter, packModel, unpackModel, wrongFormat } from './container.ts';

/** In the order of their numbers. `dense` is a pointwise convolution of an image of one pixel. */
export const operations = [
  'convolution',
  'depthwise',
  'pointwise',
  'add',
  'concat',
  'upsample',
  'max-pool',
  'mean-pool',
  'mean',
] as const;
export type NetworkOperation = (typeof operations)[number];

export interface NetworkLayer {
  readonly operation: NetworkOperation;
  /** Distance in pixels between two results: 1 or 2. */
  readonly step: number;
  readonly outputs: number;
  /** Numbers of the input layers: 0 is the image, 1 the first layer. */
  readonly from: readonly number[];
  readonly slope: number;
  readonly ceiling: number;
  /** Present for convolutions: by output, row, column and input. */
  readonly weights: Int8Array;
  readonly scales: Float32Array;
  readonly bias: Float32Array;
}

export interface Network {
  /** Sides of an image are padded to a multiple of this. */
  readonly multiple: number;
  readonly layers: readonly NetworkLayer[];
  readonly notice: string;
}

const limits = { layers: 256, outputs: 1024, weights: 4 << 20, multiple: 64 } as const;

export const taps = (operation: NetworkOperation): number =>
  operation === 'convolution' || operation === 'depthwise' ? 9 : operation === 'pointwise' ? 1 : 0;

/** Numbers of channels of the image and of each layer. */
export const channelsOf = ({ layers }: Pick<Network, 'layers'>): number[] => [
  1,
  ...layers.map(({ outputs }) => outputs),
];

/** Number of weights of one output of a layer. */
export const weightsEach = (layer: Pick<NetworkLayer, 'operation' | 'from'>, channels: readonly number[]): number =>
  taps(layer.operation) * (layer.operation === 'depthwise' ? 1 : (channels[layer.from[0]!] ?? 0));

/** @throws {FoveolaError} 'model-format' if layers do not fit together */
export function checkNetwork(network: Network): Network {
  const { layers, multiple } = network;
  const channels = channelsOf(network);
  if (!layers.length || layers.length > limits.layers)
    throw wrongFormat(`A network has 1 to ${limits.layers} layers, not ${layers.length}.`);
  if (multiple < 1 || multiple > limits.multiple) throw wrongFormat(`The network pads to a multiple of ${multiple}.`);
  layers.forEach(({ operation, step, outputs, from, slope, ceiling }, i) => {
    const refuse = (why: string): never => {
      throw wrongFormat(`Layer ${i + 1} of the network (${operation}) ${why}.`);
    };
    const two = operation === 'add' || operation === 'concat';
    if (from.length !== (two ? 2 : 1)) refuse(`reads ${from.length} inputs`);
    if (from.some((k) => k > i)) refuse('reads a layer that comes after it');
    if (outputs < 1 || outputs > limits.outputs) refuse(`has ${outputs} outputs`);
    if (step !== 1 && step !== 2) refuse(`has a step of ${step} pixels`);
    if (!(slope >= 0 && slope <= 1 && ceiling >= 0)) refuse('has an unknown function');
    const given = from.map((k) => channels[k]!);
    const expected = operation === 'concat' ? given[0]! + given[1]! : given[0]!;
    if (!['convolution', 'pointwise'].includes(operation) && outputs !== expected)
      refuse(`has ${outputs} outputs instead of ${expected}`);
    if (operation === 'add' && given[0] !== given[1]) refuse('adds different numbers of channels');
    if (operation === 'concat' && given[0]! % 4) refuse('joins channels to a number that is not a multiple of 4');
  });
  return network;
}

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function readNetwork(bytes: Uint8Array): Network {
  const { payload, notice } = unpackModel(bytes, 'network');
  const reader = new ModelReader(payload);
  const [count, multiple] = [reader.u16(), reader.u16()];
  const layers: NetworkLayer[] = [];
  const channels = [1];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const operation = operations[reader.u8()];
    if (!operation) throw wrongFormat(`Layer ${i + 1} of the network has an unknown type.`);
    const [step, outputs] = [reader.u8(), reader.u16()];
    const reads = reader.u16();
    if (reads > 2) throw wrongFormat(`Layer ${i + 1} of the network reads ${reads} inputs.`);
    const from = Array.from({ length: reads }, reader.u16);
    const [slope, ceiling] = [reader.f32(), reader.f32()];
    const convolves = taps(operation) > 0;
    const each = weightsEach({ operation, from }, channels);
    if (convolves && (total += outputs * each) > limits.weights) throw wrongFormat('The network has too many weights.');
    const floats = () => Float32Array.from({ length: convolves ? outputs : 0 }, reader.f32);
    const [scales, bias] = [floats(), floats()];
    const weights = new Int8Array(reader.bytes(outputs * each).slice().buffer);
    layers.push({ operation, step, outputs, from, slope, ceiling, scales, bias, weights });
    channels.push(outputs);
  }
  if (reader.left) throw wrongFormat(`The network has ${reader.left} extra bytes after its last layer.`);
  return checkNetwork({ multiple, layers, notice });
}

export function packNetwork(network: Network): Uint8Array<ArrayBuffer> {
  checkNetwork(network);
  const writer = new ModelWriter();
  writer.u16(network.layers.length);
  writer.u16(network.multiple);
  for (const layer of network.layers) {
    writer.u8(operations.indexOf(layer.operation));
    writer.u8(layer.step);
    writer.u16(layer.outputs);
    writer.u16(layer.from.length);
    layer.from.forEach(writer.u16);
    writer.f32(layer.slope);
    writer.f32(layer.ceiling);
    layer.scales.forEach((v) => writer.f32(v));
    layer.bias.forEach((v) => writer.f32(v));
    writer.bytes(layer.weights);
  }
  return packModel('network', writer.done(), network.notice);
}
