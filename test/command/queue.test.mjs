// foveola queue, worker and status, as they are built, with a Redis of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { itInFull, short } from '../support/full.mjs';
import {
  childrenOf,
  images,
  noRedis as skip,
  seeded,
  startFiles,
  startRedis,
  startStore,
  startWorker,
  until,
} from './queue-support.mjs';
import { contents, folder, foveola, recording } from './support.mjs';

/** Of a folder of results: the results, and what is listed of them. */
function resultsOf(out) {
  const all = Object.entries(contents(out));
  const listed = all.filter(([file]) => file.startsWith('.foveola/')).map(([, data]) => JSON.parse(data));
  const results = all.filter(([file]) => !file.startsWith('.foveola/') && file !== 'foveola.jsonl');
  return { listed, results: Object.fromEntries(results) };
}

describe('foveola queue', { concurrency: 3 }, () => {
  let made;
  let redis;
  let env;
  let inputs;
  before(async () => {
    if (skip) return;
    made = folder();
    redis = await startRedis(made.path);
    env = { FOVEOLA_REDIS: redis.url };
    inputs = made.at('inputs');
    mkdirSync(inputs);
    await images(inputs, short ? 6 : 200);
    writeFileSync(path.join(inputs, 'poison.png'), readFileSync(path.join(inputs, '000.png')).subarray(0, 90));
  });
  after(async () => {
    await redis?.stop();
    made?.remove();
  });
  const few = (count) =>
    Array.from({ length: count }, (_, i) => path.join(inputs, `${String(i).padStart(3, '0')}.png`));

  itInFull('has each result once, equal to that of one process alone, while workers are killed', { skip }, async () => {
    const [one, many] = [made.at('one'), made.at('many')];
    const alone = foveola(['edges', inputs, '--out', one, '--jobs', '1', '--quiet']);
    const { stderr, code } = await foveola(['queue', 'edges', inputs, '--out', many], { env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^201 added\. Queue 'foveola', results: /);
    assert.equal((await alone).code, 2);

    const random = seeded(17);
    const start = () => startWorker(['--jobs', '1', '--drain'], env);
    const workers = [start(), start(), start()];
    const done = () => readdirSync(path.join(many, '.foveola'), { recursive: true }).length;
    await until(() => existsSync(path.join(many, '.foveola')));
    let killed = 0;
    for (let next = 10; next < 180; next = done() + 12 + random(20)) {
      await until(() => done() >= next || workers.every(({ child }) => child.exitCode !== null));
      const which = random(workers.length);
      const { child, ended } = workers[which];
      if (random(3) === 0) for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL');
      else {
        child.kill('SIGKILL');
        if ((await ended).signal) killed++;
        workers[which] = start();
      }
    }
    assert.ok(killed >= 3, `${killed} killed`);
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    for (const end of ends) assert.ok(end.code === 0 || end.code === 2, end.stderr);

    const { listed, results } = resultsOf(many);
    assert.deepEqual(results, resultsOf(one).results);
    assert.equal(Object.keys(results).length, 200);
    assert.equal(new Set(listed.map(({ key }) => key)).size, 200);
    assert.ok(listed.every(({ status }) => status === 'done'));
    const status = await foveola(['status'], { env });
    assert.match(status.stdout, /^foveola: 0 waiting, 0 to retry, 0 active, 200 done, 1 failed, 0 workers\n/);
    assert.match(status.stdout, /^ {2}failed poison\.png: \S.*$/m);
    assert.equal(status.code, 2);
  });

  itInFull('puts a job twice as one, and what is done, failed or gone as it should be', { skip }, async () => {
    const out = made.at('twice');
    const args = ['--queue', 'twice'];
    const put = (...more) =>
      foveola(['queue', 'edges', ...few(3), path.join(inputs, 'poison.png'), '--out', out, ...args, ...more], { env });
    const work = () => startWorker(['--drain', '--jobs', '1', ...args], env).ended;
    const same = made.at('same.png');
    copyFileSync(few(1)[0], same);
    assert.match((await put()).stderr, /^4 added\./);
    // Another file of the same bytes is another input.
    assert.match((await put(same)).stderr, /^1 added, 4 there already\./);
    // Other results of the same file are a job of their own, also while it waits.
    const other = ['queue', 'edges', same, ...args];
    assert.match((await foveola([...other, '--out', made.at('other')], { env })).stderr, /^1 added\./);
    const noKeys = { ...env, AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
    assert.equal((await foveola([...other, '--store', 's3://eyes/x'], { env: noKeys })).code, 1);
    const end = await work();
    assert.equal(end.code, 2, end.stderr);
    assert.match(end.stderr, /^5 jobs done, 1 failed\.$/m);
    assert.deepEqual(Object.keys(resultsOf(made.at('other')).results), ['same.png.edges.png']);
    assert.match((await put(same)).stderr, /^1 added again because .*, 4 done already\./);
    await work();
    const before = resultsOf(out).results;
    assert.equal(Object.keys(before).length, 4);
    assert.match((await put('--force')).stderr, /^4 added again/);
    await work();
    assert.deepEqual(resultsOf(out).results, before);
    // What is done on many machines is known to the command on one, and the other way round.
    const one = await foveola(['edges', ...few(3), '--out', out]);
    assert.match(one.stderr, /^3 of 3 files are done already\./);
    assert.match((await put(same)).stderr, /^1 added again because .*, 4 done already\./);
  });

  itInFull('gives its jobs back when it is asked to stop', { skip }, async () => {
    const clip = made.at('clip.webm');
    await recording(clip, { frames: 600, width: 320, height: 240 });
    const out = made.at('stopped');
    const args = ['--queue', 'stopped'];
    await foveola(['queue', 'flow', clip, '--out', out, ...args], { env });
    const status = async () => (await foveola(['status', ...args], { env })).stdout;
    const { child, ended, said } = startWorker(['--jobs', '1', ...args], env);
    await until(() => /Processing jobs/.test(said()));
    await until(async () => /1 active/.test(await status()));
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.match(await status(), /1 waiting, 0 to retry, 0 active, 0 done, 0 failed, 0 workers\nNo worker is running/);
    assert.deepEqual(contents(out), {});
  });

  it(
    'takes inputs from a store and from URLs, and puts results into the store when they are whole',
    { skip },
    async () => {
      const store = await startStore({ fail: 2 });
      const page = await startFiles({ '/b.png': readFileSync(few(2)[1]) });
      try {
        const from = { ...env, ...store.env };
        store.objects.set('/eyes/in/a b.png', readFileSync(few(1)[0]));
        const args = ['--queue', 'store'];
        const { stderr, code } = await foveola(
          [
            'queue',
            'edges',
            's3://eyes/in/a b.png',
            `${page.url}/b.png`,
            's3://eyes/in/none.png',
            '--store',
            's3://eyes/out/',
            ...args,
          ],
          { env: from },
        );
        assert.equal(code, 2, stderr);
        assert.match(stderr, /^none\.png: s3:\/\/eyes\/in\/none\.png cannot be read \(HTTP 404\)/m);
        assert.match(stderr, /^2 added, 1 cannot be read\. Queue 'store', results: s3:\/\/eyes\/out$/m);
        const allow = ['--allow', 's3://eyes', '--allow', page.url];
        const end = await startWorker(['--drain', ...args, ...allow], from).ended;
        assert.equal(end.code, 0, end.stderr);
        await foveola(['edges', ...few(2), '--out', made.at('beside')]);
        const beside = resultsOf(made.at('beside')).results;
        assert.deepEqual([...store.objects.keys()].sort(), [
          '/eyes/in/a b.png',
          '/eyes/out/.foveola/a b.png.edges.json',
          '/eyes/out/.foveola/b.png.edges.json',
          '/eyes/out/a b.png.edges.png',
          '/eyes/out/b.png.edges.png',
        ]);
        assert.deepEqual(store.objects.get('/eyes/out/b.png.edges.png'), beside['001.png.edges.png']);
        assert.deepEqual(store.objects.get('/eyes/out/a b.png.edges.png'), beside['000.png.edges.png']);
        assert.deepEqual(store.refused, []);
        const entry = JSON.parse(store.objects.get('/eyes/out/.foveola/a b.png.edges.json'));
        assert.equal(entry.input, 's3://eyes/in/a b.png');
      } finally {
        store.stop();
        page.stop();
      }
    },
  );

  itInFull('takes a folder of a store: its pictures and recordings, under their names below it', { skip }, async () => {
    const store = await startStore();
    try {
      const from = { ...env, ...store.env };
      const names = ['a b+c.png', 'left/1 & 2.png', 'left/notes.txt', '.hidden.png', 'out/old.png', 'empty.png'];
      names.forEach((name, i) => store.objects.set(`/eyes/in/${name}`, readFileSync(few(6)[i])));
      store.objects.set('/eyes/in/left/notes.txt', Buffer.from('left eye first'));
      store.objects.set('/eyes/in/empty.png', Buffer.alloc(0));
      store.objects.set('/eyes/in/left/', Buffer.alloc(0));
      store.objects.set('/eyes/inner.png', readFileSync(few(1)[0]));
      const put = (...args) => foveola(['queue', 'edges', ...args, '--queue', 'folder'], { env: from });
      const { stderr, code } = await put('s3://eyes/in/', '--store', 's3://eyes/in/out');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^3 added\./m);
      const end = await startWorker(['--drain', '--queue', 'folder', '--allow', 's3:'], from).ended;
      assert.equal(end.code, 2, end.stderr);
      assert.match(end.stderr, /^empty\.png: .*empty/m);
      const results = [...store.objects.keys()].filter((name) => name.endsWith('.edges.png')).sort();
      assert.deepEqual(results, ['/eyes/in/out/a b+c.png.edges.png', '/eyes/in/out/left/1 & 2.png.edges.png']);
      assert.match(
        (await put('s3://eyes/none/', '--store', 's3://eyes/o')).stderr,
        /No files exist below s3:\/\/eyes\/none\//,
      );
      const here = await foveola(['edges', 's3://eyes/in/', '--out', made.at('here')], { env: from });
      assert.equal(here.stderr, 'foveola: s3://eyes/in/ is a URL. Use foveola queue for URLs.\n');
    } finally {
      store.stop();
    }
  });

  itInFull('tries a job again whose results cannot be written here, and does the others', { skip }, async () => {
    const file = made.at('a-file');
    const args = ['--queue', 'full'];
    await foveola(['queue', 'edges', few(1)[0], '--out', path.join(file, 'out'), ...args], { env });
    await foveola(['queue', 'edges', few(2)[1], '--out', made.at('beside-it'), ...args], { env });
    writeFileSync(file, '');
    const { child, ended, said } = startWorker(args, env);
    await until(() => /It will be retried/.test(said()) && existsSync(made.at('beside-it/.foveola')));
    child.kill('SIGTERM');
    const { stderr } = await ended;
    assert.match(
      stderr,
      /^000\.png: Results cannot be written to .*a-file\/out \(ENOTDIR\)\. Check that you may write there\. It will be retried\.$/m,
    );
    assert.match(
      (await foveola(['status', ...args], { env })).stdout,
      /0 waiting, 1 to retry, 0 active, 1 done, 0 failed/,
    );
  });

  it('keeps file names out of results, lists, messages and finished jobs with --no-file-names', { skip }, async () => {
    const { Queue } = await import('bullmq');
    const [name, out, folderOf] = ['unnamed', made.at('unnamed'), made.at('Zyxwara')];
    const args = ['--queue', name];
    mkdirSync(folderOf);
    copyFileSync(few(1)[0], path.join(folderOf, 'Quillon.png'));
    writeFileSync(path.join(folderOf, 'half Quillon.png'), readFileSync(few(2)[1]).subarray(0, 90));
    symlinkSync(path.join(folderOf, 'nothing'), path.join(folderOf, 'gone Quillon.png'));
    const put = () => foveola(['queue', 'edges', folderOf, '--out', out, '--no-file-names', ...args], { env });
    const queued = await put();
    assert.match(queued.stderr, /^2 added, 1 cannot be read\./m);
    const worked = await startWorker(['--drain', '--jobs', '1', ...args], env).ended;
    assert.match(worked.stderr, /^1 jobs done, 1 failed\.$/m);
    const refusing = await put(); // adds the damaged one again
    const refused = await startWorker(['--drain', '--allow', '/nowhere', '--allow', out, ...args], env).ended;
    assert.match(refused.stderr, /The job is refused: its input is not allowed here/);
    const status = await foveola(['status', ...args], { env });
    assert.match(status.stdout, /1 done, 1 failed/);
    const queue = new Queue(name, { connection: { url: redis.url } });
    const jobs = JSON.stringify(await queue.getJobs());
    await queue.close();
    const files = Object.entries(contents(out)).map(([file, data]) => `${file}: ${data}`);
    assert.ok(files.length >= 2);
    const said = [queued, worked, refusing, refused, status].map(({ stdout = '', stderr }) => stdout + stderr);
    for (const text of [...said, jobs, ...files]) assert.doesNotMatch(text, /Zyxwara|Quillon/);
  });

  itInFull('fails a bad job by its name, whatever is in Redis, and does the others', { skip }, async () => {
    const { Queue } = await import('bullmq');
    const { Redis } = await import('ioredis');
    const [name, out] = ['bad', made.at('bad')];
    const args = ['--queue', name];
    await foveola(['queue', 'edges', few(1)[0], '--out', out, ...args], { env });
    const queue = new Queue(name, { connection: { url: redis.url } });
    const client = new Redis(redis.url);
    try {
      const [{ data: good }] = await queue.getWaiting();
      const others = [
        ...[null, 'text', 7, [], {}],
        ...['../../evil', '/evil', 'a/../../evil', '.foveola/evil'].map((one) => ({ ...good, name: one })),
        { ...good, name: 'esc\u001b[2J\nnext.png', parameters: [] },
        ...['http://127.0.0.1:1/x.png', 's3://eyes/x.png', 'ftp://h/x', '/dev/zero', '/proc/self/mem', made.path].map(
          (input, i) => ({ ...good, input, name: `input-${i}` }),
        ),
        { ...good, analysis: '__proto__', name: 'analysis' },
        { ...good, version: '0.0.0', name: 'version' },
        { ...good, parameters: { low: 'x' }, name: 'parameters' },
        { ...good, input: few(2)[1], name: 'changed' },
        // Another input under the name of a result: it may say what it likes.
        { ...good, input: few(2)[1], name: '000.png', own: { '000.png.edges.png': 'x' } },
      ];
      for (const data of others) await queue.add('edges', data, { attempts: 1 });
      await client.hset(queue.toKey('torn'), { name: 'edges', data: '{no', opts: '{}', timestamp: 1 });
      await client.rpush(queue.toKey('wait'), 'torn');
      await client.hset(queue.toKey('half'), { name: 'edges', data: '{"name":"half.png"', opts: '{}', timestamp: 1 });
      await client.rpush(queue.toKey('wait'), 'half');
      await queue.add('edges', { ...good, version: '999.0.0', name: 'newer.png' }, { attempts: 1 });
      const { code, stderr } = await startWorker(['--drain', '--jobs', '1', ...args], env).ended;
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        new RegExp(`^1 jobs done, ${others.length + 2} failed, 1 left for a newer version\\.$`, 'm'),
      );
      for (const said of [
        '../../evil: ',
        'job torn: ',
        'half.png: ',
        'newer.png: ',
        'esc\\u{1b}[2J\\nnext.png: ',
        'version: ',
        'changed: ',
      ])
        assert.ok(stderr.includes(`\n${said}`), `${said} in ${stderr}`);
      assert.doesNotMatch(stderr.replaceAll('\n', ''), /\p{Cc}/u);
      const status = await foveola(['status', ...args], { env });
      assert.equal(status.code, 2);
      assert.match(
        status.stdout,
        new RegExp(`(0 waiting, 1|1 waiting, 0) to retry, 0 active, 1 done, ${others.length + 2} failed`),
      );
      assert.doesNotMatch(status.stdout.replaceAll('\n', ''), /\p{Cc}/u);
      assert.deepEqual(Object.keys(resultsOf(out).results), ['000.png.edges.png']);
      assert.ok(!existsSync(made.at('evil')) && !existsSync(made.at('evil.edges.png')));
    } finally {
      client.disconnect();
      await queue.close();
    }
  });

  itInFull('gives each input its own result, and none to an input of the same name', { skip }, async () => {
    const args = ['--queue', 'names'];
    const [a, b] = ['names-a', 'names-b'].map((one) => (mkdirSync(made.at(one)), made.at(one)));
    copyFileSync(few(1)[0], path.join(a, 'x.png'));
    copyFileSync(few(2)[1], path.join(b, 'x.png'));
    const put = (...words) => foveola(['queue', 'edges', ...words, ...args], { env });
    const work = () => startWorker(['--drain', '--jobs', '1', ...args], env).ended;
    const out = made.at('names');
    // Both wait, before there is a result.
    assert.match((await put(a, '--out', out)).stderr, /^1 added\./);
    assert.match((await put(b, '--out', out)).stderr, /^1 added\./);
    const end = await work();
    assert.equal(end.code, 2, end.stderr);
    assert.match(
      end.stderr,
      /^x\.png: .* has results of .*names-\w\/x\.png under the name x\.png, which .*names-\w\/x\.png/m,
    );
    const { listed } = resultsOf(out);
    assert.equal(listed.length, 1);
    const other = await put(listed[0].input.includes('names-a') ? b : a, '--out', out);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /^foveola: .*names-[ab]\/x\.png .*names-[ab]\/x\.png .*--force/);
    assert.match((await put(a, b, '--out', out)).stderr, /^1 added again because .*, 1 done already\./);
    await work();
    assert.equal(Object.keys(resultsOf(out).results).length, 2);
  });

  itInFull('says in one line what to change', { skip }, async () => {
    const image = few(1)[0];
    const out = made.at('never');
    await foveola(['queue', 'edges', image, '--out', made.at('said'), '--queue', 'said'], { env });
    const cases = [
      [['queue'], /needs an analysis and inputs/],
      [['queue', 'edges', image], /^foveola: Set --out DIR .* or --store/],
      [['queue', 'edges', image, '--store', 'eyes'], /--store must be s3:\/\/bucket\/folder, not eyes/],
      [['queue', 'edges', image, '--store', 's3://eyes/x'], /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
      [['queue', 'edges', image, '--out', out, '--jobs', '2'], /Unknown option '--jobs'/],
      [
        ['queue', 'edges', image, '--out', out, '--redis', 'redis://:word@127.0.0.1:1'],
        /No Redis answers at redis:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start one with redis-server, or name it with --redis\.$/,
      ],
      [['worker', '--redis', 'http://a'], /--redis must be redis:\/\/HOST:PORT/],
      [['worker', image], /foveola worker does not accept inputs/],
      [['worker', '--jobs', '0'], /--jobs must be a whole number/],
      [['status', '--queue', 'none'], /No queue 'none' exists at .*Create it with foveola queue/],
      [['status', '--queue', 'said', '--board', 'x'], /--board must be a port, not x/],
      [['status', '--queue', 'said', '--board', '0'], /npm install @bull-board\/api @bull-board\/express$/],
    ];
    const noKeys = { ...env, AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
    for (const [args, message] of cases) {
      const { code, stderr } = await foveola(args, { env: noKeys });
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr.trim(), message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
    assert.ok(!existsSync(out));
  });

  it('says what to install', { skip }, async () => {
    const alone = made.at('alone');
    mkdirSync(alone);
    symlinkSync(path.join(root, 'dist'), path.join(alone, 'dist'));
    const where = ['--preserve-symlinks', '--preserve-symlinks-main', path.join(alone, 'dist/bin/foveola.js')];
    const { status, stderr } = spawnSync(process.execPath, [...where, 'status'], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.equal(stderr, 'foveola: This needs packages that are not installed: npm install bullmq ioredis\n');
  });
});
