// Snippets that are neither plain pages nor modules of a page: tests and benchmarks, policies, frames, styles.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { context } from '../../bench/run.mjs';
import { root } from '../../tools/serve.mjs';
import { short } from './full.mjs';
import { pageAround } from './snippet-site.mjs';
import { blocks, placeOf } from './snippets.mjs';
import { shared } from './pages.mjs';

/* global caches, getComputedStyle, unitResults */

const run = (args, options) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => resolve({ code, output }));
  });

let folders = 0;
/** Calls work with a file of this text, from which the project is seen as from test/<folder>/. */
async function inProject(folder, name, text, work) {
  const home = path.join(root, `build/snippets-${process.pid}-${folders++}`);
  mkdirSync(path.join(home, 'test', folder), { recursive: true });
  try {
    for (const seen of ['tools', 'glsl', 'src', 'test/support', 'test/reference'])
      symlinkSync(path.join(root, seen), path.join(home, seen), 'junction');
    const file = path.join(home, 'test', folder, name);
    writeFileSync(file, text);
    return await work(file);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** node:test, in a process of its own. */
const node = (text, { folder, passes }) =>
  inProject(folder, 'docs.test.mjs', text, async (file) => {
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // it would report to the run around it
    const { code, output } = await run(['--test', '--test-reporter=tap', file], { cwd: root, env });
    const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1]);
    assert.equal(code, 0, output);
    assert.equal(count('pass') + count('skipped'), passes, output);
    assert.ok(count('pass') > 0, output);
  });

/** What mocha gives a unit test, as far as the docs use it. */
const mocha = () => {
  const work = [];
  window.unitResults = null;
  window.describe = (title, body) => body();
  window.it = (title, body) => work.push([title, body]);
  window.describe.skip = window.it.skip = () => {};
  window.runUnits = async () => {
    const results = [];
    for (const [title, body] of work)
      results.push([
        title,
        await (async () => body())().then(
          () => 'passed',
          (error) => String(error),
        ),
      ]);
    window.unitResults = results;
  };
};

const unit = (text, { passes }, { site }) =>
  inProject('erode', 'docs.test.ts', text, async (file) => {
    const { bundleForPage } = await import('../../tools/import-ts.mjs');
    const content = `${await bundleForPage(file)}\nwindow.runUnits();`;
    const { page } = await site.open('/empty.html', { before: (opened) => opened.evaluateOnNewDocument(mocha) });
    try {
      await page.addScriptTag({ content, type: 'module' });
      await page.waitForFunction(() => unitResults, { polling: 50, timeout: 30_000 });
      const results = await page.evaluate(() => unitResults);
      for (const [title, result] of results) assert.equal(result, 'passed', title);
      assert.equal(results.length, shared ? passes : passes - 1); // one of them needs ../shared
    } finally {
      await page.close();
    }
  });

const bench = (text) =>
  inProject('bench', 'docs.mjs', text, async (file) => {
    const rows = [];
    const given = await context([], '');
    const said = { ...given, shared: root, log: (line) => rows.push([line]), table: (lines) => rows.push(...lines) };
    try {
      await (await import(pathToFileURL(file).href)).default(said);
      assert.equal(rows.length, 2, rows.join('\n'));
      assert.ok(rows[1][1] > 5, rows.join('\n'));
    } finally {
      await given.closeAll();
    }
  });

/** The policy as a header of the page and the worker: with the tag that the docs show, and with modules. */
async function policy(text, { wait }, { html }) {
  const header = text.trim().replace(/\s+/g, ' ');
  const tag = blocks.find((block) => placeOf(block) === 'docs/embedding.md: One tag').text;
  const element = tag.slice(tag.indexOf('<foveola-pupil'));
  const done = `heard.results.some(({ pupils }) => pupils[0].found)`;
  const modules = `<script type="module" src="foveola.elements.js"></script>${element}`;
  for (const body of short ? [tag] : [tag, `<script src="foveola.cdn.js"></script>${element}`, modules]) {
    const { page } = await html(body, { policy: header, done, ...(wait && { wait }) });
    const used = await page.$eval('foveola-pupil', async (e) => (await e.ready).worker);
    assert.equal(used, true, body);
    await page.close();
  }
}

/** The page inside the frame, of another origin, opens the camera. */
async function frame(text, _, { html }) {
  const inside = pageAround('<script src="foveola.cdn.js"></script><foveola-pupil camera controls></foveola-pupil>');
  const heard = `window.heard = { results: 0, errors: [] };
    addEventListener('foveola-error', ({ detail }) => heard.errors.push(detail.code + ' ' + detail.message), true);
    addEventListener('foveola-result', () => heard.results++, true);`;
  const others = (host, name) => {
    if (host !== 'portal.example') return null;
    if (name === '/eye.html') return inside;
    if (name === '/heard.js') return heard;
    return readFileSync(path.join(root, 'dist', name));
  };
  const { page } = await html(text, { others, done: "document.querySelector('iframe')" });
  try {
    const portal = await (await page.waitForSelector('iframe')).contentFrame();
    await portal.waitForFunction(() => customElements.get('foveola-pupil'));
    await portal.$eval('foveola-pupil', (element) => void element.start()?.catch?.(() => {}));
    await portal.waitForFunction(() => heard.results > 2 || heard.errors.length, { polling: 50, timeout: 30_000 });
    const { errors } = await portal.evaluate(() => heard);
    assert.deepEqual(errors, []);
  } finally {
    await page.close();
  }
}

async function styles(text, _, { html }) {
  const element = '<foveola-pupil src="eye.webm" controls></foveola-pupil>';
  const { page } = await html(`<style>${text}</style>${element}`, {
    script: true,
    done: 'heard.results.some(({ pupils }) => pupils[0].found)',
  });
  const seen = await page.$eval('foveola-pupil', async (pupil) => {
    const own = getComputedStyle(pupil);
    await pupil.pause?.();
    pupil.toggleAttribute('lost', true);
    return {
      chart: getComputedStyle(pupil.shadowRoot.querySelector('[part~=chart]')).display,
      outline: own.outlineStyle,
      scheme: own.colorScheme,
      ellipse: own.getPropertyValue('--foveola-ellipse'),
      height: own.getPropertyValue('--foveola-max-height'),
    };
  });
  await page.close();
  assert.deepEqual(seen, { chart: 'none', outline: 'solid', scheme: 'dark', ellipse: '#00e5ff', height: '420px' });
}

/** The built package in Node, in a folder with these files. */
async function installed(text, { files, says }) {
  const home = path.join(root, `build/snippets-${process.pid}-${folders++}`);
  mkdirSync(home, { recursive: true });
  try {
    for (const [name, file] of Object.entries(files)) symlinkSync(path.join(root, file), path.join(home, name));
    const library = JSON.stringify(pathToFileURL(path.join(root, 'dist/node.js')).href);
    writeFileSync(path.join(home, 'use.mjs'), text.replace("'foveola/node'", library));
    const { code, output } = await run(['use.mjs'], { cwd: home });
    assert.equal(code, 0, output);
    assert.match(output, says);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A service worker that keeps the files which it names: they are there when the network is not. */
async function offline(text, _, { site, served }) {
  const at = served('sw.js', text);
  const { page } = await site.open(`${at}page.html`);
  try {
    const kept = await page.evaluate(async () => {
      await navigator.serviceWorker.register('sw.js');
      await navigator.serviceWorker.ready;
      return (await (await caches.open('foveola')).keys()).map(({ url }) => url);
    });
    assert.equal(kept.length, [...text.matchAll(/'[\w.-]+\.js'/g)].length, kept.join(' '));
    await page.reload(); // now the worker answers
    const { requests } = site.server;
    const before = requests.length;
    const fetched = (urls) => page.evaluate((all) => Promise.all(all.map(async (url) => (await fetch(url)).ok)), urls);
    // Browsers also ask for an icon, and whether sw.js has changed.
    const asked = () => requests.slice(before).filter((name) => name.startsWith(at) && !name.endsWith('/sw.js'));
    assert.deepEqual(await fetched(kept), kept.map(() => true)); // prettier-ignore
    assert.deepEqual(asked(), [], 'kept files are asked for');
    assert.deepEqual(await fetched([`${at}no-such-file.js`]), [false]);
    assert.deepEqual(asked(), [`${at}no-such-file.js`]);
  } finally {
    await page.close();
  }
}

export const kinds = { unit, node, installed, bench, policy, frame, styles, offline };
