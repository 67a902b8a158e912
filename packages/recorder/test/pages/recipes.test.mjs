// Full run only: it builds the script, and opens a browser with a camera that plays a drawn eye.
// The code of README.md as it is printed, with stand-ins for the frameworks. Each stand-in runs code as its framework does:
// PsychoJS and lab.js wait for promises, OSWeb does not.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'node:test';
import { publint } from 'publint';
import { startSite, strictPolicy } from '../../../../test/support/pages.mjs';
import { root } from '../../../../tools/serve.mjs';

/* global foveola, item, pupilRecorder, run */

const folder = path.join(root, 'packages/recorder');
const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
/** The blocks of code under a heading. */
function codeOf(heading) {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  return Array.from(section.matchAll(/^```js\n([^]*?)^```/gm), ([, code]) => code);
}

/** Two seconds of an eye whose pupil changes its size, as a file that Chromium plays as a camera. */
function eyeVideo() {
  const [width, height] = [320, 240];
  const chroma = Buffer.alloc((width * height) / 2, 128);
  const frames = Array.from({ length: 60 }, (_, i) => {
    const pupil = 28 + 6 * Math.sin((2 * Math.PI * i) / 60);
    const luma = Buffer.alloc(width * height);
    for (let y = 0, k = 0; y < height; y++)
      for (let x = 0; x < width; x++, k++) {
        const r = Math.hypot(x - 160, y - 120);
        luma[k] = r < pupil ? 20 : r < 75 ? 110 : r < 110 ? 225 : 170;
      }
    return Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  });
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F30:1 Ip C420jpeg\n`), ...frames]);
}

const page = (...scripts) =>
  `<!doctype html><html lang="en"><title>test</title>${scripts.map((src) => `<script src="${src}"></script>`).join('')}`;
/** `run` waits for the promises of the code, `item` does not. */
const runner = `const run = (code, self) => (async () => {}).constructor(code).call(self);
const item = (code, vars) => Function('vars', code)(vars);`;

describe('@foveola/recorder in a browser', () => {
  let site;
  let temporary;
  before(async () => {
    execFileSync(process.execPath, [path.join(folder, 'build.mjs')], { stdio: 'pipe' });
    temporary = mkdtempSync(path.join(tmpdir(), 'foveola-eye-'));
    const video = path.join(temporary, 'eye.y4m');
    writeFileSync(video, eyeVideo());
    site = await startSite({
      alone: true,
      mounts: { '/foveola/': path.join(folder, 'dist') },
      routes: {
        '/run.js': runner,
        '/strict.html': page('/foveola/foveola-recorder.cdn.js'),
        '/page.html': page('/run.js', '/foveola/foveola-recorder.cdn.js'),
        '/without.html': page('/run.js'),
      },
      headers: (address) => (address === '/strict.html' ? { 'Content-Security-Policy': strictPolicy } : {}),
      args: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`], // prettier-ignore
    });
  });
  after(async () => {
    await site?.close();
    if (temporary) rmSync(temporary, { recursive: true, force: true });
  });
  async function opened(address, work, ...given) {
    const { page: tab, errors } = await site.open(address);
    const result = await tab.evaluate(work, ...given);
    assert.deepEqual(errors, []);
    return { result, tab };
  }
  const isMeasured = ({ pupil_diameter: diameter, pupil_found: found }) =>
    assert.ok(diameter > 40 && diameter < 72 && found > 0.9, `${diameter} px, ${found}`);
  /** A table with markers, in which the pupil was found. */
  function isTable(csv, label) {
    const [head, ...rows] = csv.trim().split('\n').map((line) => line.split(',')); // prettier-ignore
    assert.ok(rows.length > 3, csv.slice(0, 200));
    assert.ok(rows.some((row) => row[head.indexOf('marker')] === label), label); // prettier-ignore
    assert.ok(rows.some((row) => Number(row[head.indexOf('diameter_px')]) > 40));
  }

  it('measures the pupil under a strict policy, with at most 120 kB until the first sample', async () => {
    const { result, tab } = await opened('/strict.html', async () => {
      const recorder = foveola.record();
      const begun = recorder.mark('before');
      await recorder.start();
      const fetched = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      const { timestamp } = recorder.mark('stimulus');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const measures = await recorder.measure(timestamp);
      const again = await recorder.start().then(() => '', (error) => error.code); // prettier-ignore
      const { stream } = recorder;
      const record = await recorder.stop();
      const after = await recorder.measure(performance.now() + 1);
      return {
        ...{ fetched, measures, again, after, csv: record.csv(), json: JSON.parse(record.json()), begun },
        ended: stream.getTracks().every(({ readyState }) => readyState === 'ended'),
      };
    });
    const files = [...new Set(result.fetched.filter((name) => name.startsWith('/foveola/')))];
    assert.deepEqual(files.sort(), ['/foveola/foveola-recorder.cdn.js', '/foveola/foveola-recorder.kernels.js']);
    const bytes = files.map((file) => gzipSync(readFileSync(path.join(folder, 'dist', path.basename(file))), { level: 9 }).length); // prettier-ignore
    assert.ok(bytes.reduce((a, b) => a + b) <= 120_000, bytes.join());
    const { measures, json } = result;
    assert.ok(measures.diameter > 40 && measures.diameter < 72 && measures.found > 0.9, JSON.stringify(measures));
    assert.deepEqual([measures.unit, measures.complete, measures.frames > 5], ['px', true, true]);
    assert.deepEqual(result.after, { ...result.after, diameter: null, frames: 0, found: null, complete: false });
    assert.deepEqual([result.again, result.ended], ['invalid-argument', true]);
    isTable(result.csv, 'stimulus');
    assert.deepEqual(json.markers.map(({ label }) => label), ['before', 'stimulus']); // prettier-ignore
    assert.equal(json.parameters.method, 'robust');
    assert.ok(json.rows.length >= json.frames && json.source.width === 320);
    await tab.close();
  });

  it('uses the stream of the page, and leaves it open', async () => {
    const { result, tab } = await opened('/page.html', async () => {
      const stream = await navigator.mediaDevices.getUserMedia({ video: true });
      let results = 0;
      const recorder = foveola.record(stream, { tracker: { millimetresPerPixel: 0.1 }, onResult: () => results++ });
      await recorder.start();
      const measures = await recorder.measure(0);
      await recorder.stop();
      return { live: stream.active, results, measures };
    });
    assert.ok(result.live && result.results > 0);
    assert.deepEqual([result.measures.unit, result.measures.diameter < 7.2], ['mm', true]);
    await tab.close();
  });

  it('says what is wrong without a camera, and when it is stopped too soon', async () => {
    const { result, tab } = await opened('/page.html', async () => {
      const codeOfError = (promise) => promise.then(() => 'none', ({ code }) => code); // prettier-ignore
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(Object.assign(new Error(), { name: 'NotAllowedError' }));
      const denied = await codeOfError(foveola.record().start());
      const canvas = document.createElement('canvas');
      canvas.getContext('2d');
      const recorder = foveola.record(canvas.captureStream(0)); // without a frame
      const start = codeOfError(recorder.start());
      const record = await recorder.stop();
      return { denied, stopped: await start, rows: record.recording.length };
    });
    assert.deepEqual(result, { denied: 'camera-denied', stopped: 'aborted', rows: 0 });
    await tab.close();
  });

  it('README: the first example', async () => {
    const { result, tab } = await opened('/page.html', async (code) => {
      const shown = [];
      console.log = (...values) => shown.push(values);
      await run(code);
      return shown[0];
    }, codeOf('Record')[0]); // prettier-ignore
    const [diameter, unit, , found, csv] = result;
    isMeasured({ pupil_diameter: diameter, pupil_found: found });
    assert.equal(unit, 'px');
    isTable(csv, 'stimulus');
    await tab.close();
  });

  it('README: PsychoJS', async () => {
    const { result, tab } = await opened('/without.html', async ([begin, routineBegin, routineEnd, end]) => {
      const [rows, files] = [[{}], {}];
      Object.assign(window, {
        ...{ pupilRecorder: undefined, pupilOnset: undefined }, // Builder declares them
        psychoJS: {
          experiment: { addData: (key, value) => (rows.at(-1)[key] = value) },
          serverManager: { uploadData: async (key, value) => void (files[key] = value) },
        },
      });
      await run(begin);
      for (let trial = 0; trial < 2; trial++) {
        await run(routineBegin);
        await new Promise((resolve) => setTimeout(resolve, 400));
        await run(routineEnd);
        rows.push({});
      }
      await run(end);
      return { rows, files };
    }, codeOf('PsychoJS')); // prettier-ignore
    assert.equal(result.rows.length, 3);
    for (const row of result.rows.slice(0, 2)) isMeasured(row);
    isTable(result.files['pupil.csv'], 'trial');
    await tab.close();
  });

  it('README: lab.js', async () => {
    const { result, tab } = await opened('/page.html', async ([first, start, end, last]) => {
      const rows = [];
      const component = async (before, after) => {
        const self = { data: {} };
        await run(before, self);
        await new Promise((resolve) => setTimeout(resolve, 400));
        await run(after, self); // lab.js waits for it, and then stores the data
        rows.push(self.data);
      };
      await component(first, '');
      await component(start, end);
      await component('', last);
      return rows;
    }, codeOf('lab.js')); // prettier-ignore
    isMeasured(result[1]);
    isTable(result[2].pupil_csv, 'trial');
    await tab.close();
  });

  it('README: OSWeb', async () => {
    const { result, tab } = await opened('/page.html', async ([first, trial, last]) => {
      const vars = {};
      const file = new Promise((resolve) => (window.jatos = { uploadResultFile: (...given) => resolve(given) }));
      item(first, vars);
      while (!pupilRecorder.recording.length) await new Promise((resolve) => setTimeout(resolve, 20)); // instructions
      item(trial, vars);
      await new Promise((resolve) => setTimeout(resolve, 400));
      item(last, vars);
      return { vars, file: await file };
    }, codeOf('OSWeb')); // prettier-ignore
    const [csv, name] = result.file;
    assert.equal(name, 'pupil.csv');
    assert.ok(result.vars.pupil_onset > 0);
    isTable(csv, 'trial');
    await tab.close();
  });

  it('README: Gorilla', async () => {
    const { result, tab } = await opened('/page.html', async ([code]) => {
      const metrics = [];
      const finished = new Promise((resolve) => {
        window.gorilla = { ready: (work) => work(), metric: (row) => metrics.push(row), finish: resolve };
      });
      window.showTrial = () => new Promise((resolve) => setTimeout(resolve, 400));
      await run(code);
      await finished;
      return metrics;
    }, codeOf('Gorilla and similar pages')); // prettier-ignore
    assert.deepEqual(result.map(({ trial }) => trial), [1, 2]); // prettier-ignore
    for (const row of result) isMeasured(row);
    await tab.close();
  });

  it('is a well-made package, says publint', async () => {
    const { messages } = await publint({ pkgDir: folder, strict: true });
    assert.deepEqual(messages, []);
  });
});
