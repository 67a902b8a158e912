// Times calls of the public API in a page, as a user writes them: dist/foveola.js, an image in, its result out.
/* global performance */
import { createEngine } from '/dist/foveola.js';

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
globalThis.open = async (options) => {
  await engine?.dispose();
  engine = await createEngine(options);
  const { backend, threads, worker, gpu } = engine.capabilities;
  return { backend, threads, worker, gpu };
};

const images = new Map();
async function imageOf(url, width, height) {
  if (!images.has(url)) images.set(url, new Uint8Array(await (await fetch(url)).arrayBuffer()));
  return { width, height, data: images.get(url) };
}

async function time(call, seconds) {
  for (let i = 0; i < 3; i++) await call();
  const times = [];
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end || times.length < 3) {
    const start = performance.now();
    const result = await call();
    times.push(performance.now() - start);
    (result?.sum ?? result)?.dispose?.();
  }
  return median(times);
}

/** Milliseconds with samples in and out, and with images that stay. */
globalThis.time = async (name, { url, width, height }, seconds) => {
  const { run, sources = (a) => [a], keep = false } = calls[name.split(',')[0]];
  const given = sources(await imageOf(url, width, height));
  const samples = await time(() => run(engine, given), seconds);
  const kept = await Promise.all(given.map((image) => engine.load(image)));
  const handles = await time(() => run(engine, kept, keep ? { keep } : undefined), seconds);
  for (const one of kept) one.dispose();
  return { samples, handles };
};
