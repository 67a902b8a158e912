// Every capability on pictures that are turned, scaled, dark, bright, noisy, blurred: its main figures beside those as it is.
//   --only pupils,faces,vessels,objects  --changes "as it is,x3"  --every 12 (so-many-th frame of the pupil sets)  --write
import { fixed, Report } from '../../bench/parts/report.mjs';
import { CHANGES } from './parts/pictures.mjs';
import { faces } from './parts/faces.mjs';
import { objects } from './parts/objects.mjs';
import { pupils } from './parts/pupils.mjs';
import { vessels } from './parts/vessels.mjs';

const CAPABILITIES = { pupils, faces, vessels, objects };

/** Whether a figure is worse than as it is by more than a user would take for chance. */
const fell = {
  points: (value, first) => value < first - 5,
  boxes: (value, first) => value > first + 0.2,
  error: (value, first) => !(value <= 1.15 * first),
  ratio: (value) => !(Math.abs(value - 1) <= 0.15),
};
const digits = { points: 1, boxes: 2, error: 2, ratio: 3 };

export default async function transforms(given) {
  const { shared, args, importTs, log } = given;
  if (!shared) return log('needs ../shared/data (FOVEOLA_SHARED names another folder)');
  const listOf = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1].split(',') : otherwise);
  const names = listOf('--only', Object.keys(CAPABILITIES));
  const every = Number(listOf('--every', ['12'])[0]);
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, threads: 1 });
  for (const name of names) {
    const report = new Report(given);
    const capability = await CAPABILITIES[name]({ shared, engine, importTs, every });
    await measured(report, capability, listOf('--changes', null), log);
    report.finish('lab/results/accuracy.md', `transforms, ${name}`, `transforms --only ${name}`);
  }
  await engine.dispose();
}

/** A table of a capability: a row for each change, a column for each figure. */
async function measured(report, capability, chosen, log) {
  report.line(`${capability.title}. ${capability.about}.`);
  const rows = [['', ...capability.columns]];
  let [marked, all, first] = [0, 0, null];
  for (const [label, change, colored] of CHANGES) {
    if ((colored && !capability.colors) || (chosen && first && !chosen.includes(label))) continue;
    const figures = await capability.measure(change);
    first ??= figures;
    const cells = figures.map(({ value, unit }, k) => {
      const worse = fell[unit](value, first[k].value);
      marked += worse ? 1 : 0;
      all += 1;
      return fixed(value, digits[unit]) + (worse ? ' *' : '');
    });
    log(`  ${label}: ${cells.join(', ')}`);
    rows.push([label, ...cells]);
  }
  report.table(rows);
  for (const words of capability.intervals()) report.line(words);
  report.line(`${marked} of ${all} figures are marked.`);
}
