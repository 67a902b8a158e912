// Parity on graphics hardware: the tests of test/parity, every stage on both sides against its reference, by the page itself.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON)
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isolation } from '../../tools/serve.mjs';
import { root } from '../../tools/setup.mjs';
import { argument, readResult } from '../parts/kept-result.mjs';
import { Report } from '../parts/report.mjs';

/** A folder to be served as the root of a site, cross-origin isolated: the second build of the kernels has threads. */
async function pack(folder, bundleForPage) {
  mkdirSync(path.join(folder, 'test/parity'), { recursive: true });
  writeFileSync(path.join(folder, 'test/parity/only.txt'), '');
  const page = await bundleForPage('bench/parity/parts/page.ts');
  // The bundle takes its own address for that of the built library.
  writeFileSync(path.join(folder, 'page.js'), page.replaceAll('./worker.ts', './parity-worker.js'));
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/cdn\.js|\.d\.ts|dist.(types|bin|strings|elements|react|vue)/.test(file),
  });
  writeFileSync(path.join(folder, 'dist/parity-worker.js'), await bundleForPage('test/parity/worker.ts'));
  writeFileSync(
    path.join(folder, 'page.html'),
    '<!doctype html><meta charset="utf-8"><title>hardware parity</title><script type="module" src="/page.js"></script>\n',
  );
}

async function measureHere({ serve, openBrowser, bundleForPage, log }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-parity-'));
  try {
    await pack(folder, bundleForPage);
    const server = await serve({ folder, headers: () => isolation });
    const browser = await openBrowser({ protocolTimeout: 1_800_000 });
    const page = await browser.newPage();
    page.on('console', (message) => log(`  ${message.text().slice(0, 300)}`));
    await page.goto(`${server.url}/page.html`);
    await page.waitForFunction(() => globalThis.__result, { timeout: 1_800_000 });
    return await page.evaluate(() => globalThis.__result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function parity(given) {
  const { args, log, bundleForPage } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(path.resolve(folder), bundleForPage);
    return log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  const { machine, passed, failed, seconds, error } = file ? readResult(file, report) : await measureHere(given);
  report.line(`${machine.renderer}${machine.software ? ' (software)' : ''}.`);
  if (error) return report.line(`The page failed: ${error}`);
  report.line(`${passed} passed, ${failed.length} failed, in ${seconds} s.`);
  report.list(failed.map(({ name, message }) => `${name}: ${message}`));
  return report.finish(
    'lab/results/performance.md',
    'hardware parity',
    `hardware parity${file ? ` --result ${file}` : ''}`,
  );
}
