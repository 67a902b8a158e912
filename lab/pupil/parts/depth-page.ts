/**
 * The page of `bench depth pupil`: throughput and latency with 1 to 9 frames in flight, circle and ellipse, one eye and
 * two, through the public API and an engine in its worker, on the WASM side and with the GPU forced; then one eye
 * against two without a worker. What there is lies in window.__result in the end. About three minutes.
 */
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { createEngine, type EngineOptions, type PupilResult } from '../../../src/index.ts';
import { compileKernels } from '../../../src/runtime/wasm/kernels.ts';
import { Runtime } from '../../../src/runtime/runtime.ts';
import { paperSequence } from '../../eyes/index.ts';
import { median, pause, quantile, round } from '../../../bench/parts/numbers.ts';
import { turn } from './gpu-setup.ts';
import { doubled } from './doubled.ts';

interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface Where {
  /** Address of kernels and worker. */
  readonly base: string;
  readonly limit?: number;
}

const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const LIMIT = 240_000;
/** Radii of 70 to 205 pixels, those of the paper's set, in the units of the parameters. */
const PAPER_RADII = { minDiameter: 140 / Math.hypot(1280, 1024), maxDiameter: 410 / 1024 };

/** Two eyes at half the size in an image of the given size: what one camera sees of both. */
function beside({ width, height, data }: Gray): Gray {
  const out = new Uint8Array(width * height).fill(128);
  const [w, h] = [width >> 1, height >> 1];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const i = 2 * y * width + 2 * x;
      const mean = (data[i]! + data[i + 1]! + data[i + width]! + data[i + width + 1]! + 2) >> 2;
      const at = (y + (h >> 1)) * width + x;
      out[at] = out[at + w] = mean;
    }
  return { width, height, data: out };
}

function every(step: number, { width, height, data }: Gray): Gray {
  const [w, h] = [Math.floor(width / step), Math.floor(height / step)];
  const out = new Uint8Array(w * h);
  for (let i = 0; i < out.length; i++) out[i] = data[Math.floor(i / w) * step * width + (i % w) * step]!;
  return { width: w, height: h, data: out };
}

/** Calls with at most `depth` of them on their way; each answers before the ones after it. */
async function flow(images: readonly Gray[], options: EngineOptions, params: object, depth: number, seconds: number) {
  const engine = await createEngine(options);
  const tracker = engine.createPupilTracker({ ...params, depth });
  const latencies: number[] = [];
  let found = 0;
  let pupils = 0;
  let last = -1;
  let disorder = 0;
  const sides = new Set<string>();
  const play = async (until: (i: number) => boolean, counts: boolean) => {
    const flying: Promise<void>[] = [];
    for (let i = 0; until(i); i++) {
      const start = performance.now();
      const image = images[turn(i, images.length)]!;
      flying.push(
        tracker.process(image, { timestamp: i }).then((result: PupilResult) => {
          if (!counts) return;
          latencies.push(performance.now() - start);
          if (result.timestamp !== last + 1) disorder++;
          last = result.timestamp;
          sides.add(result.backend);
          pupils += result.pupils.length;
          found += result.pupils.filter((pupil) => pupil.found).length;
        }),
      );
      if (flying.length >= depth) await flying.shift();
    }
    await Promise.all(flying);
  };
  try {
    await play((i) => i < 8, false);
    await tracker.reset();
    const start = performance.now();
    await play((i) => i < 4 || performance.now() - start < seconds * 1000, true);
    const elapsed = performance.now() - start;
    return {
      fps: round((latencies.length * 1000) / elapsed),
      latency: round(median(latencies)),
      p95: round(quantile(latencies, 0.95)),
      frames: latencies.length,
      found: round(found / pupils),
      disorder,
      side: sides.size === 1 ? [...sides][0]! : 'both',
    };
  } finally {
    await engine.dispose();
  }
}

/** Milliseconds a frame on one thread, frames in the linear memory: the least of the rounds' means. */
async function core(base: string, images: readonly Gray[], params: object, first: boolean) {
  const runtime = await Runtime.create({ module: await compileKernels(fetch(`${base}kernels.wasm`)) });
  const planes = images.map(({ width, height, data }) => runtime.plane(width, height, 'u8', data));
  const tracker = new PupilTrackerCore(runtime, { ...params });
  let best = Infinity;
  let found = 0;
  for (let k = 0; k < 8; k++) {
    found = 0;
    const start = performance.now();
    for (const [i, plane] of planes.entries()) {
      if (first) await tracker.reset();
      found += tracker.track(plane, i * 4).pupils.filter((pupil) => pupil.found).length;
    }
    best = Math.min(best, (performance.now() - start) / planes.length);
    await pause();
  }
  await tracker.dispose();
  runtime.dispose();
  return { ms: round(best), found: `${found} of ${planes.length * ((params as { eyes?: number }).eyes ?? 1)}` };
}

const result: Record<string, unknown> = {};

export async function measure({ base, limit = LIMIT }: Where): Promise<Record<string, unknown>> {
  const begin = performance.now();
  const part = async (name: string, body: () => unknown) => {
    if (performance.now() - begin > limit) result[name] = 'left out: no time';
    else
      try {
        result[name] = await body();
      } catch (error) {
        result[name] = { error: error instanceof Error ? error.message : String(error) };
      }
    console.log(`${round((performance.now() - begin) / 1000)} s`, name, JSON.stringify(result[name]));
    await pause();
  };
  const at = { assetBase: base, workerUrl: `${base}worker.js` };
  const probe = await createEngine({ ...at, backend: 'auto' });
  const { capabilities } = probe;
  await probe.dispose();
  const images: Gray[] = [...paperSequence(32)].map(({ width, height, data }) => ({ width, height, data }));
  const small = images.map((image) => every(2, image));
  const two = images.map(doubled);
  const { width, height } = images[0]!;
  result.machine = { ...capabilities, frame: `${width}x${height}`, frames: images.length };

  for (const [size, list] of [
    [`${width}x${height}`, images],
    [`${width >> 1}x${height >> 1}`, small],
  ] as const)
    for (const method of ['robust', 'starburst', 'threshold', 'hough'])
      for (const first of [true, false]) {
        const name = `${method}, ${size}, ${first ? 'first frame' : 'tracking'}`;
        await part(`${name}: one eye`, () => core(base, list, { method }, first));
        await part(`${name}: the same twice`, () => core(base, list.map(doubled), { method, eyes: 2 }, first));
        await part(`${name}: two of half the size`, () => core(base, list.map(beside), { method, eyes: 2 }, first));
      }

  const hardware = capabilities.gpu !== null && !capabilities.softwareGpu;
  const sides: [string, EngineOptions, readonly number[], number][] = [
    ['WASM, one thread', { ...at, backend: 'wasm', threads: 1 }, DEPTHS, 0.5],
    // Only where the page is isolated: two eyes are searched side by side.
    ...(capabilities.threads > 1
      ? [
          ['WASM, threads', { ...at, backend: 'wasm' }, DEPTHS, 0.5] as [
            string,
            EngineOptions,
            readonly number[],
            number,
          ],
        ]
      : []),
    ['GPU forced', { ...at, backend: 'gpu', threads: 1 }, hardware ? DEPTHS : [1, 3], hardware ? 0.7 : 0.1],
  ];
  for (const [side, options, depths, seconds] of sides)
    for (const eyes of [1, 2])
      for (const fit of ['circle', 'ellipse'])
        for (const depth of depths)
          await part(`${side}; ${eyes === 1 ? 'one eye' : 'two eyes'}; ${fit}; ${depth}`, () => {
            // Software draws some thousand times slower: a quarter of the sides shows that everything runs.
            const list = (eyes === 2 ? two : images).slice(0, side === 'GPU forced' && !hardware ? 3 : undefined);
            const shown = side === 'GPU forced' && !hardware ? list.map((image) => every(4, image)) : list;
            return flow(shown, options, { method: 'starburst', eyes, fit }, depth, seconds);
          });
  // The paper's rates of its other two detectors, each frame by itself.
  const others: [string, object][] = [
    ...[20, 40].map((thresholdStep): [string, object] => [`labeling, step ${thresholdStep}`, { thresholdStep }]),
    ...[18, 3.6].map((degrees): [string, object] => [
      `Hough, ${degrees} degrees`,
      { angleStep: (degrees * Math.PI) / 180 },
    ]),
  ];
  for (const [side, options] of sides)
    for (const [name, params] of others)
      for (const variant of ['default', 'paper'])
        await part(`${side}: ${name}, variant ${variant}`, () => {
          const method = name.startsWith('Hough') ? 'hough' : 'threshold';
          const radii = method === 'hough' && variant === 'paper' ? PAPER_RADII : {};
          const given = { method, variant, fit: 'circle', tracking: false, ...params, ...radii };
          const software = side === 'GPU forced' && !hardware;
          const list = software ? images.slice(0, 2).map((image) => every(8, image)) : images;
          return flow(list, options, given, 3, software ? 0.1 : 0.8);
        });
  result.seconds = round((performance.now() - begin) / 1000);
  return result;
}

// Opened by itself (depth-pack.mjs): measures at once.
if (document.querySelector('script[data-measure]'))
  void measure({ base: new URL('./', location.href).href }).then(
    (all) => (window.__result = all),
    (error) => (window.__result = { ...result, error: String(error) }),
  );

declare global {
  interface Window {
    __result?: unknown;
  }
}
