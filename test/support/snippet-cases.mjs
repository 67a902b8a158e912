// What the snippets of README and docs take for granted, and what they must come to: by file and heading, in the order in
// which they stand there. Nothing here changes the text of a snippet.
//
// as      its language
// html:   script   the page loads foveola.cdn.js before it (the text names no script of its own)
//         after    what follows it on the page
//         faked    the camera shows the drawn face
//         done     what the page must come to; runs in the page until it is true. `heard` has what the elements say
//         run      runs in the page before
// js:     given    module that sets the free variables of the snippet
//         look     names that the snippet declares and `result` gets
//         result   runs in the page, with these names; its result is given to `judge`
// others: kind     how snippets.test.mjs runs it
import assert from 'node:assert/strict';
import { pageCases } from './page-cases.mjs';

/* global CustomEvent, localStorage, MessageEvent */

const elementSays = (tag) => `heard.from.some(([name]) => name === '${tag}')`;
const pupilFound = 'heard.results.some(({ pupils }) => pupils?.[0].found)';

const engine = `import { createEngine } from 'foveola';
  globalThis.engine = await createEngine();`;
const picture = (file) => `globalThis.image = await createImageBitmap(await (await fetch('/media/${file}')).blob());`;
const fetched = `globalThis.file = await (await fetch('/media/face.png')).blob();`;
const seek = `const video = Object.assign(document.createElement('video'), { src: '/demo/media/sample.webm', muted: true });
  await new Promise((resolve) => (video.onloadeddata = resolve));
  await new Promise((resolve) => { video.onseeked = resolve; video.currentTime = 0.5; });
  // On a busy machine the place has been found before its frame is there, and \`readyState\` runs ahead of it too.
  const whenShown = async (take) => {
    for (const limit = performance.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
      try {
        return await take();
      } catch (error) {
        if (performance.now() > limit) throw error;
      }
    }
  };
  const videoFrame = await whenShown(() => new VideoFrame(video));`;
const seekBitmap = `${seek}
  globalThis.image = await whenShown(() => createImageBitmap(video));`;

const reported = `Object.assign(globalThis, {
    series: { timestamp: [0, 25, 50, 75], diameter: [6, 6, 4, 5], events: [{ kind: 'blink', onset: 25, offset: 50, final: true }] },
    reflex: { latency: 210, baseline: 6, minimum: 4, amplitude: 2, quality: 0.9, warnings: [] },
    quality: { frames: 4, found: 1, confidence: 0.5, rate: 40, dropped: 0, blinking: 0, faults: ['uncertain'] },
  });`;

const frontal = (boxes) => {
  assert.ok(boxes.length >= 1 && boxes[0].width > 100, JSON.stringify(boxes));
};

export const cases = {
  ...pageCases,
  'README.md: In a page': [{ as: 'html', done: pupilFound }],
  'README.md: As a library': [
    {
      as: 'js',
      given: `${seek} Object.assign(globalThis, { videoFrame });`,
      look: ['pupils'],
      result: ({ pupils }) => pupils,
      judge: ([pupil]) => assert.ok(pupil.found && pupil.x > 0 && pupil.diameter > 5 && pupil.confidence > 0.5),
    },
  ],

  'docs/calibration.md: From a disc': [
    {
      as: 'js',
      given: `${engine} ${seek} Object.assign(globalThis, { still: videoFrame, tracker: engine.createPupilTracker() });`,
      look: ['scale'],
      result: async ({ scale }) => {
        const { pupils } = await globalThis.tracker.process(globalThis.still);
        return [scale, pupils[0].diameterMm / pupils[0].diameter];
      },
      judge: ([scale, used]) => {
        assert.ok(Math.abs(scale - 10 / 203.5) < 1e-9, `${scale}`);
        assert.ok(Math.abs(used - scale) < 1e-9, `${used}`);
      },
    },
  ],
  'docs/calibration.md: Pixels that are not square': [
    {
      as: 'js',
      given: `Object.assign(globalThis, { major: 200, minor: 150, angle: Math.PI / 2 });
        globalThis.pupil = { ellipse: { x: 0, y: 0, major: 40, minor: 30, angle: Math.PI / 2 } };`,
      look: ['diameter'],
      result: ({ diameter }) => diameter,
      judge: (diameter) => assert.ok(Math.abs(diameter - 2) < 1e-6, `${diameter}`),
    },
  ],

  'docs/development.md: Four rings of tests': [
    { as: 'ts', kind: 'unit', passes: 3 },
    { as: 'js', kind: 'node', folder: 'node', passes: 1 },
    { as: 'js', kind: 'node', folder: 'pages', passes: 2 },
  ],
  'docs/development.md: Benchmarks': [{ as: 'js', kind: 'bench' }],

  'docs/speed-up.md: Images held by the engine': [
    {
      as: 'js',
      given: fetched,
      look: ['lines', 'data', 'photograph'],
      result: async ({ lines, data, photograph }) => [lines.length, data.length, photograph.width * photograph.height],
      judge: ([lines, samples, pixels]) => assert.ok(lines > 0 && samples === pixels, `${lines} ${samples} ${pixels}`),
    },
    {
      as: 'js',
      given: fetched,
      look: ['total', 'width', 'stride'],
      result: ({ total, width, stride }) => [total, stride - width],
      judge: ([total, gap]) => assert.ok(total > 0 && gap >= 0, `${total} ${gap}`),
    },
  ],
  'docs/speed-up.md: Maps held by the engine': [
    {
      as: 'js',
      given: fetched,
      look: ['lines', 'filled', 'mask'],
      result: ({ lines, filled, mask }) => [lines.length, filled.width === mask.width, mask.format],
      judge: ([lines, same, format]) => assert.ok(lines > 0 && same && format === 'gray', `${lines} ${same} ${format}`),
    },
  ],
  'docs/speed-up.md: Chains': [
    {
      as: 'js',
      given: fetched,
      look: ['edges'],
      result: ({ edges }) => edges.data.some((v) => v === 255),
      judge: (some) => assert.equal(some, true),
    },
  ],
  'docs/speed-up.md: Synchronous engine': [
    {
      as: 'js',
      given: `const width = 160, height = 120;
        const dark = (i) => (Math.hypot((i % width) - 80, Math.floor(i / width) - 60) < 20 ? 20 : 180);
        globalThis.image = { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => dark(i)) };`,
      look: ['copy', 'pupils'],
      result: ({ copy, pupils }) => [copy.some((v) => v === 255), pupils[0].x],
      judge: ([some, x]) => assert.ok(some && Math.abs(x - 80) < 1, `${some} ${x}`),
    },
  ],
  'docs/speed-up.md: Choice of the backend': [
    {
      as: 'js',
      given: fetched,
      look: ['edges'],
      result: ({ edges }) => [edges.backend, localStorage.getItem('foveola')],
      judge: ([side, stored]) => assert.deepEqual([side, stored], ['wasm', 'null']),
    },
  ],

  'docs/light-reflex.md: 1. Show the test': [
    {
      as: 'html',
      done: `!!document.querySelector('foveola-pupil-test')?.shadowRoot?.querySelector('.panel h2')`,
    },
  ],
  'docs/light-reflex.md: 2. Read the result': [
    {
      as: 'js',
      given: `import 'foveola/elements/pupil-test.js';
        document.body.append(document.createElement('foveola-pupil-test'));`,
      result: () => {
        const detail = { complete: true, unit: 'px', quality: { frames: 3 }, measures: { warnings: [] } };
        document.querySelector('foveola-pupil-test').dispatchEvent(new CustomEvent('foveola-test-result', { detail }));
        return document.title;
      },
      judge: (title) => assert.equal(title, 'complete, 3 frames, in px, 0 warnings'),
    },
  ],
  'docs/light-reflex.md: 3. Measure a recorded reflex': [
    {
      as: 'js',
      given: `const at = (t) => { const x = Math.max(0, t - 2250) / 500; return 5 - (x * Math.exp(1 - x)) ** 3; };
        globalThis.samples = Array.from({ length: 600 }, (_, i) => ({ timestamp: (i * 1000) / 60, diameter: at((i * 1000) / 60) }));`,
      look: ['reflex'],
      result: ({ reflex }) => reflex.amplitude,
      judge: (amplitude) => assert.ok(Math.abs(amplitude - 1) < 0.03, `${amplitude}`),
    },
  ],
  'docs/fundus.md: 1. Show the vessels': [
    {
      as: 'html',
      done: `${elementSays('foveola-vessels')} && !!document.querySelector('foveola-vessels').result`,
    },
  ],
  'docs/fundus.md: 4. Export': [
    {
      as: 'js',
      given: `import 'foveola/elements/vessels.js';
        const element = Object.assign(document.createElement('foveola-vessels'), { src: '/media/fundus.jpg' });
        document.body.append(element);
        await new Promise((resolve) => element.addEventListener('foveola-result', resolve));
        while (!element.result) await new Promise((resolve) => setTimeout(resolve, 20));`,
      look: ['csv', 'segments', 'fraction'],
      result: ({ csv, segments, fraction }) => [csv.length, segments.length, fraction],
      judge: ([length, segments, fraction]) => assert.ok(length > 100 && segments > 1 && fraction > 0, `${fraction}`),
    },
  ],
  'docs/run-pupil-tests.md: One tag': [
    {
      as: 'html',
      done: `!!document.querySelector('foveola-pupil-test')?.shadowRoot?.querySelector('.panel h2')`,
    },
  ],
  'docs/run-pupil-tests.md: The light': [
    {
      as: 'html',
      done: `document.querySelector('foveola-pupil-test')?.shadowRoot?.querySelector('#screen input')?.value === '250'`,
    },
  ],
  'docs/run-pupil-tests.md: A protocol of your own': [
    {
      as: 'js',
      look: ['steps'],
      result: ({ steps }) => steps,
      judge: (steps) => {
        const round = ['flash', 'pause', 'flash', 'pause'];
        assert.deepEqual(steps, ['text', 'adapt', ...round, ...round]);
      },
    },
  ],
  'docs/run-pupil-tests.md: The result': [
    {
      as: 'js',
      given: `import 'foveola/elements/pupil-test.js';
        globalThis.report = null;
        const element = document.createElement('foveola-pupil-test');
        document.body.append(element);`,
      result: () => {
        const quality = { frames: 3 };
        const detail = { complete: true, unit: 'px', steps: [1], markers: [1, 2], quality, measures: { warnings: [] } };
        document.querySelector('foveola-pupil-test').dispatchEvent(new CustomEvent('foveola-test-result', { detail }));
        return globalThis.report;
      },
      judge: (report) =>
        assert.deepEqual(report, { complete: true, unit: 'px', steps: 1, markers: 2, frames: 3, warnings: [] }),
    },
  ],
  'docs/run-pupil-tests.md: Into a record': [
    {
      as: 'js',
      // A pupil of 5 mm that goes to 4 mm half a second after its flash.
      given: `import { evaluateTest, protocols } from 'foveola';
        const at = (t) => { const x = Math.max(0, t - 2250) / 500; return 5 - (x * Math.exp(1 - x)) ** 3; };
        const samples = Array.from({ length: 600 }, (_, i) => ({ timestamp: (i * 1000) / 60, eye: 'left', diameter: at((i * 1000) / 60) }));
        const protocol = protocols['light-reflex'];
        const steps = [{ type: 'flash', label: 'flash', onset: 2000, offset: 3000 }];
        const measures = evaluateTest({ protocol, eyes: [samples], steps });
        globalThis.test = { millimetresPerPixel: 0.05 };
        globalThis.result = { protocol, unit: 'mm', started: '2026-05-04T09:30:00Z', eyes: [samples], steps, measures };`,
      look: ['report', 'bundle', 'page'],
      result: ({ report, bundle, page }) => [
        report.eyes[0].reflexes[0].amplitude,
        bundle.resourceType,
        page.includes('not a medical device'),
      ],
      judge: ([amplitude, type, said]) => {
        assert.ok(Math.abs(amplitude - 1) < 0.03, `${amplitude}`);
        assert.deepEqual([type, said], ['Bundle', true]);
      },
    },
  ],
  'docs/crash-recovery.md: Keep recordings': [
    {
      as: 'html',
      done: `!!document.querySelector('foveola-pupil')?.shadowRoot?.querySelector('.kept button')`,
    },
  ],
  'docs/crash-recovery.md: In code': [
    {
      as: 'js',
      given: `import 'foveola/elements/pupil.js';
        globalThis.key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
        globalThis.listed = [];
        globalThis.list = (recordings) => listed.push(recordings.length);
        const made = document.createElement('foveola-pupil');
        Object.assign(made, { saveRecordings: 'agreed', recordingKey: key });
        made.source = { width: 64, height: 48, data: new Uint8Array(64 * 48).fill(90) };
        document.body.append(made);
        const until = async (done) => { while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 50)); };
        await until(() => made.state === 'finished' && made.shadowRoot.querySelector('.kept'));
        made.record();
        await made.step();
        made.record();
        await until(async () => (await made.savedRecordings()).length === 1);`,
      look: ['csv', 'ended', 'rows'],
      result: async ({ csv, ended, rows }) => [await csv.text(), ended, rows],
      judge: ([csv, ended, rows]) => {
        assert.match(csv, /^filename,timestamp_ms,/);
        assert.deepEqual([ended, rows], [true, 1]);
      },
    },
  ],

  'docs/index.md: In a page': [{ as: 'html', done: pupilFound }],
  'docs/index.md: As a library': [
    {
      as: 'js',
      given: `${seek} Object.assign(globalThis, { video });`,
      look: ['pupils'],
      result: ({ pupils }) => pupils,
      judge: ([pupil]) => assert.ok(pupil.found && pupil.diameter > 5, JSON.stringify(pupil)),
    },
  ],
  'docs/first-pupil.md: 1. A folder and a page': [{ as: 'html', done: pupilFound }],
  'docs/first-pupil.md: 4. Read the results in your code': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/demo/media/sample.webm"></foveola-pupil>';`,
      look: ['eye'],
      result: async ({ eye }) => {
        const lines = globalThis.heard.console;
        while (!lines.length)
          await new Promise((resolve) => eye.addEventListener('foveola-result', resolve, { once: true }));
        return lines[0].split(' ').map(Number);
      },
      judge: ([, diameter, confidence]) => assert.ok(diameter > 5 && confidence > 0.5, `${diameter} ${confidence}`),
    },
  ],
  'docs/recipes.md: A portal': [{ as: 'html', done: pupilFound }],
  'docs/recipes.md: A batch in Node': [
    {
      as: 'js',
      kind: 'installed',
      files: { 'first.webm': 'demo/media/sample.webm', 'second.webm': 'demo/media/sample.webm' },
      says: /^first\.webm: pupil in 4\d\d of 480 frames\nsecond\.webm: pupil in 4\d\d of 480 frames\n$/,
    },
  ],
  'docs/recipes.md: Offline': [{ as: 'js', kind: 'offline' }],

  'docs/node.md: As a library': [
    {
      as: 'js',
      kind: 'installed',
      files: { 'recording.webm': 'demo/media/sample.webm', 'photograph.jpg': 'demo/media/fundus.jpg' },
      says: /^\d+(\.\d+)? \d+(\.\d+)?\n[^]*\n0\.\d+ null\n$/,
    },
  ],

  'docs/pupil-measures.md: A light reflex': [
    {
      as: 'js',
      // From 5 to 4 mm within half a second, a quarter of a second after each flash.
      given: `const at = (t) => { const p = Math.min(1, Math.max(0, (t - 250) / 500)); return 5 - p * p * (3 - 2 * p) * (t > 0 ? Math.exp(-Math.max(0, t - 900) / 900) : 0); };
        globalThis.flashes = [2000, 8000];
        globalThis.results = Array.from({ length: 900 }, (_, i) => {
          const timestamp = (i * 1000) / 60, since = timestamp < 7000 ? timestamp - 2000 : timestamp - 8000;
          return { timestamp, pupils: [{ found: true, confidence: 1, diameter: at(since), diameterMm: null, blink: false }] };
        });`,
      look: ['reflexes', 'latency'],
      result: ({ reflexes, latency }) => [latency, reflexes.map(({ amplitude, warnings }) => [amplitude, warnings])],
      judge: ([latency, reflexes]) => {
        assert.ok(latency.count === 2 && Math.abs(latency.mean - 240) < 15, JSON.stringify(latency));
        assert.ok(
          reflexes.every(([amplitude]) => Math.abs(amplitude - 1) < 0.03),
          JSON.stringify(reflexes),
        );
      },
    },
  ],
  'docs/pupil-measures.md: Longer tests': [
    {
      as: 'js',
      // Wide in the dark, narrow after a light at 20 s, and a near target at 60 s; waves of 0.1 mm.
      given: `const left = (t) => (t < 0 ? 0 : 0.1 + 0.3 * Math.exp(-t / 2500));
        const level = (t) => (t < 0 ? 4 : t < 20000 ? 6 : 6 * (1 - left(t - 20000))) - (t >= 60000 && t < 66000 ? 1 : 0);
        globalThis.samples = Array.from({ length: 25 * 660 }, (_, i) => ({
          timestamp: 40 * i, diameter: level(40 * i) + 0.1 * Math.sin(2 * Math.PI * 0.1 * 0.04 * i),
        }));`,
      look: ['blue', 'dark', 'near', 'index', 'lowest', 'highest'],
      result: ({ blue, near, index, lowest, highest }) => [blue.plateau, near.constriction, index, lowest, highest],
      judge: ([plateau, near, index, lowest, highest]) => {
        assert.ok(Math.abs(plateau - 10) < 5, `${plateau}`);
        assert.ok(Math.abs(near - 1) < 0.4, `${near}`);
        assert.ok(index > 1 && index < 3, `${index}`);
        assert.ok(lowest < 0.013 && highest > 0.78, `${lowest} ${highest}`);
      },
    },
  ],
  'docs/pupil-measures.md: Movements of the eye': [
    {
      as: 'js',
      given: `const seen = (x, y) => ({ glint: { x: 200, y: 150 }, pupil: { x: 203 + 1.5 * x, y: 148 + 1.4 * y } });
        globalThis.points = [[0, 0], [-10, -6], [10, -6], [-10, 6], [10, 6]].map(([x, y]) => ({ ...seen(x, y), target: { x, y } }));
        globalThis.frames = Array.from({ length: 240 }, (_, i) => ({
          timestamp: (i * 1000) / 120,
          ...seen((i < 120 ? 0 : 5) + 0.02 * Math.sin(i * i), 0.02 * Math.cos(i * i)),
        }));`,
      look: ['calibration', 'jumps', 'rests'],
      result: ({ calibration, jumps, rests }) => [calibration.residual, jumps, rests],
      judge: ([residual, jumps, rests]) => {
        assert.ok(residual < 1e-6, `${residual}`);
        assert.ok(jumps.length === 1 && Math.abs(jumps[0].amplitude - 5) < 0.1, JSON.stringify(jumps));
        assert.deepEqual(
          rests.map(({ x }) => Math.round(x) + 0),
          [0, 5],
        );
      },
    },
  ],
  'docs/retinal-measures.md: Corrections by hand': [
    {
      as: 'js',
      given: `globalThis.photograph = await (await fetch('/media/fundus.jpg')).blob();`,
      look: ['vessels', 'corrections', 'corrected', 'measures'],
      result: ({ vessels, corrections, corrected, measures }) => [
        vessels.segments.length,
        corrected.segments.length,
        corrections.map(({ action }) => action),
        measures.disc,
        vessels.fraction - corrected.fraction,
      ],
      judge: ([before, after, actions, disc, gone]) => {
        assert.equal(after, before + 1);
        assert.deepEqual(actions, ['disc', 'cut', 'kind']);
        assert.deepEqual(disc, { x: 120, y: 260, radius: 40, confidence: null });
        assert.ok(gone > 0 && gone < 0.01, `${gone}`);
      },
    },
    { as: 'html', script: true, done: `/^0, [1-9]\\d*, /.test(document.title)` },
  ],
  'docs/retinal-measures.md: Retinal measures': [
    {
      as: 'js',
      given: `globalThis.photograph = await (await fetch('/media/fundus.jpg')).blob();`,
      look: ['vessels', 'found', 'measures'],
      result: ({ vessels, found, measures }) => [
        vessels.segments.length,
        found.depths.length,
        measures.disc,
        measures.fractal.dimension,
        measures.warnings,
      ],
      judge: ([segments, depths, disc, dimension, warnings]) => {
        assert.equal(depths, segments);
        assert.ok(dimension > 1 && dimension < 2, `${dimension}`);
        assert.ok(disc ? disc.radius > 5 : warnings.length > 0, JSON.stringify([disc, warnings]));
      },
    },
  ],

  'docs/embedding.md: One tag': [{ as: 'html', done: pupilFound }],
  'docs/embedding.md: With a bundler': [
    {
      as: 'js',
      look: ['FoveolaPupil'],
      result: ({ FoveolaPupil }) => customElements.get('foveola-pupil') === FoveolaPupil,
      judge: (same) => assert.equal(same, true),
    },
    {
      as: 'js',
      // The folder of the snippet is there with all files; a copy elsewhere is not asked for.
      result: async () => {
        const { createEngine } = await import('foveola');
        const { capabilities } = await createEngine();
        return [
          capabilities.worker,
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
        ];
      },
      judge: ([worker, files]) => {
        assert.equal(worker, true);
        assert.ok(files.includes('/foveola/kernels.wasm') || files.includes('/foveola/worker.js'), files.join());
        assert.ok(!files.some((file) => /^\/dist\/(worker|kernels)/.test(file)), files.join());
      },
    },
  ],
  'docs/embedding.md: Content security policy': [
    { as: 'csp', kind: 'policy' },
    { as: 'html', after: '<foveola-pupil src="/demo/media/sample.webm" controls></foveola-pupil>', done: pupilFound },
  ],
  'docs/embedding.md: In a frame': [{ as: 'html', kind: 'frame' }],
  'docs/embedding.md: Height of a frame': [
    {
      as: 'html',
      script: true,
      done: "document.querySelector('foveola-pupil').frameHeight === 'https://portal.example'",
    },
    {
      as: 'js',
      given: `document.body.append(Object.assign(document.createElement('iframe'), { src: '/media/face.png' }));`,
      result: () => {
        const { origin } = location;
        const { style, contentWindow: source } = document.querySelector('iframe');
        return ['https://other.example', origin].map((from, i) => {
          const data = { type: 'foveola-height', height: 300 + i };
          window.dispatchEvent(new MessageEvent('message', { data, origin: from, source }));
          return style.height;
        });
      },
      judge: (heights) => assert.deepEqual(heights, ['', '301px']),
    },
  ],
  'docs/using-elements.md: Sources': [
    { as: 'html', done: pupilFound },
    {
      as: 'js',
      given: `import 'foveola/elements/track.js';
        globalThis.track = document.body.appendChild(document.createElement('foveola-track'));
        await track.ready;
        globalThis.file = await (await fetch('/media/face.webm')).blob();`,
      result: async () => {
        const { track } = globalThis;
        await new Promise((resolve) => track.addEventListener('foveola-result', resolve, { once: true }));
        return track.box;
      },
      judge: (box) => assert.deepEqual(box, { x: 142, y: 125, width: 91, height: 40 }),
    },
  ],
  'docs/using-elements.md: Filters': [{ as: 'html', script: true, done: elementSays('foveola-filter') }],
  'docs/using-elements.md: Faces, and the pupils of their eyes': [
    {
      as: 'html',
      script: true,
      faked: true,
      run: async () => {
        await customElements.whenDefined('foveola-face');
        const face = document.querySelector('foveola-face');
        window.eyes = [];
        face.addEventListener('foveola-eyes', ({ detail }) => window.eyes.push(...detail.eyes));
        await face.ready;
        await face.start();
      },
      // The pupil's element sees the picture of the eye; the event has the fields that the comment names.
      done: `${elementSays('foveola-pupil')} && document.querySelector('foveola-pupil').source instanceof MediaStream &&
        ['side', 'face', 'x', 'y', 'width', 'height'].every((name) => name in (eyes[0] ?? {}))`,
    },
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}
        globalThis.landmarks = (await engine.landmarks(image, await engine.detectFaces(image)))[0];`,
      look: ['measures'],
      result: ({ measures }) => measures,
      judge: ({ yaw, pitch, roll, eyes, warnings }) => {
        for (const angle of [yaw, pitch, roll]) assert.ok(Math.abs(angle) < 0.5, `${angle}`); // seen from the front
        assert.deepEqual([eyes.length, warnings], [2, []]);
      },
    },
  ],
  'docs/using-elements.md: Vessels': [
    {
      as: 'html',
      script: true,
      done: `${elementSays('foveola-vessels')} && !!document.querySelector('foveola-vessels').result`,
    },
  ],
  'docs/recordings.md: Review and correct': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/media/face.webm" paused></foveola-pupil>';`,
      look: ['eye'],
      result: async ({ eye }) => {
        await eye.ready;
        while (eye.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 20));
        await eye.analyse();
        const { rows } = JSON.parse(await eye.exportJson());
        return rows.filter(({ corrected }) => corrected === 'exclude').map(({ timestamp }) => timestamp);
      },
      judge: (times) => assert.ok(times.length > 1 && times[0] <= 250, `${times}`),
    },
  ],
  'docs/recordings.md: Several files': [
    {
      as: 'js',
      given: `import 'foveola/elements/face.js';
        const element = Object.assign(document.createElement('foveola-face'), { model: 'none' });
        document.body.append(element);
        const blob = await (await fetch('/media/face.png')).blob();
        const files = ['2.png', '10.png'].map((name) => new File([blob], name, { type: 'image/png' }));
        Object.assign(globalThis, { element, files: files.reverse() });`,
      look: ['results'],
      result: ({ results }) => results.map(({ name, complete, csv }) => [name, complete, csv.type]),
      judge: (results) =>
        assert.deepEqual(results, [
          ['2.png', true, 'text/csv'],
          ['10.png', true, 'text/csv'],
        ]),
    },
  ],
  'docs/using-elements.md: Events, states, styling': [{ as: 'css', kind: 'styles' }],

  'docs/fix-tracking.md: Restrict the search': [{ as: 'html', done: pupilFound }],
  'docs/fix-tracking.md: Change a setting': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/demo/media/sample.webm"></foveola-pupil>';
        await new Promise((resolve) => document.body.firstElementChild.addEventListener('foveola-result', resolve, { once: true }));`,
      look: ['pupils'],
      result: ({ pupils }) => pupils[0].found,
      judge: (found) => assert.equal(found, true),
    },
  ],
  'docs/fix-tracking.md: Use a preset in your code': [
    {
      as: 'js',
      given: `${seekBitmap}`,
      look: ['pupils'],
      result: ({ pupils }) => pupils[0].confidence,
      judge: (confidence) => assert.ok(confidence > 0.5, `${confidence}`),
    },
  ],
  'docs/pupil-methods.md: Choose a pupil method': [
    {
      as: 'js',
      given: `${engine} ${seekBitmap}`,
      look: ['robust', 'starburst'],
      result: ({ robust, starburst }) => [robust, starburst].map(({ pupils }) => pupils[0].diameter),
      judge: ([one, two]) => assert.ok(one > 5 && Math.abs(one - two) < 0.1 * one, `${one}, ${two}`),
    },
  ],
  "docs/reliability.md: The engine's worker": [
    {
      as: 'js',
      given: `${engine} ${seekBitmap}`,
      look: ['pupils', 'restarted', 'dropped'],
      result: ({ pupils, restarted, dropped }) => [pupils[0].found, restarted, dropped],
      judge: (result) => assert.deepEqual(result, [true, false, 0]),
    },
  ],
  'docs/recordings.md: Tables': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/media/face.webm" paused></foveola-pupil>';
        const opened = document.querySelector('foveola-pupil');
        await opened.ready;
        while (opened.state !== 'paused') await new Promise((resolve) => setTimeout(resolve, 20));`,
      look: ['csv', 'about', 'events'],
      result: ({ csv, about, events }) => [csv.slice(1, 23), about.format, events.split('\n')[0]],
      judge: (found) =>
        assert.deepEqual(found, [
          'filename;timestamp_ms;',
          'excel',
          'kind,onset_ms,offset_ms,duration_ms,eye,pupil,final,label,amplitude',
        ]),
    },
  ],
  'docs/data-format.md: Columns, events and clocks': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/demo/media/sample.webm"></foveola-pupil>';
        await new Promise((resolve) => document.body.firstElementChild.addEventListener('foveola-result', resolve, { once: true }));`,
      look: ['names', 'rows'],
      result: ({ names, rows }) => [names.split(',').includes('diameter_px'), rows.length],
      judge: ([known, count]) => assert.ok(known && count > 10, `${known}, ${count}`),
    },
  ],
  'docs/player.md: In code': [
    {
      as: 'js',
      given: `await import('foveola/elements/pupil.js');
        document.body.innerHTML = '<foveola-pupil src="/demo/media/sample.webm"></foveola-pupil>';
        await new Promise((resolve) => document.body.firstElementChild.addEventListener('foveola-result', resolve, { once: true }));`,
      look: ['eye', 'pupils'],
      result: ({ eye, pupils }) => ({ time: eye.currentTime, rate: eye.playbackRate, found: pupils[0].found }),
      judge: (result) => assert.deepEqual(result, { time: 1.5, rate: 0.5, found: true }),
    },
  ],

  'docs/image-files.md: Stacks and animations': [
    {
      as: 'js',
      given: `const page = (value) => ['P5 2 1 255\\n', Uint8Array.of(value, value)];
        globalThis.file = new Blob([10, 20, 30].flatMap(page));`,
      look: ['pages', 'count'],
      result: ({ pages, count }) => ({ pages, count }),
      judge: (counted) => assert.deepEqual(counted, { pages: 3, count: 3 }),
    },
  ],
  'docs/image-files.md: Open image files': [
    {
      as: 'js',
      given: `globalThis.file = await (await fetch('/media/fundus.dcm')).blob();
        globalThis.signal = new AbortController().signal;
        globalThis.onProgress = () => {}; // called for slow files only
        globalThis.canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 });`,
      look: ['result', 'format', 'bits', 'spacing', 'notes'],
      result: ({ result, format, bits, spacing, notes }) => {
        const pixel = [...globalThis.canvas.getContext('2d').getImageData(200, 200, 1, 1).data];
        return { scale: result.scale, segments: result.segments?.length, format, bits, spacing, notes, pixel };
      },
      judge: ({ scale, segments, format, bits, spacing, notes, pixel }) => {
        assert.deepEqual(scale, { micrometresPerPixel: 7.4, from: 'file' });
        assert.ok(segments > 5, `${segments}`);
        assert.deepEqual([format, bits, notes], ['DICOM', 8, []]);
        assert.match(JSON.stringify(spacing), /7\.4/);
        assert.ok(pixel[0] > pixel[2] && pixel[3] === 255, pixel.join()); // red, opaque
      },
    },
  ],

  'docs/errors.md: Error codes': [
    {
      as: 'js',
      given: `globalThis.file = new Blob(['no image']);`,
      look: ['code'],
      result: ({ code }) => code,
      judge: (code) => assert.match(code, /^(decode-failed|source-unsupported)$/),
    },
  ],
  'docs/models.md: Cascades': [
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}
        globalThis.bytes = new Uint8Array(await (await fetch('/models/profile.bin')).arrayBuffer());
        const whole = engine;
        globalThis.calls = [];
        globalThis.engine = { detectFaces: (...given) => whole.detectFaces(...given).then((boxes) => calls.push(boxes)) };`,
      result: () => globalThis.calls,
      judge: (calls) => {
        assert.equal(calls.length, 7);
        calls.forEach(frontal);
        assert.equal(typeof calls[0][0].score, 'number');
      },
    },
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}
        const whole = engine;
        globalThis.engine = { detectFaces: async (...given) => (globalThis.boxes = await whole.detectFaces(...given)) };`,
      result: () => globalThis.boxes,
      judge: ([box]) => {
        frontal([box]);
        assert.deepEqual([typeof box.roll, Object.keys(box.points).length], ['number', 10]);
      },
    },
  ],
  'docs/models.md: Landmarks': [
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}`,
      look: ['boxes', 'shapes'],
      result: ({ boxes, shapes }) => [boxes, shapes.map(({ length }) => length)],
      judge: ([boxes, lengths]) => {
        frontal(boxes);
        assert.deepEqual(lengths, boxes.map(() => 136)); // prettier-ignore
      },
    },
  ],
  'docs/models.md: Another landmark model': [
    {
      as: 'html',
      script: true,
      done: 'heard.results.some(({ faces }) => faces?.[0]?.landmarks)',
    },
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}`,
      look: ['boxes'],
      result: ({ boxes }) => boxes,
      judge: frontal,
    },
  ],
  'docs/models.md: Loading': [
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}`,
      look: ['tracker'],
      result: async ({ tracker }) => {
        const { faces } = await tracker.process(globalThis.image);
        return [faces.length, faces[0]?.landmarks ?? null, globalThis.heard.console.length];
      },
      judge: ([faces, landmarks, lines]) => {
        assert.ok(faces >= 1 && landmarks === null, 'boxes alone again');
        assert.ok(lines > 0, 'progress is reported');
      },
    },
  ],
  'docs/models.md: Eyes': [
    {
      as: 'js',
      given: `${engine} ${picture('face.png')}`,
      look: ['faces'],
      result: ({ faces }) => faces.map(({ landmarkConfidence }) => landmarkConfidence),
      judge: (list) => assert.ok(list.length >= 1 && list[0] > 0.5, list.join()),
    },
  ],

  'docs/reports.md: A pupil test': [
    {
      as: 'js',
      given: reported,
      look: ['report', 'bundle', 'page'],
      result: async ({ report, bundle, page }) => [report.unit, bundle, await page.text()],
      judge: ([unit, { type, entry }, page]) => {
        assert.deepEqual([unit, type], ['mm', 'transaction']);
        const types = entry.map(({ resource }) => resource.resourceType);
        assert.deepEqual(types, ['Device', 'Device', ...Array(4).fill('Observation'), 'DiagnosticReport']);
        assert.match(page, /For research use, not a medical device/);
        assert.match(page, /white, 1 s/);
        assert.match(page, /Low median confidence/);
      },
    },
  ],
  'docs/reports.md: Visits and norms': [
    {
      as: 'js',
      given: `${reported} const { createReport } = await import('foveola/reports');
        const visit = (started, baseline) => createReport({ kind: 'pupil', unit: 'mm', calibration: { millimetresPerPixel: 0.05 }, started,
          eyes: [{ eye: 'left', reflexes: [0, 0.2].map((more) => ({ ...reflex, baseline: baseline + more, minimum: 4, amplitude: baseline + more - 4 })) }] });
        Object.assign(globalThis, { before: visit('2026-05-04T09:30:00Z', 6), after: visit('2026-05-04T10:00:00Z', 7) });`,
      look: ['change', 'changeError', 'perYear', 'page'],
      result: ({ change, changeError, perYear, page }) => [change, changeError, perYear, /tropicamide/.test(page)],
      judge: ([change, error, ...others]) => {
        assert.ok(Math.abs(change - 1) < 1e-9 && error > 0.1 && error < 0.2, `${change} ${error}`);
        assert.deepEqual(others, [null, true]);
      },
    },
    {
      as: 'js',
      given: reported,
      look: ['table'],
      result: ({ table }) => table,
      judge: (table) => assert.match(table, /baseline-diameter,Baseline diameter,6,mm,3.728,6.472,1.2857/),
    },
  ],
  'docs/reports.md: A retina': [
    {
      as: 'js',
      given: "globalThis.file = await (await fetch('/media/fundus.dcm')).blob();",
      look: ['report', 'segmentation', 'measurements'],
      result: ({ report, segmentation, measurements }) => {
        const mark = (bytes) => String.fromCharCode(...bytes.subarray(128, 132));
        return [report.unit, report.vessels.totalLength, mark(segmentation), mark(measurements), segmentation.length];
      },
      judge: ([unit, length, ...marks]) => {
        assert.equal(unit, 'um');
        assert.ok(length > 1000, `${length}`);
        assert.deepEqual(marks.slice(0, 2), ['DICM', 'DICM']);
        assert.ok(marks[2] > (400 * 400) / 8, `${marks[2]}`);
      },
    },
  ],
  'docs/reports.md: Tables after BIDS': [
    {
      as: 'js',
      given: `${reported} globalThis.result = {
        steps: [{ type: 'flash', label: 'white', eye: 'both', onset: 25, offset: 50 }], markers: [{ label: 'go', timestamp: 0 }] };`,
      look: ['files', 'bytes'],
      result: ({ files, bytes }) => [files.map(({ name }) => name), bytes[0], bytes[1]],
      judge: ([names, ...start]) => {
        assert.equal(names[0], 'sub-01_task-light_recording-eye1_physio.tsv.gz');
        assert.deepEqual([names.length, ...start], [6, 0x1f, 0x8b]);
      },
    },
  ],
  'docs/reports.md: To a portal': [
    {
      as: 'js',
      given: `${reported} const { createReport } = await import('foveola/reports');
        globalThis.report = createReport({ kind: 'pupil', unit: 'px', started: new Date(), eyes: [{ series }] });
        Object.assign(globalThis, { portalOrigin: location.origin, handle: 'handle' });`,
      look: ['channel', 'message'],
      result: ({ channel, message }) => [channel.ignored, message.messageType, message.payload.resource.resourceType],
      judge: (got) =>
        assert.deepEqual(got, [{ origin: 0, source: 0, form: 0 }, 'scratchpad.create', 'DiagnosticReport']),
    },
  ],
};
