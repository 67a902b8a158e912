// `npm run test:apps`: the packed package in projects of all nine kinds (test/apps/kinds.mjs), which npm installs from its
// registry where this checkout has not got what they need. `npm run test:apps -- next angular` takes some of them.
import path from 'node:path';
import { kinds } from '../test/apps/kinds.mjs';
import { main, root, setUp } from './setup.mjs';
import { exitCode, summary } from './test-summary.mjs';

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !kinds.some((kind) => kind.name === name));
  if (unknown) throw new Error(`There is no '${unknown}'; there are: ${kinds.map(({ name }) => name).join(', ')}.`);
  await setUp({ bundles: false });
  const { build } = await import('./build.mjs');
  await build();
  process.env.FOVEOLA_APPS = names.join(',') || 'all';
  const { runNodeTests } = await import('./node-tests.mjs');
  const counts = await runNodeTests([path.join(root, 'test/apps/apps.test.mjs')], { timeout: 90 * 60_000 });
  console.log(`\n${summary(counts)}`);
  process.exitCode = exitCode(counts);
});
