/**
 * The page of `bench ladder pupil`: rates with frames in flight, latency, stage times, the ladder, the baseline. Parts
 * that fail are reported with their error; what there is lies in window.__result in the end, and in the console on the
 * way. About three minutes on graphics hardware.
 */
import type { Ladder } from '../ladder/ladder.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { GpuBackend, Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { baseline } from './baseline.ts';
import { pause, round } from '../../../bench/parts/numbers.ts';
import { pupilPresets } from '../../../src/pupil/parameters.ts';
import { CIRCLE, FIRST, latency, open, PAPER, rate, STARBURST, turn, twice, type Setup } from './gpu-setup.ts';
import { stageTimes, valuesOf, wasmTimes } from './gpu-stages.ts';

const LIMIT = 215_000;

/** A read-back that waits, as the ladder's rung without asynchronous reading. */
function readNow(side: GpuBackend, texture: Texture): Promise<Uint8Array> {
  const { gl } = side.context;
  const { width, height } = texture;
  gl.bindFramebuffer(gl.FRAMEBUFFER, side.textures.framebuffer([texture]));
  gl.finish();
  const words = new Uint32Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words);
  return Promise.resolve(new Uint8Array(words.buffer));
}

/** The same result read a second time. */
const readTwice = (side: GpuBackend, texture: Texture): Promise<Uint8Array> =>
  Promise.all([side.read(texture), side.read(texture)]).then(([bytes]) => bytes);

/** What is switched off, and how. Reading at once leaves nothing to be in flight. */
const rungs: [string, Record<string, unknown>, Partial<Ladder>][] = [
  ['everything on', {}, {}],
  ['RANSAC table', {}, { ransacTable: false }],
  ['separable passes', {}, { separable: false }],
  ['packed texels', {}, { packed: false }],
  ['fused passes', {}, { fused: false }],
  ['reflection skipping', { reflections: 'interpolate' }, {}],
  ['texture pool', {}, { pool: false }],
  ['unrolled loops', {}, { unrolled: false }],
  ['one read-back', {}, { read: readTwice }],
  ['asynchronous read-back', {}, { read: readNow }],
  ['pipelining', { depth: 1 }, {}],
  ['region of interest', {}, { region: false }],
];

/** Centers of the GPU path, of the WASM side and of the baseline on the same frames, from the same starts. */
async function parity({ runtime, planes, small }: Setup) {
  const far = { variant: 'default', worst: 0, equal: 0, frames: 0 };
  const both = [far, { ...far, variant: 'paper' }];
  for (const entry of both) {
    const given = { ...CIRCLE, variant: entry.variant };
    const gpu = new PupilTrackerCore(runtime, { ...given, depth: 1 });
    const wasm = new PupilTrackerCore(runtime, given);
    for (let i = 0; i < (small ? 3 : planes.length); i++) {
      const one = (await gpu.process(planes[i]!, i)).pupils[0]!;
      const other = wasm.track(planes[i]!, i).pupils[0]!;
      entry.frames++;
      if (one.found !== other.found) entry.worst = Infinity;
      else if (one.found) entry.worst = Math.max(entry.worst, Math.hypot(one.x - other.x, one.y - other.y));
      if (one.x === other.x && one.y === other.y) entry.equal++;
    }
    await gpu.dispose();
    await wasm.dispose();
  }
  return both;
}

async function sequential({ runtime, planes, small }: Setup) {
  const values = valuesOf(PAPER);
  const core = new PupilTrackerCore(runtime, PAPER);
  let start: { x: number; y: number } = { x: (planes[0]!.width - 1) / 2, y: (planes[0]!.height - 1) / 2 };
  const times: number[] = [];
  let worst = 0;
  for (let i = 0; i < (small ? 2 : 8); i++) {
    const plane = planes[i]!;
    const { width, height } = plane;
    const data = plane.copy() as Uint8Array;
    const begin = performance.now();
    const found = baseline({ width, height, data }, start.x, start.y, values);
    times.push(performance.now() - begin);
    const { circle } = core.track(plane, i).pupils[0]!;
    worst = Math.max(worst, Math.hypot(circle.x - found.x, circle.y - found.y));
    start = { x: circle.x, y: circle.y };
    await pause();
  }
  await core.dispose();
  const ms = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { ms: round(ms), fps: round(1000 / ms), worst: round(worst) };
}

/** The WASM side's rate in the same page, one thread. */
function wasmRate({ runtime, planes, seconds }: Setup, params: Record<string, unknown>) {
  const core = new PupilTrackerCore(runtime, params);
  const start = performance.now();
  let i = 0;
  for (; i < 2 || performance.now() - start < seconds * 1000; i++) core.track(planes[turn(i, planes.length)]!, i * 4);
  const fps = round((i * 1000) / (performance.now() - start));
  void core.dispose();
  return fps;
}

type Part = (name: string, body: () => unknown) => Promise<void>;

/** Two eyes: figure 7's second column; and figures 10b and 12b: Starburst by preprocessing, labeling by step. */
async function others(setup: Setup, part: Part): Promise<void> {
  const depth = setup.small ? 3 : 6;
  for (const variant of ['default', 'paper'])
    for (const [name, preset] of Object.entries(pupilPresets))
      await part(`preset ${name}, variant ${variant}`, () =>
        rate(setup, { ...CIRCLE, ...FIRST, ...preset, variant, depth }, {}, 1),
      );
  for (const thresholdStep of [5, 10, 20, 30, 40])
    await part(`labeling, step ${thresholdStep}`, () =>
      rate(setup, { method: 'threshold', fit: 'circle', thresholdStep, depth }, {}, 1),
    );
  const eyes = twice(setup);
  for (const [name, params, ladder] of rungs)
    if (name !== 'region of interest')
      await part(`ladder of two eyes, ${name}`, () =>
        rate(eyes, { ...PAPER, ...FIRST, ...params, eyes: 2 }, ladder, 1),
      );
  for (const [name, x] of [
    ['left', 0],
    ['right', eyes.planes[0]!.width >> 1],
  ] as const) {
    const { width, height } = eyes.planes[0]!;
    const roi = { x, y: 0, width: width >> 1, height };
    await part(`two eyes, the ${name} one alone`, () => rate(eyes, { ...PAPER, ...FIRST, roi }, {}, 1));
  }
  for (const plane of eyes.planes) plane.dispose();
}

const result: Record<string, unknown> = {};

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
  let opened: Setup | null = null;
  await part('machine', async () => {
    opened = await open(kernels);
    const { renderer, timer, software } = opened.runtime.gpu!.capabilities;
    const { width, height } = opened.planes[0]!;
    return { renderer, timer, software, frame: `${width}x${height}`, frames: opened.planes.length };
  });
  if (!opened) return result;
  const setup: Setup = opened;
  await part('same results', () => parity(setup));
  const depths = setup.small ? [1, 3] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  for (const fit of ['circle', 'ellipse'])
    for (const depth of depths)
      await part(`rate ${fit}, depth ${depth}`, () => rate(setup, { ...STARBURST, ...FIRST, fit, depth }, {}));
  for (const depth of setup.small ? [3] : [1, 3, 6])
    await part(`rate paper circle, depth ${depth}`, () => rate(setup, { ...PAPER, ...FIRST, depth }, {}));
  for (const rounds of [1, 3]) await part(`rate circle, ${rounds} rounds ahead`, () => rate(setup, CIRCLE, { rounds }));
  for (const method of ['threshold', 'hough']) {
    for (const depth of setup.small ? [3] : [1, 3, 6])
      await part(`rate ${method}, depth ${depth}`, () => rate(setup, { method, depth }, {}));
    await part(`WASM rate, ${method}`, () => wasmRate(setup, { method }));
  }
  await part('latency circle', () => latency(setup, CIRCLE));
  await part('latency paper', () => latency(setup, PAPER));
  await part('stages, region', () => stageTimes(setup, {}, {}, false));
  await part('stages, whole frame', () => stageTimes(setup, {}, {}, true));
  await part('WASM side, ms', () => wasmTimes(setup));
  await part('WASM rate, circle', () => wasmRate(setup, CIRCLE));
  await part('WASM rate, paper circle', () => wasmRate(setup, { ...PAPER, ...FIRST }));
  await part('rate circle, following', () => rate(setup, CIRCLE, {}));
  for (const [name, params, ladder] of rungs)
    await part(`ladder, ${name}`, () => rate(setup, { ...CIRCLE, ...params }, ladder));
  for (const [name, params, ladder] of rungs)
    if (name !== 'region of interest')
      await part(`ladder of whole frames, ${name}`, () => rate(setup, { ...PAPER, ...FIRST, ...params }, ladder, 1));
  await others(setup, part);
  for (const [name, params, ladder] of rungs)
    if (['separable passes', 'packed texels', 'fused passes', 'reflection skipping'].includes(name))
      await part(`stages without ${name}`, () => stageTimes(setup, params, ladder, true));
  await part('baseline', () => sequential(setup));
  const { fps } = (result.baseline ?? {}) as { fps?: number };
  const over = (name: string) => round(((result[name] as { fps?: number })?.fps ?? NaN) / (fps ?? NaN));
  const most = (kind: string) =>
    Math.max(...depths.map((depth) => over(`rate ${kind}, depth ${depth}`)).filter((ratio) => ratio > 0));
  result['ratio to the baseline'] = {
    circle: most('circle'),
    ellipse: most('ellipse'),
    'paper circle': Math.max(...[1, 3, 6].map((d) => over(`rate paper circle, depth ${d}`)).filter((v) => v > 0)),
  };
  result.seconds = round((performance.now() - begin) / 1000);
  return result;
}

declare global {
  interface Window {
    __result?: unknown;
  }
}

// Opened by itself (gpu-pack.mjs): measures at once.
if (document.currentScript?.hasAttribute('data-measure') || document.querySelector('script[data-measure]'))
  void measure().then(
    (all) => (window.__result = all),
    (error) => (window.__result = { ...result, error: String(error) }),
  );
