/** The face tracker that has to take the GPU, on software WebGL: faces of the WASM side, and how little is read. */
import { expect } from 'chai';
import { landmarksOfBoxes } from '../../src/faces/landmarks.ts';
import { FLOW } from '../../src/faces/motion.ts';
import { resolveTracker } from '../../src/faces/parameters.ts';
import { FaceTrackerCore } from '../../src/faces/tracker.ts';
import { pointTracks } from '../../src/flow/track-points.ts';
import { openLandmarks, packLandmarks } from '../../src/models/landmarks.ts';
import type { Face, FaceResult } from '../../src/results/types.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { run } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { randomCascade, randomImage, randomLandmarks, steadyLandmarks } from './made-up.ts';
import { itInFull } from '../support/full.ts';

/** The mean shape is a circle; what the image shows moves it by some hundredths. */
function model(points = 68) {
  const sizes = { points, cascades: 2, trees: 8, depth: 2, pixels: 40 };
  const made = randomLandmarks(generator(21), sizes);
  const { mean } = steadyLandmarks({ points });
  const leaves = made.leaves.map((v) => 0.05 * v);
  return openLandmarks(packLandmarks({ ...made, mean, leaves }, 'exact'));
}

const cascade = randomCascade(generator(77));
/** Three patches on gray: a flat window is no face. */
const scene = randomImage(generator(3), 240, 180);
for (let i = 0; i < scene.data.length; i++) {
  const [x, y] = [i % 240, Math.floor(i / 240)];
  if (y < 50 || y >= 110 || (x - 20) % 75 < 0 || (x - 20) % 75 >= 50) scene.data[i] = 120;
}
/** The scene moves by a pixel a frame, and becomes larger. */
function frame(i: number) {
  const [width, height] = [200, 150];
  const data = new Uint8Array(width * height);
  const scale = 1 - 0.004 * i;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [5 + i + scale * x, 5 + 0.5 * i + scale * y];
      const [k, l] = [Math.floor(u), Math.floor(v)];
      const at = (p: number, q: number) => scene.data[q * 240 + p]!;
      const row = (q: number) => at(k, q) + (at(k + 1, q) - at(k, q)) * (u - k);
      data[y * width + x] = Math.round(row(l) + (row(l + 1) - row(l)) * (v - l));
    }
  return { width, height, data };
}
const values = (given: object) => {
  const options = { minSize: 24, maxSize: 48, scaleFactor: 1.3, minNeighbors: 1, maxFaces: 3, ...given };
  const { cascade: _, verifier: __, model: ___, ...rest } = resolveTracker(options);
  return rest;
};

describe('the face tracker on the GPU', () => {
  let runtime: Runtime;
  let reads: number[];
  beforeEach(async () => {
    runtime = await makeRuntime();
    reads = [];
    const { read } = runtime.gpu!;
    runtime.gpu!.read = async function (...args) {
      const index = reads.push(0) - 1;
      const bytes = await read.apply(this, args);
      reads[index] = bytes.length;
      return bytes;
    };
  });
  afterEach(() => {
    expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
    runtime.dispose();
  });

  function prefer(gpu: boolean): void {
    runtime.preferred = gpu ? 'gpu' : 'wasm';
    runtime.gpuForced = gpu;
  }

  async function process(tracker: FaceTrackerCore, i: number): Promise<FaceResult> {
    const { width, height, data } = frame(i);
    const plane = runtime.plane(width, height, 'u8', data);
    try {
      return await tracker.process(plane, 40 * i);
    } finally {
      plane.dispose();
    }
  }

  async function play(
    gpu: boolean,
    count: number,
    given: object,
    landmarks = model() as ReturnType<typeof model> | null,
  ) {
    prefer(gpu);
    const tracker = new FaceTrackerCore(runtime, cascade, landmarks, values(given));
    const results: FaceResult[] = [];
    const readsOf: number[][] = [];
    for (let i = 0; i < count; i++) {
      reads = [];
      results.push(await process(tracker, i));
      readsOf.push(reads);
    }
    tracker.dispose();
    prefer(false);
    return { results, readsOf };
  }

  const numbers = ({ id, x, y, width, height, score, landmarks, detected }: Face) => [
    ...[id, x, y, width, height, score, Number(detected)],
    ...(landmarks ?? []),
  ];

  itInFull('finds the faces and landmarks of the WASM side, to a hundredth of a pixel', async () => {
    // Every frame is searched on both sides at once: a search that goes on would come back at other frames.
    const given = { detectEvery: 1 };
    const count = 10;
    const [wasm, gpu] = [await play(false, count, given), await play(true, count, given)];
    let faces = 0;
    wasm.results.forEach((expected, i) => {
      const found = gpu.results[i]!;
      expect([expected.backend, found.backend]).to.deep.equal(['wasm', 'gpu']);
      expect(found.faces.length, `frame ${i}`).to.equal(expected.faces.length);
      expected.faces.forEach((face, k) => {
        const other = numbers(found.faces[k]!);
        expect(face.landmarks).to.have.length(136);
        numbers(face).forEach((v, j) => expect(other[j], `frame ${i}, face ${k}, ${j}`).to.be.closeTo(v, 0.01));
        faces++;
      });
    });
    expect(faces).to.be.above(1.5 * count);
  });

  itInFull('finds the very boxes of the WASM side without landmarks', async () => {
    const given = { detectEvery: 1 };
    const [wasm, gpu] = [await play(false, 8, given, null), await play(true, 8, given, null)];
    expect(gpu.results.map(({ faces }) => faces)).to.deep.equal(wasm.results.map(({ faces }) => faces));
    expect(gpu.results.flatMap(({ faces }) => faces)).to.have.length.above(12);
  });

  itInFull('reads once in a frame in which faces are followed, whatever their number', async () => {
    const { results, readsOf } = await play(true, 8, { detectEvery: 200 });
    for (let i = 1; i < 8; i++) {
      expect(results[i]!.faces).to.have.length(3);
      // Points there and back, boxes, 68 points of two words each: rows of 64 texels.
      const texels = 3 * (2 * 34 + 1 + 34);
      expect(readsOf[i], `frame ${i}`).to.deep.equal([1024 * Math.ceil(texels / 64)]);
    }
    const boxes = await play(true, 5, { detectEvery: 200 }, null);
    expect(boxes.results[4]!.faces).to.have.length(3);
    // A grid of 36 points a face, there and back.
    for (const read of boxes.readsOf.slice(1)) expect(read).to.deep.equal([16 * 2 * 32 * Math.ceil((3 * 36) / 32)]);
    // Call by call it would be two a face.
    const [plane, again] = [0, 1].map((i) => runtime.plane(200, 150, 'u8', frame(i).data));
    reads = [];
    for (const { x, y, width, height, landmarks } of results[0]!.faces) {
      await run(runtime, pointTracks, [plane!, again!, landmarks!, new Float32Array(0)], FLOW, { backend: 'gpu' });
      const box = Float64Array.of(x, y, width, height);
      await run(runtime, landmarksOfBoxes, [again!, model(), box], {}, { backend: 'gpu' });
    }
    expect(reads).to.have.length(6);
    for (const made of [plane, again]) made!.dispose();
    // In WASM nothing is read.
    expect((await play(false, 3, {})).readsOf).to.deep.equal([[], [], []]);
  });

  // test/widget/session.test.ts loses the context under an element that tracks faces.
  itInFull(
    'goes on in WASM while the context is lost, with the same faces, and on the GPU when it is back',
    async () => {
      prefer(true);
      const tracker = new FaceTrackerCore(runtime, cascade, model(), values({ detectEvery: 200 }));
      const gpu = runtime.gpu!;
      const lose = gpu.context.gl.getExtension('WEBGL_lose_context')!;
      const seen: [string, string][] = [];
      for (let i = 0; i < 9; i++) {
        if (i === 3) {
          const lost = new Promise<void>((resolve) => void gpu.onLost(resolve));
          lose.loseContext();
          await lost;
        }
        if (i === 6) {
          const restored = new Promise<void>((resolve) => void gpu.onRestored(resolve));
          setTimeout(() => lose.restoreContext());
          await restored;
        }
        const { faces, backend } = await process(tracker, i);
        seen.push([backend!, faces.map(({ id }) => id).join()]);
      }
      const sides = ['gpu', 'gpu', 'gpu', 'wasm', 'wasm', 'wasm', 'gpu', 'gpu', 'gpu'];
      expect(seen).to.deep.equal(sides.map((side) => [side, seen[0]![1]]));
      expect(seen[0]![1].split(',')).to.have.length(3);
      tracker.dispose();
    },
  );

  itInFull('fits another model to the faces that it follows', async () => {
    prefer(true);
    const tracker = new FaceTrackerCore(runtime, cascade, null, values({ detectEvery: 200 }));
    const lengths: (number | undefined)[][] = [];
    for (let i = 0; i < 6; i++) {
      if (i === 2) await tracker.methods.setModel(packLandmarks(randomLandmarks(generator(2), { points: 9 }), 'exact'));
      lengths.push((await process(tracker, i)).faces.map(({ landmarks }) => landmarks?.length));
    }
    expect(lengths[1]).to.deep.equal([undefined, undefined, undefined]);
    expect(lengths[2]).to.deep.equal([18, 18, 18]);
    tracker.dispose();
  });
});
