// Waits end: for a server that is silent before or within its answer, and for the connection of a recording.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { importTs } from '../../tools/import-ts.mjs';
import { root, serve } from '../../tools/serve.mjs';

const { patientFetch, Patience, within } = await importTs('src/runtime/patience.ts');
const { encodedPackets } = await importTs('src/frames/read-recording.ts');
const sample = readFileSync(path.join(root, 'demo/media/sample.webm'));

/** The sample many times over: a demuxer asks for half a megabyte at a time. */
async function longClip(times = 8) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(sample) });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track.getDecoderConfig();
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  const source = new EncodedVideoPacketSource(await track.getCodec());
  output.addVideoTrack(source);
  await output.start();
  let offset = 0;
  let count = 0;
  for (let i = 0, last = 0; i < times; i++, offset = last) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const at = { timestamp: packet.timestamp + offset };
      await source.add(packet.clone(at), { decoderConfig });
      last = at.timestamp + packet.duration;
      count++;
    }
  }
  await output.finalize();
  return { clip: Buffer.from(output.target.buffer), count };
}
const { clip, count: frames } = await longClip();

const { setInterval: realSet, clearInterval: realClear } = globalThis;
const ticks = new Set();
const tick = (times = 1) => {
  for (let i = 0; i < times; i++) for (const call of [...ticks]) call();
};

/** Lets the seconds of all waits pass until `work` settles. */
async function impatiently(work) {
  let over = false;
  const settled = work.finally(() => (over = true));
  settled.catch(() => {});
  while (!over) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    tick();
  }
  return settled;
}

const head = (request, response, type = 'video/webm') => {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from), to ? Number(to) + 1 : clip.length];
  response.writeHead(request.headers.range ? 206 : 200, {
    ...{ 'Content-Type': type, 'Content-Length': end - start, 'Accept-Ranges': 'bytes' },
    ...(request.headers.range && { 'Content-Range': `bytes ${start}-${end - 1}/${clip.length}` }),
  });
  return [start, end];
};
/** What no server sends: the middle. The index, at the end, is there. */
const GAP = [2_000_000, 4_000_000];
const isGone = (start) => start >= GAP[0] && start < GAP[1];

/** Sends what there is, then does as the test says. */
const gapped = (then) => (request, response) => {
  const [start, end] = head(request, response);
  if (start >= GAP[1]) response.end(clip.subarray(start, end));
  else response.write(clip.subarray(start, Math.min(end, GAP[0])), () => then(response));
};

const routes = {
  '/text.txt': 'all of it',
  '/silent.webm': () => {},
  '/half.webm': gapped(() => {}),
  '/breaks.webm': gapped((response) => response.destroy()),
  '/gone.webm': (request, response) => {
    const [, from = '0'] = /^bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
    if (isGone(Number(from))) return response.writeHead(404).end('<h1>Not found</h1>');
    gapped((it) => it.destroy())(request, response);
  },
  '/mends.webm': (() => {
    let asked = 0;
    return (request, response) => {
      const [start, end] = head(request, response);
      const all = asked++ > 3;
      response.write(clip.subarray(start, all ? end : Math.min(end, start + 300_000)), () => all || response.destroy());
      if (all) response.end();
    };
  })(),
};

describe('a wait', () => {
  let server;
  before(async () => (server = await serve({ routes })));
  beforeEach(() => {
    globalThis.setInterval = (call) => (ticks.add(call), call);
    globalThis.clearInterval = (call) => ticks.delete(call);
  });
  afterEach(() => {
    assert.equal(ticks.size, 0, 'all waits have ended');
    Object.assign(globalThis, { setInterval: realSet, clearInterval: realClear });
  });
  after(() => server.close());
  const at = (name) => `${server.url}${name}`;

  it('ends after so many seconds of silence, which a sign of life starts over, and which may not count', () => {
    let [over, counts] = [0, true];
    const patience = new Patience(
      () => over++,
      3,
      () => counts,
    );
    tick(2);
    patience.renew();
    counts = false;
    tick(60);
    counts = true;
    tick(2);
    assert.equal(over, 0);
    tick(20);
    assert.equal(over, 1, 'once in a silence');
    patience.renew();
    tick(3);
    assert.equal(over, 2);
    patience.end();
  });

  it('settles as its work does', async () => {
    assert.equal(await within(Promise.resolve(7)), 7);
    await assert.rejects(within(Promise.reject(new Error('no'))), /no/);
    await assert.rejects(impatiently(within(new Promise(() => {}), () => new Error('late'))), /late/);
  });

  it('for an answer is that of fetch where it comes', async () => {
    const answer = await patientFetch(at('/text.txt'));
    assert.deepEqual([answer.status, answer.url, await answer.text()], [200, at('/text.txt'), 'all of it']);
    assert.equal((await patientFetch(at('/nothing'))).status, 404);
  });

  it('for an answer, or its next part, ends; so it does with its signal', async () => {
    await assert.rejects(impatiently(patientFetch(at('/silent.webm'))), { name: 'TimeoutError' });
    await assert.rejects(impatiently(patientFetch(at('/half.webm')).then((answer) => answer.blob())), {
      name: 'TimeoutError',
    });
    const abort = new AbortController();
    const asked = patientFetch(at('/half.webm'), { signal: abort.signal }).then((answer) => answer.blob());
    setTimeout(() => abort.abort(), 50);
    await assert.rejects(asked, { name: 'AbortError' });
  });

  const packets = async (name) => {
    let count = 0;
    try {
      for await (const piece of encodedPackets(at(name))) if ('packet' in piece) count++;
    } catch (error) {
      return Object.assign(error, { count });
    }
    return { count };
  };

  for (const [name, why] of [
    ['/silent.webm', /sent no data for 15 s/],
    ['/half.webm', /after \d+ frames.*sent no data for 15 s/],
    ['/breaks.webm', /after \d+ frames.*the connection was interrupted/],
    ['/gone.webm', /after \d+ frames.*its server answers HTTP 404/],
  ])
    it(`for a recording ends with what the network did: ${name}`, async () => {
      const { code, message, count, partial } = await impatiently(packets(name));
      assert.equal(code, 'network-failed');
      assert.match(message, why);
      assert.match(message, /network/);
      assert.doesNotMatch(message, /damaged|decoded/);
      if (name === '/silent.webm') return;
      assert.equal(partial.frames, count);
      assert.ok(count > 10, `${count} packets before it`);
    });

  it('for a recording goes on where a connection broke', async () => {
    assert.equal((await impatiently(packets('/mends.webm'))).count, frames);
  });
});
