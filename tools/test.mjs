// `npm test`: set-up, a browser, then three rings of tests:
//   node    test/node/**/*.test.mjs, beside the build             node:test
//           packages/*/test/*.test.mjs, from their sources
//           test/**/*.test.ts that need no page                   node:test (tools/tests-without-page.mjs)
//   browser the other test/**/*.test.ts                           in the browser, @web/test-runner (tools/test-pages.mjs)
//   built   test/infrastructure/**/*.test.mjs: the tree           node:test, and puppeteer for pages
//           test/pages/**/*.test.mjs                              built files on static pages
//           packages/*/test/pages/*.test.mjs                      the integrations on pages
//           test/command/**/*.test.mjs                            the command and foveola/node as they are built
//           test/browsers/**/*.test.mjs                           the same table in each browser that is installed
//           test/apps/apps.test.mjs                               the packed package in projects of its users, see test/apps/kinds.mjs
// `npm test -- median pages/` runs the files whose path contains one of the words.
// `npm test -- --changed` runs those that reach what differs from the last commit (tools/changed-tests.mjs).
// Plain `npm test` takes minutes. It is without `*.full.test.mjs`, files with a line `// Full run only: why.` and tests marked
// `itInFull` (test/support/full.mjs and full.ts). `npm test -- --full` runs those too, and tries all cases of the tests that
// have hundreds of them.
// The last line is the sum over all rings; the exit code is 1 when anything failed or nothing ran.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesBelow } from './fingerprint.mjs';
import { checkNode, installModules, main, root } from './setup.mjs';
import { exitCode, judged, summary } from './test-summary.mjs';

const run = (args, options) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, ...options });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

async function nodeRing(files) {
  const { runNodeTests } = await import('./node-tests.mjs');
  const times = new Map();
  const counts = await runNodeTests(
    files.map((file) => path.resolve(root, file)),
    { times },
  );
  return { ...counts, times: [...times].map(([file, seconds]) => [path.relative(root, file), seconds]) };
}

/** Tests of the tree build themselves what they need. */
const needsBuild = (file) => !file.startsWith('test/infrastructure/');

async function builtRing(files) {
  if (!files.some(needsBuild)) return nodeRing(files);
  const { withSharedBrowsers } = await import('./shared-browsers.mjs');
  return withSharedBrowsers(() => nodeRing(files));
}

async function browserRing(files, whole) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  const file = path.join(folder, 'summary.json');
  try {
    const wtr = path.join(root, 'node_modules/@web/test-runner/dist/bin.js');
    const env = {
      ...process.env,
      ...{ FOVEOLA_SUMMARY: file, FOVEOLA_TEST_FILES: JSON.stringify(files), FOVEOLA_WHOLE: whole ? '1' : '' },
    };
    const code = await run([wtr, '--config', 'web-test-runner.config.js'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env,
    });
    let counts = null;
    try {
      counts = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      console.error('The browser tests ended without a result.');
    }
    return judged(counts, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the kernels, and what else is tested. Both promises fail with the kernels. */
async function startBuild(whole) {
  const { build } = await import('./build.mjs');
  let all;
  const kernels = new Promise((resolve, reject) => {
    all = build({ bundles: whole, types: whole, kernelsBuilt: resolve });
    all.catch(reject);
  });
  return { kernels, all };
}

await main(async () => {
  const unknown = process.argv.slice(2).find((word) => /^-/.test(word) && !['--full', '--changed'].includes(word));
  if (unknown) throw new Error(`There is no option ${unknown}. Use words of a file's path, --full or --changed.`);
  if (process.argv.includes('--full')) process.env.FOVEOLA_FULL = '1';
  process.env.FOVEOLA_RUN = `run-${process.pid}`;
  const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  if (process.argv.includes('--changed')) {
    const { testsOf } = await import('./changed-tests.mjs');
    words.push(...testsOf(root));
    if (!words.length) throw new Error('No test reaches what changed. Name some, or run all: npm test');
  }
  if (!words.length && !process.env.FOVEOLA_FULL) process.env.FOVEOLA_SHORT = '1';
  const isLong = (file) =>
    file.includes('.full.') || /^\/\/ Full run only: \S/m.test(readFileSync(path.join(root, file), 'utf8'));
  const isChosen = (file) =>
    words.length ? words.some((word) => file.includes(word)) : process.env.FOVEOLA_FULL || !isLong(file);
  const chosen = (folders, ending) => filesBelow(root, folders, (file) => file.endsWith(ending)).filter(isChosen);
  const packaged = (onPages) =>
    chosen(['packages'], '.test.mjs').filter((file) => file.includes('/test/pages/') === onPages);
  const [node, units, built] = [
    { name: 'Node', files: [...chosen(['test/node'], '.test.mjs'), ...packaged(false)], start: nodeRing },
    { name: 'browser', files: chosen(['test'], '.test.ts'), start: browserRing },
    {
      name: 'built',
      files: [
        ...chosen(['test/infrastructure', 'test/pages', 'test/command', 'test/browsers', 'test/apps'], '.test.mjs'),
        ...packaged(true),
      ],
      start: builtRing,
    },
  ];
  // Two files run at once. The long ones first, so that none runs alone at the end: the apps, then files by size.
  const lengthOf = (file) => (file.startsWith('test/apps/') ? Infinity : statSync(path.join(root, file)).size);
  for (const { files } of [node, built]) files.sort((a, b) => lengthOf(b) - lengthOf(a));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  const times = [];
  async function runRing({ name, files, start }) {
    if (!files.length) return;
    console.log(`\n${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
    const began = Date.now();
    const counts = await start(files, !words.length);
    const line = `${name}: ${summary(counts)} (${((Date.now() - began) / 1000).toFixed(0)} s)`;
    console.log(line);
    lines.push(line);
    times.push(...(counts.times ?? []));
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  try {
    checkNode();
    installModules();
    const building = await startBuild(!words.length || built.files.some(needsBuild));
    await building.kernels;
    if (units.files.length) {
      const { testsWithoutPage } = await import('./tests-without-page.mjs');
      const { files, entries } = await testsWithoutPage(units.files);
      units.files = units.files.filter((file) => !files.includes(file));
      // First, because they take the longest.
      node.files.unshift(...entries);
    }
    if (!words.length) {
      const { bundleImports } = await import('./import-ts.mjs');
      const files = filesBelow(root, ['test', 'packages'], (file) => file.endsWith('.mjs'));
      await bundleImports(files).catch(() => {}); // what does not build is said by the test that asks for it
    }
    // Needs no more than the kernels, and the build leaves a core idle now and then.
    const early = runRing(node);
    early.catch(() => {}); // reported below
    await building.all.catch((error) => {
      console.error(`The build failed, so the tests of what is built are left out: ${error.message}`);
      total.failed++;
      built.files = [];
    });
    await early;
    if (units.files.length + built.files.length) {
      const { findBrowser } = await import('./browser.mjs');
      console.log(`browser: ${(await findBrowser()).executablePath}`);
    }
    for (const ring of [units, built]) await runRing(ring);
  } catch (error) {
    console.error(error?.message ?? error); // no set-up, no build or no browser: a failed run, which says so
    total.failed++;
  }
  rmSync(path.join(root, 'build/ts', process.env.FOVEOLA_RUN), { recursive: true, force: true });
  if (total.passed + total.failed === 0) console.error('No test ran.');
  const slowest = times.sort((a, b) => b[1] - a[1]).slice(0, 10);
  console.log(['\nslowest:', ...slowest.map(([file, seconds]) => `  ${seconds.toFixed(0)} s ${file}`)].join('\n'));
  console.log(`\n${[...lines, summary(total)].join('\n')}`);
  process.exitCode = exitCode(total);
});
