// foveola/node gives what the page gives, byte for byte: pixels of photographs, frames and their times, results of trackers
// and operations, with one thread and with three.
/* global crypto */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { startSite } from '../support/pages.mjs';
import { library as nodeLibrary } from './support.mjs';

const at = (file) => path.join(root, file);
const digest = (data) =>
  createHash('sha256')
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex');
const photographs = [
  'test/media/cat.jpg',
  'test/media/coffee.jpg',
  'test/media/rocket.jpg',
  'demo/media/fundus.jpg',
  'test/media/portrait.png',
  'test/media/photographer.png',
  'demo/media/fundus.png',
].filter((file) => {
  try {
    return readFileSync(at(file));
  } catch {
    return false;
  }
});
const clip = 'demo/media/sample.webm';

describe('Node and the page', () => {
  let site;
  let page;
  let node;
  before(async () => {
    site = await startSite({ routes: { '/page.html': '<!doctype html><title>page</title>' } });
    ({ page } = await site.open('/page.html'));
    await page.evaluate(async () => {
      const library = (globalThis.library = await import('/dist/foveola.js'));
      globalThis.engine = await library.createEngine({ backend: 'wasm' });
      globalThis.digest = async (data) => {
        const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
        return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
      };
      globalThis.fileAt = async (address) => (await fetch(address)).blob();
    });
    node = await nodeLibrary();
  });
  after(() => site?.close());

  for (const file of photographs)
    it(`read ${file} alike`, async () => {
      const inPage = await page.evaluate(async (address) => {
        const { image, format } = await globalThis.library.readImage(await globalThis.fileAt(address));
        return { format, width: image.width, height: image.height, data: await globalThis.digest(image.data) };
      }, `/${file}`);
      const { image, format } = await node.readImage(at(file));
      assert.deepEqual({ format, width: image.width, height: image.height, data: digest(image.data) }, inPage);
    });

  /** The files that a person exports: they have all the digits that are measured, and no more. */
  const track = async (library, engine, source, options) => {
    const pupil = engine.createPupilTracker({ method: 'robust' });
    const object = engine.createObjectTracker();
    const pupils = new library.Recording(library.pupilColumns);
    const objects = new library.Recording(library.objectColumns);
    let frame = 0;
    for await (const { frame: picture, timestamp, mediaTime, clock } of library.frames(source, options)) {
      if (frame === 0) await object.start(picture, { x: 40, y: 40, width: 60, height: 60 });
      const timing = { frame: frame++, timestamp, clock, mediaTime, dropped: 0, throttled: 0 };
      const results = await Promise.all([
        pupil.process(picture, { timestamp }),
        object.process(picture, { timestamp }),
      ]);
      for (const row of library.pupilRows(results[0], timing)) pupils.push(row);
      for (const row of library.objectRows(results[1], timing)) objects.push(row);
    }
    await pupil.dispose();
    await object.dispose();
    const header = {
      ...{ software: 'foveola', version: '0', notice: '', started: null, clock: 'media', backend: 'wasm' },
      source: { name: 'a', kind: 'file', sha256: null, width: 0, height: 0 },
      ...{ parameters: { method: 'robust' }, renderer: null, threads: 0, frames: frame, dropped: 0 },
    };
    return [library.toPupilCsv(pupils, header), library.toCsv(objects, header)];
  };

  let tracked;
  const trackInPage = async () => {
    await page.evaluate(`globalThis.track = ${track}`);
    return page.evaluate(async (address) => {
      const { library, engine } = globalThis;
      return globalThis.track(library, engine, await globalThis.fileAt(address), { everyFrame: true });
    }, `/${clip}`);
  };

  for (const threads of [1, 3])
    it(`track a recording alike, with ${threads} thread${threads > 1 ? 's' : ''} in Node`, async () => {
      const inPage = await (tracked ??= trackInPage());
      const engine = await node.createEngine({ threads });
      assert.equal(engine.capabilities.threads, threads);
      const here = await track(node, engine, at(clip));
      here.forEach((text, which) => {
        const [own, other] = [text, inPage[which]].map((one) => one.split('\n'));
        assert.ok(own.length > 50);
        const line = own.findIndex((one, i) => one !== other[i]);
        assert.equal(own[line], other[line], `line ${line}`);
        assert.equal(own.length, other.length);
      });
      await engine.dispose();
    });

  // JavaScript engines differ in the last of the 16 digits that Math.atan2 and the like give: places and widths along vessels
  // that are computed from these differ by up to 0.01 px between two browsers as well.
  for (const [name, options, close] of [
    ['canny', { sigma: 1 }, 0],
    ['gaussian', { sigma: 3 }, 0],
    ['vessels', { measures: true }, 0.01],
    ['hessianEigenvalues', {}, 0],
    ['detectFaces', {}, 0],
  ])
    it(`compute ${name} alike`, async () => {
      const address = 'test/media/portrait.png';
      /** Every number of a result by its place, typed arrays as one list. */
      const numbers = (value) => {
        const out = {};
        const walk = (one, where) => {
          if (typeof one === 'number') (out[where] ??= []).push(Number.isNaN(one) ? null : one);
          else if (ArrayBuffer.isView(one)) out[where] = Array.from(one, (v) => (Number.isNaN(v) ? null : v));
          else if (one && typeof one === 'object')
            for (const key of Object.keys(one)) walk(one[key], `${where}.${key}`);
        };
        walk(value, '');
        return out;
      };
      await page.evaluate(`globalThis.numbers = ${numbers}`);
      const inPage = await page.evaluate(
        async (path, method, given) =>
          globalThis.numbers(await globalThis.engine[method](await globalThis.fileAt(path), given)),
        `/${address}`,
        name,
        options,
      );
      const engine = await node.createEngine({ threads: 2 });
      const here = numbers(await engine[name](at(address), options));
      await engine.dispose();
      assert.deepEqual(Object.keys(here), Object.keys(inPage));
      for (const [where, list] of Object.entries(here)) {
        const other = inPage[where];
        assert.equal(list.length, other.length, where);
        const worst = list.reduce((most, v, i) => {
          if (v === other[i]) return most;
          return Math.max(most, Math.abs(v - other[i]) / Math.max(1, Math.abs(v)));
        }, 0);
        assert.ok(worst <= (where.startsWith('.mask') ? 0 : close), `${name}${where}: ${worst}`);
      }
    });
});
