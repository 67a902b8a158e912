/**
 * The page of `bench hardware edges`: frames a second of Canny, lines and circles on this machine's GPU and on one WASM
 * thread, with frames in flight, uploads and results included. What there is lies in window.__result in the end. About
 * a minute on graphics hardware.
 */
import { bestCircle, bestCircleGpu, canny, cannyOf, linesOf, type CannyValues } from '../../../src/edges/index.ts';
import '../../../src/edges/operations.ts';
import { operations, resolveOptions } from '../../../src/runtime/capability.ts';
import { createGpuSide } from '../../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { drive, driveNow, run } from '../../../src/runtime/stage.ts';
import { plainCanny, plainLines } from './baseline.ts';
import { LINES } from './operations.ts';
import { eyeScene, shapeScene, type Scene } from './scenes.ts';
import { pause, round } from '../../../bench/parts/numbers.ts';

const result: Record<string, unknown> = {};
/** Long after which no further part begins. */
const LIMIT = 240_000;
const RADII = { minRadius: 80, maxRadius: 220 };

type Frame = (source: Plane) => Promise<unknown>;

interface Setup {
  runtime: Runtime;
  seconds: number;
  small: boolean;
}

/** Frames a second with `depth` of them in flight; each is a new plane, so that each is uploaded. */
async function rate({ runtime, seconds, small }: Setup, scene: Scene, frame: Frame, depth: number) {
  let frames = 0;
  const one = async () => {
    const source = runtime.plane(scene.width, scene.height, 'u8', scene.data);
    try {
      await frame(source);
    } finally {
      source.dispose();
    }
  };
  for (let i = 0; i < (small ? 1 : 20); i++) await one();
  const start = performance.now();
  const lane = async () => {
    do {
      await one();
      frames++;
    } while (performance.now() - start < 1000 * seconds);
  };
  await Promise.all(Array.from({ length: depth }, lane));
  const elapsed = performance.now() - start;
  return { fps: round((1000 * frames) / elapsed), frames };
}

const cannyFrame =
  ({ runtime }: Setup, params: Partial<CannyValues>): Frame =>
  async (source) => {
    const [out] = await run(runtime, canny, [source], params, { backend: 'gpu' });
    try {
      return await out!.read();
    } finally {
      out!.dispose();
    }
  };

const linesFrame = ({ runtime }: Setup, voting: 'wasm' | 'gpu'): Frame => {
  const houghLines = operations.get('houghLines')!;
  const params = resolveOptions(houghLines, { max: 100, voting });
  return (source) => drive(runtime, (scope) => houghLines.plan!(scope, [source], params));
};

const circleFrame =
  ({ runtime }: Setup, degrees: number, hysteresis: 'flood' | 'passes'): Frame =>
  async (source) => {
    const params = { sigma: 2, thresholds: 'auto', hysteresis } as const;
    const [edges] = await run(runtime, canny, [source], params, { backend: 'gpu' });
    try {
      const search = { ...RADII, angleStep: (degrees * Math.PI) / 180 };
      return await drive(runtime, (scope) => bestCircleGpu(scope, edges!, search));
    } finally {
      edges!.dispose();
    }
  };

/** One thread of WASM in the same page. */
const wasmFrame =
  (body: (source: Plane) => Plane): Frame =>
  (source) => {
    body(source).dispose();
    return Promise.resolve();
  };

/** Milliseconds of the GPU alone, from its own clock, for the passes that `body` enqueues. */
const gpuTime = async ({ runtime, small }: Setup, body: () => void) => {
  const times: number[] = [];
  for (let i = 0; i < (small ? 1 : 20); i++) {
    const ms = await runtime.gpu!.time(body);
    if (ms !== null) times.push(ms);
  }
  return times.length ? round(times.sort((a, b) => a - b)[times.length >> 1]!) : null;
};

/** Whether both sides give the same edges, lines and circles here. */
async function parity({ runtime, small }: Setup) {
  const size = small ? 160 : 400;
  const found: Record<string, unknown> = {};
  for (const scene of [eyeScene(size, size), shapeScene(size, size)]) {
    const source = runtime.plane(size, size, 'u8', scene.data);
    const expected = driveNow(runtime, (scope) => cannyOf(scope, source));
    const samples = expected.copy() as Uint8Array;
    const edges = samples.reduce((sum, v) => sum + (v ? 1 : 0), 0);
    const different: Record<string, number> = {};
    for (const hysteresis of ['flood', 'passes'] as const) {
      const [out] = await run(runtime, canny, [source], { hysteresis }, { backend: 'gpu' });
      const actual = (await out!.read()) as Uint8Array;
      different[hysteresis] = samples.reduce((sum, v, i) => sum + (v === actual[i] ? 0 : 1), 0);
      out!.dispose();
    }
    const search = { minRadius: 10, maxRadius: 80, angleStep: Math.PI / 30 };
    const circle = JSON.stringify(driveNow(runtime, (scope) => bestCircle(scope, expected, search)));
    const onGpu = await drive(runtime, (scope) => bestCircleGpu(scope, expected, search));
    const same = circle === JSON.stringify(onGpu);
    const lines = driveNow(runtime, (scope) => linesOf(scope, expected, { ...LINES, max: 20 }));
    const others = (await linesFrame({ runtime, small, seconds: 0 }, 'gpu')(source)) as typeof lines;
    const equal = lines.filter(({ rho, theta }) => others.some((l) => l.rho === rho && l.theta === theta)).length;
    found[scene.name] = { edges, different, circle, sameCircle: same, top20lines: `${equal} of ${lines.length}` };
    for (const plane of [source, expected]) plane.dispose();
  }
  return found;
}

function baseline(scene: Scene) {
  const time = (body: () => unknown) => {
    const start = performance.now();
    let n = 0;
    do {
      body();
      n++;
    } while (performance.now() - start < 500);
    return { fps: round((1000 * n) / (performance.now() - start)) };
  };
  return {
    canny: time(() => plainCanny(scene, 50, 150, true)),
    'canny without hysteresis': time(() => plainCanny(scene, 50, 150, false)),
    lines: time(() => plainLines({ ...scene, data: plainCanny(scene, 50, 150, true) })),
  };
}

export async function measure(kernels = './kernels.wasm'): Promise<Record<string, unknown>> {
  const begin = performance.now();
  const part = async (name: string, body: () => unknown) => {
    if (performance.now() - begin > LIMIT) result[name] = 'left out: no time';
    else
      try {
        result[name] = await body();
      } catch (error) {
        result[name] = { error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
      }
    console.log(`${round((performance.now() - begin) / 1000)} s`, name, JSON.stringify(result[name]));
    await pause();
  };
  const runtime = await Runtime.create({ module: await compileKernels(fetch(kernels)) });
  runtime.gpu = createGpuSide(runtime);
  runtime.preferred = 'gpu';
  const { renderer, timer, software, floatBlend } = runtime.gpu.capabilities;
  const setup: Setup = { runtime, seconds: software ? 0.2 : 1, small: software };
  const size = software ? 160 : 400;
  await part('machine', () => ({ renderer, timer, software, floatBlend, frame: `${size}x${size}` }));
  await part('same results', () => parity(setup));
  const depths = software ? [1] : [1, 2, 4];
  for (const scene of [eyeScene(size, size), shapeScene(size, size)]) {
    const title = (what: string, depth: number) => `${what}, ${scene.name}, ${depth} in flight`;
    for (const depth of depths) {
      for (const hysteresis of ['flood', 'passes', 'none'] as const)
        await part(title(`Canny, hysteresis ${hysteresis}`, depth), () =>
          rate(setup, scene, cannyFrame(setup, { hysteresis }), depth),
        );
      for (const voting of ['wasm', 'gpu'] as const)
        await part(title(`Hough lines with Canny, votes ${voting}`, depth), () =>
          rate(setup, scene, linesFrame(setup, voting), depth),
        );
    }
    await part(`WASM Canny, ${scene.name}`, () =>
      rate(
        setup,
        scene,
        wasmFrame((source) => driveNow(runtime, (scope) => cannyOf(scope, source))),
        1,
      ),
    );
    await part(`WASM Hough lines with Canny, ${scene.name}`, () =>
      rate(
        setup,
        scene,
        wasmFrame((source) => {
          const edges = driveNow(runtime, (scope) => cannyOf(scope, source));
          driveNow(runtime, (scope) => linesOf(scope, edges, LINES));
          return edges;
        }),
        1,
      ),
    );
    await part(`baseline, ${scene.name}`, () => baseline(scene));
  }
  const large = software ? eyeScene(160, 128) : eyeScene(1280, 1024);
  for (const degrees of software ? [18] : [18, 9, 6, 4.5, 3.6, 3])
    for (const hysteresis of ['flood', 'passes'] as const)
      for (const depth of software ? [1] : [1, 3])
        await part(
          `circles, ${large.width}x${large.height}, ${degrees} degrees, hysteresis ${hysteresis}, ${depth} in flight`,
          () => rate(setup, large, circleFrame(setup, degrees, hysteresis), depth),
        );
  for (const hysteresis of ['flood', 'passes'] as const)
    for (const thresholds of ['given', 'auto'] as const)
      await part(
        `Canny, ${large.width}x${large.height}, thresholds ${thresholds}, hysteresis ${hysteresis}, 2 in flight`,
        () => rate(setup, large, cannyFrame(setup, { hysteresis, thresholds, sigma: 2 }), 2),
      );
  await part('GPU ms of a circle search, 3.6 degrees', async () => {
    const source = runtime.plane(large.width, large.height, 'u8', large.data);
    const edges = driveNow(runtime, (scope) => cannyOf(scope, source, { sigma: 2, thresholds: 'auto' }));
    const reads: Promise<unknown>[] = [];
    const ms = await gpuTime(setup, () => {
      const search = { ...RADII, angleStep: Math.PI / 50 };
      reads.push(drive(runtime, (scope) => bestCircleGpu(scope, edges, search)));
    });
    await Promise.all(reads);
    for (const plane of [source, edges]) plane.dispose();
    return ms;
  });
  result.seconds = round((performance.now() - begin) / 1000);
  return result;
}

declare global {
  interface Window {
    __result?: unknown;
  }
}

// Opened by itself (pack-page.mjs): measures at once.
if (document.querySelector('script[data-measure]'))
  void measure().then(
    (all) => (window.__result = all),
    (error) => (window.__result = { ...result, error: String(error) }),
  );
