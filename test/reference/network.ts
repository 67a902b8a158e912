import { channelsOf, taps, weightsEach, type Network, type NetworkLayer } from '../../src/models/network.ts';
import { make, replicate, type Reference, type ReferenceImage } from './image.ts';

/** Values by row, column and channel. */
interface Tensor {
  width: number;
  height: number;
  channels: number;
  at(x: number, y: number, c: number): number;
}

function tensor(width: number, height: number, channels: number, value: Tensor['at']): Tensor {
  const data = new Float64Array(width * height * channels);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let c = 0; c < channels; c++) data[i++] = value(x, y, c);
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  return { width, height, channels, at: (x, y, c) => (inside(x, y) ? data[(y * width + x) * channels + c]! : 0) };
}

function convolved(layer: NetworkLayer, source: Tensor, each: number, bounded: (v: number) => number): Tensor {
  const { operation, outputs, step } = layer;
  const reach = taps(operation) > 1 ? 1 : 0;
  const [width, height] = [Math.ceil(source.width / step), Math.ceil(source.height / step)];
  return tensor(width, height, outputs, (x, y, o) => {
    let k = o * each;
    let sum = 0;
    for (let j = -reach; j <= reach; j++)
      for (let i = -reach; i <= reach; i++) {
        const [u, v] = [x * step + i, y * step + j];
        if (operation === 'depthwise') sum += layer.weights[k++]! * source.at(u, v, o);
        else for (let c = 0; c < source.channels; c++) sum += layer.weights[k++]! * source.at(u, v, c);
      }
    return bounded(sum * layer.scales[o]! + layer.bias[o]!);
  });
}

function pooled({ operation }: NetworkLayer, source: Tensor): Tensor {
  const [across, down] = operation === 'mean' ? [source.width, source.height] : [2, 2];
  return tensor(Math.ceil(source.width / across), Math.ceil(source.height / down), source.channels, (x, y, c) => {
    const values = [];
    for (let j = 0; j < down; j++)
      for (let i = 0; i < across; i++) values.push(source.at(x * across + i, y * down + j, c));
    return operation === 'max-pool' ? Math.max(...values) : values.reduce((a, b) => a + b, 0) / values.length;
  });
}

function layerOf(layer: NetworkLayer, [a, b]: readonly Tensor[], each: number): Tensor {
  const bounded = (v: number) => Math.min(Math.max(v, layer.slope * v), layer.ceiling);
  const { operation, outputs } = layer;
  if (taps(operation)) return convolved(layer, a!, each, bounded);
  if (operation === 'upsample')
    return tensor(2 * a!.width, 2 * a!.height, outputs, (x, y, c) => a!.at(x >> 1, y >> 1, c));
  if (operation === 'add')
    return tensor(a!.width, a!.height, outputs, (x, y, c) => bounded(a!.at(x, y, c) + b!.at(x, y, c)));
  if (operation === 'concat')
    return tensor(a!.width, a!.height, outputs, (x, y, c) =>
      c < a!.channels ? a!.at(x, y, c) : b!.at(x, y, c - a!.channels),
    );
  return pooled(layer, a!);
}

/** Layer by layer in double precision, one number at a time. */
export function network([source, net]: readonly [ReferenceImage, Network]): ReferenceImage[] {
  const whole = (side: number) => Math.ceil(side / net.multiple) * net.multiple;
  const tensors = [tensor(whole(source.width), whole(source.height), 1, (x, y) => replicate(source, x, y))];
  const channels = channelsOf(net);
  for (const layer of net.layers)
    tensors.push(
      layerOf(
        layer,
        layer.from.map((k) => tensors[k]!),
        weightsEach(layer, channels),
      ),
    );
  const [first, last] = [tensors[0]!, tensors[tensors.length - 1]!];
  const part = (side: number, of: number, all: number) => Math.ceil((side * of) / all);
  const [width, height] = [part(source.width, last.width, first.width), part(source.height, last.height, first.height)];
  const count = last.channels;
  return [make(width * count, height, 'f32', (x, y) => last.at(Math.floor(x / count), y, x % count))];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'network/run': network,
};
