// `foveola lsl`: a page's samples and markers in an XDF file and in LSL, its clock, and its refusals.
//   FOVEOLA_FIGURES=1 node tools/test.mjs test/command/lsl.test.mjs     prints lost samples and the error of the clock
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, beforeEach, afterEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { importTs } from '../../tools/import-ts.mjs';
import { folder } from './support.mjs';
import { readXdf } from './xdf-reader.mjs';
import { itInFull } from '../support/full.mjs';

let lib;
let made;
let server;
let file;
const opened = [];

before(async () => {
  lib = {
    ...(await importTs('src/command/lsl/lsl.ts')),
    ...(await importTs('src/command/lsl/xdf.ts')),
    ...(await importTs('src/command/lsl/outlet.ts')),
    ...(await importTs('src/command/lsl/bridge.ts')),
    ...(await importTs('widget/tools/lsl/sender.ts')),
  };
});
beforeEach(() => {
  made = folder();
  file = made.at('out.xdf');
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await server?.close().catch(() => {});
  server = null;
  made.remove();
});
after(() => server?.close());

const start = async ({ lsl = null, port = 0, xdf = new lib.XdfWriter(file), origins = [] } = {}) =>
  (server = await lib.serveLsl({ now: () => performance.now(), xdf, lsl, port, host: '127.0.0.1', origins }));
const address = () => `ws://127.0.0.1:${server.port}`;

function sender({ now = () => performance.now(), channels = [{ label: 'diameter', unit: 'px' }], ...given } = {}) {
  const { port } = server;
  const [markers, problems] = [[], []];
  let socket;
  const one = new lib.Sender({
    open: () => (socket = new WebSocket(`ws://127.0.0.1:${port}`)),
    ...{ now, id: `element-${Math.trunc(given.seed ?? 1)}`, name: 'eye', channels },
    onMarker: (label, time) => markers.push({ label, time }),
    onProblem: (text) => problems.push(text),
  });
  opened.push(one);
  return Object.assign(one, { markers, problems, cut: () => socket.terminate() });
}
const until = async (condition) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};
/** A connection as any program makes it. `answer`: resolves with the next message. */
async function client(options) {
  const socket = new WebSocket(address(), options);
  opened.push(socket);
  await once(socket, 'open');
  return {
    socket,
    answer: async (message) => {
      const [data] = await Promise.all([once(socket, 'message'), socket.send(message)]);
      return JSON.parse(String(data[0]));
    },
  };
}
const json = JSON.stringify;

describe('foveola lsl', () => {
  // The hour of the figures takes 12 s.
  const minutes = process.env.FOVEOLA_FULL || process.env.FOVEOLA_FIGURES ? 60 : 6;
  itInFull(`keeps every sample of ${minutes} minutes at 120 Hz, over lost connections`, async () => {
    await start();
    const channels = ['x', 'y', 'diameter', 'confidence'].map((label) => ({ label, unit: 'px' }));
    const one = sender({ channels });
    const count = minutes * 60 * 120;
    for (let i = 0; i < count; i++) {
      one.add([i * (1000 / 120), i, i % 640, i % 7 ? 60.25 : null, 0.5]);
      if (i === 10_000 || i === 30_000) one.cut();
      if (i % 200 === 0) await new Promise(setImmediate);
      if (i % 20_000 === 0) await until(() => one.waiting < 5_000); // so it is connected again
    }
    one.add({ label: 'end <&>', time: minutes * 60_000 });
    await until(() => one.waiting === 0);
    assert.equal(one.dropped, 0);
    assert.equal(one.problems.filter(Boolean).length, 2, 'two lost connections');
    await server.close();
    const [data, markers] = readXdf(readFileSync(file));
    assert.deepEqual(data.labels, ['x', 'y', 'diameter', 'confidence']);
    assert.equal(data.rate, 0, 'irregular');
    const wrong = data.samples.findIndex(([time, x]) => x !== Math.round(time * 120));
    if (process.env.FOVEOLA_FIGURES) console.log({ sent: count, lost: count - data.samples.length, wrong });
    assert.deepEqual([data.samples.length, data.footer.count, wrong], [count, count, -1]);
    assert.ok(Number.isNaN(data.samples[7][3]));
    assert.deepEqual(markers.samples, [[minutes * 60, 'end <&>']]);
    assert.ok(data.offsets.length > 0);
  });

  it('knows the clock of the page as exactly as it says', async () => {
    await start();
    const ahead = 123_456.789;
    const errors = [];
    for (let seed = 1; seed <= 5; seed++) {
      const one = sender({ seed, now: () => performance.now() - ahead });
      await until(() => one.trips === 16);
      const { offset, error } = one.clock;
      errors.push(Math.abs(offset - ahead));
      assert.ok(errors.at(-1) <= error + 1e-6, `${errors.at(-1)} ms, and it says ${error} ms`);
    }
    if (process.env.FOVEOLA_FIGURES) console.log({ clockErrorMs: Math.max(...errors) });
    const { offset, error } = lib.clockOffset(100, 1105, 1106, 111);
    assert.deepEqual([offset, error], [1000, 5]);
  });

  it('opens outlets with times on the clock of LSL', async () => {
    const pushed = [];
    const open = ({ name, type, channels }) => ({
      push: ({ time, values }) => pushed.push({ name, type, channels: channels.length, time, values }),
      close: () => pushed.push('closed'),
    });
    await start({ lsl: { now: () => performance.now() / 1000, open, listen: () => () => {} }, xdf: null });
    const ahead = 5000;
    const one = sender({ now: () => performance.now() - ahead });
    one.add([1000, 60]);
    one.add({ label: 'go', time: 1500 });
    await until(() => pushed.length === 2 && one.clock);
    assert.deepEqual(
      pushed.map(({ name, type, channels, values }) => [name, type, channels, values]),
      [
        ['eye', 'Gaze', 1, [60]],
        ['eye markers', 'Markers', 1, 'go'],
      ],
    );
    assert.ok(Math.abs(pushed[0].time - 6) < 1 && Math.abs(pushed[1].time - pushed[0].time - 0.5) < 1e-6);
    await server.close();
    assert.deepEqual(pushed.slice(2), ['closed', 'closed']);
  });

  it('passes markers to other pages, on their clock', async () => {
    await start();
    const [one, other] = [sender({ seed: 1 }), sender({ seed: 2, now: () => performance.now() - 1000 })];
    await until(() => one.clock && other.clock);
    one.add({ label: 'stimulus', time: 7000 });
    await until(() => other.markers.length);
    assert.equal(other.markers[0].label, 'stimulus');
    assert.ok(Math.abs(other.markers[0].time - 6000) < 500);
    assert.deepEqual(one.markers, []);
  });

  it('answers bad messages with an error, and continues', async () => {
    await start();
    const { answer, socket } = await client();
    const open = (more) => json({ type: 'open', id: 'abcdefgh', name: 'eye', channels: [{ label: 'x' }], ...more });
    const bad = [
      ...['{', '[]', 'null', '{"type":"__proto__"}', json({ type: 'items', first: 0, items: [] })],
      ...[{ channels: [] }, { channels: [null] }, { id: 'a' }, { name: '' }, { name: 'x'.repeat(501) }].map(open),
      json({ type: 'ping', sent: 'now' }),
    ];
    for (const message of bad) assert.equal((await answer(message)).type, 'error', message);
    assert.deepEqual(await answer(open()), { type: 'opened', next: 0 });
    for (const items of [[[1]], [[1, 'x']], [[null, 1]], [{ label: 5, time: 1 }], [null], 'items'])
      assert.equal((await answer(json({ type: 'items', first: 0, items }))).type, 'error', json(items));
    assert.equal((await answer(json({ type: 'items', first: 5, items: [[1, 1]] }))).type, 'error', 'a gap');
    assert.equal((await answer(open({ channels: [{ label: 'x' }, { label: 'y' }] }))).type, 'error');
    assert.equal((await answer(Buffer.of(1, 2))).type, 'error');
    assert.deepEqual(await answer(json({ type: 'items', first: 0, items: [[1, 2]] })), { type: 'ack', next: 1 });
    socket.send('x'.repeat(5 << 20));
    assert.equal((await once(socket, 'close'))[0], 1009, 'too large');
    const again = await client();
    for (let i = 0; i < 100; i++) again.socket.send('{');
    assert.equal((await once(again.socket, 'close'))[0], 1008);
  });

  it('refuses pages of other sites, other names of this machine, and what is no WebSocket', async () => {
    await start({ origins: ['https://lab.example'] });
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://127.0.0.1@evil.example',
    ])
      await assert.rejects(client({ origin }), /403/, origin);
    await assert.rejects(client({ headers: { host: 'evil.example' } }), /403/);
    for (const origin of ['https://lab.example', 'http://localhost:8080', 'http://127.0.0.1', undefined])
      assert.equal((await client({ origin })).socket.readyState, 1);
    const [response] = await once(request({ port: server.port, host: '127.0.0.1' }).end(), 'response');
    assert.equal(response.resume().statusCode, 426);
    const raw = connect(server.port, '127.0.0.1');
    raw.end('\x00\xff\r\n\r\n');
    await once(raw.resume(), 'close');
    assert.equal((await client()).socket.readyState, 1, 'it continues');
  });

  it('takes the markers of other programs, on its own clock, and not those that it sends', async () => {
    const streams = {
      a: { source: 'own-id-1-markers' },
      b: { source: 'stimulus' },
      c: { source: 'numbers', format: 2 },
    };
    const waiting = { a: ['echo'], b: ['go', 'stop'], c: ['1'] };
    const freed = [];
    const functions = {
      lsl_resolver_results: (resolver, list) => Object.keys(streams).map((id, i) => (list[i] = id)).length,
      lsl_get_uid: (id) => id,
      lsl_get_name: (id) => `stream ${id}`,
      lsl_get_source_id: (id) => streams[id].source,
      lsl_get_channel_format: (id) => streams[id].format ?? 3,
      lsl_get_channel_count: () => 1,
      lsl_create_inlet: (id) => id,
      lsl_destroy_inlet: (id) => freed.push(id),
      lsl_pull_sample_str(id, text) {
        const label = waiting[id].shift();
        text[0] = label ?? null;
        return label ? 7.25 : 0;
      },
    };
    const func = (declaration) => {
      const [, name] = /(lsl_\w+)\(/.exec(declaration);
      const call = functions[name] ?? (() => 12.5);
      call.async = (...values) => values.at(-1)(null, 0.5);
      return call;
    };
    const xdf = {
      ...{ rows: [], stream: () => 1, clock() {}, close() {} },
      samples: (id, rows) => xdf.rows.push(...rows),
    };
    const bridge = new lib.Bridge({ now: () => 12_500, xdf, lsl: lib.outlets({ func }) });
    const heard = [];
    const peer = bridge.connect((message) => message.type === 'marker' && heard.push(message));
    bridge.receive(peer, JSON.stringify({ type: 'open', id: 'own-id-1', name: 'eye', channels: [{ label: 'x' }] }));
    for (let i = 0; i < 300 && heard.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    bridge.close();
    const marker = (label) => ({ type: 'marker', label, time: 7750 });
    assert.deepEqual(heard, [marker('go'), marker('stop')]);
    assert.deepEqual(xdf.rows, [
      { time: 7.75, values: 'go' },
      { time: 7.75, values: 'stop' },
    ]);
    assert.deepEqual(freed, ['b']);
  });

  it('calls liblsl by its declared functions', () => {
    const calls = [];
    const func = (declaration) => {
      const [, name] = /(lsl_\w+)\(/.exec(declaration);
      return (...values) => {
        calls.push([name, ...values]);
        return name === 'lsl_local_clock' ? 12.5 : { name };
      };
    };
    const library = lib.outlets({ func });
    assert.equal(library.now(), 12.5);
    const channels = [{ label: 'x', unit: 'px' }];
    const outlet = library.open({ name: 'eye', type: 'Gaze', format: 'double64', source: 'a', channels });
    outlet.push({ time: 1.5, values: [3] });
    outlet.push({ time: 2.5, values: 'go' });
    outlet.close();
    assert.deepEqual(calls[1], ['lsl_create_streaminfo', 'eye', 'Gaze', 1, 0, 2, 'a']);
    assert.deepEqual(calls.at(-3).slice(2), [Float64Array.of(3), 1.5]);
    assert.deepEqual(calls.at(-2).slice(2), [['go'], 2.5]);
    assert.equal(calls.at(-1)[0], 'lsl_destroy_outlet');
  });
});
