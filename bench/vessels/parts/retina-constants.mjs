// Constants of the optic disc's search, chosen without the photograph that is measured; `--constants` of `retina vessels`.

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

export async function leaveOneOut(report, call, marks) {
  const sets = [];
  for (const spread of [0.3, 0.4, 0.5])
    for (const power of [1, 1.5])
      for (const long of [0.05, 0.1, 0.2]) for (const cap of [0.3, 0.5, 0.7]) sets.push({ spread, power, long, cap });
  const all = {};
  for (const [photograph, mark] of Object.entries(marks))
    all[photograph] = await call('constants', photograph, mark, sets);
  const names = Object.keys(marks);
  // Hits count, then how near they are.
  const merit = (k, list) => mean(list.map((n) => (all[n][k] <= 0.5 ? 1 : 0) - 0.1 * Math.min(2, all[n][k])));
  const best = (list) => sets.map((_, k) => k).sort((a, b) => merit(b, list) - merit(a, list))[0];
  const text = ({ spread, power, long, cap }) => `spread ${spread}, power ${power}, long ${long}, cap ${cap}`;
  const chosen = names.map((name) => best(names.filter((other) => other !== name)));
  const hits = names.filter((name, k) => all[name][chosen[k]] <= 0.5).length;
  const times = new Map();
  for (const k of chosen) times.set(text(sets[k]), (times.get(text(sets[k])) ?? 0) + 1);
  report.heading('Constants of the disc, chosen without the photograph that is measured');
  report.table([['chosen', 'times'], ...times]);
  report.line(
    `So chosen: ${hits} of ${names.length} within half a radius (before the least confidence); on all: ${text(sets[best(names)])}. ` +
      `Of the ${sets.length} sets ${sets.filter((_, k) => names.filter((n) => all[n][k] <= 0.5).length >= 0.9 * names.length).length} have 90 %.`,
  );
}
