// Reporter for `node --test`: failures, one line per file, and the counts as the last line for tools/test.mjs.
import path from 'node:path';

export const countsMark = 'foveola-counts ';

export default async function* report(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const files = new Set();
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isFile = data.nesting === 0 && path.isAbsolute(data.name); // how node reports a file without tests, or a crash
    if (data.file) files.add(data.file);
    if (data.skip !== undefined) counts.skipped += data.details?.type === 'suite' ? 0 : 1;
    else if (type === 'test:fail') {
      // A suite fails by its tests, which are counted; but also by its own hooks.
      const own = data.details?.type !== 'suite' || data.details?.error?.failureType === 'hookFailed';
      if (!own) continue;
      counts.failed++;
      const { error } = data.details;
      const cause = error?.cause ?? error;
      const text = String(cause?.stack ?? cause?.message ?? cause).replace(/^/gm, '    ');
      yield `\n  FAILED ${data.name}\n  ${data.file ?? ''}:${data.line ?? ''}\n${text}\n`;
    } else if (isFile) {
      counts.failed++;
      yield `\n  FAILED ${data.name}\n    has no tests\n`;
    } else if (data.details?.type !== 'suite') counts.passed++;
  }
  yield `${countsMark}${JSON.stringify(counts)}\n`;
}
