// The pages that the soak test opens, and the code that runs in them.

/* global document, MediaStream, MediaStreamTrackGenerator, OffscreenCanvas, self, VideoFrame, Worker */

/** Runs before the worker's script: keeps references to the objects that a soak measures and removes. */
const workerPrologue = `
self.soak = { began: performance.now(), contexts: [], arenas: [], textures: 0, owners: null };
{
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = function (...given) {
    const context = getContext.apply(this, given);
    if (!context?.createTexture || self.soak.contexts.includes(context)) return context;
    self.soak.contexts.push(context);
    const { createTexture, deleteTexture } = context;
    let textures = 0;
    const count = (more) => ((textures += more), (self.soak.textures += more));
    context.createTexture = function () {
      count(1);
      return createTexture.call(this);
    };
    context.deleteTexture = function (texture) {
      if (texture && textures) count(-1);
      return deleteTexture.call(this, texture);
    };
    // They end with it. No call has to delete them.
    this.addEventListener('webglcontextlost', () => count(-textures));
    return context;
  };
  // The owners of a block: the functions that requested it, if a soak asks for them.
  self.soak.adopt = (arena) => {
    self.soak.arenas.push(arena);
    const { owners } = self.soak;
    if (!owners) return;
    const { allocate, free } = arena;
    const held = new Map();
    owners.push(held);
    arena.allocate = function (bytes) {
      const address = allocate.call(this, bytes);
      const calls = new Error().stack.split('\\n').slice(2, 9).map((line) => /at (?:async )?(\\S+)/.exec(line)?.[1]);
      held.set(address, [bytes, calls.join(' < ')]);
      return address;
    };
    arena.free = function (address) {
      held.delete(address);
      return free.call(this, address);
    };
  };
}
`;

/**
 * The worker's script with the code that a soak needs.
 * @param script of the engine's worker, built or bundled
 * @param owners also who holds each block of the arena
 */
export function soakWorker(script, owners) {
  const memory = /this\.memory\s*=\s*new WebAssembly\.Memory\(/g;
  if (script.match(memory)?.length !== 1) throw new Error('The arena is not where the soak looks for it.');
  const seen = script.replace(memory, 'self.soak.adopt(this),$&');
  return `${workerPrologue}self.soak.owners = ${owners ? '[]' : 'null'};\n${seen}`;
}

/** Recordings that loop, a face that moves, a photograph: the five elements, on one engine. */
export const soakPage = (recording) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>soak</title>
  <script src="/dist/foveola.cdn.js" data-worker="/soak-worker.js" data-assets="/dist/"></script>
  <style>body { display: grid; grid-template-columns: repeat(3, 320px) }</style></head>
  <body>
    <foveola-pupil id="pupil" src="${recording}" loop controls></foveola-pupil>
    <foveola-face id="face" controls></foveola-face>
    <foveola-track id="track" src="${recording}" loop controls></foveola-track>
    <foveola-vessels id="vessels" src="/demo/media/fundus.jpg" controls></foveola-vessels>
    <foveola-filter id="filter" src="${recording}" operation="canny" backend="gpu" loop controls></foveola-filter>
  </body></html>`;

/** The element of pupils alone. */
export const onePage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>soak</title>
  <script src="/dist/foveola.cdn.js" data-worker="/soak-worker.js" data-assets="/dist/"></script></head>
  <body><foveola-pupil id="pupil" controls></foveola-pupil></body></html>`;

/** In the page, before its scripts: keeps hold of the engines' workers, the oldest first. */
export function catchWorkers() {
  const { Worker } = self;
  self.engineWorkers = [];
  let died = false;
  self.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.began = performance.now();
      this.successor = died;
      if (String(given[0]).includes('soak-worker')) self.engineWorkers.push(this);
    }
    terminate() {
      self.engineWorkers = self.engineWorkers.filter((one) => one !== this);
      died = true;
      super.terminate();
    }
  };
}

/** In the page, before its scripts: where frames were made that were collected without having been closed or given away. */
export function catchFrames() {
  const { VideoFrame } = self;
  self.unclosedFrames = [];
  const registry = new FinalizationRegistry((made) => made.closed || self.unclosedFrames.push(made.stack));
  const known = new WeakMap();
  const note = (frame) => {
    const made = { stack: new Error().stack.split('\n').slice(2, 9).join(' < '), closed: false };
    known.set(frame, made);
    registry.register(frame, made);
    return frame;
  };
  const end = (frame) => known.has(frame) && (known.get(frame).closed = true);
  const { clone, close } = VideoFrame.prototype;
  VideoFrame.prototype.clone = function () {
    return note(clone.call(this));
  };
  VideoFrame.prototype.close = function () {
    end(this);
    return close.call(this);
  };
  self.VideoFrame = new Proxy(VideoFrame, {
    construct: (target, given) => note(Reflect.construct(target, given)),
  });
  for (const { prototype } of [self.Worker, self.MessagePort]) {
    const { postMessage } = prototype;
    prototype.postMessage = function (...given) {
      postMessage.apply(this, given);
      const transferred = Array.isArray(given[1]) ? given[1] : (given[1]?.transfer ?? []);
      transferred.forEach((one) => end(one));
    };
  }
}

/** In the page: everything runs, and pupils are recorded if `recorded`. */
export async function begin(recorded) {
  const get = (id) => document.getElementById(id);
  const portrait = new self.Image();
  portrait.src = '/test/media/portrait.png';
  await portrait.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
  const context = canvas.getContext('2d');
  let at = 0;
  setInterval(() => {
    at += 0.05;
    context.drawImage(portrait, -80 - 20 * Math.cos(at), -10 - 10 * Math.sin(at));
  }, 33);
  context.drawImage(portrait, -80, -10);
  get('face').source = canvas.captureStream(30);
  get('track').box = { x: 100, y: 70, width: 80, height: 60 };
  self.heard = { results: {}, errors: [] };
  for (const id of ['pupil', 'face', 'track', 'vessels', 'filter']) {
    self.heard.results[id] = 0;
    get(id).addEventListener('foveola-result', () => self.heard.results[id]++);
    get(id).addEventListener('foveola-error', ({ detail }) =>
      self.heard.errors.push(`${id}: ${detail.code}: ${detail.message}`),
    );
  }
  await Promise.all(['pupil', 'filter'].map((id) => get(id).ready));
  while (!self.heard.results.pupil) await new Promise((resolve) => setTimeout(resolve, 50));
  if (recorded) get('pupil').record();
}

/**
 * Runs in the page of pupils alone: a camera with the given frame rate that plays a recording back and forth. A worker feeds
 * it, so that it continues while the tab is hidden.
 */
export async function beginCamera(recording, rate, worker, recorded) {
  const pictures = [];
  for await (const { frame } of self.foveola.frames(await (await fetch(recording)).blob(), { everyFrame: true })) {
    const canvas = new OffscreenCanvas(frame.displayWidth, frame.displayHeight);
    canvas.getContext('2d').drawImage(frame, 0, 0);
    pictures.push(new VideoFrame(canvas, { timestamp: 0 }));
  }
  const back = pictures.slice(1, -1).map((picture) => picture.clone());
  pictures.push(...back.reverse());
  const generator = new MediaStreamTrackGenerator({ kind: 'video' });
  const script = URL.createObjectURL(new Blob([`(${worker})()`], { type: 'text/javascript' }));
  new Worker(script).postMessage({ pictures, writable: generator.writable, rate }, [generator.writable, ...pictures]);
  const element = document.getElementById('pupil');
  self.heard = { results: { pupil: 0, tracker: 0 }, errors: [] };
  const hear = ({ code, message }) => self.heard.errors.push(`${code}: ${message}`);
  /** By the library: a display shows an element 60 frames per second at most, a track has all frames. */
  const trackAll = async (stream) => {
    const engine = await self.foveola.createEngine();
    const tracker = await engine.createPupilTracker({ method: 'starburst' });
    for await (const { frame, timestamp, dropped } of self.foveola.frames(stream))
      await tracker.process(frame, { timestamp, dropped }).then(() => self.heard.results.tracker++, hear);
  };
  element.addEventListener('foveola-result', () => self.heard.results.pupil++);
  element.addEventListener('foveola-error', ({ detail }) => hear(detail));
  element.source = new MediaStream([generator.clone()]);
  while (!self.heard.results.pupil) await new Promise((resolve) => setTimeout(resolve, 50));
  if (recorded) element.record();
  void trackAll(new MediaStream([generator]));
}

/** In the page: one of the things that people do, or the end of a worker that is older than `share` ms. False: it was not done. */
export function disturb(kind, share) {
  const get = (id) => document.getElementById(id);
  /** Undefined while the element is away. */
  const video = (id) => get(id)?.shadowRoot.querySelector('video');
  switch (kind) {
    case 'seek':
      for (const id of ['track', 'filter']) if (video(id)) video(id).currentTime = share * (video(id).duration || 0);
      break;
    case 'source':
      get('filter').src = share < 0.5 ? '/demo/media/sample.webm' : '/test/media/portrait.png';
      get('vessels').src = share < 0.5 ? '/test/media/coffee.jpg' : '/demo/media/fundus.jpg';
      break;
    case 'settings':
      if (get('filter')) get('filter').operation = ['canny', 'flow', 'hough', 'median'][Math.floor(4 * share)];
      get('pupil').method = ['robust', 'starburst', 'threshold', 'hough'][Math.floor(4 * share)];
      break;
    case 'remove': {
      // Away and back: as a page of a portal does that changes its view.
      const track = get('track');
      if (!track) break; // still away: timers are late on a busy machine
      const parent = track.parentNode;
      track.remove();
      setTimeout(() => parent.insertBefore(track, get('vessels')), 500);
      break;
    }
    case 'worker':
      // Two engines take turns: the engine that restarted last is the youngest. An engine that just restarted on a busy machine is
      // left alone: three ended workers within a minute stop an engine for good.
      if (!self.engineWorkers.length) return false;
      if (self.engineWorkers[0].successor && performance.now() - self.engineWorkers[0].began < share) return false;
      self.engineWorkers[0].terminate();
      break;
    default:
      throw new Error(kind);
  }
  return true;
}

/** Runs in a worker, so that the source continues while the page is blocked: pictures that were drawn before, with separate times. */
export function source() {
  self.onmessage = async ({ data: { pictures, writable, rate } }) => {
    const writer = writable.getWriter();
    const began = performance.now();
    for (let frame = 0; ; frame++) {
      const due = began + (1000 * frame) / rate;
      if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      const picture = pictures[frame % pictures.length];
      await writer.write(new VideoFrame(picture, { timestamp: Math.round((frame * 1e6) / rate) }));
    }
  };
}
