// Runs snippets of the docs in a browser: as pages with the files that they name beside them, or as modules.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importTs } from '../../tools/import-ts.mjs';
import { mimeType, root, sendFile } from '../../tools/serve.mjs';
import { short } from './full.mjs';
import { fakeCamera, startSite } from './pages.mjs';

/* global FileReader, MediaRecorder */

const dist = path.join(root, 'dist');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const limit = 30_000;

export const importMap = JSON.stringify({
  imports: {
    foveola: '/dist/foveola.js',
    'foveola/reports': '/dist/reports.js',
    'foveola/elements': '/dist/elements.js',
    'foveola/elements/': '/dist/elements/',
    'foveola/strings/': '/dist/strings/',
    lit: '/node_modules/lit/index.js',
    'lit/': '/node_modules/lit/',
    '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
    '@lit/reactive-element/': '/node_modules/@lit/reactive-element/',
    'lit-html': '/node_modules/lit-html/lit-html.js',
    'lit-html/': '/node_modules/lit-html/',
    'lit-element/lit-element.js': '/node_modules/lit-element/lit-element.js',
  },
});

/** Keeps what the elements tell, and from which. A file of its own: a strict policy allows no inline script. */
const heard = `window.heard = { results: [], from: [], errors: [], console: [] };
  addEventListener('securitypolicyviolation', (e) => heard.errors.push(e.violatedDirective + ' ' + e.blockedURI));
  addEventListener('foveola-error', ({ detail }) => heard.errors.push(detail.code + ' ' + detail.message), true);
  addEventListener('foveola-result', ({ detail, target }) => { heard.results.push(detail); heard.from.push([target.localName]); }, true);
  const { log } = console;
  console.log = (...words) => { heard.console.push(words.join(' ')); log(...words); };`;

/** A camera that shows the drawn face. */
const faked = () => {
  navigator.mediaDevices.getUserMedia = async () => {
    const { drawFace, width, height } = await import('/demo/drawn-face.js');
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const draw = () => drawFace(context, performance.now());
    draw();
    setInterval(draw, 40);
    return canvas.captureStream();
  };
};

export const pageAround = (text, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>snippet</title><script src="/heard.js"></script>${head}</head>\n<body>\n${text}</body></html>`;

/** Media that are drawn: { 'fundus.jpg', 'face.png', 'face.webm' }, and the fundus as pixels. */
async function drawMedia(site, frames) {
  const { page } = await site.open('/empty.html');
  const drawn = await page.evaluate(async (count) => {
    const { drawFundus } = await import('/demo/fundus.js');
    const { drawFace, width, height } = await import('/demo/drawn-face.js');
    const base64 = async (blob) => {
      const address = await new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
      });
      return address.slice(address.indexOf(',') + 1);
    };
    const asFile = (canvas, type) => new Promise((resolve) => canvas.toBlob(resolve, type)).then(base64);
    const fundus = drawFundus(400, 400);
    const { data } = fundus.getContext('2d').getImageData(0, 0, 400, 400);
    const face = Object.assign(document.createElement('canvas'), { width, height });
    const context = face.getContext('2d');
    drawFace(context, 1000);
    const recorder = new MediaRecorder(face.captureStream(), { mimeType: 'video/webm' });
    const parts = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    const ended = new Promise((resolve) => (recorder.onstop = resolve));
    const png = await asFile(face, 'image/png');
    recorder.start();
    for (let t = 0; t < count; t++) {
      drawFace(context, 1000 + 40 * t);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await ended;
    return {
      'fundus.jpg': await asFile(fundus, 'image/jpeg'),
      'face.png': png,
      'face.webm': await base64(new Blob(parts)),
      pixels: await base64(new Blob([data])),
    };
  }, frames);
  await page.close();
  return Object.fromEntries(Object.entries(drawn).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
}

async function dicomOf(rgba) {
  const { dicomFile, pictureElements } = await importTs('test/support/dicom-writer.ts');
  const spacing = [0x00280030, 'DS', '0.0074\\0.0074'];
  const pixels = Uint8Array.from(rgba.filter((_, index) => index % 4 < 3));
  return Buffer.from(await dicomFile({ elements: pictureElements(400, 400, { samples: 3 }, [spacing]), pixels }));
}

/**
 * @returns { site, html(text, case), module(text, case), headers, close() }; html and module reject with what went wrong
 */
export async function startSnippetSite() {
  const routes = { '/heard.js': heard, '/empty.html': pageAround('') };
  const headers = {};
  const mounts = { '/foveola/': dist };
  const clip = (request, response) =>
    sendFile(request, response, path.join(root, 'demo/media/sample.webm'), { 'Content-Type': 'video/webm' });
  const site = await startSite({
    routes,
    headers: (address) => headers[address] ?? {},
    mounts,
    args: fakeCamera,
  });
  const media = await drawMedia(site, short ? 25 : 75); // at 25 a second
  const { packLandmarks, steadyLandmarks } = await importTs('test/node/faces/library.ts');
  const sent = (bytes, type) => (_, response) => response.writeHead(200, { 'Content-Type': type }).end(bytes);
  for (const name of ['fundus.jpg', 'face.png', 'face.webm']) routes[`/media/${name}`] = media[name];
  routes['/media/fundus.dcm'] = await dicomOf(media.pixels);
  routes['/models/landmarks.bin'] = Buffer.from(packLandmarks(steadyLandmarks(), 'exact'));
  routes['/models/profile.bin'] = readFileSync(path.join(dist, 'models/frontalface_default.bin'));

  let count = 0;
  /** A folder with everything in it that a snippet may name. */
  function folder() {
    const at = `/${count++}/`;
    mounts[at] = dist;
    for (const name of ['recording.webm', 'eye.webm', 'street.webm']) routes[at + name] = clip;
    routes[`${at}talk.mp4`] = sent(media['face.webm'], 'video/mp4');
    routes[`${at}fundus.jpg`] = media['fundus.jpg'];
    return at;
  }

  /** Answers for the other origins that the docs name, so that their addresses can stay as they are. */
  async function answerOthers(page, others) {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const { protocol, host, pathname } = new URL(request.url());
      if (protocol !== 'https:') return request.continue();
      const body = others(host, pathname);
      if (!body) return request.respond({ status: 404, body: '' });
      const allowed = { 'Access-Control-Allow-Origin': '*' };
      return request.respond({ status: 200, contentType: mimeType(pathname), headers: allowed, body });
    });
  }
  const cdn = (host, pathname) => {
    const start = `/foveola@${version}/dist/`;
    return (
      host === 'the-cdn.example' &&
      pathname.startsWith(start) &&
      readFileSync(path.join(dist, pathname.slice(start.length)))
    );
  };

  const problems = async (page, errors) => {
    // A video element drops requests half-way when it has enough.
    const own = errors.filter((text) => !/\.(webm|mp4) net::ERR_ABORTED$/.test(text));
    return [...own, ...(await page.evaluate(() => window.heard?.errors ?? []))];
  };

  async function html(text, { script, after = '', done, run, faked: camera, others = cdn, policy, wait = limit }) {
    const at = folder();
    const address = `${at}page.html`;
    routes[address] = pageAround(text + after, script ? '<script src="foveola.cdn.js"></script>' : '');
    if (policy) headers[address] = headers[`${at}worker.js`] = { 'Content-Security-Policy': policy };
    const { page, errors } = await site.open(address, {
      before: async (opened) => {
        if (camera) await opened.evaluateOnNewDocument(faked);
        if (text.includes('https://')) await answerOthers(opened, others);
      },
    });
    try {
      const found = (async () => {
        if (run) await page.evaluate(run);
        await page.waitForFunction(done, { polling: 50, timeout: wait });
      })();
      await found.catch(async (error) => {
        throw new Error([error.message, ...(await problems(page, errors))].join('\n'));
      });
      const wrong = await problems(page, errors);
      if (wrong.length) throw new Error(wrong.join('\n'));
      return { page, errors };
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  async function module(text, { given = '', look = [], result = () => null }) {
    const at = folder();
    routes[`${at}page.html`] = pageAround('', `<script type="importmap">${importMap}</script>`);
    routes[`${at}given.js`] = given;
    // What the snippet declares is seen from outside by an export behind it.
    routes[`${at}snippet.js`] = look.length ? `${text}\nexport { ${look.join(', ')} };` : text;
    routes[`${at}result.js`] = `export default ${result};`;
    const { page, errors } = await site.open(`${at}page.html`);
    try {
      const value = await page.evaluate(async (base) => {
        await import(`${base}given.js`);
        const names = await import(`${base}snippet.js`);
        return (await import(`${base}result.js`)).default(names);
      }, at);
      const wrong = await problems(page, errors);
      if (wrong.length) throw new Error(wrong.join('\n'));
      return value;
    } finally {
      await page.close();
    }
  }

  /** A folder with an empty page and this file; answers its address. */
  function served(name, text) {
    const at = folder();
    routes[`${at}page.html`] = pageAround('');
    routes[at + name] = text;
    return at;
  }

  return { site, html, module, served, close: () => site.close() };
}
