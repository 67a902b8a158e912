// Times calls of the public API in a page, as a user writes them: dist/foveola.js, an image in, its result out.
/* global performance, console */
import { createEngine, createEngineSync } from '/dist/foveola.js';
import { fundus, ROWS, scene } from './door-scene.js';

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

const FIVE = [
  ['gaussian', { size: 5, sigma: 2 }],
  ['median', { size: 3 }],
  ['morphology', { operation: 'topHat', size: 19 }],
  ['threshold', { level: 20 }],
  ['morphology', { operation: 'dilate', size: 3 }],
];

/**
 * By the name before the comma: (engine, sources, options) => promise; `keep`: its pictures can stay in the engine; `give`: its samples
 * are given away, where others are copied before the call returns.
 */
const calls = {
  gaussian: { run: (e, [a], o) => e.gaussian(a, { size: 5, sigma: 2, ...o }), keep: true },
  'gaussian given away': { run: (e, [a]) => e.gaussian(a, { size: 5, sigma: 2, transfer: true }), give: true },
  'top-hat 19': { run: (e, [a], o) => e.morphology(a, { operation: 'topHat', size: 19, ...o }), keep: true },
  'median 7': { run: (e, [a], o) => e.median(a, { size: 7, ...o }), keep: true },
  canny: { run: (e, [a], o) => e.canny(a, o), keep: true },
  integral: { run: (e, [a], o) => e.integral(a, o), keep: true },
  'integral uint32': { run: (e, [a], o) => e.integral(a, { sums: 'uint32', ...o }), keep: true },
  eigenvalues: { run: (e, [a], o) => e.hessianEigenvalues(a, o), keep: true },
  'dense flow': { run: (e, [a, b], o) => e.opticalFlow(a, b, o), sources: (a) => [a, shifted(a, 2)], keep: true },
  faces: { run: (e, [a]) => e.detectFaces(a) },
  inpaint: { run: (e, [a, b], o) => e.inpaint(a, b, o), sources: (a) => [a, disc(a)], keep: true },
  vessels: { run: (e, [a]) => e.vessels(a), picture: fundus },
  'chain of five': {
    run: (e, [a], o) => FIVE.reduce((chain, [name, own]) => chain[name](own), e.chain(a)).result(o),
    keep: true,
  },
  'five calls': {
    run: async (e, [a], o) => {
      let image = a;
      for (const [name, own] of FIVE) {
        const before = image;
        image = await e[name](before, { ...own, ...o });
        if (before !== a) before.dispose?.();
      }
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

/** Gives back what a call kept: one picture, or those within its result; reads one of them first. */
async function drop(result, read) {
  const kept = result?.dispose ? [result] : Object.values(result ?? {}).filter((one) => one?.dispose);
  if (read) await kept[0]?.read?.();
  for (const one of kept) one.dispose();
}

async function time(call, seconds, before = () => {}) {
  for (let i = 0; i < 3; i++) {
    before();
    await call();
  }
  const times = [];
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end || times.length < 3) {
    before();
    const start = performance.now();
    const result = await call();
    times.push(performance.now() - start);
    // Pictures that stay on the GPU are only under way: unread, their passes would pile up behind the clock.
    await drop(result, times.length % 8 === 0);
  }
  return median(times);
}

/** Milliseconds with samples in and out, and with images that stay. */
async function row([name, width, height], seconds) {
  const { run, picture = scene, sources = (a) => [a], keep = false, give = false } = calls[name];
  if (give && !engine.capabilities?.worker) return {}; // a synchronous call copies in any case
  const data = picture(width, height);
  let given = sources({ width, height, data });
  const fresh = () => (given = sources({ width, height, data: data.slice() }));
  const samples = await time(() => run(engine, given), seconds, give ? fresh : undefined);
  if (give) return { samples };
  const kept = await Promise.all(given.map((image) => engine.load(image)));
  const handles = await time(() => run(engine, kept, keep ? { keep } : undefined), seconds);
  for (const one of kept) one.dispose();
  return { samples, handles };
}

/** Milliseconds of each of the five by itself, on images that stay and without a door: what a chain of them adds to is its door. */
async function kernels([, width, height], seconds) {
  let image = await engine.load({ width, height, data: scene(width, height) });
  let sum = 0;
  for (const [name, own] of FIVE) {
    const before = image;
    sum += await time(() => engine[name](before, { ...own, keep: true }), seconds);
    image = await engine[name](before, { ...own, keep: true });
    before.dispose();
  }
  image.dispose();
  return { handles: sum };
}

/** { columns: { name: capabilities }, rows: { 'canny 1280x1024': { name: { samples, handles } } } } */
globalThis.measure = async (columns, seconds, only = '') => {
  const result = { columns: {}, rows: {} };
  for (const [column, options] of Object.entries(columns)) {
    result.columns[column] = await open(options);
    for (const one of ROWS) {
      const [name, width, height] = one;
      if (!name.includes(only) || (options.sync && name === 'faces')) continue;
      console.log(column, ...one);
      const made = options.sync && name === 'chain of five' ? kernels(one, seconds) : row(one, seconds);
      (result.rows[`${name} ${width}x${height}`] ??= {})[column] = await made;
    }
    if (engine.profile) result.columns[column].profile = await engine.profile();
  }
  return result;
};

/**
 * Three engines turn about, so that what else the machine does falls on all of them: after ten calls of each, medians of
 * `rounds` calls of WASM, of the GPU and of 'auto', and how often 'auto' took the GPU.
 */
globalThis.paired = async (rounds, only = '') => {
  const engines = {};
  for (const backend of ['wasm', 'gpu', 'auto']) engines[backend] = await createEngine({ backend, threads: 1 });
  const { gpu, softwareGpu } = engines.auto.capabilities;
  const result = { gpu, softwareGpu, rows: {} };
  for (const [name, width, height] of ROWS) {
    if (!name.includes(only)) continue;
    const { run, picture = scene, sources = (a) => [a], keep = false } = calls[name];
    const given = sources({ width, height, data: picture(width, height) });
    for (const stays of keep ? [false, true] : [false]) {
      const options = stays ? { keep: true } : undefined;
      const times = { wasm: [], gpu: [], auto: [] };
      let onGpu = null; // ImageData does not carry the side through the worker
      for (let i = 0; i < 10 + rounds; i++)
        // Each engine follows each other one: what the one before leaves to be done falls on all of them.
        for (let k = 0; k < 3; k++) {
          const [backend, one] = Object.entries(engines)[(i + (i % 2 ? 2 - k : k)) % 3];
          const images = stays ? await Promise.all(given.map((image) => one.load(image))) : given;
          const start = performance.now();
          const answer = await run(one, images, options);
          // A picture that stays on the GPU is there when one of its samples is.
          if (stays) await (answer.dispose ? answer : Object.values(answer).find((part) => part?.dispose)).read();
          if (i >= 10) times[backend].push(performance.now() - start);
          const side = answer.backend ?? Object.values(answer).find((part) => part?.backend)?.backend;
          if (backend === 'auto' && i >= 10 && side) onGpu += side === 'wasm' ? 0 : 1;
          if (stays) for (const image of images) image.dispose();
          await drop(answer, false);
        }
      const row = `${name} ${width}x${height}${stays ? ', stays and is read' : ''}`;
      result.rows[row] = { wasm: median(times.wasm), gpu: median(times.gpu), auto: median(times.auto), onGpu, rounds };
      console.log(row, JSON.stringify(result.rows[row]));
    }
  }
  for (const one of Object.values(engines)) await one.dispose();
  return result;
};

// On a machine without Node the page measures by itself.
const packed = globalThis.document.querySelector('[data-measure]')?.dataset.measure;
if (packed) {
  const given = JSON.parse(packed);
  globalThis.__result = await (given.paired ? globalThis.paired(given.paired) : globalThis.measure(given, 0.6)).catch(
    (error) => ({ error: String(error) }),
  );
}
