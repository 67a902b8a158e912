/** The cascade on the GPU: the windows of the WASM side, of the plain reference and of OpenCV. */
import { expect } from 'chai';
import { cascadeFits, planGroups, searchCascadeGpu } from '../../src/faces/cascade.gpu.ts';
import { searchCascade, planScales, type ScaleOptions } from '../../src/faces/cascade-search.ts';
import { faceDetection } from '../../src/faces/detector.ts';
import { resolveDetection } from '../../src/faces/parameters.ts';
import type { Engine } from '../../src/api.ts';
import { createEngine } from '../../src/engine.ts';
import { packCascade, type Cascade } from '../../src/models/cascade.ts';
import { readCascade } from '../../src/models/cascades.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { drive, driveNow } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { judgeWindow, leastVariance } from '../reference/faces-cascade.ts';
import { itInFull, short } from '../support/full.ts';
import { hasShared, sharedFile } from '../support/shared.ts';
import { withoutBackend } from '../support/without-backend.ts';
import { randomCascade, randomImage } from './made-up.ts';

interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

let runtime: Runtime;
const leavesNothing = () => {
  expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
  expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
  expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
};
before(async () => {
  runtime = await makeRuntime();
});
after(() => runtime.dispose());

/** Windows as words that can be compared, of both sides. */
async function both(cascade: Cascade, image: Gray, options: ScaleOptions & { groups?: readonly number[] }) {
  const { width, height, data } = image;
  const plane = runtime.plane(width, height, 'u8', data);
  try {
    const wasm = driveNow(runtime, (scope) => searchCascade(scope, cascade, plane, options));
    const gpu = await drive(runtime, (scope) => searchCascadeGpu(scope, cascade, plane, options));
    expect(gpu!.evaluated).to.equal(wasm.evaluated);
    return { wasm: words(wasm.windows), gpu: words(gpu!.windows), survivors: gpu!.survivors };
  } finally {
    plane.dispose();
  }
}

const dimmed = (image: Gray): Gray => ({ ...image, data: image.data.map((v) => v >> 3) });

const words = (windows: Int32Array) =>
  Array.from({ length: windows.length / 4 }, (_, i) => windows.slice(4 * i, 4 * i + 4).join());

describe('the cascade on the GPU', () => {
  afterEach(leavesNothing);
  const all = [[13, 15], [31, 40], [64, 33], [67, 67], [12, 14], [150, 20]] as const; // prettier-ignore
  const sizes = short ? ([[13, 15], [67, 67], [150, 20]] as const) : all; // prettier-ignore

  for (const trees of [false, true])
    (trees ? itInFull : it)(
      `finds the windows of the WASM side, scaling the image${trees ? ', with trees' : ''}`,
      async () => {
        const random = generator(trees ? 5 : 6);
        let passing = 0;
        for (const [width, height] of sizes)
          for (const step of [0, 1, 2]) {
            const faint = step === 1;
            const options = { scaling: 'image', scaleFactor: 1.3, step, minSize: 0, maxSize: 0, faint } as const;
            const groups = [[3, 5], [1, 1, 1], [1000], []][(passing + step) % 4]!;
            const cascade = randomCascade(random, { trees });
            const image = randomImage(random, width, height);
            const found = await both(cascade, faint ? dimmed(image) : image, { ...options, groups });
            expect(found.gpu, `${width}x${height} step ${step}`).to.deep.equal(found.wasm);
            passing += found.gpu.length;
          }
        expect(passing).to.be.above(50);
      },
    );

  for (const trees of [false, true])
    (trees ? it : itInFull)(
      `finds them scaling the classifier${trees ? ', with trees' : ''}, but for windows at a threshold`,
      async () => {
        const random = generator(trees ? 7 : 8);
        let passing = 0;
        let differing = 0;
        for (const [width, height] of sizes)
          for (const step of [1, 2]) {
            const faint = step === 1;
            const options = { scaling: 'classifier', scaleFactor: 1.3, step, minSize: 0, maxSize: 0, faint } as const;
            const cascade = randomCascade(random, { trees });
            const image = randomImage(random, width, height);
            const { wasm, gpu } = await both(cascade, faint ? dimmed(image) : image, options);
            const [one, other] = [new Set(wasm), new Set(gpu)];
            differing += wasm.filter((w) => !other.has(w)).length + gpu.filter((w) => !one.has(w)).length;
            passing += gpu.length;
          }
        expect(passing).to.be.above(50);
        expect(differing).to.be.at.most(0.002 * passing);
      },
    );

  it('judges as the plain reference', async () => {
    const random = generator(9);
    let passing = 0;
    for (let i = 0; i < 4; i++) {
      const cascade = randomCascade(random, { trees: i % 2 === 1 });
      const faint = i > 1;
      const made = randomImage(random, 40 + i, 31 + 2 * i);
      const image = faint ? dimmed(made) : made;
      const options = { scaling: 'classifier', scaleFactor: 2, step: 1, minSize: 0, maxSize: 14, faint } as const;
      const least = faint ? leastVariance(image) : 100;
      const { gpu } = await both(cascade, image, options);
      const expected: string[] = [];
      const { columns, rows } = planScales(cascade, image.width, image.height, options)[0]!;
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++)
          if (judgeWindow(cascade, image, x, y, 1, least).stagesPassed === cascade.stages.length)
            expected.push(`${x},${y},${cascade.width},${cascade.height}`);
      expect(gpu).to.deep.equal(expected);
      passing += gpu.length;
    }
    expect(passing).to.be.above(20);
  });

  it('runs again with more room when more windows are left than were expected', async () => {
    const random = generator(10);
    // Stages that nothing fails, so that no list gets shorter.
    const made = randomCascade(random, { stages: 6 });
    const cascade = { ...made, stages: made.stages.map((stage) => ({ ...stage, threshold: -1000 })) };
    const options = { scaling: 'image', scaleFactor: 1.2, step: 1, minSize: 0, maxSize: 0 } as const;
    const { wasm, gpu, survivors } = await both(cascade, randomImage(random, 84, 72), {
      ...options,
      groups: [1, 1, 1, 1, 1],
    });
    expect(survivors[4]).to.be.above(5000);
    expect(gpu).to.deep.equal(wasm);
  });

  it('finds nothing in flat images and in those smaller than the window', async () => {
    const cascade = randomCascade(generator(11));
    const options = { scaling: 'image', scaleFactor: 1.2, step: 0, minSize: 0, maxSize: 0 } as const;
    for (const [width, height] of [
      [1, 1],
      [12, 13],
      [12, 14],
      [60, 50],
    ] as const)
      // prettier-ignore
      expect(
        (await both(cascade, { width, height, data: new Uint8Array(width * height).fill(90) }, options)).gpu,
      ).to.deep.equal([]);
  });

  it('groups stages by their trees, and says what does not fit', () => {
    const cascade = randomCascade(generator(12), { stages: 5 }); // 2, 4, 6, 8, 10 trees
    expect(planGroups(cascade, [2, 8, 1])).to.deep.equal([1, 3, 4, 5]);
    expect(planGroups(cascade, [])).to.deep.equal([5]);
    const options = { scaling: 'image', scaleFactor: 1.2, step: 0, minSize: 0, maxSize: 0 } as const;
    const limit = runtime.gpu!.capabilities.maxTextureSize;
    expect(cascadeFits(runtime.gpu!, cascade, 640, 480, options)).to.equal(true);
    expect(cascadeFits(runtime.gpu!, cascade, limit, 100, options)).to.equal(false);
    expect(cascadeFits(runtime.gpu!, cascade, 640, 480, { ...options, scaleFactor: 1.005 })).to.equal(false);
  });
});

describe('detectFaces on the GPU', () => {
  let wasm: Engine;
  let gpu: Engine;
  before(async () => {
    wasm = await createEngine({ worker: false, backend: 'wasm' });
    gpu = await createEngine({ worker: false, backend: 'gpu' });
  });
  after(async () => {
    await wasm.dispose();
    await gpu.dispose();
  });

  it('answers as the WASM side does, also for images that are reduced first', async () => {
    const random = generator(13);
    const cascade = packCascade(randomCascade(random));
    let faces = 0;
    const sizes = [
      [90, 67, 0],
      [131, 60, 100],
      [3, 5, 0],
      [67, 203, 99],
      [180, 151, 40],
    ] as const;
    for (const [width, height, maxSide] of sizes.slice(0, short ? 4 : 5))
      // prettier-ignore
      for (const grouping of ['similarity', 'overlap'] as const) {
        const image = randomImage(random, width, height);
        const options = { cascade, maxSide, grouping, minSize: 0, scaleFactor: 1.2, minNeighbors: 1 };
        const expected = withoutBackend(await wasm.detectFaces(image, options));
        expect(withoutBackend(await gpu.detectFaces(image, options)), `${width}x${height}`).to.deep.equal(expected);
        faces += expected.length;
      }
    expect(faces).to.be.above(10);
  });

  it('takes several calls at once, refuses what the WASM side refuses, and goes on', async () => {
    const random = generator(14);
    const made = randomCascade(random);
    const options = { cascade: packCascade(made), minSize: 0, scaleFactor: 1.3, minNeighbors: 0 };
    const images = Array.from({ length: 4 }, () => randomImage(random, 64, 48));
    const expected: unknown[] = [];
    for (const image of images) expected.push(withoutBackend(await wasm.detectFaces(image, options)));
    const controller = new AbortController();
    const cancelled = gpu.detectFaces(images[0]!, { ...options, signal: controller.signal }).catch(({ code }) => code);
    controller.abort();
    const found = await Promise.all(images.map(async (image) => withoutBackend(await gpu.detectFaces(image, options))));
    expect(found).to.deep.equal(expected);
    expect(await cancelled).to.equal('aborted');
    const tilted = { ...made, stages: made.stages.map((stage) => ({ ...stage, trees: stage.trees.map((nodes) => nodes.map((node) => ({ ...node, tilted: true }))) })) }; // prettier-ignore
    const refused = gpu.detectFaces(images[0]!, { ...options, cascade: packCascade(tilted) });
    expect(await refused.catch(({ code }) => code)).to.equal('model-format');
    expect(withoutBackend(await gpu.detectFaces(images[1]!, options))).to.deep.equal(expected[1]);
  });

  itInFull('tracks the boxes of the WASM side: a search comes back with the next frame', async () => {
    const random = generator(15);
    const cascade = packCascade(randomCascade(random));
    const scene = randomImage(random, 140, 110);
    const frame = (i: number) => {
      const data = new Uint8Array(120 * 90);
      for (let y = 0; y < 90; y++)
        for (let x = 0; x < 120; x++) data[y * 120 + x] = scene.data[(y + 5) * 140 + x + (i % 12)]!;
      return { width: 120, height: 90, data };
    };
    const options = { cascade, model: null, minSize: 0, scaleFactor: 1.3, minNeighbors: 1 };
    // In every frame both sides do the same.
    const each = { ...options, detectEvery: 1 };
    const [one, other] = [await wasm.createFaceTracker(each), await gpu.createFaceTracker(each)];
    let faces = 0;
    for (let i = 0; i < 5; i++) {
      const expected = await one.process(frame(i), { timestamp: 40 * i });
      expect(expected.backend).to.equal('wasm');

      expect(await other.process(frame(i), { timestamp: 40 * i })).to.deep.equal({ ...expected, backend: 'gpu' });
      faces += expected.faces.length;
    }
    expect(faces).to.be.above(4);
    await one.dispose();
    // Now and then, with a reset and a new size while a search is under way.
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const tracker = await gpu.createFaceTracker({ ...options, detectEvery: 3 });
      const seen: unknown[] = [];
      for (let i = 0; i < 9; i++) seen.push((await tracker.process(frame(i), { timestamp: 40 * i })).faces);
      await tracker.setParameters({ detectEvery: 2 });
      seen.push((await tracker.process(frame(9), { timestamp: 360 })).faces);
      await tracker.reset();
      seen.push((await tracker.process(randomImage(generator(1), 64, 50), { timestamp: 400 })).faces);
      await tracker.process(frame(10), { timestamp: 440 });
      await tracker.dispose();
      runs.push(JSON.stringify(seen, (_, v: unknown) => (v instanceof Float32Array ? [...v] : v)));
    }
    expect(runs[0]!.replaceAll(/"id":\d+/g, '')).to.equal(runs[1]!.replaceAll(/"id":\d+/g, ''));
    await other.dispose();
  });
});

describe('the choice of a side', () => {
  it('is the GPU for many windows where it is preferred, or for all where it is forced', () => {
    const cascade = randomCascade(generator(16));
    const { variant: ____, cascade: _, verifier: __, judged: ___, ...values } = resolveDetection({ minSize: 0 });
    const choice = (size: number) => {
      const plane = runtime.plane(size, size, 'u8', new Uint8Array(size * size));
      const backend = new Scope(runtime).backendOf(faceDetection, [plane, cascade, [], []], values);
      plane.dispose();
      return backend === 'gpu';
    };
    expect([choice(64), choice(600)]).to.deep.equal([false, false]);
    runtime.preferred = 'gpu';
    expect([choice(64), choice(600)]).to.deep.equal([false, true]);
    runtime.gpuForced = true;
    expect([choice(64), choice(600)]).to.deep.equal([true, true]);
    runtime.preferred = 'wasm';
    runtime.gpuForced = false;
  });
});

interface StageMap {
  id: string;
  /** Of OpenCV's file. */
  cascade: string;
  image: Gray;
  /** By the window's corner: stages passed, -1 where it is refused as flat. */
  map: Int8Array;
}

/** Those in the portrait always, all golden ones where ../shared is there. */
async function stageMaps(): Promise<StageMap[]> {
  interface Packed {
    shape: number[];
    data: string;
  }
  interface Case<Record> {
    id: string;
    op: string;
    params: { cascade: string };
    inputs: Record[];
    expected: Record[];
  }
  const inflated = async ({ data }: Packed) => {
    const stream = new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]).stream();
    return new Response(stream.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  };
  const mapsOf = <Record extends { shape: number[] }>(
    cases: readonly Case<Record>[],
    image: (record: Record) => Promise<Uint8Array>,
    map: (record: Record) => Promise<ArrayBuffer>,
  ) =>
    Promise.all(
      cases
        .filter(({ op }) => op === 'haar_stage_map')
        .map(async ({ id, params: { cascade }, inputs, expected }) => {
          const [height, width] = inputs[0]!.shape as [number, number];
          const data = await image(inputs[0]!);
          return { id, cascade, image: { width, height, data }, map: new Int8Array(await map(expected[0]!)) };
        }),
    );
  const own = (await (await fetch(new URL('../golden/faces/cascades.json', import.meta.url))).json()) as Case<Packed>[];
  const maps = await mapsOf(own, async (record) => new Uint8Array(await inflated(record)), inflated);
  if (!hasShared) return maps;
  const { cases } = (await (await sharedFile('golden/manifest.json')).json()) as {
    cases: Case<{ file: string; shape: number[] }>[];
  };
  const fileOf = ({ file }: { file: string }) => sharedFile(`golden/${file}`);
  const all = await mapsOf(
    cases,
    async (record) => (await grayOf(await (await fileOf(record)).blob())).data,
    async (record) => (await fileOf(record)).arrayBuffer(),
  );
  return [...maps, ...all];
}

async function grayOf(blob: Blob): Promise<Gray> {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => data[4 * i]!) };
}

describe('the shipped cascades on the GPU', () => {
  afterEach(leavesNothing);
  const shipped = async (name: string) =>
    readCascade(new Uint8Array(await (await fetch(`/models/${name}.bin`)).arrayBuffer()));

  itInFull('pass as many stages as OpenCV in every golden window', async () => {
    const maps = await stageMaps();
    let windows = 0;
    let differing = 0;
    for (const { id, cascade: file, image, map } of maps) {
      const cascade = await shipped(/haarcascade_(.*)\.xml/.exec(file)![1]!);
      const columns = image.width - cascade.width + 1;
      // After every fourth stage, and the last: cascades that end there.
      const depths = cascade.stages.map((_, i) => i + 1).filter((n) => n % 4 === 1 || n === cascade.stages.length);
      for (const n of depths) {
        const cut = { ...cascade, stages: cascade.stages.slice(0, n) };
        const options = { scaling: 'classifier', scaleFactor: 2, step: 1, minSize: 0, maxSize: cascade.width } as const;
        const { wasm, gpu } = await both(cut, image, options);
        expect(gpu, id).to.deep.equal(wasm);
        const found = new Set(gpu);
        for (let y = 0; y < image.height - cascade.height; y++)
          for (let x = 0; x < image.width - cascade.width; x++) {
            windows++;
            const passes = found.has(`${x},${y},${cascade.width},${cascade.height}`);
            if (passes !== map[y * columns + x]! >= n) differing++;
          }
      }
    }
    expect(windows).to.be.above(hasShared ? 30_000 : 10_000);
    expect(differing).to.be.at.most(0.005 * windows);
  });

  itInFull('find the windows of the WASM side in a photograph', async () => {
    const photograph = await grayOf(await (await fetch('/test/media/portrait.png')).blob());
    const cases = [
      ['alt2', [100]],
      ['alt', undefined],
      ['default', [60, 500]],
    ] as const;
    for (const [name, groups] of cases.slice(0, short ? 1 : 3)) {
      const cascade = await shipped(`frontalface_${name}`);
      const faint = name === 'alt2';
      const options = { scaling: 'image', scaleFactor: 1.2, step: 0, minSize: 60, maxSize: 0, groups, faint } as const;
      const { wasm, gpu } = await both(cascade, faint ? dimmed(photograph) : photograph, options);
      expect(gpu, name).to.deep.equal(wasm);
      expect(gpu.length, name).to.be.above(5);
    }
  });
});
