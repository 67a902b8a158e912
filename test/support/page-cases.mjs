// Cases of docs/sources.md, browsers.md, glossary.md and element-methods.md; their form is described in snippet-cases.mjs.
import assert from 'node:assert/strict';

const pupilFound = 'heard.results.some(({ pupils }) => pupils?.[0].found)';
const clip = `globalThis.file = await (await fetch('/demo/media/sample.webm')).blob();`;
const photograph = `globalThis.file = await (await fetch('/media/face.png')).blob();`;
const disc = `const width = 160, height = 120;
  const dark = (i) => (Math.hypot((i % width) - 80, Math.floor(i / width) - 60) < 20 ? 20 : 180);
  globalThis.image = { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => dark(i)) };`;
const engine = `import { createEngine } from 'foveola';
  globalThis.engine = await createEngine();`;
/** An element with its first result. */
const shown = (name, source, more = '') => `import 'foveola/elements/${name}.js';
  const element = Object.assign(document.createElement('foveola-${name}'), { src: '${source}', controls: true${more} });
  document.body.append(element);
  await new Promise((resolve) => element.addEventListener('foveola-result', resolve, { once: true }));`;
const pupil = shown('pupil', '/demo/media/sample.webm');
const vessels = `${shown('vessels', '/media/fundus.jpg')}
  while (!element.result) await new Promise((resolve) => setTimeout(resolve, 20));`;

export const pageCases = {
  'docs/sources.md: frames': [
    {
      as: 'js',
      given: clip,
      look: ['diameters'],
      result: ({ diameters }) => diameters,
      judge: (diameters) => assert.ok(diameters.length === 3 && diameters[0] > 5, `${diameters}`),
    },
  ],
  'docs/sources.md: readImage': [
    {
      as: 'js',
      given: photograph,
      look: ['image', 'notes'],
      result: ({ image, notes }) => [image.width > 100, notes],
      judge: (result) => assert.deepEqual(result, [true, []]),
    },
  ],
  'docs/sources.md: listCameras': [
    {
      as: 'js',
      look: ['cameras'],
      result: ({ cameras }) => cameras.length,
      judge: (count) => assert.ok(count > 0),
    },
  ],
  'docs/sources.md: openCamera': [
    {
      as: 'js',
      look: ['camera'],
      result: ({ camera }) => camera.connected,
      judge: (connected) => assert.equal(connected, false),
    },
  ],
  'docs/sources.md: resume': [
    {
      as: 'js',
      look: ['camera'],
      result: ({ camera }) => [camera.track.readyState, camera.connected],
      judge: (result) => assert.deepEqual(result, ['ended', false]),
    },
  ],
  'docs/sources.md: Recording': [
    {
      as: 'js',
      look: ['row'],
      result: ({ row }) => row,
      judge: (row) => assert.deepEqual(row, [41.24, null]),
    },
  ],
  'docs/sources.md: release': [
    {
      as: 'js',
      look: ['last', 'marked', 'first'],
      result: ({ last, marked, first }) => [last, ...marked, first],
      judge: (result) => assert.deepEqual(result, [995, 91, 50]),
    },
  ],
  'docs/browsers.md: Check your browser': [
    {
      as: 'js',
      look: ['backend'],
      result: ({ backend }) => backend,
      judge: (backend) => assert.match(backend, /wasm|gpu/),
    },
  ],
  'docs/browsers.md: Limits': [
    { as: 'js', given: engine, look: ['code'], result: ({ code }) => code, judge: (code) => assert.equal(code, 'image-too-large') }, // prettier-ignore
  ],
  'docs/glossary.md: Glossary': [
    {
      as: 'js',
      given: disc,
      look: ['ellipse'],
      result: ({ ellipse }) => ellipse.x,
      judge: (x) => assert.ok(Math.abs(x - 80) < 1, `${x}`),
    },
  ],
  'docs/element-methods.md: Open a source': [
    {
      as: 'js',
      given: `import 'foveola/elements/pupil.js'; ${clip} document.body.append(document.createElement('foveola-pupil'));`,
      result: () => document.activeElement.localName,
      judge: (focused) => assert.equal(focused, 'foveola-pupil'),
    },
    {
      as: 'js',
      given: `import 'foveola/elements/pupil.js'; document.body.append(document.createElement('foveola-pupil'));`,
      look: ['eye'],
      result: ({ eye }) => eye.localName,
      judge: (name) => assert.equal(name, 'foveola-pupil'),
    },
  ],
  'docs/element-methods.md: Play': [
    {
      as: 'js',
      given: pupil,
      look: ['first', 'next'],
      result: ({ first, next }) => [first.pupils.length, next.timestamp > first.timestamp],
      judge: (result) => assert.deepEqual(result, [1, true]),
    },
  ],
  'docs/element-methods.md: Record': [
    {
      as: 'js',
      given: pupil,
      look: ['csv'],
      result: ({ csv }) => csv.includes('flash'),
      judge: (marked) => assert.equal(marked, true),
    },
  ],
  'docs/element-methods.md: Analyze': [
    {
      as: 'js',
      given: pupil,
      look: ['complete', 'frames', 'rows'],
      result: ({ complete, frames, rows }) => [complete, frames === rows.length],
      judge: (result) => assert.deepEqual(result, [true, true]),
    },
  ],
  'docs/element-methods.md: Export': [
    {
      as: 'js',
      given: pupil,
      look: ['rows', 'image', 'video'],
      result: ({ rows, image, video }) => [rows.length > 10, image.type, video.type.split(/[/;]/)[0]],
      judge: (result) => assert.deepEqual(result, [true, 'image/png', 'video']),
    },
  ],
  'docs/element-methods.md: Settings': [
    {
      as: 'js',
      given: pupil,
      look: ['changed'],
      result: ({ changed }) => changed,
      judge: (changed) => assert.deepEqual(changed, [true, true]),
    },
  ],
  'docs/element-methods.md: Filters': [
    {
      as: 'js',
      given: shown('filter', '/media/face.png'),
      look: ['png'],
      result: ({ png }) => png.type,
      judge: (type) => assert.equal(type, 'image/png'),
    },
  ],
  'docs/element-methods.md: Objects': [
    {
      as: 'js',
      given: shown('track', '/demo/media/sample.webm', ', box: { x: 200, y: 100, width: 90, height: 90 }'),
      look: ['id'],
      result: ({ id }) => id,
      judge: (id) => assert.equal(typeof id, 'number'),
    },
  ],
  'docs/element-methods.md: Vessels': [
    {
      as: 'js',
      given: vessels,
      look: ['mask', 'fraction', 'report', 'printed'],
      result: ({ mask, fraction, report, printed }) => [
        mask.type,
        fraction > 0,
        typeof report,
        printed.includes('<html'),
      ],
      judge: (result) => assert.deepEqual(result, ['image/png', true, 'object', true]),
    },
  ],
  'docs/pupil-measures.md: What the cleaning does': [
    {
      as: 'js',
      given: `globalThis.samples = Array.from({ length: 1800 }, (_, i) => ({ timestamp: (i * 1000) / 60, diameter: 5 + 0.2 * Math.sin(i / 80) }));
        globalThis.sounds = [5000, 12000, 20000];`,
      look: ['perMinute', 'peakFrequency', 'rmsPercent', 'time', 'mean', 'count'],
      result: ({ perMinute, peakFrequency, rmsPercent, time, mean, count }) => [perMinute, peakFrequency, rmsPercent, time.length === mean.length, count[0]], // prettier-ignore
      judge: ([blinks, frequency, power, same, count]) => {
        assert.ok(
          blinks === 0 && Math.abs(frequency - 60 / (160 * Math.PI)) < 0.03 && power > 1,
          `${blinks} ${frequency} ${power}`,
        );
        assert.deepEqual([same, count], [true, 3]);
      },
    },
  ],
  'docs/pupil-measures.md: Both eyes': [
    {
      as: 'js',
      given: `const pupil = (eye, diameter) => ({ eye, found: true, confidence: 1, diameter, diameterMm: null, blink: false });
        globalThis.results = Array.from({ length: 180 }, (_, i) => ({ timestamp: (i * 1000) / 60, events: [], pupils: [pupil('right', 40), pupil('left', 50)] }));`,
      look: ['differencePercent', 'larger'],
      result: ({ differencePercent, larger }) => [Math.round(differencePercent), larger],
      judge: (result) => assert.deepEqual(result, [22, 'left']),
    },
  ],
  'docs/pupil-methods.md: What all methods do': [
    {
      as: 'js',
      given: `${engine} ${disc}`,
      look: ['pupils'],
      result: ({ pupils }) => pupils[0].found,
      judge: (found) => assert.equal(found, true),
    },
  ],
  'docs/pupil-methods.md: Two eyes': [
    {
      as: 'js',
      given: `${engine} ${disc}`,
      look: ['sides'],
      result: ({ sides }) => sides.map(([eye]) => eye),
      judge: (sides) => assert.deepEqual(sides, ['right', 'left']),
    },
  ],
  'docs/pupil-methods.md: Frames in flight': [
    {
      as: 'js',
      given: `${engine} ${disc} globalThis.images = [image, image, image];`,
      look: ['diameters'],
      result: ({ diameters }) => diameters,
      judge: (diameters) => assert.ok(diameters.length === 3 && Math.abs(diameters[2] - 40) < 2, `${diameters}`),
    },
  ],
  'docs/recordings.md: Every frame of a recording': [
    {
      as: 'js',
      given: pupil,
      look: ['complete', 'frames', 'shares'],
      result: ({ complete, frames, shares }) => [complete, frames > 10, shares.at(-1)],
      judge: (result) => assert.deepEqual(result, [true, true, 1]),
    },
  ],
  'docs/data-format.md: Blinks, closures and losses': [
    {
      as: 'js',
      given: pupil,
      look: ['blinks'],
      result: ({ blinks }) => Array.isArray(blinks),
      judge: (listed) => assert.equal(listed, true),
    },
  ],
  'docs/data-format.md: Clocks': [
    {
      as: 'js',
      given: `${pupil} await element.start();`,
      result: async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const eye = document.querySelector('foveola-pupil');
        eye.record();
        return JSON.parse(await eye.exportJson()).markers.map(({ label }) => label);
      },
      judge: (labels) => assert.ok(labels.includes('flash'), `${labels}`),
    },
  ],
  'docs/errors.md: invalid-argument': [
    {
      as: 'js',
      given: `${engine} ${disc}`,
      look: ['message'],
      result: ({ message }) => message,
      judge: (message) => assert.match(message, /sigma.*-1/),
    },
  ],
  'docs/errors.md: aborted': [
    {
      as: 'js',
      given: `${engine} ${disc} globalThis.mask = { ...image, data: image.data.map((v) => (v < 100 ? 255 : 0)) };`,
      look: ['code', 'partial'],
      result: ({ code }) => code,
      judge: (code) => assert.equal(code, 'aborted'),
    },
  ],
  'docs/image-files.md: Scale': [
    {
      as: 'js',
      given: `${engine} globalThis.file = await (await fetch('/media/fundus.dcm')).blob();`,
      look: ['scale'],
      result: ({ scale }) => scale.from,
      judge: (from) => assert.equal(from, 'file'),
    },
  ],
  'docs/using-elements.md: Settings': [{ as: 'html', done: pupilFound }],
  'docs/calibration.md: From a known scale': [
    {
      as: 'js',
      given: `${engine} ${disc}`,
      look: ['diameter', 'diameterMm'],
      result: ({ diameter, diameterMm }) => diameterMm / diameter,
      judge: (scale) => assert.ok(Math.abs(scale - 0.05) < 1e-9, `${scale}`),
    },
  ],
};
