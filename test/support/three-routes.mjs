// One file, three routes: played in a page, every frame in a page, and Node. What comes of each, and where they differ.
//
//   const routes = await openThreeRoutes();               // a site with a page, and an engine in Node
//   const made = await routes.of('/path/of/rot90.mp4');   // { live, every, node }
//   differences(made)                                     // [] where they agree, else sentences
//   await routes.close();
//
// What is made of each route:
//   frames     how many
//   times      milliseconds into the recording, of each frame
//   size       'WxH' of the first frame; sizes: of each
//   diameters  of the pupil in each frame, px; NaN where none was found
//   levels     mean gray level of each frame; digests: a hash of its gray plane
//   notes      what the reader of the file said of it
//   refusal    null, or { code, message, partial }: what ended it, also after some frames
//
// A route is a function ({ library, engine, file }, see) that awaits `see(frame, mediaTime)` for each frame, in order; `frame` is
// any source of an engine call. These are those of recordings; others are given: `openThreeRoutes({ live, every, node })`. The
// first two run in the page (so they can use nothing around them) and get a File, in Node `file` is a path.
/* global crypto, HTMLMediaElement */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/setup.mjs';
import { startSite } from './pages.mjs';

/** Played as `frames(file)` plays it, but slowly enough that none of `least` frames is left out: the last one is not counted. */
async function played({ library, file, least = 0 }, see) {
  const media = HTMLMediaElement.prototype;
  const { play } = media;
  for (let rate = 2; ; rate /= 2) {
    media.play = function slowly() {
      this.playbackRate = rate;
      return play.call(this);
    };
    const seen = [];
    let left = 0;
    let enough = true;
    try {
      for await (const { frame, mediaTime, dropped } of library.frames(file)) {
        left += dropped;
        seen.push([frame.clone(), mediaTime]);
      }
    } finally {
      media.play = play;
      enough = (!left && seen.length >= least) || rate < 0.3;
      for (const [frame, time] of seen) {
        if (enough) await see(frame, time);
        frame.close();
      }
    }
    if (enough) return;
  }
}

async function readInPage({ library, file }, see) {
  for await (const { frame, mediaTime } of library.frames(file, { everyFrame: true })) await see(frame, mediaTime);
}

async function readInNode({ library, file, decoder }, see) {
  for await (const { frame, mediaTime, notes } of library.frames(file, { decoder })) await see(frame, mediaTime, notes);
}

/** In the page and in Node alike. */
async function measured(route, { engine, ...given }) {
  const made = { frames: 0, times: [], sizes: [], diameters: [], levels: [], digests: [], notes: [], refusal: null };
  const tracker = engine.createPupilTracker({ method: 'robust' });
  try {
    await route({ engine, ...given }, async (frame, mediaTime, notes = []) => {
      const { pupils } = await tracker.process(frame, { timestamp: 40 * made.frames });
      const [{ width, height, data }] = await engine.pyramid(frame, { levels: 1 });
      const hash = new Uint32Array(await crypto.subtle.digest('SHA-256', data));
      made.frames++;
      made.times.push(mediaTime);
      made.sizes.push(`${width}x${height}`);
      made.diameters.push(pupils[0]?.found ? pupils[0].diameter : NaN);
      made.levels.push(data.reduce((sum, level) => sum + level, 0) / data.length);
      made.digests.push(hash[0]);
      made.notes = [...notes, ...(frame.notes ?? [])];
    });
  } catch (error) {
    const { code = String(error), message, partial = null } = error ?? {};
    made.refusal = { code, message, partial };
  } finally {
    await tracker.dispose();
  }
  return { ...made, size: made.sizes[0] ?? null };
}

const script = (library, routes) => `
import * as library from '${library}';
const routes = { ${Object.entries(routes).map(([name, route]) => `${name}: ${route}`)} };
const measured = ${measured};
const engine = library.createEngine({ backend: 'wasm', threads: 1 });
let playing = Promise.resolve(); // one recording after the other, or they would take frames from each other
window.take = (name, address, least) => {
  if (name !== 'live') return taken(name, address, least);
  const made = playing.then(() => taken(name, address, least));
  playing = made.catch(() => {});
  return made;
};
const taken = async (name, address, least) => {
  const bytes = await (await fetch(address)).blob();
  const file = new File([bytes], address.split('/').at(-1));
  return JSON.stringify(await measured(routes[name], { library, engine: await engine, file, least }));
};
window.ready = true;`;

/**
 * @param options.live, every, node  other routes than those of recordings
 * @param options.library  address of the built library on the site
 * @param options.nodeLibrary  its module for Node
 * @param options.mounts  further folders of the site, by prefix
 */
export async function openThreeRoutes({
  live = played,
  every = readInPage,
  node = readInNode,
  library = '/dist/foveola.js',
  nodeLibrary,
  mounts,
} = {}) {
  const routes = {
    '/routes.html': '<!doctype html><title>routes</title><script type="module" src="/routes.js"></script>',
    '/routes.js': script(library, { live, every }),
  };
  const inNode = nodeLibrary ?? (await import(pathToFileURL(path.join(root, 'dist/node.js')).href));
  const site = await startSite({ routes, mounts });
  const { page, errors } = await site.open('/routes.html');
  await page.waitForFunction(() => window.ready);
  const engine = await inNode.createEngine({ threads: 1 });

  async function inPage(name, file, least) {
    const address = `/file/${path.basename(file)}`;
    routes[address] ??= readFileSync(file);
    const text = await page.evaluate((...given) => window.take(...given), name, address, least);
    return JSON.parse(text, (key, value) => (value === null && /^\d+$/.test(key) ? NaN : value)); // of diameters
  }
  const made = {
    live: (file, least) => inPage('live', file, least),
    every: (file) => inPage('every', file),
    /** `decoder`: 'node-av' or 'ffmpeg'. */
    node: (file, decoder) => measured(node, { library: inNode, engine, file, decoder }),
  };
  return {
    ...{ ...made, page, errors, site },
    async of(file) {
      const every = await made.every(file);
      return { live: await made.live(file, every.frames), every, node: await made.node(file) };
    },
    async close() {
      await engine.dispose();
      await site.close();
    },
  };
}

const worst = (a, b) =>
  a.reduce((most, value, i) => {
    if (Number.isNaN(value) && Number.isNaN(b[i])) return most;
    const difference = Math.abs(value - b[i]);
    return Number.isNaN(difference) ? Infinity : Math.max(most, difference);
  }, 0);

/**
 * How routes differ, each against the first: in frames, times (ms), sizes, pupils (px), levels, refusals (their code).
 * @param limits  how far they may: 0.001 ms (times are rounded to microseconds), and not at all
 */
export function differences(made, { time = 0.0011, pupil = 0, level = 0 } = {}) {
  const [[name, first], ...others] = Object.entries(made);
  return others.flatMap(([other, one]) => {
    const found = [];
    const say = (what, a, b) => found.push(`${other} against ${name}: ${what} ${b}, not ${a}`);
    if (one.frames !== first.frames) return [`${other} against ${name}: ${one.frames} frames, not ${first.frames}`];
    if (String(one.sizes) !== String(first.sizes)) say('sizes', first.sizes, one.sizes);
    if (worst(first.times, one.times) > time) say('times', first.times, one.times);
    if (worst(first.diameters, one.diameters) > pupil) say('diameters', first.diameters, one.diameters);
    if (worst(first.levels, one.levels) > level) say('levels', first.levels, one.levels);
    if (level === 0 && String(one.digests) !== String(first.digests)) say('pixels', first.digests, one.digests);
    if (one.refusal?.code !== first.refusal?.code) say('refusal', first.refusal?.code, one.refusal?.code);
    return found;
  });
}
