// Full run only: a browser or processes for each test.
// The pages of examples/ as they stand, under the strict policy, opened as `npm start` serves them. The portal with a recording
// and a FHIR server is in portal.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
/* global caches, localStorage, Event */
import { after, before, describe, it } from 'node:test';
import { exampleMounts, exampleRoutes } from '../../tools/examples.mjs';
import { root, serve } from '../../tools/serve.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { heard } from './element-support.mjs';

const ofElements = (page, work, ...args) => page.$$eval('foveola-pupil', work, ...args);
const until = (page, work, ...args) => page.waitForFunction(work, { polling: 50, timeout: 30_000 }, ...args);
const policy = `${strictPolicy}; require-trusted-types-for 'script'`;

describe('the example', () => {
  let site;
  let portalHeaders = {};
  before(async () => {
    site = await startSite({
      routes: exampleRoutes,
      mounts: exampleMounts,
      headers: (address) => {
        if (address.startsWith('/examples/portal/portal.html')) return portalHeaders;
        if (address.startsWith('/examples/react/')) return { 'Content-Security-Policy': strictPolicy };
        return address.startsWith('/examples/') ? { 'Content-Security-Policy': policy } : {};
      },
      args: ['--use-fake-device-for-media-stream=device-count=3', '--use-fake-ui-for-media-stream'],
    });
  });
  after(() => site?.close());

  it('plain: finds the pupil', async () => {
    const { page, errors } = await site.open('/examples/plain/');
    await until(page, () => document.querySelector('foveola-pupil').tracking);
    const { worker } = await ofElements(page, ([element]) => element.ready);
    assert.equal(worker, true);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('react: the component and the library tell what they find', async () => {
    const { page, errors } = await site.open('/examples/react/');
    await until(page, () => {
      const [pupil, faces] = [...document.querySelectorAll('output')].map((output) => output.textContent);
      return pupil?.startsWith('pupil found') && faces === '0 faces';
    });
    const { worker } = await ofElements(page, ([element]) => element.ready);
    assert.equal(worker, true);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('twenty elements: one worker, those in sight run, no WebGL context too many', async () => {
    const warnings = [];
    const { page, errors } = await site.open('/examples/twenty/', {
      before: async (opened) => {
        opened.on('console', (message) => message.type() === 'warn' && warnings.push(message.text()));
        await opened.setViewport({ width: 800, height: 600 });
        // On the GPU side, where a context each would be too many; else machines without graphics hardware make none.
        await opened.evaluateOnNewDocument(() =>
          document.addEventListener('DOMContentLoaded', () => {
            for (const element of document.querySelectorAll('foveola-pupil')) element.backend = 'gpu';
          }),
        );
      },
    });
    const states = () => ofElements(page, (elements) => elements.map(({ state }) => state));
    const settled = (from, to) =>
      until(
        page,
        (first, last) => {
          const elements = [...document.querySelectorAll('foveola-pupil')];
          const seen = elements.map((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return bottom > 0 && top < window.innerHeight;
          });
          const right = elements.every(({ state }, i) => state === (seen[i] ? 'running' : 'paused'));
          return right && seen.slice(first, last).every(Boolean) && elements.every(({ sourceName }) => sourceName);
        },
        from,
        to,
      );
    await settled(0, 2);
    const first = await states();
    assert.equal(first.length, 20);
    assert.ok(first.filter((state) => state === 'running').length < 10, first.join());
    assert.equal(page.workers().length, 1);
    const gpu = await ofElements(page, (elements) =>
      Promise.all(elements.map(({ ready }) => ready.then((able) => able.gpu))),
    );
    assert.equal(gpu.filter(Boolean).length, 20);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await settled(18, 20);
    assert.equal(page.workers().length, 1);
    assert.match(await page.$eval('#message', (message) => message.textContent), /^\d of 20 are in sight and run\.$/);
    // A video drops requests half-way when it has enough.
    const faults = errors.filter((error) => !/\.webm net::ERR_ABORTED$/.test(error));
    assert.deepEqual([faults, warnings], [[], []]);
    await page.close();
  });

  it('offline: works with the server gone, and takes a new version when its user says so', async () => {
    const address = '/examples/offline/';
    const headers = () => ({ 'Content-Security-Policy': policy });
    let server = await serve({ mounts: exampleMounts, headers });
    const { port, url } = server;
    const opened = () => site.open(url + address, { before: (page) => page.evaluateOnNewDocument(heard) });
    const worksIn = async (page) => {
      await until(page, () => window.heard.results.some(({ faces }) => faces[0]?.landmarks?.length === 136));
      await until(page, () => document.querySelector('#message').textContent.startsWith('Stored on this device'));
    };
    const first = await opened();
    await worksIn(first.page);
    await first.page.close();
    await server.close();

    const offline = await opened();
    await worksIn(offline.page);
    assert.equal((await offline.page.evaluate(() => window.heard.ready)).worker, true);
    assert.deepEqual([first.errors, offline.errors], [[], []]);
    await offline.page.close();

    const script = readFileSync(path.join(root, 'examples/offline/service-worker.js'), 'utf8');
    const next = script.replace(/const version = '.*'/, "const version = 'next'");
    const routes = { [`${address}service-worker.js`]: next.replace("'foveola/player.js'", "'foveola/gone.js'") };
    server = await serve({ port, mounts: exampleMounts, headers, routes });
    assert.equal(server.port, port);
    const { page } = await opened();
    const updated = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update().catch(() => {});
      });
    const stored = () => page.evaluate(async () => [...(await caches.keys())].map((name) => name.split('-').pop()));
    await updated();
    await until(page, async () => !(await navigator.serviceWorker.ready).installing);
    assert.equal(await page.$eval('#update', (button) => button.hidden), true, 'a version that lacks a file is none');

    routes[`${address}service-worker.js`] = next;
    await updated();
    await until(page, () => !document.querySelector('#update').hidden);
    await Promise.all([page.waitForNavigation(), page.$eval('#update', (button) => button.click())]);
    await worksIn(page);
    assert.deepEqual(await stored(), ['next']);
    await page.close();
    await server.close();
  });

  it('two cameras: one for each eye, asked for once, kept, exchanged, waited for', async () => {
    const watched = () => {
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getUserMedia.bind(mediaDevices);
      const find = mediaDevices.enumerateDevices.bind(mediaDevices);
      Object.assign(window, { asked: [], atOnce: 0, pulled: null });
      let open = 0;
      mediaDevices.getUserMedia = async (wishes) => {
        window.asked.push(wishes.video.deviceId?.exact ?? null);
        window.atOnce = Math.max(window.atOnce, ++open);
        return ask(wishes).finally(() => open--);
      };
      mediaDevices.enumerateDevices = async () =>
        (await find()).filter(({ deviceId }) => !window.pulled || deviceId !== window.pulled);
    };
    const open = () => site.open('/examples/cameras/', { before: (page) => page.evaluateOnNewDocument(watched) });
    const running = (page) =>
      until(page, () => [...document.querySelectorAll('foveola-pupil')].every((element) => element.running));
    const shown = (page) =>
      page.evaluate(() => ({
        open: ['left', 'right'].map((name) => document.getElementById(name).cameraId),
        chosen: ['left', 'right'].map((name) => document.querySelector(`select[name=${name}]`).value),
        kept: ['left', 'right'].map((name) => localStorage.getItem(`camera-${name}`)),
      }));
    const press = (page) => page.$eval('#start', (button) => button.click());

    const first = await open();
    await press(first.page);
    await running(first.page);
    const { open: ids, ...rest } = await shown(first.page);
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(rest, { chosen: ids, kept: ids });
    assert.deepEqual(await first.page.evaluate(() => [window.asked.length, window.atOnce]), [2, 1]);
    await first.page.select('select[name=left]', ids[1]);
    const exchanged = [ids[1], ids[0]];
    await until(
      first.page,
      (wanted) =>
        ['left', 'right'].every((name, i) => {
          const element = document.getElementById(name);
          return element.running && element.cameraId === wanted[i];
        }),
      exchanged,
    );
    const present = (page) =>
      page.evaluate(async () => (await navigator.mediaDevices.enumerateDevices()).map(({ deviceId }) => deviceId));
    await first.page.close();

    const { page, errors } = await open();
    await press(page);
    await until(page, () =>
      [...document.querySelectorAll('foveola-pupil')].every((element) => element.running || element.error),
    );
    // Some browsers without a profile give each camera a new name in every page: those that were kept are waited for then.
    if (!(await present(page)).includes(exchanged[0])) {
      const codes = await ofElements(page, (elements) => elements.map(({ error }) => error?.code));
      assert.deepEqual(codes, ['camera-missing', 'camera-missing']);
      assert.deepEqual(await page.evaluate(() => window.asked), exchanged);
      await page.close();
      return;
    }
    await running(page);
    assert.deepEqual(await shown(page), { open: exchanged, chosen: exchanged, kept: exchanged });
    assert.deepEqual(await page.evaluate(() => window.asked), exchanged);

    const change = (pulled) =>
      page.evaluate((which) => {
        window.pulled = which;
        const video = document.getElementById('left').shadowRoot.querySelector('video');
        if (which) video.srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended'));
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
      }, pulled);
    await change(exchanged[0]);
    await until(page, () => document.getElementById('left').error?.code === 'camera-missing');
    await until(page, () => document.querySelector('select[name=left]').selectedOptions[0].label === 'not connected');
    assert.equal(await page.$eval('#right', (element) => element.running), true);
    await change(null);
    await running(page);
    assert.deepEqual(await shown(page), { open: exchanged, chosen: exchanged, kept: exchanged });
    assert.deepEqual([first.errors, errors], [[], []]);
    await page.close();
  });

  describe('portal, with the widget in a frame of another origin,', () => {
    const inFrame = async (withheld) => {
      const widgetOrigin = site.server.url.replace('127.0.0.1', 'localhost');
      portalHeaders = {
        'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; frame-src ${widgetOrigin}`,
        ...(withheld && { 'Permissions-Policy': 'camera=()' }),
      };
      const { page, errors } = await site.open('/examples/portal/portal.html?camera');
      await until(page, () => !document.querySelector('#start').disabled);
      const widget = page
        .frames()
        .find((frame) => frame.url().startsWith(`${widgetOrigin}/examples/portal/widget.html`));
      await page.$eval('#start', (button) => button.click());
      return { page, errors, widget };
    };

    it('measures with a camera', async () => {
      const { page, errors, widget } = await inFrame(false);
      await until(page, () => document.querySelector('#state').textContent.startsWith('Measuring'));
      const source = await widget.$eval('foveola-pupil-test', (test) => test.tracker.cameraId);
      assert.ok(source);
      await page.$eval('#stop', (button) => button.click());
      await until(page, () => document.querySelector('#state').textContent === 'The test was ended early.');
      assert.deepEqual(errors, []);
      await page.close();
    });

    it('says in the portal why there is no camera', async () => {
      const { page } = await inFrame(true);
      await until(page, () => /Permissions-Policy/.test(document.querySelector('#state').textContent));
      await page.close();
    });
  });
});
