// foveola queue: recordings an hour on one and two workers, by a model fitted to them on 64, and the share of time outside the engine.
//   --recordings N   rendered recordings of 640x480, 6 s each; default 24
//   --rounds N       how often each number of workers is measured, in turn; default 5
//   --workers LIST   numbers of workers; default 1,2
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { childrenOf, noRedis, startRedis, startWorker, until } from '../../test/command/queue-support.mjs';
import { folder, foveola, library } from '../../test/command/support.mjs';
import { median } from '../../bench/parts/numbers.mjs';

const [WIDTH, HEIGHT, FRAMES] = [640, 480, 150];
const MODEL = 64;

/** A rendered eye, another one for each seed: planes of I420. */
function eye(seed, i) {
  const picture = new Uint8Array(WIDTH * HEIGHT * 1.5).fill(128);
  const [x, y] = [310 + 20 * Math.sin(i / 20 + seed), 240 + 15 * Math.cos(i / 30 + seed)];
  const r = 45 + 8 * Math.sin(i / 50 + seed);
  for (let v = 0; v < HEIGHT; v++)
    for (let u = 0; u < WIDTH; u++) {
      const d = Math.hypot(u - x, v - y);
      const skin = 150 + 20 * Math.sin(u / 37 + seed) * Math.cos(v / 29);
      picture[v * WIDTH + u] = Math.hypot(u - x - 12, v - y + 10) < 5 ? 230 : d < r ? 35 : d < 130 ? 95 : skin;
    }
  return picture;
}

async function render(file, seed) {
  const { encodeRecording } = await library();
  const out = await encodeRecording(file, { width: WIDTH, height: HEIGHT });
  for (let i = 0; i < FRAMES; i++) await out.add(eye(seed, i), 40 * i);
  await out.close();
}

/** Seconds that a process and those it has started have had a core, by the clock of the system's hundredths; Linux alone says. */
function busySeconds(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return NaN;
  const [user, system] = readFileSync(file, 'utf8').split(') ')[1].split(' ').slice(11, 13).map(Number);
  return (user + system) / 100 + childrenOf(pid).reduce((sum, child) => sum + busySeconds(child), 0);
}

/** All recordings on so many workers, which are there before: jobs an hour, and where the time went. */
async function measured({ count, inputs, out, redis, recordings }) {
  const queue = `of-${path.basename(out)}`;
  const env = { FOVEOLA_REDIS: redis.url };
  const workers = Array.from({ length: count }, () => startWorker(['--jobs', '1', '--queue', queue], env));
  await until(() => workers.every(({ said }) => /Processing jobs/.test(said())));
  const { code, stderr } = await foveola(['queue', 'pupil', inputs, '--out', out, '--queue', queue], { env });
  if (code !== 0) throw new Error(stderr);
  const { Queue } = await import('bullmq');
  const bull = new Queue(queue, { connection: { url: redis.url } });
  const busy = () => workers.reduce((seconds, { child }) => seconds + busySeconds(child.pid), 0);
  const ended = async () => (await bull.getCompletedCount()) + (await bull.getFailedCount());
  await until(async () => (await ended()) >= count);
  const [first, before] = [await ended(), busy()];
  await until(async () => (await ended()) === recordings);
  const busyEach = (busy() - before) / (recordings - first);
  const jobs = await bull.getCompleted(0, recordings);
  await bull.close();
  for (const { child } of workers) child.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
  if (jobs.length < recordings) throw new Error(`${recordings - jobs.length} recordings failed.`);
  // From when each has done one, with the engine started and compiled: a worker in the field does hundreds.
  const ends = jobs.map(({ finishedOn }) => finishedOn).sort((a, b) => a - b);
  const steady = jobs.filter(({ finishedOn }) => finishedOn > ends[count - 1]);
  const milliseconds = ends.at(-1) - ends[count - 1];
  const sum = (of) => steady.reduce((total, job) => total + of(job), 0);
  const inEngine = sum(({ returnvalue }) => returnvalue.engineMilliseconds);
  return {
    hourly: (steady.length / milliseconds) * 3600_000,
    outsideEngine: 1 - inEngine / sum(({ returnvalue }) => returnvalue.milliseconds),
    busyEach,
    outsideAll: 1 - inEngine / (milliseconds * count),
  };
}

export default async function bench({ args, log, table }) {
  const given = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  if (noRedis) return log(`Left out: ${noRedis}`);
  const recordings = Number(given('--recordings', '24'));
  const rounds = Number(given('--rounds', '5'));
  const counts = given('--workers', '1,2').split(',').map(Number);
  const { status } = spawnSync(process.execPath, ['tools/build.mjs', '--stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build failed.');
  const made = folder();
  const redis = await startRedis(made.path);
  try {
    const inputs = made.at('recordings');
    mkdirSync(inputs);
    for (let i = 0; i < recordings; i++) await render(path.join(inputs, `${i}.webm`), i);
    const runs = Object.fromEntries(counts.map((count) => [count, []]));
    for (let round = 0; round < rounds; round++)
      for (const count of counts)
        runs[count].push(await measured({ count, inputs, out: made.at(`${round}-${count}`), redis, recordings }));
    const of = (count, what) => median(runs[count].map((run) => run[what]));
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const one = of(counts[0], 'hourly') / counts[0];
    const times = {
      clock: (n) => of(n, 'hourly') / one,
      cores: (n) => (n * of(counts[0], 'busyEach')) / of(n, 'busyEach'),
    };
    log(
      `${recordings} rendered recordings of ${WIDTH}x${HEIGHT}, ${FRAMES} frames each; medians of ${rounds} runs in turn, ` +
        'from when each worker has done one.\nThe fifth column is by the time that the workers had a core: what other programs take from them is not in it.\n',
    );
    table([
      [
        'workers',
        'recordings an hour',
        'frames/s',
        'times one',
        'by time on a core',
        'outside engine',
        'and with waiting',
      ],
      ...counts.map((count) => [
        ...[count, of(count, 'hourly').toFixed(0)],
        ((of(count, 'hourly') * FRAMES) / 3600).toFixed(0),
        ...[times.clock(count).toFixed(2), times.cores(count).toFixed(2)],
        ...[percent(of(count, 'outsideEngine')), percent(of(count, 'outsideAll'))],
      ]),
    ]);
    const more = counts.filter((count) => count > counts[0]);
    if (!more.length) return;
    log(`\nA model, not measured (Amdahl, fitted to the above), of ${MODEL} workers with a core each:`);
    for (const [name, timesOne] of Object.entries({ 'by the clock': times.clock, 'by time on a core': times.cores })) {
      // n workers do n / (1 + s (n - 1)) times the work of one; s is the share that they cannot do side by side.
      const s = Math.max(0, median(more.map((n) => (n / timesOne(n) - 1) / (n - 1))));
      const expected = (one * MODEL) / (1 + s * (MODEL - 1));
      log(`${name}: ${expected.toFixed(0)} recordings an hour; ${percent(s)} of the work cannot be done side by side`);
    }
  } finally {
    await redis.stop();
    made.remove();
  }
}
