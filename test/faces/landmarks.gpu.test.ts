/** Landmarks on the GPU, on software WebGL: the points of the WASM side, tables that stay, and what does not fit. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import { fitLandmarksGpu } from '../../src/faces/landmarks.gpu.ts';
import { fitLandmarks, landmarksOfBoxes } from '../../src/faces/landmarks.ts';
import { networkLandmarks } from '../../src/faces/network-landmarks.ts';
import { readNetwork } from '../../src/models/network.ts';
import { openLandmarks, packLandmarks, type LeafForm, type PackedLandmarks } from '../../src/models/landmarks.ts';
import type { Box } from '../../src/results/types.ts';
import { type Runtime, backendOf, type Backend } from '../../src/runtime/runtime.ts';
import { drive, driveNow } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { randomImage, randomLandmarks, steadyLandmarks } from './made-up.ts';
import { itInFull } from '../support/full.ts';

/** A model of `points` points, whose leaves move a face by some tenths of its box in all. */
function modelOf(form: LeafForm, seed: number, { points = 68, trees = 60, cascades = 6, depth = 4 } = {}) {
  const made = randomLandmarks(generator(seed), { points, cascades, trees, depth, pixels: 200 });
  const share = 4 / Math.sqrt(cascades * trees);
  const thresholds = made.thresholds.map((v) => v / 3);
  return openLandmarks(packLandmarks({ ...made, thresholds, leaves: made.leaves.map((v) => share * v) }, form));
}

/** Boxes all over an image, some of them out of it, with sides that are no whole numbers. */
function boxesOf(count: number, width: number, height: number, seed: number): Box[] {
  const random = generator(seed);
  return Array.from({ length: count }, () => {
    const side = 15 + 180 * random();
    return { x: (width + 60) * random() - 80, y: (height + 60) * random() - 80, width: side, height: side + random() };
  });
}

describe('landmarks on the GPU', () => {
  let runtime: Runtime;
  const image = randomImage(generator(1), 320, 240);
  beforeEach(async () => void (runtime = await makeRuntime()));
  afterEach(() => {
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    runtime.dispose();
  });

  const planeOf = () => runtime.plane(image.width, image.height, 'u8', image.data);
  async function gpuSide(boxes: readonly Box[], model: PackedLandmarks): Promise<number[][]> {
    const plane = planeOf();
    try {
      return (await drive(runtime, (scope) => fitLandmarksGpu(scope, plane, boxes, model))).map((shape) => [...shape]);
    } finally {
      plane.dispose();
    }
  }
  function wasmSide(boxes: readonly Box[], model: PackedLandmarks): number[][] {
    const plane = planeOf();
    try {
      return driveNow(runtime, (scope) => fitLandmarks(scope, plane, boxes, model)).map((shape) => [...shape]);
    } finally {
      plane.dispose();
    }
  }

  for (const [form, points, trees, depth] of [
    ['exact', 68, 60, 4],
    ['16-bit', 68, 60, 4],
    ['8-bit', 68, 61, 4],
    ['exact', 5, 31, 1],
    ['8-bit', 7, 8, 6],
  ] as const)
    it(`gives the bits of the WASM side: ${form} leaves, ${points} points, ${trees} trees of depth ${depth}`, async () => {
      const model = modelOf(form, 2 + points + trees, { points, trees, depth });
      const boxes = boxesOf(40, image.width, image.height, 3);
      const expected = wasmSide(boxes, model);
      // It is no mean shape that is compared.
      const first = boxes[0]!;
      const moves = expected[0]!.map((v, i) =>
        Math.abs(v - (i % 2 ? first.y : first.x) - model.mean[i]! * (first.width - 1)),
      );
      expect(Math.max(...moves)).to.be.above(0.05 * first.width);
      const found = await gpuSide(boxes, model);
      const differing = boxes.filter((_, i) => found[i]!.join() !== expected[i]!.join());
      expect(differing).to.deep.equal([]);
    });

  itInFull(
    'gives them for boxes far out, for shapes that run away, and for a mean shape that is one point',
    async () => {
      const model = modelOf('exact', 8, { points: 6, trees: 10 });
      const far = [
        { x: -7e6, y: 7e6, width: 1e6, height: 8e6 },
        { x: 100, y: 80, width: 1.5, height: 1.5 },
        { x: -0.5, y: -0.5, width: 320, height: 240 },
      ];
      expect(await gpuSide(far, model)).to.deep.equal(wasmSide(far, model));
      const wild = randomLandmarks(generator(4), { points: 6, cascades: 4, trees: 9 });
      const boxes = boxesOf(12, image.width, image.height, 5);
      const large = { ...wild, leaves: wild.leaves.map((v) => 12 * v) };
      const runaway = openLandmarks(packLandmarks(large, 'exact'));
      const expected = wasmSide(boxes, runaway);
      (await gpuSide(boxes, runaway)).forEach((shape, i) =>
        shape.forEach((v, k) => expect(v).to.be.closeTo(expected[i]![k]!, 0.01)),
      );
      const point = openLandmarks(packLandmarks({ ...wild, mean: wild.mean.map(() => 0.5) }, '16-bit'));
      expect(await gpuSide(boxes, point)).to.deep.equal(wasmSide(boxes, point));
      expect(await gpuSide([], model)).to.deep.equal([]);
    },
  );

  itInFull(
    'keeps the tables of large models, two at a time, and makes them again after the context was lost',
    async () => {
      const textures = () => runtime.gpu!.textures.lent;
      const box = [{ x: 20, y: 30, width: 100, height: 100 }];
      const models = [1, 2, 3].map((seed) => openLandmarks(packLandmarks({ ...steadyLandmarks(), points: 68 }, seed === 2 ? '8-bit' : 'exact'))); // prettier-ignore
      const small = modelOf('exact', 6, { points: 5, trees: 5, cascades: 2 });
      const expected = wasmSide(box, models[0]!);
      let uploads = 0;
      const { upload } = runtime.gpu!;
      runtime.gpu!.upload = function (...args) {
        uploads++;
        return upload.apply(this, args);
      };
      expect(await gpuSide(box, small)).to.have.length(1);
      expect(textures()).to.equal(0);
      uploads = 0;
      expect(await gpuSide(box, models[0]!)).to.deep.equal(expected);
      expect([textures(), uploads]).to.deep.equal([4, 7]); // image, boxes and shapes besides
      uploads = 0;
      expect(await gpuSide(box, models[0]!)).to.deep.equal(expected);
      expect([textures(), uploads]).to.deep.equal([4, 3]);
      await gpuSide(box, models[1]!);
      expect(textures()).to.equal(9); // scales
      await gpuSide(box, models[2]!);
      expect(textures(), 'the first one is let go').to.equal(9);

      const { gl } = runtime.gpu!.context;
      const restored = new Promise<void>((resolve) => void runtime.gpu!.onRestored(resolve));
      const lose = gl.getExtension('WEBGL_lose_context')!;
      const lost = new Promise<void>((resolve) => void runtime.gpu!.onLost(resolve));
      lose.loseContext();
      await lost;
      setTimeout(() => lose.restoreContext());
      await restored;
      expect(textures()).to.equal(0);
      expect(await gpuSide(box, models[2]!)).to.deep.equal(expected);
      expect(textures()).to.equal(4);
    },
  );

  it('reads the points alone, and needs no float targets', async () => {
    const { gpu } = runtime;
    const { allocate, read } = gpu!;
    const formats = new Set<string>();
    const bytes: number[] = [];
    gpu!.allocate = function (width, height, format) {
      formats.add(format);
      return allocate.call(this, width, height, format) as never;
    };
    gpu!.read = async function (...args) {
      const got = await read.apply(this, args);
      bytes.push(got.length);
      return got;
    };
    await gpuSide(boxesOf(3, 320, 240, 1), modelOf('16-bit', 7));
    expect([...formats].filter((format) => format.endsWith('f') || format === 'f32')).to.deep.equal([]);
    expect(formats).to.include('rg32ui');
    expect(bytes).to.deep.equal([3 * 68 * 8]);
  });

  it('is left to WASM unless the GPU is asked for, and where textures do not hold the model, image or boxes', () => {
    const model = modelOf('exact', 9, { points: 5 });
    const plane = planeOf();
    const side = (own: PackedLandmarks, list: number[], forced?: Backend) =>
      backendOf(runtime, landmarksOfBoxes, [plane, own, Float64Array.from(list)], forced);
    const box = [1, 2, 30, 40];
    runtime.preferred = 'gpu';
    expect([side(model, box), side(model, box, 'gpu'), side(model, box, 'wasm')]).to.deep.equal([
      'wasm',
      'gpu',
      'wasm',
    ]);
    runtime.gpuForced = true;
    expect([side(model, box), side(model, [])]).to.deep.equal(['gpu', 'gpu']);
    expect(side(model, [1, 2, 1e7, 40])).to.equal('wasm');
    const limit = runtime.gpu!.capabilities.maxTextureSize;
    expect(
      side(
        model,
        Array.from({ length: 4 * limit + 4 }, () => 9),
      ),
    ).to.equal('wasm');
    expect(side({ ...model, trees: limit + 1 }, box)).to.equal('wasm');
    expect(side({ ...model, patched: true }, box)).to.equal('wasm');
    expect(side({ ...model, cascades: 64 }, box)).to.equal('gpu');
    expect(side({ ...model, cascades: 64, trees: 4096, points: 1000 }, box)).to.equal('wasm');
    plane.dispose();
  });
});

describe('landmarks of an engine that has to take the GPU', () => {
  it('by the shipped network run there', async () => {
    const runtime = await makeRuntime();
    try {
      const { width, height, data } = randomImage(generator(8), 200, 150);
      const plane = runtime.plane(width, height, 'u8', data);
      const bytes = await (await fetch('/models/landmarks-network.bin')).arrayBuffer();
      const network = readNetwork(new Uint8Array(bytes));
      const backends = new Set<Backend>();
      const options = { backend: 'gpu', took: (backend: Backend) => void backends.add(backend) } as const;
      const box = { x: 20, y: 10, width: 120, height: 120 };
      const [fit] = await drive(runtime, (scope) => networkLandmarks(scope, plane, [box], network), options);
      expect(fit!.landmarks).to.have.length(136);
      expect(backends.has('gpu')).to.equal(true);
      plane.dispose();
    } finally {
      runtime.dispose();
    }
  });

  itInFull('by the network are those of the WASM engine', async () => {
    const wasm = await createEngine({ worker: false, backend: 'wasm' });
    const gpu = await createEngine({ worker: false, backend: 'gpu' });
    try {
      const image = randomImage(generator(8), 200, 150);
      const boxes = [{ x: 20, y: 10, width: 120, height: 120, roll: 0.5 }, ...boxesOf(2, 200, 150, 6)];
      const [expected, found] = [await wasm.landmarkFits(image, boxes), await gpu.landmarkFits(image, boxes)];
      expected.forEach(({ landmarks, errors }, i) => {
        landmarks.forEach((v, k) => expect(found[i]!.landmarks[k]).to.be.closeTo(v, 0.1));
        errors!.forEach((v, k) => expect(found[i]!.errors![k]).to.be.closeTo(v, 0.01 * v));
      });
    } finally {
      await wasm.dispose();
      await gpu.dispose();
    }
  });

  it('are those of the WASM engine; it refuses what that one refuses, and goes on', async () => {
    const wasm = await createEngine({ worker: false, backend: 'wasm' });
    const gpu = await createEngine({ worker: false, backend: 'gpu' });
    try {
      const image = randomImage(generator(2), 200, 150);
      const model = packLandmarks(randomLandmarks(generator(3), { points: 9, trees: 20 }), 'exact');
      const boxes = boxesOf(5, 200, 150, 6);
      const expected = await wasm.landmarks(image, boxes, { model });
      expect(await gpu.landmarks(image, boxes, { model })).to.deep.equal(expected);
      const code = (work: Promise<unknown>) => work.then(() => 'none', (error: { code: string }) => error.code); // prettier-ignore
      expect(await code(gpu.landmarks(image, [{ x: NaN, y: 0, width: 9, height: 9 }], { model }))).to.equal('invalid-argument'); // prettier-ignore
      expect(await code(gpu.landmarks(image, boxes, { model: new Uint8Array(9) }))).to.equal('model-format');
      expect(await gpu.landmarks(image, [], { model })).to.have.length(0);
      expect(await gpu.landmarks(image, boxes, { model })).to.deep.equal(expected);
    } finally {
      await wasm.dispose();
      await gpu.dispose();
    }
  });
});
