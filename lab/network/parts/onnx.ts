/**
 * A network as an ONNX file (opset 13, float weights), so that another program runs the same layers. Only the fields of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 that are needed here are written.
 */
import { channelsOf, taps, weightsEach, type Network, type NetworkLayer } from '../../../src/models/network.ts';
import type { Size } from '../../../src/network/layout.ts';

type Bytes = readonly number[] | Uint8Array;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** Fields of a message: numbers, texts, bytes and messages, by their number. A list repeats the field. */
type Field = [number: number, value: number | string | Bytes | readonly (number | string | Bytes)[]];

function message(...fields: Field[]): Uint8Array {
  const parts: Bytes[] = [];
  for (const [number, value] of fields)
    for (const one of Array.isArray(value) && typeof value[0] !== 'number' ? value : [value as number | string | Bytes])
      if (typeof one === 'number') parts.push(varint(number << 3), varint(one));
      else {
        const bytes = typeof one === 'string' ? new TextEncoder().encode(one) : (one as Bytes);
        parts.push(varint((number << 3) | 2), varint(bytes.length), bytes);
      }
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const float = (value: number) => new Uint8Array(new Float32Array([value]).buffer);
/** An attribute of one float, which is 32 bits of fixed length: field 2, wire type 5. */
const floatAttribute = (name: string, value: number) =>
  Uint8Array.from([...message([1, name], [20, 1]), (2 << 3) | 5, ...float(value)]);
const wholeAttribute = (name: string, value: number) => message([1, name], [3, value], [20, 2]);
const textAttribute = (name: string, value: string) => message([1, name], [4, value], [20, 3]);
const listAttribute = (name: string, values: readonly number[]) =>
  message([1, name], ...values.map((value): Field => [8, value]), [20, 7]);

const node = (type: string, inputs: string[], output: string, attributes: Uint8Array[] = []) =>
  message([1, inputs], [2, output], [4, type], ...attributes.map((one): Field => [5, one]));

function tensor(name: string, sides: readonly number[], values: Float32Array): Uint8Array {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return message(...sides.map((side): Field => [1, side]), [2, 1], [8, name], [9, raw]);
}

const described = (name: string, sides: readonly number[]) =>
  message([1, name], [2, message([1, message([1, 1], [2, message([1, sides.map((side) => message([1, side]))])])])]);

/** Weights as floats: by output, input, row and column. */
export function floatWeights(layer: NetworkLayer, each: number): Float32Array {
  const count = taps(layer.operation);
  const inputs = each / count;
  return Float32Array.from({ length: layer.outputs * each }, (_, k) => {
    const o = Math.floor(k / each);
    const [i, t] = [Math.floor((k % each) / count), k % count];
    return layer.weights[o * each + t * inputs + i]! * layer.scales[o]!;
  });
}

/** The nodes of a layer without its function, and their weights. */
function layerNodes(layer: NetworkLayer, i: number, each: number, output: string) {
  const { operation, step, outputs } = layer;
  const inputs = layer.from.map((k) => `t${k}`);
  const two = [listAttribute('kernel_shape', [2, 2]), listAttribute('strides', [2, 2])];
  if (operation === 'add') return { nodes: [node('Add', inputs, output)], weights: [] };
  if (operation === 'concat')
    return { nodes: [node('Concat', inputs, output, [wholeAttribute('axis', 1)])], weights: [] };
  if (operation === 'max-pool') return { nodes: [node('MaxPool', inputs, output, two)], weights: [] };
  if (operation === 'mean-pool') return { nodes: [node('AveragePool', inputs, output, two)], weights: [] };
  if (operation === 'mean')
    return { nodes: [node('ReduceMean', inputs, output, [listAttribute('axes', [2, 3])])], weights: [] };
  if (operation === 'upsample') {
    const how = [['mode', 'nearest'], ['coordinate_transformation_mode', 'asymmetric'], ['nearest_mode', 'floor']]; // prettier-ignore
    const attributes = how.map(([name, value]) => textAttribute(name!, value!));
    const scales = tensor(`s${i}`, [4], new Float32Array([1, 1, 2, 2]));
    return { nodes: [node('Resize', [inputs[0]!, '', `s${i}`], output, attributes)], weights: [scales] };
  }
  const side = taps(operation) > 1 ? 3 : 1;
  const attributes = [
    listAttribute('kernel_shape', [side, side]),
    listAttribute('strides', [step, step]),
    listAttribute(
      'pads',
      Array.from({ length: 4 }, () => side >> 1),
    ),
    wholeAttribute('group', operation === 'depthwise' ? outputs : 1),
  ];
  const weights = [
    tensor(`w${i}`, [outputs, each / side ** 2, side, side], floatWeights(layer, each)),
    tensor(`b${i}`, [outputs], layer.bias),
  ];
  return { nodes: [node('Conv', [...inputs, `w${i}`, `b${i}`], output, attributes)], weights };
}

/** The function behind a layer, or null. */
function functionNode({ slope, ceiling }: NetworkLayer, input: string, output: string, i: number) {
  if (slope === 1) return null;
  if (slope) return { node: node('LeakyRelu', [input], output, [floatAttribute('alpha', slope)]), weights: [] };
  if (!(ceiling < 1e30)) return { node: node('Relu', [input], output), weights: [] };
  const limits = [tensor(`l${i}`, [], new Float32Array(1)), tensor(`u${i}`, [], new Float32Array([ceiling]))];
  return { node: node('Clip', [input, `l${i}`, `u${i}`], output), weights: limits };
}

/** The whole file, for pictures of one size. Input t0 (1, 1, height, width), output `result`. */
export function onnxOf(
  network: Network,
  picture: Size,
  result: readonly number[],
): { bytes: Uint8Array; output: string } {
  const channels = channelsOf(network);
  const nodes: Uint8Array[] = [];
  const weights: Uint8Array[] = [];
  network.layers.forEach((layer, i) => {
    const output = `t${i + 1}`;
    const after = functionNode(layer, `p${i}`, output, i);
    const made = layerNodes(layer, i, weightsEach(layer, channels), after ? `p${i}` : output);
    nodes.push(...made.nodes);
    weights.push(...made.weights);
    if (!after) return;
    nodes.push(after.node);
    weights.push(...after.weights);
  });
  const output = `t${network.layers.length}`;
  const graph = message(
    [1, nodes],
    [2, 'network'],
    [5, weights],
    [11, described('t0', [1, 1, picture.height, picture.width])],
    [12, described(output, result)],
  );
  return { bytes: message([1, 8], [7, graph], [8, message([2, 13])]), output };
}
