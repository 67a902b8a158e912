// What the snippets of README and docs take for granted, and what they must come to: by file and heading, in the order in
// which they stand there. Nothing here changes the text of a snippet.
//
// as      its language
// html:   script   the page loads foveola.cdn.js before it (the text names no script of its own)
//         after    what follows it on the page
//         faked    the camera shows the drawn face
//         done     what the page must come to; runs in the page until it is true. `told` has what the elements say
//         run      runs in the page before
// js:     given    module that sets the free variables of the snippet
//         look     names that the snippet declares and `result` gets
//         result   runs in the page, with these names; its result is given to `judge`
// others: kind     how snippets.test.mjs runs it
import assert from 'node:assert/strict';

/* global localStorage, VideoFrame */

const elementSays = (tag) => `told.from.some(([name]) => name === '${tag}')`;
const pupilFound = 'told.results.some(({ pupils }) => pupils?.[0].found)';

const engine = `import { createEngine } from 'foveola';
  globalThis.engine = await createEngine();`;
const picture = (file) => `globalThis.image = await createImageBitmap(await (await fetch('/media/${file}')).blob());`;
const fetched = `globalThis.file = await (await fetch('/media/face.png')).blob();`;
const seek = `const video = Object.assign(document.createElement('video'), { src: '/demo/media/sample.webm', muted: true });
  await new Promise((resolve) => (video.onloadeddata = resolve));
  await new Promise((resolve) => { video.onseeked = resolve; video.currentTime = 0.5; });`;

const frontal = (boxes) => {
  assert.ok(boxes.length >= 1 && boxes[0].width > 100, JSON.stringify(boxes));
};

export const cases = {
  'README.md: In a page': [{ as: 'html', done: pupilFound }],
  'README.md: As a library': [
    {
      as: 'js',
      given: `${seek} globalThis.videoFrame = new VideoFrame(video);`,
      look: ['pupils'],
      result: ({ pupils }) => pupils,
      judge: ([pupil]) => assert.ok(pupil.found && pupil.x > 0 && pupil.diameter > 5 && pupil.confidence > 0.5),
    },
  ],

  'docs/calibration.md: From a disc': [
    {
      as: 'js',
      given: `${engine} ${seek} Object.assign(globalThis, { video, tracker: engine.createPupilTracker() });`,
      look: ['scale'],
      result: async ({ scale }) => {
        const { pupils } = await globalThis.tracker.process(new VideoFrame(globalThis.video));
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

  'docs/fast-calls.md: Images that stay': [
    {
      as: 'js',
      given: fetched,
      look: ['lines', 'data', 'photograph'],
      result: async ({ lines, data, photograph }) => [lines.length, data.length, photograph.width * photograph.height],
      judge: ([lines, samples, pixels]) => assert.ok(lines > 0 && samples === pixels, `${lines} ${samples} ${pixels}`),
    },
  ],
  'docs/fast-calls.md: Chains': [
    {
      as: 'js',
      given: fetched,
      look: ['edges'],
      result: ({ edges }) => edges.data.some((v) => v === 255),
      judge: (some) => assert.equal(some, true),
    },
  ],
  'docs/fast-calls.md: No door at all': [
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
  'docs/fast-calls.md: The side is measured': [
    {
      as: 'js',
      given: fetched,
      look: ['edges'],
      result: ({ edges }) => [edges.side, localStorage.getItem('foveola')],
      judge: ([side, stored]) => assert.deepEqual([side, stored], ['wasm', 'null']),
    },
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
        assert.ok(files.includes('/foveola/kernels.st.wasm') || files.includes('/foveola/worker.js'), files.join());
        assert.ok(!files.some((file) => /^\/dist\/(worker|kernels)/.test(file)), files.join());
      },
    },
  ],
  'docs/embedding.md: Content security policy': [
    { as: 'csp', kind: 'policy' },
    { as: 'html', after: '<foveola-pupil src="/demo/media/sample.webm" controls></foveola-pupil>', done: pupilFound },
  ],
  'docs/embedding.md: In a frame': [{ as: 'html', kind: 'frame' }],
  'docs/embedding.md: Sources': [
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
  'docs/embedding.md: Filters': [{ as: 'html', script: true, done: elementSays('foveola-filter') }],
  'docs/embedding.md: Faces, and the pupils of their eyes': [
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
  ],
  'docs/embedding.md: Vessels': [
    {
      as: 'html',
      script: true,
      done: `${elementSays('foveola-vessels')} && !!document.querySelector('foveola-vessels').result`,
    },
  ],
  'docs/embedding.md: Events, states, styling': [{ as: 'css', kind: 'styles' }],

  'docs/image-files.md: Image files': [
    {
      as: 'js',
      given: `globalThis.file = await (await fetch('/media/fundus.dcm')).blob();
        globalThis.signal = new AbortController().signal;
        globalThis.onProgress = () => {}; // told of slow files only
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
        assert.equal(calls.length, 5);
        calls.forEach(frontal);
        assert.equal(typeof calls[0][0].score, 'number');
      },
    },
  ],
  'docs/models.md: Landmarks': [
    {
      as: 'html',
      script: true,
      done: 'told.results.some(({ faces }) => faces?.[0]?.landmarks)',
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
        return [faces.length, faces[0]?.landmarks ?? null, globalThis.told.console.length];
      },
      judge: ([faces, landmarks, lines]) => {
        assert.ok(faces >= 1 && landmarks === null, 'boxes alone again');
        assert.ok(lines > 0, 'the progress was told');
      },
    },
  ],
};
