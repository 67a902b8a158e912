// Jobs as they come from Redis: nothing of one is used before it is checked, and inputs are read within limits.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { folder } from '../../command/support.mjs';

describe('a job from Redis', () => {
  let command;
  let good;
  before(async () => {
    command = await importTs('test/node/command/library.ts');
    good = {
      ...{ analysis: 'edges', input: '/study/in/a.png', name: 'a/b.png', out: '/study/out', wanted: 'a'.repeat(64) },
      ...{ parameters: { low: 30 }, options: { format: 'csv', overlay: false }, version: command.version },
    };
  });
  const check = (change, allow) => command.checkedJob({ ...good, ...change }, command.allowing(allow));

  it('is taken with what belongs to it, and with nothing else', () => {
    assert.deepEqual(check({}), good);
    const more = {
      own: { 'other.csv': 'x' },
      known: 'x',
      copy: '/etc/passwd',
      __proto__: { admin: true },
      force: true,
    };
    assert.deepEqual(check(more), { ...good, force: true });
    assert.deepEqual(check({ force: 'yes' }), good);
  });

  it('is refused, with what is wrong, whatever it is', () => {
    const { checkedJob, allowing, FoveolaError } = command;
    const wrong = [
      ...[null, undefined, 7, 'text', [], [good], true],
      ...Object.keys(good).map((field) => ({ ...good, [field]: undefined })),
      ...Object.keys(good).flatMap((field) => [null, 7, '', {}, []].map((value) => ({ ...good, [field]: value }))),
      ...['../x', '/x', 'a/../../x', '..', '.foveola/x', 'a\0', 'x'.repeat(9000)].map((name) => ({ ...good, name })),
      ...['a.png', 'ftp://h/x', 'file:///etc/passwd', 'a\0', 's3://', 's3://b/../c', 'http://u:p@h/x'].map((input) => ({
        ...{ ...good, input },
      })),
      ...['out', '../out', 'https://h/out', 's3://B/x', '/a\0'].map((out) => ({ ...good, out })),
      ...['__proto__', 'constructor', 'toString', 'EDGES'].map((analysis) => ({ ...good, analysis })),
      ...['0.0.0', command.version + 'x'].map((version) => ({ ...good, version })),
      { ...good, options: { format: 'exe', overlay: false } },
      { ...good, options: { format: 'csv', overlay: 'yes' } },
      { ...good, options: { format: 'csv', overlay: false, shell: 'rm' } },
      { ...good, options: { format: 'csv', overlay: false, box: [1, 2, 3, 4] } },
      { ...good, options: { format: 'csv', overlay: false, operation: 'sobel' } },
      { ...good, options: { format: 'csv', overlay: false, fields: true } },
      { ...good, analysis: 'track', options: { format: 'csv', overlay: false, box: [1, 2, 3, null] } },
      { ...good, parameters: { low: 'high' } },
      { ...good, parameters: { lo: 3 } },
      { ...good, parameters: { low: 30, text: 'x'.repeat(1 << 17) } },
    ];
    const isWrong = (job) => {
      try {
        checkedJob(job, allowing(['file:', 's3:']));
        return false;
      } catch (error) {
        assert.ok(error instanceof FoveolaError && error.code === 'invalid-argument', String(error));
        assert.ok(error.message.length < 400);
        return true;
      }
    };
    for (const job of wrong) {
      const isGood = JSON.stringify(job)?.includes('"parameters":{}'); // no parameters at all are fine
      assert.equal(isWrong(job), !isGood, JSON.stringify(job)?.slice(0, 200));
    }
  });

  it('is left for others only if a newer version queued it', () => {
    const newer = (version, own = '1.2.3') => command.newerVersion({ version }, own);
    for (const version of ['1.2.4', '1.3.0', '2.0.0', '1.10.0', '2.0.0-beta.1']) assert.equal(newer(version), version);
    for (const version of ['1.2.3', '1.2.2', '0.9.9', '1.2.3-beta', '', 'new', null, 7, '1.2', {}, '9'.repeat(400)])
      assert.equal(newer(version), null, String(version));
    for (const data of [null, 7, 'x', [], undefined]) assert.equal(command.newerVersion(data), null);
  });

  it('names itself, also where its data is torn', () => {
    const torn = JSON.stringify({ ...good, name: 'a "b".png' }).slice(0, -9);
    const mended = command.mendedData(torn);
    assert.equal(command.nameOf({ id: '7', data: mended }), 'a "b".png');
    assert.throws(() => command.checkedJob(mended, command.allowing()), {
      code: 'invalid-argument',
      message: /data in Redis is not JSON, but '\{"analysis":"edges".*Remove it and queue the input again/,
    });
    for (const text of ['', '{no', '{"name":"x', '{"name":"\\q"}']) {
      const data = command.mendedData(text);
      assert.equal(command.nameOf({ id: '7', data }), 'job 7');
      assert.throws(() => command.checkedJob(data, command.allowing()), /not JSON/);
    }
  });

  it('reads and writes what the worker was started for', () => {
    const refused = (change, allow) =>
      assert.throws(() => check(change, allow), /is not allowed here\. Start the worker/);
    check({ input: '/anywhere/x.png' });
    for (const input of ['http://h/x.png', 'https://h/x.png', 's3://b/x.png']) refused({ input });
    refused({ out: 's3://bucket/out' });
    const study = ['/study', 'https://data.example.org/eyes', 's3://bucket/in'];
    check({}, study);
    for (const input of ['https://data.example.org/eyes/1.png?x', 's3://bucket/in/1.png', '/study/x/../y.png'])
      check({ input }, study);
    for (const input of [
      ...['/study/../etc/passwd', '/studying/x.png', '/etc/passwd', 'http://data.example.org/eyes/1.png'],
      ...[
        'https://data.example.org/eyes/../admin',
        'https://data.example.org/eyes%2f..',
        'https://evil.org/eyes/1.png',
      ],
      ...['https://data.example.org.evil.org/eyes/1.png', 'https://data.example.org:8443/eyes/1.png'],
      ...['s3://bucket/into/x.png', 's3://other/in/x.png'],
    ])
      refused({ input }, study);
    refused({ out: '/etc' }, study);
    check({ out: '/study' }, study);
    check({ input: 'https://any.example/x', out: '/o' }, ['https:', 'file:']);
    for (const allow of ['study', 'ftp://h', 'files', '', '*'])
      assert.throws(() => check({}, [allow]), /--allow must be/);
  });

  it('names no model from elsewhere', () => {
    const faces = { analysis: 'faces', options: { format: 'csv', overlay: false } };
    check({ ...faces, parameters: { model: 'landmarks-68', cascade: 'frontalface_alt', verifier: null } });
    for (const model of [
      'http://169.254.169.254/x',
      'https://evil.org/m.bin',
      'file:///etc/passwd',
      '../m.bin',
      '//h/x',
    ])
      for (const name of ['model', 'cascade', 'verifier'])
        assert.throws(
          () => check({ ...faces, parameters: { [name]: model } }, ['/study']),
          command.FoveolaError,
          model,
        );
    check({ ...faces, parameters: { model: 'https://models.org/m.bin' } }, ['file:', 'https://models.org']);
  });

  it('has a name in every message', () => {
    for (const [job, name] of [
      [{ id: '7', data: { name: 'a.png' } }, 'a.png'],
      [{ id: '7', data: null }, 'job 7'],
      [{ id: '7', data: { name: { toString: null } } }, 'job 7'],
      [undefined, 'job'],
    ])
      assert.equal(command.nameOf(job), name);
  });
});

describe('an input that is fetched', () => {
  let command;
  let made;
  let server;
  let url;
  const pages = {
    '/good': (response) => response.end('bytes'),
    '/to-good': (response) => response.writeHead(302, { location: '/good' }).end(),
    '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
    '/away': (response) => response.writeHead(301, { location: 'http://169.254.169.254/latest' }).end(),
    '/file': (response) => response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
    '/odd': (response) => response.writeHead(302, { location: 'http://' }).end(),
    '/large': (response) => response.writeHead(200, { 'content-length': String(2 ** 50) }).end(),
    '/endless'(response) {
      const piece = Buffer.alloc(1 << 20);
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    '/broken'(response) {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    },
  };
  before(async () => {
    command = await importTs('test/node/command/library.ts');
    made = folder();
    server = createServer((request, response) => (pages[request.url] ?? ((r) => r.writeHead(404).end()))(response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    made.remove();
  });
  const get = (page, limit) =>
    command.localInput(`${url}${page}`, command.allowing([url]), async () => made.at('input'), limit);

  it('comes from where it is allowed, also when the address leads on', async () => {
    for (const page of ['/good', '/to-good']) assert.equal(readFileSync(await get(page), 'utf8'), 'bytes');
    assert.equal((await command.hashOf(`${url}/to-good`)).length, 64);
  });

  it('does not come from elsewhere, or for ever', async () => {
    for (const [page, message] of [
      ['/away', /redirects to http:\/\/169\.254\.169\.254\/latest, which is not allowed/],
      ['/file', /redirects to file:\/\/\/etc\/passwd, which is not allowed/],
      ['/odd', /redirects to http:\/\/, which is not allowed/],
      ['/loop', /redirects more than 5 times/],
      ['/none', /HTTP 404/],
      ['/large', /has more than \d+ MiB, which is the limit here/],
    ])
      await assert.rejects(get(page), { code: 'invalid-argument', message });
    await assert.rejects(get('/broken'), { code: 'storage-failed', message: /was interrupted/ });
  });

  it('ends at a limit when it does not end itself', async () => {
    await assert.rejects(get('/endless', 8 << 20), { code: 'invalid-argument', message: /has more than 8 MiB/ });
    assert.ok(statSync(made.at('input')).size <= 9 << 20);
  });

  it('is a file, where it is a path', async () => {
    mkdirSync(made.at('folder'));
    writeFileSync(made.at('a.png'), 'x');
    assert.equal(await command.localInput(made.at('a.png'), () => true), made.at('a.png'));
    await assert.rejects(
      command.localInput(made.at('none.png'), () => true),
      { code: 'storage-failed' },
    );
    await assert.rejects(
      command.localInput('/dev/zero', () => true),
      { code: 'invalid-argument' },
    );
    await assert.rejects(
      command.localInput(made.at('folder'), () => true),
      { code: 'invalid-argument' },
    );
  });
});
