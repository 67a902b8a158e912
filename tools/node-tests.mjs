// Runs test files with node:test and prints what failed; the caller gets the counts.
import path from 'node:path';
import { run } from 'node:test';

const fileLimit = 10 * 60_000;

/** @param options.times gets the seconds of each file */
export async function runNodeTests(
  files,
  { print = (text) => process.stdout.write(text), timeout = fileLimit, times = new Map() } = {},
) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const slow = [];
  const fail = (title, data, text) => {
    counts.failed++;
    print(
      `\n  FAILED ${title}\n  ${data.file ?? ''}${data.line ? `:${data.line}` : ''}\n${text.replace(/^/gm, '    ')}\n`,
    );
  };
  for await (const { type, data } of run({ files, concurrency: 2, timeout })) {
    if (type === 'test:stdout' || type === 'test:stderr') print(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details?.type === 'suite';
    if (data.nesting === 0) times.set(data.file, (times.get(data.file) ?? 0) + data.details.duration_ms / 1000);
    if (data.details?.type !== 'suite' && data.details.duration_ms > 1000)
      slow.push([data.details.duration_ms / 1000, `${data.file}: ${data.name}`]);
    if (type === 'test:fail') {
      const { error } = data.details;
      // A suite fails with its tests, which are counted on their own; its hooks are not.
      if (error?.failureType === 'subtestsFailed') continue;
      const cause = error?.cause ?? error;
      fail(data.name, data, String(cause?.stack || cause?.message || cause));
    } else if (data.skip !== undefined)
      counts.skipped++; // of a suite the tests are not even named
    else if (data.todo !== undefined) counts.skipped += isSuite ? 0 : 1;
    else if (data.nesting === 0 && files.includes(path.resolve(data.name))) fail(data.name, data, 'has no tests');
    else if (!isSuite) counts.passed++;
  }
  const byFile = [...times].map(([file, seconds]) => [seconds, file]);
  if (process.env.FOVEOLA_TIMES) {
    const rows = process.env.FOVEOLA_TIMES === 'tests' ? slow : byFile;
    for (const [seconds, what] of rows.sort((a, b) => b[0] - a[0])) print(`${seconds.toFixed(1)} s  ${what}\n`);
  }
  return counts;
}
