/** What both sides make of a network: sizes of its tensors, weights as floats, and when a tensor is no longer needed. */
import { channelsOf, taps, weightsEach, type Network, type NetworkLayer } from '../models/network.ts';

/** The network of a stage. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    network: Network;
  }
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Channels in whole texels, and in whole vectors. */
export const padded = (channels: number): number => (channels + 3) & ~3;

/** Of the picture and of each layer. */
export function sizesOf({ layers, multiple }: Network, { width, height }: Size): Size[] {
  const whole = (side: number) => Math.ceil(side / multiple) * multiple;
  const sizes: Size[] = [{ width: whole(width), height: whole(height) }];
  for (const { operation, from, step } of layers) {
    const before = sizes[from[0]!]!;
    const scaled = (factor: number) => ({
      width: Math.ceil(before.width * factor),
      height: Math.ceil(before.height * factor),
    });
    if (operation === 'upsample') sizes.push(scaled(2));
    else if (operation === 'max-pool' || operation === 'mean-pool') sizes.push(scaled(1 / 2));
    else if (operation === 'mean') sizes.push({ width: 1, height: 1 });
    else sizes.push(scaled(1 / step));
  }
  return sizes;
}

/** The last layer that reads each tensor. */
export function lastUses({ layers }: Network): number[] {
  const last = Array.from({ length: layers.length + 1 }, () => layers.length);
  layers.forEach(({ from }, i) => from.forEach((k) => (last[k] = i)));
  last[layers.length] = layers.length;
  return last;
}

export interface Filters {
  /** Convolutions: by four outputs, tap, input and output; depthwise ones: by tap and channel. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

function filtersOf(layer: NetworkLayer, inputs: number, each: number): Filters {
  const { operation, outputs, scales } = layer;
  const [count, wide] = [taps(operation), padded(outputs)];
  const bias = new Float32Array(wide);
  bias.set(layer.bias);
  const deep = operation === 'depthwise';
  // Inputs of the picture are one float, those of a layer whole vectors, filled up with zeros.
  const weights = new Float32Array(count * wide * (deep ? 1 : inputs));
  const own = deep ? 1 : each / count;
  for (let o = 0; o < outputs; o++)
    for (let t = 0; t < count; t++)
      for (let i = 0; i < own; i++) {
        const value = layer.weights[o * each + t * own + i]! * scales[o]!;
        const place = deep ? t * wide + o : (((o >> 2) * count + t) * inputs + i) * 4 + (o & 3);
        weights[place] = value;
      }
  return { weights, bias };
}

const known = new WeakMap<Network, readonly (Filters | null)[]>();

/** Of the convolutions of a network, made once. */
export function allFilters(network: Network): readonly (Filters | null)[] {
  const made = known.get(network);
  if (made) return made;
  const channels = channelsOf(network);
  const filters = network.layers.map((layer) =>
    taps(layer.operation) ? filtersOf(layer, pitchOf(layer.from[0]!, channels), weightsEach(layer, channels)) : null,
  );
  known.set(network, filters);
  return filters;
}

/** Floats of a pixel of a tensor. */
export const pitchOf = (index: number, channels: readonly number[]): number => (index ? padded(channels[index]!) : 1);
