// Browser unit tests: test/**/*.test.ts. `npx wtr --files test/image/median.test.ts` runs one file.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import puppeteer from 'puppeteer-core';
import { launchOptions } from './tools/browser.mjs';
import { webGlsl } from './tools/glsl-plugin.mjs';
import { fileBelow, isolation, sendFile, sharedFolder } from './tools/serve.mjs';
import { summary } from './tools/test-summary.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

// Every page is isolated here, so that both kernel builds can be tested; the plain page is tested by test/pages.
const isolate = async (context, next) => {
  await next();
  context.set(isolation);
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

// The default reporter's own counts miss files that failed to import, so they are counted here.
const counter = () => {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  return {
    onTestRunFinished({ sessions }) {
      counts = { passed: 0, failed: 0, skipped: 0 };
      for (const session of sessions) {
        let tests = 0;
        let failed = 0;
        const walk = (suite) => {
          for (const test of suite?.tests ?? []) {
            tests++;
            if (test.skipped) counts.skipped++;
            else if (test.passed) counts.passed++;
            else failed++;
          }
          suite?.suites?.forEach(walk);
        };
        walk(session.testResults);
        // A file that did not load, crashed, failed in a hook or has no test at all is one failure.
        if (!failed && (!session.passed || !tests)) failed = 1;
        counts.failed += failed;
      }
    },
    stop() {
      if (process.env.FOVEOLA_SUMMARY) writeFileSync(process.env.FOVEOLA_SUMMARY, JSON.stringify(counts));
      else process.once('exit', () => console.log(summary(counts))); // after the default reporter's last words
    },
  };
};

export default {
  rootDir: root,
  files: process.env.FOVEOLA_TEST_FILES ? JSON.parse(process.env.FOVEOLA_TEST_FILES) : ['test/**/*.test.ts'],
  concurrency: 2,
  browserStartTimeout: 180_000,
  testsStartTimeout: 180_000,
  testsFinishTimeout: 600_000,
  nodeResolve: { exportConditions: ['browser', 'development'] },
  plugins: [
    webGlsl(root),
    esbuildPlugin({ ts: true, target: 'es2022', tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)) }),
  ],
  middleware: [shared, isolate],
  testFramework: { config: { timeout: 60_000 } },
  reporters: [defaultReporter({ reportTestProgress: false }), counter()],
  coverageConfig: { include: ['src/**', 'widget/**'], report: true, reportDir: 'coverage' },
  browsers: [chromeLauncher({ puppeteer, launchOptions: await launchOptions() })],
};
