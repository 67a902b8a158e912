/**
 * The page of `bench hardware faces`: the thesis's sub-modules that suit a GPU (section 5.2.2) and whole detections, on
 * this machine's GPU and on one WASM thread. What there is lies in window.__result in the end. About a minute on graphics
 * hardware.
 */
import { searchCascadeGpu, type GpuHits, type GpuSearchOptions } from '../../../src/faces/cascade.gpu.ts';
import { searchCascade } from '../../../src/faces/cascade-search.ts';
import { faceDetection } from '../../../src/faces/detector.ts';
import { followOnGpu } from '../../../src/faces/follow.gpu.ts';
import { fitLandmarksGpu } from '../../../src/faces/landmarks.gpu.ts';
import { FLOW, pointsToFollow } from '../../../src/faces/motion.ts';
import { resolveDetection, resolveTracker } from '../../../src/faces/parameters.ts';
import { FaceTrackerCore } from '../../../src/faces/tracker.ts';
import { sparseParameters } from '../../../src/flow/parameters.ts';
import { GpuFlowPyramid } from '../../../src/flow/pyramid.gpu.ts';
import { emptyResult } from '../../../src/flow/tracked-points.ts';
import { trackPointsGpu } from '../../../src/flow/track-points.gpu.ts';
import { compact, imageStages } from '../../../src/image/index.ts';
import { unpackCascade, type Cascade } from '../../../src/models/cascade.ts';
import { readJudge } from '../../../src/models/face-judge.ts';

import { openLandmarks, packLandmarks, sameBox, type PackedLandmarks } from '../../../src/models/landmarks.ts';
import type { Face } from '../../../src/results/types.ts';
import { createGpuSide } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane, PlaneFormat } from '../../../src/runtime/plane.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { Runtime, type Backend } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { drive, driveNow, run, type Stage } from '../../../src/runtime/stage.ts';
import { mean, median, pause, quantile, round } from '../../../bench/parts/numbers.ts';
import { flowFigure, landmarkFigure } from './gpu-figures.ts';

/** Long after which no further part begins. */
const LIMIT = 170_000;
/** Of one measurement, once it has been made three times. */
const BUDGET = 250;
const result: Record<string, unknown> = {};

interface Setup {
  runtime: Runtime;
  rounds: number;
  small: boolean;
  face: Uint8Array;
  cascades: Record<string, Cascade>;
}

/** A picture with edges of all sizes and no face. */
const noFace = (width: number, height: number) =>
  Uint8Array.from({ length: width * height }, (_, k) => 128 + 60 * Math.sin(k * 0.013) * Math.cos(k / (20 * width)));

/** Every n-th pixel of the frame of 1280x720. */
function faceOf({ face }: Setup, width: number, height: number): Uint8Array {
  if (width === 1280) return face;
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      out[y * width + x] = face[Math.floor((y * 720) / height) * 1280 + Math.floor((x * 1280) / width)]!;
  return out;
}

/** Milliseconds of what a body enqueues: until it is drawn, of eight in a row each, and by the GPU's own clock. */
async function enqueued({ runtime, rounds }: Setup, body: () => void) {
  const gpu = runtime.gpu!;
  body();
  await gpu.fence();
  const [once, row]: [number[], number[]] = [[], []];
  const end = performance.now() + BUDGET;
  for (let i = 0; i < rounds && (i < 3 || performance.now() < end); i++) {
    const start = performance.now();
    body();
    await gpu.fence();
    once.push(performance.now() - start);
    const again = performance.now();
    for (let k = 0; k < 8; k++) body();
    await gpu.fence();
    row.push((performance.now() - again) / 8);
  }
  const clock = await gpu.time(body);
  return { ms: round(median(once)), row: round(median(row)), clock: clock === null ? null : round(clock) };
}

async function inTurn({ rounds }: Setup, body: () => Promise<void> | void): Promise<number> {
  await body();
  const times: number[] = [];
  const end = performance.now() + BUDGET;
  for (let i = 0; i < rounds && (i < 3 || performance.now() < end); i++) {
    const start = performance.now();
    await body();
    times.push(performance.now() - start);
  }
  return round(median(times));
}

/** A stage on both sides, its input resident, its result left where it is. */
async function stage(setup: Setup, name: string, width: number, height: number, format: PlaneFormat) {
  const { runtime } = setup;
  const defined = (name === compact.name ? compact : imageStages.find((s) => s.name === name)) as unknown as Stage;
  let seed = 1;
  const bytes = Uint8Array.from({ length: width * height * (format === 'u32' ? 4 : 1) }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return name === compact.name ? seed >>> 31 : seed >>> 24;
  });
  const source = runtime.plane(width, height, format, format === 'u32' ? new Uint32Array(bytes.buffer) : bytes);
  source.texture();
  const level = name === compact.name ? { level: 0 } : {};
  const drop = (planes: Plane[]) => planes.forEach((plane) => plane.dispose());
  const scope = new Scope(runtime, { backend: 'gpu' });
  const gpu = await enqueued(setup, () =>
    drop(runtime.driver.now(defined.gpu!(scope, [source], level as never)) as Plane[]),
  );
  const wasm = await inTurn(setup, async () =>
    drop((await run(runtime, defined, [source], level, { backend: 'wasm' })) as Plane[]),
  );
  source.dispose();
  return { gpu, wasm };
}

/** A detection on both sides, the frame copied to the memory and uploaded each time; and whether both find the same. */
async function detection(setup: Setup, cascade: Cascade, data: Uint8Array, size: [number, number], given: object) {
  const { runtime, rounds } = setup;
  const [width, height] = size;
  const {
    variant: ____,
    cascade: _,
    verifier: __,
    judged: ___,
    ...values
  } = resolveDetection({ maxSide: 0, minNeighbors: 3, ...given });
  const on = (backend: 'gpu' | 'wasm', plane: Plane) =>
    run(runtime, faceDetection, [plane, cascade, [], []], values, { backend }).finally(() => plane.dispose());
  const frame = () => runtime.plane(width, height, 'u8', data);
  let one = new Float64Array(0) as Float64Array;
  let other = one;
  const gpu = await inTurn(setup, async () => {
    [one] = await on('gpu', frame());
  });
  const flying = async () => {
    const each = Math.max(1, Math.min(rounds, Math.floor(BUDGET / gpu)));
    const lane = async () => {
      for (let i = 0; i < each; i++) await on('gpu', frame());
    };
    const start = performance.now();
    await Promise.all([lane(), lane(), lane()]);
    return round((performance.now() - start) / (3 * each));
  };
  const three = await flying();
  const wasm = await inTurn(setup, async () => {
    [other] = await on('wasm', frame());
  });
  return {
    gpu,
    'gpu, three in flight': three,
    wasm,
    faces: one.length / 6,
    same: one.join() === other.join(),
  };
}

const GROUPS = [[20, 100, 400], [20, 200], [20, 60, 200, 600], [40, 200], [60, 400], [3, 40, 120, 400], [1e9]]; // prettier-ignore

/** The search alone with other groups of stages, its image resident; and its windows against those of the WASM side. */
async function groups(setup: Setup, cascade: Cascade, data: Uint8Array, size: [number, number], given: object) {
  const { runtime } = setup;
  const [width, height] = size;
  const { minSize, maxSize, scaling, scaleFactor, step } = resolveDetection({ minSize: 40, ...given });
  const options: GpuSearchOptions = { minSize, maxSize, scaling, scaleFactor, step };
  const plane = runtime.plane(width, height, 'u8', data);
  const expected = driveNow(runtime, (scope) => searchCascade(scope, cascade, plane, options));
  plane.texture();
  const out: Record<string, unknown> = { windows: expected.evaluated, passed: expected.windows.length / 4 };
  for (const sizes of GROUPS) {
    const own = { ...options, groups: sizes };
    let hits: GpuHits | null = null;
    const search = () => drive(runtime, (scope) => searchCascadeGpu(scope, cascade, plane, own));
    const ms = await inTurn(setup, async () => void (hits = await search()));
    const { survivors, windows } = hits! as { survivors: readonly number[]; windows: Int32Array };
    const one = new Set(wordsOf(windows));
    const other = new Set(wordsOf(expected.windows));
    const differing = [...one].filter((w) => !other.has(w)).length + [...other].filter((w) => !one.has(w)).length;
    out[`groups ${sizes.join(' ')}`] = { ms, survivors, differing };
    await pause();
  }
  plane.dispose();
  return out;
}

const wordsOf = (windows: Int32Array) =>
  Array.from({ length: windows.length / 4 }, (_, i) => windows.slice(4 * i, 4 * i + 4).join());

const TALK = { width: 1280, height: 720, frames: 48 };

/** The first frames of a talking head, which were packed as pictures. */
async function talk(base: string, frames: number): Promise<Uint8Array[]> {
  const { width, height } = TALK;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  const out: Uint8Array[] = [];
  for (let i = 1; i <= frames; i++) {
    const picture = await createImageBitmap(await (await fetch(`${base}talk-${i}.jpg`)).blob());
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    out.push(Uint8Array.from({ length: width * height }, (_, k) => data[4 * k]!));
  }
  return out;
}

interface Models {
  cascades: [Cascade, Cascade];
  judge: ReturnType<typeof readJudge>;
  landmarks: PackedLandmarks;
}

/** A model of the size of dlib's, which leaves the mean shape of the shipped one where it is: it takes what such a model takes. */
function dlibSized({ mean: shape }: PackedLandmarks): PackedLandmarks {
  const [points, cascades, trees, depth, pixels] = [68, 15, 500, 4, 500];
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const splits = cascades * trees * (2 ** depth - 1);
  const packed = packLandmarks(
    {
      ...{ points, cascades, trees, depth, pixels, box: sameBox, notice: 'made up' },
      mean: Float32Array.from(shape),
      anchors: Uint16Array.from({ length: cascades * pixels }, () => Math.floor(points * random())),
      deltas: Float32Array.from({ length: 2 * cascades * pixels }, () => 0.2 * random() - 0.1),
      splitPixels: Uint16Array.from({ length: 2 * splits }, () => Math.floor(pixels * random())),
      thresholds: Float32Array.from({ length: splits }, () => 100 * random() - 50),
      leaves: new Float32Array(2 * points * cascades * trees * 2 ** depth),
    },
    '8-bit',
  );
  return openLandmarks(packed);
}

/** The tracker over the frames, there and back: milliseconds from a frame's bytes to its faces; and the last faces. */
async function tracked(
  { runtime, small }: Setup,
  frames: Uint8Array[],
  models: Models,
  side: Backend,
  params: Record<string, unknown>,
) {
  const { cascade: _, verifier: __, judged: ___, model: ____, ...values } = resolveTracker(params);
  const [first, second] = models.cascades;
  const before = runtime.preferred;
  runtime.preferred = side;
  runtime.gpuForced = side === 'gpu';
  const core = new FaceTrackerCore(runtime, first, models.landmarks, values, second, models.judge);
  const times: number[] = [];
  const sides = new Set<string>();
  let faces: Face[] = [];
  let found = 0;
  try {
    for (let i = 0; i < (small ? 2 : 4) * frames.length; i++) {
      const k = i % (2 * frames.length);
      const data = frames[k < frames.length ? k : 2 * frames.length - 1 - k]!;
      const start = performance.now();
      const plane = runtime.plane(TALK.width, TALK.height, 'u8', data);
      const answer = await core.process(plane, 40 * i);
      plane.dispose();
      if (i < frames.length) continue; // programs compile, the face is found
      times.push(performance.now() - start);
      ({ faces } = answer);
      found += faces.length;
      sides.add(answer.backend);
    }
  } finally {
    core.dispose();
    runtime.preferred = before;
    runtime.gpuForced = false;
  }
  return {
    mean: round(mean(times)),
    median: round(median(times)),
    'at 95 %': round(quantile(times, 0.95)),
    found: round(found / times.length),
    side: [...sides].join(', '),
    points: faces[0]?.landmarks?.length ?? 0,
  };
}

/** What a followed frame consists of on the GPU: milliseconds until its numbers are there, and by the GPU's clock. */
async function followed(setup: Setup, frames: Uint8Array[], { landmarks }: Models) {
  const { runtime } = setup;
  const gpu = runtime.gpu!;
  const { width, height } = TALK;
  const own = new Scope(runtime, { backend: 'gpu' });
  const [from, to] = [0, 1].map((i) => own.own(runtime.plane(width, height, 'u8', frames[i]!))) as [Plane, Plane];
  const [previous, next] = [from, to].map((frame) => own.own(new GpuFlowPyramid(own, frame, FLOW))) as [
    GpuFlowPyramid,
    GpuFlowPyramid,
  ];
  const box = { x: 480, y: 200, width: 360, height: 360 };
  const shape = landmarks.mean.map((v, i) => (i % 2 ? box.y : box.x) + v * (box.width - 1));
  const points = pointsToFollow(shape);
  const values = resolveParameters(sparseParameters, FLOW, 'trackPoints');
  const parts: Record<string, () => Promise<unknown> | unknown> = {
    'upload and halvings': () => {
      const scope = new Scope(runtime, { backend: 'gpu' });
      const plane = scope.own(runtime.plane(width, height, 'u8', frames[0]!));
      scope.own(new GpuFlowPyramid(scope, plane, FLOW));
      scope.dispose();
      return gpu.fence();
    },
    'a fence': () => gpu.fence(),
    'points there and back': () =>
      drive(runtime, (scope) =>
        trackPointsGpu(scope, previous, next, points, undefined, values, emptyResult(points.length / 2, values)),
      ),
    landmarks: () => drive(runtime, (scope) => fitLandmarksGpu(scope, to, [box], landmarks)),
    'points, motion and landmarks': () =>
      drive(runtime, (scope) => followOnGpu(scope, previous, next, [{ points, box, shape }], points, landmarks)),
  };
  const out: Record<string, { ms: number; clock: number | null }> = {};
  for (const [name, body] of Object.entries(parts)) {
    const ms = await inTurn(setup, async () => void (await body()));
    const clock = await gpu.time(() => void body());
    await gpu.fence();
    out[name] = { ms, clock: clock === null ? null : round(clock) };
  }
  own.dispose();
  return out;
}

async function open(base: string): Promise<Setup> {
  const bytes = async (name: string) => new Uint8Array(await (await fetch(`${base}${name}`)).arrayBuffer());
  const runtime = await Runtime.create({ module: await compileKernels(fetch(`${base}kernels.wasm`)) });
  runtime.gpu = createGpuSide(runtime);
  const small = runtime.gpu.capabilities.software;
  const names = ['frontalface_alt', 'frontalface_alt2', 'frontalface_default'];
  const cascades = await Promise.all(names.map(async (name) => [name, unpackCascade(await bytes(`${name}.bin`))]));
  return {
    runtime,
    rounds: small ? 1 : 30,
    small,
    face: await bytes('face.bin'),
    cascades: Object.fromEntries(cascades) as Record<string, Cascade>,
  };
}

/** `base`: folder of the kernels, the cascades and the frame. */
export async function measure(base = '') {
  const setup = await open(base);
  const { small, runtime } = setup;
  const { renderer, software, timer } = runtime.gpu!.capabilities;
  const start = performance.now();
  const part = async (name: string, body: () => Promise<unknown>) => {
    if (performance.now() - start > LIMIT) return;
    try {
      result[name] = await body();
    } catch (error) {
      result[name] = { error: error instanceof Error ? error.message : String(error) };
    }
    console.log(name, JSON.stringify(result[name]));
    await pause();
  };
  await part('machine', async () => ({ renderer, software, timer }));
  const frames = await talk(base, small ? 3 : TALK.frames);
  const file = async (name: string) => new Uint8Array(await (await fetch(`${base}${name}`)).arrayBuffer());
  const models: Models = {
    cascades: [setup.cascades.frontalface_alt!, setup.cascades.frontalface_alt2!],
    judge: readJudge(await file('face-judge.bin')),
    landmarks: openLandmarks(await file('landmarks-68.bin')),
  };
  const dlib = { ...models, landmarks: dlibSized(models.landmarks) };
  await part('followed frame on the GPU', () => followed(setup, frames, dlib));
  const [first, second] = [0, 1].map((i) => runtime.plane(TALK.width, TALK.height, 'u8', frames[i]!)) as [Plane, Plane];
  const clock = (body: () => Promise<void> | void) => inTurn(setup, body);
  await landmarkFigure(part, clock, runtime, first, dlib.landmarks);
  await flowFigure(part, clock, runtime, [first, second], small);
  for (const plane of [first, second]) plane.dispose();
  for (const [name, own, params] of [
    ['flow between detections', models, {}],
    ['flow alone', models, { detectEvery: 300 }],
    ["flow alone, a model of dlib's size", dlib, { detectEvery: 300 }],
    ['detection in every frame', models, { detectEvery: 1 }],
  ] as const)
    for (const side of ['gpu', 'wasm'] as const)
      if (!small || side === 'wasm' || name === 'flow alone')
        await part(`tracker, 1280x720, ${name}, ${side}`, () => tracked(setup, frames, own, side, params));
  const stages = small
    ? ([['image/reduce-32', 500, 500, 'u32'], ['image/compact', 500, 500, 'u8'], ['image/integral', 640, 480, 'u8']] as const) // prettier-ignore
    : ([
        ['image/reduce-32', 4096, 2442, 'u32'],
        ['image/reduce', 4096, 2442, 'u8'],
        ['image/compact', 4096, 2442, 'u8'],
        ['image/compact', 500, 500, 'u8'],
        ['image/scan-32', 4096, 2442, 'u32'],
        ['image/integral', 640, 480, 'u8'],
        ['image/integral', 1280, 720, 'u8'],
        ['image/integral', 1920, 1080, 'u8'],
        ['image/integral', 3840, 2160, 'u8'],
        ['image/integral', 4096, 2160, 'u8'],
        ['image/integral-squares', 3840, 2160, 'u8'],
      ] as const);
  for (const [name, width, height, format] of stages)
    await part(`${name}, ${width}x${height}`, () => stage(setup, name, width, height, format));
  const alt = setup.cascades.frontalface_alt!;
  const thesis = setup.cascades.frontalface_default!;
  const sizes = small ? [[160, 90]] as const : ([[640, 360], [1280, 720]] as const); // prettier-ignore
  for (const [width, height] of sizes)
    for (const [what, data] of [
      ['face', faceOf(setup, width, height)],
      ['no face', noFace(width, height)],
    ] as const)
      // prettier-ignore
      for (const [how, options] of [
        ['image scaled, 1.1, from 40', { minSize: 40 }],
        ['classifier scaled, 1.2, step 2, from 40', { minSize: 40, scaling: 'classifier', scaleFactor: 1.2, step: 2 }],
      ] as const)
        await part(`detection, ${width}x${height}, ${what}, ${how}`, () =>
          detection(setup, alt, data, [width, height], options),
        );
  await part('detection, 1280x720, face, as it is by default', () =>
    detection(setup, alt, setup.face, [1280, 720], small ? { minSize: 300 } : { maxSide: 640 }),
  );
  for (const [width, height] of sizes)
    for (const scaling of ['image', 'classifier'])
      await part(`groups, ${width}x${height}, ${scaling} scaled`, () =>
        groups(setup, alt, faceOf(setup, width, height), [width, height], {
          scaling,
          ...(scaling === 'classifier' && { scaleFactor: 1.2, step: 2 }),
        }),
      );
  // The thesis's figure 5.6: input of 1280x720 at several scales, every or every second pixel.
  for (const scale of small ? [0.125] : [1, 0.75, 0.5, 0.375, 0.25])
    for (const step of [1, 2])
      for (const what of ['face', 'no face']) {
        const size: [number, number] = [1280 * scale, 720 * scale];
        const data = what === 'face' ? faceOf(setup, ...size) : noFace(...size);
        await part(`haar, scale ${scale}, step ${step}, ${what}`, () =>
          detection(setup, thesis, data, size, { minSize: 0, scaling: 'classifier', scaleFactor: 1.2, step }),
        );
      }
  Object.assign(globalThis, { __result: result });
  console.log(JSON.stringify(result));
  return result;
}

const script = document.currentScript as HTMLScriptElement | null;
if (script && 'measure' in script.dataset) void measure();
