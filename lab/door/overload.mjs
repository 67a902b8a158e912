// Overload: ten elements on one engine, a source of 120 frames a second, the page's thread blocked for 2 s: latency, dropped frames, repaints.
//   --seconds N    before and after the block; default 8
//   --rate N       frames a second of the source; default 120
//   --elements a,b the elements; default three pupils, two faces, two tracks, canny, flow, vessels
import { source } from '../../tools/soak/page.mjs';
import { atLeast, atMost, fixed, Report } from '../../bench/parts/report.mjs';
import { quantile as percentile } from '../../bench/parts/numbers.mjs';

/* global self, document, MediaStream, MediaStreamTrackGenerator, OffscreenCanvas, VideoFrame, Worker, requestAnimationFrame */

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>overload</title>
  <script src="/dist/foveola.cdn.js"></script>
  <style>body { display: grid; grid-template-columns: repeat(5, 240px) }</style>`;

/** In the page, before its scripts: how old frames are when they are sent to the engine, and how long it has them. */
function watchDoor() {
  self.door = { ages: [], engine: [] };
  const sent = new Map();
  const watched = new WeakSet();
  const { postMessage } = self.Worker.prototype;
  self.Worker.prototype.postMessage = function (message, ...rest) {
    const call = ['process', 'operation'].includes(message?.path?.[0]) && message.argumentList[0].value;
    if (call) {
      const now = performance.now();
      sent.set(message.id, now);
      if (call.timestamp !== undefined) self.door.ages.push([now, now - call.timestamp]);
      if (!watched.has(this))
        this.addEventListener('message', ({ data }) => {
          const from = sent.get(data?.id);
          if (from !== undefined) self.door.engine.push([from, performance.now() - from]);
          sent.delete(data?.id);
        });
      watched.add(this);
    }
    return postMessage.call(this, message, ...rest);
  };
}

/** In the page: the source, the elements, and what is noted of them. */
async function begin(tags, rate, worker) {
  const portrait = new self.Image();
  portrait.src = '/test/media/portrait.png';
  await portrait.decode();
  const pictures = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const canvas = new OffscreenCanvas(640, 480);
      const context = canvas.getContext('2d');
      const at = (2 * Math.PI * i) / 24;
      context.fillStyle = '#999';
      context.fillRect(0, 0, 640, 480);
      context.drawImage(portrait, 10 * Math.cos(at), 40 + 10 * Math.sin(at), 320, 320);
      context.fillStyle = '#111';
      context.beginPath();
      context.arc(480 + 20 * Math.cos(at), 240 + 20 * Math.sin(at), 40, 0, 7);
      context.fill();
      return new VideoFrame(canvas, { timestamp: 0 });
    }),
  );
  const generator = new MediaStreamTrackGenerator({ kind: 'video' });
  const script = URL.createObjectURL(new Blob([`(${worker})()`], { type: 'text/javascript' }));
  new Worker(script).postMessage({ pictures, writable: generator.writable, rate }, [generator.writable, ...pictures]);
  self.heard = { results: tags.map(() => []), repaints: [], errors: [] };
  const repaint = () => (self.heard.repaints.push(performance.now()), requestAnimationFrame(repaint));
  const elements = tags.map((tag, i) => {
    const [name, operation] = tag.split(':');
    const element = document.createElement(`foveola-${name}`);
    if (operation) element.operation = operation;
    if (name === 'vessels') element.maxFps = 120;
    if (name === 'track') element.box = { x: 420, y: 180, width: 120, height: 120 };
    element.addEventListener('foveola-result', ({ detail }) =>
      self.heard.results[i].push([performance.now(), detail.timestamp, detail.dropped]),
    );
    element.addEventListener('foveola-error', ({ detail }) => self.heard.errors.push(`${tag}: ${detail.code}`));
    element.source = new MediaStream([generator.clone()]);
    document.body.append(element);
    return element;
  });
  while (self.heard.results.some((list) => !list.length)) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const element of elements) element.record();
  requestAnimationFrame(repaint);
}

/** In the page: nothing runs for so long. */
function block(milliseconds) {
  const from = performance.now();
  while (performance.now() < from + milliseconds);
  return [from, performance.now()];
}

/** In the page: frames of the source, as the recordings have them. */
async function finish(tags) {
  const elements = [...document.body.children].filter(({ localName }) => localName.startsWith('foveola-'));
  const until = performance.now();
  const recorded = await Promise.all(
    elements.map(async (element) => {
      element.record();
      const { rows } = JSON.parse(await element.exportJson({ recording: true }));
      const dropped = new Map();
      for (const row of rows) dropped.set(row.frame, row.dropped); // each row of a frame has what was dropped before it
      const frames = [...dropped.keys()];
      const arrived = frames.length ? frames.at(-1) - frames[0] : 0;
      const left = [...dropped.values()].slice(1).reduce((sum, count) => sum + count, 0);
      return { arrived, analyzed: Math.max(0, frames.length - 1), dropped: left };
    }),
  );
  return { ...self.heard, ...self.door, recorded, until, tags };
}

export default async function overload(given) {
  const { args, serve, openBrowser } = given;
  const option = (name, usual) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : usual);
  const seconds = Number(option('seconds', 8));
  const rate = Number(option('rate', 120));
  const usual = 'pupil,pupil,pupil,face,face,track,track,filter:canny,filter:opticalFlow,vessels';
  const tags = option('elements', usual.replace('opticalFlow', 'flow')).split(',');
  const server = await serve({ routes: { '/overload.html': page } });
  const browser = await openBrowser();
  const tab = await browser.newPage();
  await tab.setViewport({ width: 1300, height: 1400 }); // what is out of sight is not processed
  await tab.evaluateOnNewDocument(watchDoor);
  await tab.goto(new URL('/overload.html', server.url).href);
  await tab.evaluate(begin, tags, rate, String(source));
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await wait(3000); // programs are compiled, models loaded
  const from = await tab.evaluate(() => performance.now());
  await wait(1000 * seconds);
  const [blocked, free] = await tab.evaluate(block, 2000);
  await wait(1000 * seconds);
  const { results, repaints, errors, recorded, until, ages: sentAges, engine } = await tab.evaluate(finish, tags);
  const report = new Report(given);
  report.heading(`${tags.length} elements, a source of ${rate} frames a second, the page blocked for 2 s`);
  const rows = [
    [
      'element',
      'results a second',
      'latency, ms: median',
      '95 %',
      'after the block, ms',
      'arrived',
      'analyzed',
      'dropped',
    ],
  ];
  const all = [];
  for (const [i, tag] of tags.entries()) {
    const apart = ([at, time]) => at > from && (at < blocked || time > blocked);
    const ages = results[i].filter(apart).map(([at, time]) => at - time);
    all.push(...ages);
    const first = results[i].find(([, time]) => time > blocked);
    const free1 = results[i].filter(([at]) => at > from && (at < blocked || at > free)).length;
    const { arrived, analyzed, dropped } = recorded[i];
    rows.push([
      tag,
      fixed((1000 * free1) / (until - from - (free - blocked))),
      fixed(percentile(ages, 0.5), 0),
      fixed(percentile(ages, 0.95), 0),
      first ? fixed(first[0] - free, 0) : '-',
      ...[arrived, analyzed, dropped],
    ]);
    if (analyzed + dropped !== arrived) throw new Error(`${tag}: ${analyzed} + ${dropped} frames of ${arrived}.`);
  }
  report.table(rows);
  const second = (list, a, b) => (1000 * list.filter((at) => at > a && at < b).length) / (b - a);
  const shares = [];
  for (let at = from; at + 1000 <= blocked; at += 1000) shares.push(second(repaints, at, at + 1000));
  for (let at = free; at + 1000 <= until; at += 1000) shares.push(second(repaints, at, at + 1000));
  const during = (list) => list.filter(([at]) => at > from && (at < blocked - 500 || at > free)).map(([, ms]) => ms);
  const spread = (list) => `${fixed(percentile(list, 0.5), 0)} ms, 95 % ${fixed(percentile(list, 0.95), 0)} ms`;
  report.list([
    `all elements: ${all.length} results, latency from the newest frame median ${fixed(percentile(all, 0.5), 0)} ms, 95 % ${fixed(percentile(all, 0.95), 0)} ms`,
    `of it: age of a frame when it is sent to the engine median ${spread(during(sentAges))}; in the engine and on the way there and back ${spread(during(engine))}`,
    `the page repaints ${fixed(percentile(shares, 0.5))} times a second in the median, ${fixed(Math.min(...shares))} in its worst second`,
    atMost('ms of latency at the newest frame, 95 %', percentile(all, 0.95), 100, 0),
    atMost('the same, the oldest', Math.max(...all), 100, 0),
    atLeast('repaints in the worst second', Math.min(...shares), 50, 0),
    ...(errors.length ? [`errors: ${errors.join(', ')}`] : []),
  ]);
  report.finish('lab/results/reliability.md', 'overload door', 'overload door');
}
