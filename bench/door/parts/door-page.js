// Times calls of the public API in a page, as a user writes them: dist/foveola.js, an image in, its result out.
/* global performance, console */
import { createEngine, createEngineSync } from '/dist/foveola.js';
import { ROWS, scene } from './door-scene.js';

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const shifted = ({ width, height, data }, by) => ({
  width,
  height,
  data: data.map((_, i) => data[i - (i % width) + (((i % width) - by + width) % width)]),
});
const disc = ({ width, height }) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) =>
    Math.hypot((i % width) - width / 2, Math.floor(i / width) - height / 2) < 30 ? 255 : 0,
  ),
});

/** By the name before the comma: (engine, sources, options) => promise; `keep`: its pictures can stay in the engine. */
const calls = {
  gaussian: { run: (e, [a], o) => e.gaussian(a, { size: 5, sigma: 2, ...o }), keep: true },
  'top-hat 19': { run: (e, [a], o) => e.morphology(a, { operation: 'topHat', size: 19, ...o }), keep: true },
  'median 7': { run: (e, [a], o) => e.median(a, { size: 7, ...o }), keep: true },
  canny: { run: (e, [a], o) => e.canny(a, o), keep: true },
  integral: { run: (e, [a], o) => e.integral(a, o), keep: true },
  'integral uint32': { run: (e, [a], o) => e.integral(a, { sums: 'uint32', ...o }), keep: true },
  eigenvalues: { run: (e, [a]) => e.hessianEigenvalues(a) },
  'dense flow': { run: (e, [a, b]) => e.opticalFlow(a, b), sources: (a) => [a, shifted(a, 2)] },
  faces: { run: (e, [a]) => e.detectFaces(a) },
  inpaint: { run: (e, [a, b], o) => e.inpaint(a, b, o), sources: (a) => [a, disc(a)], keep: true },
  'chain of five': {
    run: (e, [a], o) =>
      e
        .chain(a)
        .gaussian({ size: 5, sigma: 2 })
        .median({ size: 3 })
        .morphology({ operation: 'topHat', size: 19 })
        .threshold({ level: 20 })
        .morphology({ operation: 'dilate', size: 3 })
        .result(o),
    keep: true,
  },
  'five calls': {
    run: async (e, [a], o) => {
      let image = await e.gaussian(a, { size: 5, sigma: 2, ...o });
      const then = async (call) => {
        const before = image;
        image = await call(before);
        before.dispose?.();
      };
      await then((i) => e.median(i, { size: 3, ...o }));
      await then((i) => e.morphology(i, { operation: 'topHat', size: 19, ...o }));
      await then((i) => e.threshold(i, { level: 20, ...o }));
      await then((i) => e.morphology(i, { operation: 'dilate', size: 3, ...o }));
      return image;
    },
    keep: true,
  },
};

let engine;
async function open({ sync, ...options }) {
  await engine?.dispose();
  engine = sync ? await createEngineSync() : await createEngine(options);
  if (sync) return { backend: 'wasm', threads: 1, worker: false, gpu: null };
  const { backend, threads, worker, gpu } = engine.capabilities;
  return { backend, threads, worker, gpu };
}

async function time(call, seconds) {
  for (let i = 0; i < 3; i++) await call();
  const times = [];
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end || times.length < 3) {
    const start = performance.now();
    const result = await call();
    times.push(performance.now() - start);
    const kept = result?.sum ?? result;
    // Pictures that stay on the GPU are only under way: unread, their passes would pile up behind the clock.
    if (times.length % 8 === 0) await kept?.read?.();
    kept?.dispose?.();
  }
  return median(times);
}

/** Milliseconds with samples in and out, and with images that stay. */
async function row([name, width, height], seconds) {
  const { run, sources = (a) => [a], keep = false } = calls[name];
  const given = sources({ width, height, data: scene(width, height) });
  const samples = await time(() => run(engine, given), seconds);
  const kept = await Promise.all(given.map((image) => engine.load(image)));
  const handles = await time(() => run(engine, kept, keep ? { keep } : undefined), seconds);
  for (const one of kept) one.dispose();
  return { samples, handles };
}

/** { columns: { name: capabilities }, rows: { 'canny 1280x1024': { name: { samples, handles } } } } */
globalThis.measure = async (columns, seconds, only = '') => {
  const result = { columns: {}, rows: {} };
  for (const [column, options] of Object.entries(columns)) {
    result.columns[column] = await open(options);
    for (const one of ROWS) {
      const [name, width, height] = one;
      if (!name.includes(only) || (options.sync && ['faces', 'chain of five'].includes(name))) continue;
      console.log(column, ...one);
      (result.rows[`${name} ${width}x${height}`] ??= {})[column] = await row(one, seconds);
    }
    if (engine.profile) result.columns[column].profile = await engine.profile();
  }
  return result;
};

// On a machine without Node the page measures by itself.
const packed = globalThis.document.querySelector('[data-measure]')?.dataset.measure;
if (packed)
  globalThis.__result = await globalThis.measure(JSON.parse(packed), 1).catch((error) => ({ error: String(error) }));
