// Measures calls of the library on the visitor's own device: WASM and the graphics side, with samples and with images that
// stay in the engine. The numbers stay in the page.
/* global foveola */
const find = (id) => document.getElementById(id);
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const SECONDS = 0.4;

/** Soft waves with noise: edges everywhere. */
function scene(width, height) {
  const data = new Uint8Array(width * height);
  let seed = 7;
  for (let i = 0; i < data.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    data[i] = 128 + 60 * Math.sin(x / 17) * Math.cos(y / 23) + ((seed >>> 24) - 128) / 16;
  }
  return { width, height, data };
}
const shifted = ({ width, height, data }) => ({ width, height, data: data.map((_, i) => data[i + 2] ?? 0) });

const calls = [
  ['Gaussian', 1280, 1024, (engine, [image], keep) => engine.gaussian(image, { sigma: 2, keep }), true],
  ['Median 7', 1280, 1024, (engine, [image], keep) => engine.median(image, { size: 7, keep }), true],
  ['Canny', 1280, 1024, (engine, [image], keep) => engine.canny(image, { keep }), true],
  ['Canny', 3504, 2336, (engine, [image], keep) => engine.canny(image, { keep }), true],
  ['Lines', 1280, 1024, (engine, [image]) => engine.houghLines(image)],
  ['Eigenvalues', 1280, 1024, (engine, [image]) => engine.hessianEigenvalues(image)],
  ['Dense flow', 640, 480, (engine, [image, next]) => engine.opticalFlow(image, next)],
];

async function time(call, signal) {
  for (let i = 0; i < 2; i++) await call();
  const times = [];
  const end = performance.now() + 1000 * SECONDS;
  while (performance.now() < end || times.length < 3) {
    signal.throwIfAborted();
    const begun = performance.now();
    const result = await call();
    times.push(performance.now() - begun);
    if (typeof result.dispose === 'function') result.dispose();
  }
  return median(times);
}

const cells = new Map();
/** One row a call and side; bars are as long as the slowest of the call allows. */
function show(name, side, place, ms) {
  const key = `${name} ${side}`;
  if (!cells.has(key)) {
    const row = find('rows').insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = name;
    row.append(head);
    row.insertCell().textContent = side;
    cells.set(key, { name, tds: [row.insertCell(), row.insertCell()], ms: [NaN, NaN] });
  }
  cells.get(key).ms[place] = ms;
  const same = [...cells.values()].filter((one) => one.name === name);
  const most = Math.max(...same.flatMap((one) => one.ms).filter(Number.isFinite));
  for (const { tds, ms } of same)
    for (const [i, td] of tds.entries()) {
      if (!Number.isFinite(ms[i])) continue;
      const bar = document.createElement('meter');
      Object.assign(bar, { max: most, value: ms[i] });
      const label = `${name}, ${side}, ${find('table').tHead.rows[0].cells[i + 2].textContent}`;
      bar.setAttribute('aria-label', `${label}: ${ms[i].toFixed(2)} milliseconds`);
      td.replaceChildren(bar, ` ${ms[i].toFixed(2)}`);
    }
}

async function measure(signal) {
  for (const [side, options] of [
    ['WASM', { backend: 'wasm' }],
    ['graphics', { backend: 'gpu' }],
  ]) {
    let engine;
    try {
      engine = await foveola.createEngine(options);
    } catch (error) {
      find('engine').textContent = `No graphics side: ${error.message}`;
      continue;
    }
    try {
      const { threads, gpu, softwareGpu } = engine.capabilities;
      if (softwareGpu) continue; // drawn by the processor: its times say nothing
      const who = gpu ? 'graphics' : `${side}, ${threads} thread${threads > 1 ? 's' : ''}`;
      for (const [name, width, height, run, keeps = false] of calls) {
        const title = `${name} ${width}x${height}`;
        find('engine').textContent = `${title}, ${who} …`;
        const first = scene(width, height);
        const given = [first, shifted(first)];
        show(title, who, 0, await time(() => run(engine, given, false), signal));
        const kept = await Promise.all(given.map((image) => engine.load(image)));
        show(title, who, 1, await time(() => run(engine, kept, keeps || undefined), signal));
        for (const image of kept) image.dispose();
      }
      if (gpu) find('engine').title = gpu;
    } finally {
      await engine.dispose();
    }
  }
}

/** What 'auto' learns of a few calls of each kind; null without graphics hardware. */
async function profile(signal) {
  const engine = await foveola.createEngine();
  try {
    for (const [, width, height, run] of calls) {
      const first = scene(width, height);
      for (let i = 0; i < 6; i++) {
        signal.throwIfAborted();
        await run(engine, [first, shifted(first)], false);
      }
    }
    return await engine.profile();
  } finally {
    await engine.dispose();
  }
}

let running = null;
let learned = null;
find('start').addEventListener('click', async () => {
  running = new AbortController();
  cells.clear();
  find('rows').replaceChildren();
  find('table').hidden = false;
  find('start').hidden = true;
  find('stop').hidden = false;
  find('stop').focus();
  try {
    await measure(running.signal);
    find('engine').textContent = 'Learning the faster side of each call …';
    learned = await profile(running.signal);
    find('found').hidden = learned === null;
    find('engine').textContent =
      learned === null ? 'Done. There is no graphics hardware here, so calls run in WASM.' : 'Done.';
  } catch (error) {
    find('engine').textContent = running.signal.aborted ? 'Stopped.' : error.message;
  }
  find('start').textContent = 'Measure again';
  find('start').hidden = false;
  find('stop').hidden = true;
  find('start').focus();
});
find('stop').addEventListener('click', () => running.abort());
find('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(JSON.stringify(learned));
  find('copied').textContent = 'Copied.';
});
