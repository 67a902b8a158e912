/** In the page of `speed network`: the same network by our stage, by ONNX Runtime Web and by TensorFlow.js, one WASM thread each. */
import { channelsOf, readNetwork, taps, weightsEach, type Network } from '../../../src/models/network.ts';
import { sizesOf, type Size } from '../../../src/network/layout.ts';
import { runNetwork } from '../../../src/network/run.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { run } from '../../../src/runtime/stage.ts';
import { median } from '../../../bench/parts/numbers.ts';
import { floatWeights, onnxOf } from './onnx.ts';

/** Runs the network once over the picture of the round. Returns its last layer: pixels by channels. */
type Program = () => Promise<Float32Array>;

/** Neither has types here, because neither is a dependency of this project. */
/* eslint-disable @typescript-eslint/no-explicit-any */
declare const tf: any;
type Ort = any;
/* eslint-enable */

async function ours(network: Network, picture: Size, data: Float32Array): Promise<Program> {
  const runtime = await Runtime.create({ module: await compileKernels(fetch('/dist/kernels.wasm')) });
  return async () => {
    const plane = runtime.plane(picture.width, picture.height, 'f32', data);
    const [out] = await run(runtime, runNetwork, [plane, network], {}, { backend: 'wasm' });
    const values = (await out.read()) as Float32Array;
    out.dispose();
    plane.dispose();
    return values;
  };
}

/** Channels of a pixel next to each other, as our result has them. */
function interleaved(values: Float32Array, channels: number): Float32Array {
  const count = values.length / channels;
  return Float32Array.from(values, (_, i) => values[(i % channels) * count + Math.floor(i / channels)]!);
}

async function onnxRuntime(network: Network, picture: Size, data: Float32Array): Promise<Program> {
  const address = '/peers/onnxruntime-web/dist/ort.wasm.min.mjs';
  const ort: Ort = await import(address);
  ort.env.wasm.numThreads = 1;
  const last = sizesOf(network, picture).at(-1)!;
  const channels = network.layers.at(-1)!.outputs;
  const { bytes, output } = onnxOf(network, picture, [1, channels, last.height, last.width]);
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  return async () => {
    const input = new ort.Tensor('float32', data, [1, 1, picture.height, picture.width]);
    const { [output]: result } = await session.run({ t0: input });
    return result.data as Float32Array;
  };
}

/** The weights of TensorFlow.js: row, column, input, output. */
function tfFilter(network: Network, i: number): { filter: unknown; bias: unknown } | null {
  const layer = network.layers[i]!;
  const count = taps(layer.operation);
  if (!count) return null;
  const each = weightsEach(layer, channelsOf(network));
  const side = Math.sqrt(count);
  const weights = tf.tensor(floatWeights(layer, each), [layer.outputs, each / count, side, side]);
  const deep = layer.operation === 'depthwise';
  return { filter: tf.transpose(weights, deep ? [2, 3, 0, 1] : [2, 3, 1, 0]), bias: tf.tensor1d(layer.bias) };
}

async function tensorFlow(network: Network, picture: Size, data: Float32Array): Promise<Program> {
  tf.wasm.setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/');
  tf.wasm.setThreadsCount(1);
  await tf.setBackend('wasm');
  const filters = network.layers.map((_, i) => tfFilter(network, i));
  const sizes = sizesOf(network, picture);
  const forward = () => {
    const tensors = [tf.tensor4d(data, [1, picture.height, picture.width, 1])];
    network.layers.forEach(({ operation, from, step, slope, ceiling }, i) => {
      const [first, second] = from.map((k) => tensors[k]);
      const size = sizes[i + 1]!;
      let out;
      if (operation === 'add') out = tf.add(first, second);
      else if (operation === 'concat') out = tf.concat([first, second], 3);
      else if (operation === 'upsample') out = tf.image.resizeNearestNeighbor(first, [size.height, size.width]);
      else if (operation === 'max-pool') out = tf.maxPool(first, 2, 2, 'valid');
      else if (operation === 'mean-pool') out = tf.avgPool(first, 2, 2, 'valid');
      else if (operation === 'mean') out = tf.mean(first, [1, 2], true);
      else {
        const { filter, bias } = filters[i]!;
        const activation = slope === 1 ? 'linear' : slope ? 'leakyrelu' : ceiling === 6 ? 'relu6' : 'relu';
        const pad = taps(operation) > 1 ? 1 : 0;
        const given = { x: first, filter, strides: step, pad, dimRoundingMode: 'floor', bias, activation, leakyreluAlpha: slope }; // prettier-ignore
        out = operation === 'depthwise' ? tf.fused.depthwiseConv2d(given) : tf.fused.conv2d(given);
        tensors.push(out);
        return;
      }
      tensors.push(slope === 1 ? out : slope ? tf.leakyRelu(out, slope) : tf.relu(out));
    });
    return tensors.at(-1);
  };
  return async () => {
    const result = tf.tidy(forward);
    const values = (await result.data()) as Float32Array;
    result.dispose();
    return values;
  };
}

const programs = { foveola: ours, 'ONNX Runtime Web': onnxRuntime, 'TensorFlow.js': tensorFlow };

/** Medians in milliseconds, turn about, and the largest difference from our result. */
export async function measure(address: string, picture: Size, rounds: number, peers: boolean) {
  const network = readNetwork(new Uint8Array(await (await fetch(address)).arrayBuffer()));
  let seed = 1;
  const data = Float32Array.from({ length: picture.width * picture.height }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
  const channels = network.layers.at(-1)!.outputs;
  const names = (Object.keys(programs) as (keyof typeof programs)[]).slice(0, peers ? 3 : 1);
  const made = new Map<string, Program>();
  for (const name of names) made.set(name, await programs[name](network, picture, data));
  const expected = await made.get('foveola')!();
  const result: Record<string, { ms: number; apart: number }> = {};
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round++)
    for (const name of names) {
      const start = performance.now();
      const values = await made.get(name)!();
      if (round >= 0) times.get(name)!.push(performance.now() - start);
      if (round + 1 < rounds) continue;
      const same = name === 'ONNX Runtime Web' ? interleaved(values, channels) : values;
      const apart = same.length === expected.length ? Math.max(...chunks(same, expected)) : NaN;
      result[name] = { ms: median(times.get(name)!), apart };
    }
  return result;
}

function* chunks(a: Float32Array, b: Float32Array): Generator<number> {
  for (let i = 0; i < a.length; i += 4096) {
    let far = 0;
    for (let k = i; k < Math.min(i + 4096, a.length); k++) far = Math.max(far, Math.abs(a[k]! - b[k]!));
    yield far;
  }
}
