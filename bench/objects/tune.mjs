// Objects: the constants of the default variant, one at a time around what they are, scored with one sequence left out at a time.
//   --only car,david  --seeds 1,2  --ways forward,backward (parts/follow.mjs)  --constants trusted,found  --jobs 16  --write
// Each (constants, sequence, seed, way) is followed once, on as many threads as --jobs says, and kept in build/tune-objects.json, so
// that a run that was stopped goes on where it was; other kernels or parts of the tracker start from the beginning. Chosen is the setting with the highest mean F at 0.25 of those that are silent in 90 %
// of the absent frames (of none, the most silent).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { filesBelow } from '../../tools/fingerprint.mjs';
import { ofCounts, ofGroups, range } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { judge, leaveOneOut, openParts } from './parts/follow.mjs';
import { sequences } from './parts/sequences.mjs';

/** Shares of what a constant is. */
const STEPS = [0.65, 0.8, 1.25, 1.55];
/** Not varied: they set where a value begins that then follows what is seen. */
const FIXED = ['viewUsual'];
/** Of the filters: inertia of the follower, pull of its mask. */
const LOOK = ['inertia', 'pull'];

/** The constants as they are, then each of them alone a step lower and higher. */
function settingsAround(rule, look, wanted) {
  const now = { ...rule, ...look };
  const names = Object.keys(now).filter((name) => !FIXED.includes(name) && (!wanted || wanted.includes(name)));
  const varied = names.flatMap((name) =>
    STEPS.map((step) => {
      const value = Number((name === 'proof' ? Math.round(step * now[name]) : step * now[name]).toPrecision(3));
      const part = { [name]: value };
      return { title: `${name} ${value}`, ...(LOOK.includes(name) ? { look: part } : { rule: part }) };
    }),
  );
  return [{ title: 'as they are' }, ...varied];
}

/** Every task by one of the threads; `kept` takes each score as it comes. */
async function followAll(tasks, { jobs, shared, log }, kept) {
  const waiting = [...tasks];
  const total = tasks.length;
  let ready = 0;
  const thread = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('parts/follow-worker.mjs', import.meta.url), { workerData: { shared } });
      worker.on('error', reject);
      worker.on('message', ({ key, result }) => {
        if (key) {
          kept(key, result);
          if (++ready % 50 === 0 || ready === total) log(`${ready} of ${total} followed`);
        }
        const task = waiting.shift();
        if (task) worker.postMessage(task);
        else resolve(worker.terminate());
      });
    });
  await Promise.all(Array.from({ length: Math.min(jobs, total) }, thread));
}

export default async function tune(given) {
  const { args, shared, log, root } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const names = option('--only', Object.keys(sequences).join(',')).split(',');
  const seeds = option('--seeds', '1').split(',').map(Number);
  const among = option('--ways', 'forward').split(',');
  const runs = seeds.flatMap((seed) => among.map((way) => ({ seed, way })));
  const parts = await openParts(given);
  const wanted = option('--constants', null)?.split(',');
  const settings = settingsAround(parts.FILTER_RULE, parts.APPEARANCE_RULE, wanted);
  // What the figures depend on besides the constants.
  const print = createHash('sha256').update(parts.kernels);
  for (const file of filesBelow(root, ['src/objects'], (name) => name.endsWith('.ts')))
    print.update(readFileSync(path.join(root, file)));
  const version = print.digest('hex').slice(0, 12);
  const file = path.join(root, 'build/tune-objects.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const done = saved.version === version ? saved.done : {};
  const tasks = names.flatMap((name) =>
    settings.flatMap(({ title, rule, look }) =>
      runs.map(({ seed, way }) => ({ key: `${name} ${seed} ${way} ${title}`, name, seed, way, rule, look })),
    ),
  );
  await followAll(
    tasks.filter(({ key }) => !done[key]),
    { jobs: Number(option('--jobs', 1)), shared, log },
    (key, result) => {
      done[key] = result;
      writeFileSync(file, JSON.stringify({ version, done }));
    },
  );
  const scoreOf = (name, title) => {
    const sum = (key) => runs.reduce((total, { seed, way }) => total + done[`${name} ${seed} ${way} ${title}`][key], 0);
    return { f: sum('f') / runs.length, absent: sum('absent'), silent: sum('silent') };
  };
  const scores = Object.fromEntries(names.map((name) => [name, settings.map(({ title }) => scoreOf(name, title))]));
  const report = new Report(given);
  report.heading(`Constants one at a time, ${names.length} sequences, seeds ${seeds.join(', ')}, ${among.join(', ')}`);
  const row = (k) => judge(names.map((name) => scores[name][k]));
  const over = {
    f: (list) => range(ofGroups(list.map(({ f }) => f), 1), 3), // prettier-ignore
    silence: (list) => range(ofCounts(list.map(({ silent, absent }) => [silent, absent])).map((v) => v / 100), 3), // prettier-ignore
  };
  report.table([
    ['constant', 'mean F at 0.25', '95 %', 'silent when absent', '95 %'],
    ...settings.map(({ title }, k) => {
      const list = names.map((name) => scores[name][k]);
      return [title, fixed(row(k).f, 3), over.f(list), fixed(row(k).silence, 3), over.silence(list)];
    }),
  ]);
  report.line('95 %: bootstrap over the sequences.');
  const { held, all } = leaveOneOut(names, scores);
  report.table([
    ['left out', 'chosen without it', 'F held out', 'F as they are'],
    ...names.map((name, i) => [
      name,
      settings[held[i]].title,
      fixed(scores[name][held[i]].f, 3),
      fixed(scores[name][0].f, 3),
    ]),
  ]);
  const apart = names.map((name, i) => scores[name][held[i]]);
  const out = judge(apart);
  report.line(
    `Mean F at 0.25, silent when absent: held out ${fixed(out.f, 3)} (${over.f(apart)}), ${fixed(out.silence, 3)} (${over.silence(apart)}); in sample (${settings[all].title}) ${fixed(row(all).f, 3)}, ${fixed(row(all).silence, 3)}; as they are ${fixed(row(0).f, 3)}, ${fixed(row(0).silence, 3)}.`,
  );
  report.finish('docs/accuracy-tables.md', 'tune objects', 'tune objects');
}
