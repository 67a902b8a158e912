// Measures calls of the library on the visitor's own device: WASM and the graphics side, with samples and with images that
// stay in the engine. The numbers stay in the page.
/* global foveola */
const find = (id) => document.getElementById(id);
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const SECONDS = 0.4;

/** A picture of each size and kind, made once: the same as `npm run bench -- door` takes. */
const pictures = new Map();
function picture(width, height, at) {
  const key = `${at.name} ${width}x${height}`;
  if (!pictures.has(key)) {
    const data = new Uint8Array(width * height);
    let seed = 7;
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i++) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        data[i] = at(x, y, width, height, (seed >>> 24) - 128);
      }
    pictures.set(key, { width, height, data });
  }
  return pictures.get(key);
}

/** Soft waves of several sizes with noise: edges everywhere. */
const waves = (x, y, width, height, noise) => {
  const wave = Math.sin(x / 17) * Math.cos(y / 23) + Math.sin((x + y) / 71) + Math.sin((x * y) / 40000);
  return 128 + 36 * wave + noise / 16;
};
/** A drawn retina: a bright disc in the dark, dark arcs of several widths across it. */
const retina = (x, y, width, height, noise) => {
  const [u, v] = [(x - width / 2) / (0.48 * height), (y - height / 2) / (0.48 * height)];
  let value = 12;
  if (u * u + v * v < 1) {
    value = 150 - 40 * (u * u + v * v);
    for (let k = 1; k <= 8; k++) {
      const across = (v - (k - 4.5) * 0.2 * (1 + 0.5 * u * u)) / (0.004 * k);
      value -= 45 * Math.exp(-across * across);
    }
  }
  return value + noise / 24;
};
const moved = (x, y, width, height, noise) => waves((x - 2 + width) % width, y, width, height, noise);
const hole = (x, y, width, height) => (Math.hypot(x - width / 2, y - height / 2) < 30 ? 255 : 0);

const five = [
  ['gaussian', { size: 5, sigma: 2 }],
  ['median', { size: 3 }],
  ['morphology', { operation: 'topHat', size: 19 }],
  ['threshold', { level: 20 }],
  ['morphology', { operation: 'dilate', size: 3 }],
];

async function oneByOne(engine, [image], options) {
  let now = image;
  for (const [name, own] of five) {
    const before = now;
    now = await engine[name](before, { ...own, ...options });
    if (before !== image) before.dispose?.();
  }
  return now;
}

/** What is measured, the rows of `npm run bench -- door`: name, size, call, whether its pictures can stay, what it is given. */
const calls = [
  ['Gaussian', 1280, 1024, (e, [a], o) => e.gaussian(a, { size: 5, sigma: 2, ...o }), true],
  ['Top-hat 19', 1280, 1024, (e, [a], o) => e.morphology(a, { operation: 'topHat', size: 19, ...o }), true],
  ['Median 7', 1280, 1024, (e, [a], o) => e.median(a, { size: 7, ...o }), true],
  ['Canny', 1280, 1024, (e, [a], o) => e.canny(a, o), true],
  ['Canny', 3504, 2336, (e, [a], o) => e.canny(a, o), true],
  ['Integral', 3840, 2160, (e, [a], o) => e.integral(a, o), true],
  ['Integral uint32', 3840, 2160, (e, [a], o) => e.integral(a, { sums: 'uint32', ...o }), true],
  ['Eigenvalues', 700, 605, (e, [a], o) => e.hessianEigenvalues(a, o), true],
  ['Eigenvalues', 3504, 2336, (e, [a], o) => e.hessianEigenvalues(a, o), true],
  ['Dense flow', 640, 480, (e, [a, b], o) => e.opticalFlow(a, b, o), true, [waves, moved]],
  ['Faces', 1280, 720, (e, [a]) => e.detectFaces(a)],
  ['Inpaint', 400, 400, (e, [a, b], o) => e.inpaint(a, b, o), true, [waves, hole]],
  ['Vessels', 3504, 2336, (e, [a]) => e.vessels(a), false, [retina]],
  ['Five calls', 1280, 1024, oneByOne, true],
  [
    'Chain of five',
    1280,
    1024,
    (e, [a], o) => five.reduce((chain, [name, own]) => chain[name](own), e.chain(a)).result(o),
    true,
  ],
];
/** `bench.html?only=canny`: those alone whose name has the word. */
const only = new URLSearchParams(location.search).get('only')?.toLowerCase() ?? '';
const chosen = calls.filter(([name]) => name.toLowerCase().includes(only));
const given = ([, width, height, , , kinds = [waves]]) => kinds.map((at) => picture(width, height, at));

/** What a call left in the engine: one picture, or those within its result. */
const keptOf = (result) =>
  result?.dispose ? [result] : Object.values(Object(result)).filter((one) => typeof one?.dispose === 'function');

async function time(call, signal) {
  for (let i = 0; i < 2; i++) for (const one of keptOf(await call())) one.dispose();
  const times = [];
  const end = performance.now() + 1000 * SECONDS;
  while (performance.now() < end || times.length < 3) {
    signal.throwIfAborted();
    const begun = performance.now();
    const kept = keptOf(await call());
    await kept[0]?.read?.(); // on the graphics side it is only under way until then
    times.push(performance.now() - begun);
    for (const one of kept) one.dispose();
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

/** What the device is, as far as the browser tells. */
function showDevice({ gpu, softwareGpu, threads, crossOriginIsolated }) {
  const parts = [
    `Graphics: ${gpu ?? 'none that WebGL2 has'}${softwareGpu ? ', drawn by the processor' : ''}.`,
    `Processor: ${navigator.hardwareConcurrency} logical cores, ${threads} thread${threads > 1 ? 's' : ''} used${crossOriginIsolated ? '' : ' (more where the page is cross-origin isolated)'}.`,
  ];
  find('device').textContent = parts.join(' ');
}

async function measure(signal) {
  const auto = await foveola.createEngine();
  showDevice(auto.capabilities);
  await auto.dispose();
  for (const [side, options] of [
    ['WASM', { backend: 'wasm' }],
    ['graphics', { backend: 'gpu' }],
  ]) {
    if (options.backend === 'gpu' && !(auto.capabilities.gpu && !auto.capabilities.softwareGpu)) continue; // its times say nothing
    const engine = await foveola.createEngine(options);
    try {
      const { threads } = engine.capabilities;
      const who = side === 'WASM' ? `${side}, ${threads} thread${threads > 1 ? 's' : ''}` : side;
      for (const row of chosen) {
        const [name, width, height, run, keeps = false] = row;
        const title = `${name} ${width}x${height}`;
        find('engine').textContent = `${title}, ${who} …`;
        await new Promise((resolve) => setTimeout(resolve)); // for the line to be seen before pictures are drawn
        const images = given(row);
        show(title, who, 0, await time(() => run(engine, images), signal));
        const kept = await Promise.all(images.map((image) => engine.load(image)));
        show(title, who, 1, await time(() => run(engine, kept, keeps ? { keep: true } : undefined), signal));
        for (const image of kept) image.dispose();
      }
    } finally {
      await engine.dispose();
    }
  }
}

/** What 'auto' learns of a few calls of each kind; null without graphics hardware. */
async function profile(signal) {
  const engine = await foveola.createEngine();
  try {
    if (engine.capabilities.backend === 'wasm') return null;
    for (const row of chosen)
      for (let i = 0; i < 6; i++) {
        signal.throwIfAborted();
        await row[3](engine, given(row));
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
  find('result').hidden = true;
  find('start').hidden = true;
  find('stop').hidden = false;
  find('stop').focus();
  try {
    await measure(running.signal);
    find('result').hidden = false;
    find('engine').textContent = 'Learning the faster side of each call …';
    learned = await profile(running.signal);
    find('found').hidden = learned === null;
    find('profile').textContent = JSON.stringify(learned, null, 1);
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
/** The table as Markdown, with the device and the browser: to paste into a report or an issue. */
function resultText() {
  const rows = [...find('table').rows].map((row) => [...row.cells].map(({ textContent }) => textContent.trim()));
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const about = `foveola ${foveola.version}, ${new Date().toISOString().slice(0, 10)}, milliseconds per call (median)`;
  return [about, find('device').textContent, navigator.userAgent, '', head, '| --- | --- | --: | --: |', ...body].join(
    '\n',
  );
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  find('copied').textContent = 'Copied.';
}
find('copy').addEventListener('click', () => copy(JSON.stringify(learned)));
find('copy-result').addEventListener('click', () => copy(resultText()));
