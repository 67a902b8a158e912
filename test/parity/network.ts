/** Networks for the parity test: every operation, steps, channels that fill no vector, results of one pixel. */
import { channelsOf, checkNetwork, weightsEach, type Network, type NetworkLayer } from '../../src/models/network.ts';
import type { MakeInput } from './cases.ts';

type Plan = Pick<NetworkLayer, 'operation' | 'from'> &
  Partial<Pick<NetworkLayer, 'outputs' | 'step' | 'slope' | 'ceiling'>>;

/** Layers with weights of which sums stay of order 1; without `outputs` a layer has those of what it reads. */
export function networkOf(plans: readonly Plan[], multiple: number, random: () => number): Network {
  const layers: NetworkLayer[] = [];
  for (const plan of plans) {
    const channels = channelsOf({ layers });
    const given = plan.from.map((k) => channels[k]!);
    const outputs = plan.outputs ?? (plan.operation === 'concat' ? given[0]! + given[1]! : given[0]!);
    const each = weightsEach(plan, channels);
    const convolves = each > 0;
    layers.push({
      ...{ step: 1, slope: 1, ceiling: Infinity, ...plan, outputs },
      weights: Int8Array.from({ length: convolves ? outputs * each : 0 }, () => Math.round(254 * random() - 127)),
      scales: Float32Array.from({ length: convolves ? outputs : 0 }, () => (0.5 + random()) / 90 / Math.sqrt(each)),
      bias: Float32Array.from({ length: convolves ? outputs : 0 }, () => random() - 0.5),
    });
  }
  return checkNetwork({ layers, multiple, notice: '' });
}

const plans: readonly (readonly [number, readonly Plan[]])[] = [
  // An encoder and a decoder, as that of the vessels.
  [
    4,
    [
      { operation: 'convolution', from: [0], outputs: 8, slope: 0 },
      { operation: 'convolution', from: [1], outputs: 12, step: 2, slope: 0 },
      { operation: 'convolution', from: [2], outputs: 16, step: 2, slope: 0 },
      { operation: 'upsample', from: [3] },
      { operation: 'concat', from: [4, 2] },
      { operation: 'convolution', from: [5], outputs: 12, slope: 0 },
      { operation: 'upsample', from: [6] },
      { operation: 'concat', from: [7, 1] },
      { operation: 'pointwise', from: [8], outputs: 1 },
    ],
  ],
  // Depthwise with both steps, sums, pools, channels that fill no vector.
  [
    4,
    [
      { operation: 'convolution', from: [0], outputs: 6, slope: 0.1 },
      { operation: 'depthwise', from: [1], slope: 0, ceiling: 6 },
      { operation: 'pointwise', from: [2], outputs: 6 },
      { operation: 'add', from: [1, 3], slope: 0, ceiling: 1 },
      { operation: 'depthwise', from: [4], step: 2 },
      { operation: 'max-pool', from: [5] },
      { operation: 'pointwise', from: [6], outputs: 3, slope: 0.25 },
    ],
  ],
  // A picture to some numbers: dense layers are pointwise ones of one pixel.
  [
    2,
    [
      { operation: 'convolution', from: [0], outputs: 5, step: 2, slope: 0 },
      { operation: 'mean-pool', from: [1] },
      { operation: 'mean', from: [2] },
      { operation: 'pointwise', from: [3], outputs: 9, slope: 0 },
      { operation: 'pointwise', from: [4], outputs: 2 },
    ],
  ],
];

export const networkMakers: Readonly<Record<string, MakeInput>> = {
  network: (_width, _height, i, random) => {
    const [multiple, layers] = plans[i % plans.length]!;
    return networkOf(layers, multiple, random);
  },
};
