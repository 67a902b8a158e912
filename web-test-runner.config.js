// Browser unit tests: test/**/*.test.ts. `npx wtr --files test/image/median.test.ts` runs one file.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import puppeteer from 'puppeteer-core';
import { launchOptions } from './tools/browser.mjs';
import { webGlsl } from './tools/glsl-plugin.mjs';
import { webPatches } from './tools/patches.mjs';
import { fileBelow, isolation, sendFile, sharedFolder } from './tools/serve.mjs';
import { testPages } from './tools/test-pages.mjs';
import { testBundles } from './tools/test-bundles.mjs';
import { countSessions, summary } from './tools/test-summary.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

// Every page is isolated here, so that both kernel builds can be tested; the plain page is tested by test/pages.
const isolate = async (context, next) => {
  await next();
  context.set(isolation);
};

// Node's modules that packages for both worlds name: the browser never calls them.
const noNode = {
  name: 'no-node',
  resolveImport: ({ source }) => (source.startsWith('node:') ? '/tools/nothing.mjs' : undefined),
};

// ../shared, where there is one, read-only under /shared/.
const shared = (context, next) => {
  if (!context.path.startsWith('/shared/')) return next();
  const file = fileBelow(sharedFolder, context.path.slice('/shared/'.length));
  if (!file || !sendFile(context.req, context.res, file, isolation)) {
    context.status = 404;
    context.body = 'not there';
    return undefined;
  }
  context.respond = false;
  return undefined;
};

// What the tests ask for: the one stage that test/parity compares, by a part of its name (tools/mutate.mjs), all where that is
// empty; how much is tried (test/support/full.ts).
const asked = {
  '/test/parity/only.txt': 'FOVEOLA_STAGE',
  '/test/support/full.txt': 'FOVEOLA_FULL',
  '/test/support/short.txt': 'FOVEOLA_SHORT',
};
/** By page: the file whose tests run. */
const current = new Map();
const answers = (context, next) => {
  if (context.path === '/build/test-pages/now') {
    current.set(context.query.address, context.query.file);
    context.status = 204;
    return undefined;
  }
  if (!Object.hasOwn(asked, context.path)) return next();
  context.body = process.env[asked[context.path]] ?? '';
  return undefined;
};

/** A suite for each test file of a session, with the path as its name. */
const filesOf = ({ testFile, testResults }) => {
  if (!testResults) return [];
  return chosen ? testResults.suites : [{ ...testResults, name: path.relative(root, testFile) }];
};
/** [seconds, name] of a file's tests; what a page takes to load comes on top. */
const timesOf = (file) => {
  const below = ({ tests, suites }, where = '') => [
    ...tests.map(({ name, duration = 0 }) => [duration / 1000, `${where}${name}`]),
    ...suites.flatMap((suite) => below(suite, `${where}${suite.name}, `)),
  ];
  return below(file);
};
const secondsOf = (file) => timesOf(file).reduce((sum, [seconds]) => sum + seconds, 0);
/** The slowest first: files, and with FOVEOLA_TIMES=tests each test of more than a second. */
function printTimes(sessions) {
  const rows = sessions.flatMap(filesOf).flatMap((suite) => {
    const [times, file] = [timesOf(suite), suite.name];
    if (process.env.FOVEOLA_TIMES !== 'tests') return [[secondsOf(suite), file]];
    return times.filter(([seconds]) => seconds > 1).map(([seconds, name]) => [seconds, `${file}: ${name}`]);
  });
  for (const [seconds, what] of rows.sort((a, b) => b[0] - a[0])) console.log(`${seconds.toFixed(1)} s  ${what}`);
}

/** A page that ended without results tells no more than this. */
function printEnded(sessions) {
  for (const { testFile, testResults } of sessions) {
    const file = current.get(path.relative(root, testFile).replaceAll(path.sep, '/'));
    if (file && !testResults) console.log(`${path.basename(testFile)} ended in ${file}.`);
  }
}

const counter = () => {
  let counts = countSessions([]);
  let times = [];
  return {
    onTestRunFinished({ sessions }) {
      counts = countSessions([...sessions]);
      times = [...sessions].flatMap(filesOf).map((suite) => [suite.name, secondsOf(suite)]);
      printEnded([...sessions]);
      if (process.env.FOVEOLA_TIMES) printTimes([...sessions]);
    },
    stop() {
      if (process.env.FOVEOLA_SUMMARY) writeFileSync(process.env.FOVEOLA_SUMMARY, JSON.stringify({ ...counts, times }));
      else process.once('exit', () => console.log(summary(counts))); // after the default reporter's last words
    },
  };
};

const chosen = process.env.FOVEOLA_TEST_FILES ? JSON.parse(process.env.FOVEOLA_TEST_FILES) : null;

// Coverage and --watch follow the modules one by one.
const single = ['--watch', '--coverage'].some((word) => process.argv.includes(word));

export default {
  rootDir: root,
  files: chosen ? testPages(chosen) : ['test/**/*.test.ts'],
  concurrency: 2,
  browserStartTimeout: 180_000,
  testsStartTimeout: 180_000,
  testsFinishTimeout: 1_800_000,
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [
    noNode,
    webPatches(),
    webGlsl(root),
    esbuildPlugin({ ts: true, target: 'es2022', tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)) }),
  ],
  middleware: [shared, answers, isolate, ...(single ? [] : [testBundles(chosen ?? [])])],
  testFramework: { config: { timeout: 60_000 } },
  reporters: [defaultReporter({ reportTestProgress: false }), counter()],
  coverageConfig: { include: ['src/**', 'widget/**'], report: true, reportDir: 'coverage' },
  browsers: [
    chromeLauncher({
      puppeteer,
      launchOptions: await launchOptions(),
      // A window each: of several tabs in one window all but one are hidden, and hidden pages load and show no videos.
      createPage: ({ context }) => context.newPage({ type: 'window' }),
    }),
  ],
};
