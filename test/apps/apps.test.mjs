// The package as users install it: packed, unpacked into projects of nine kinds, built by their tools and opened in a browser
// until pupils are found in a recording. `npm test` runs the two that differ most, one that carries the package's files along and
// one that leaves them out. `npm test -- --full` adds the kinds that need no registry; `npm run test:apps` runs all, or those it is given.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../tools/browser.mjs';
import { root, serve } from '../../tools/serve.mjs';
import { short } from '../support/full.mjs';
import { NoRegistry, filesIn, makeProject, makeScratch, pack } from './harness/project.mjs';
import { freePort, run, startServer } from './harness/processes.mjs';
import { visit } from './harness/visit.mjs';
import { kinds } from './kinds.mjs';

const wanted = process.env.FOVEOLA_APPS?.split(',');
/** What `npm test` runs of a kind. */
const quickly = ({ quick, ...kind }) => ({
  ...kind,
  steps: quick.steps,
  visits: kind.visits.filter(({ title }) => quick.visits.includes(title)),
});
const chosen = short
  ? kinds.filter(({ quick }) => quick).map(quickly)
  : kinds.filter(({ name, linked }) => (wanted ? wanted.includes('all') || wanted.includes(name) : linked));
const minutes = 60_000;

/** Files that name a folder of this machine, or an address that only exists on it. */
function leaks(files, folders, own = /^$/) {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'latin1');
    const found = folders.filter((folder) => text.includes(folder));
    // Comments of source maps and texts may say `file://`; scripts that do would ask for it.
    if (/\.(m?js|wasm)$/.test(file) && text.includes('file://') && !own.test(file)) found.push('file://');
    return found.map((what) => `${path.basename(file)} has ${what}`);
  });
}

async function startVisit({ command, folder, page = '', policy }, project) {
  if (folder) {
    const headers = () => (policy ? { 'Content-Security-Policy': policy } : {});
    const server = await serve({ folder: path.join(project, folder), headers });
    return { url: `${server.url}/${page}`, stop: server.close };
  }
  const port = await freePort();
  const server = await startServer(project, command(String(port)), { port });
  return { url: `${server.url}/${page}`, stop: server.stop };
}

describe('the packed package', () => {
  let scratch, packed, browser;
  const table = [];

  before(
    async () => {
      scratch = makeScratch();
      packed = await pack(scratch.folder);
      browser = await puppeteer.launch(await launchOptions());
    },
    { timeout: 5 * minutes },
  );
  after(async () => {
    await browser?.close();
    packed?.remove();
    scratch?.remove();
    const width = Math.max(...table.map(([name]) => name.length));
    for (const [name, found, seconds] of table)
      console.log(`${name.padEnd(width)}  ${found.padEnd(18)}  ${seconds.toFixed(0).padStart(4)} s`);
  });

  it('knows nothing of the machine it was built on', () => {
    assert.deepEqual(leaks(filesIn(packed.folder), [root]), []);
  });

  it('is tried in projects whose versions are exact', () => {
    const packages = kinds.map(({ name, source = name }) => [name, new URL(`${source}/package.json`, import.meta.url)]);
    const loose = packages.flatMap(([name, file]) => {
      const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
      const versions = Object.entries({ ...dependencies, ...devDependencies });
      return versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)).map((entry) => [name, ...entry]);
    });
    assert.deepEqual(loose, []);
  });

  for (const kind of chosen) {
    it(`finds pupils in a project with ${kind.title}`, { timeout: 20 * minutes }, async (t) => {
      const began = Date.now();
      const row = [kind.title, 'no pupils', 0];
      table.push(row);
      const faults = [];
      const attempt = (title, work) => work().catch((error) => faults.push(`${title}: ${error.message}`));
      try {
        const project = await makeProject(kind, packed, scratch.folder);
        for (const step of kind.steps) await attempt('build', () => run(project, step));
        if (kind.output)
          await attempt('output', async () => {
            const found = leaks(filesIn(path.join(project, kind.output)), [root, scratch.folder], kind.own);
            if (found.length) assert.fail(found.join(', '));
          });
        let found = 0;
        for (const place of kind.visits)
          await attempt(place.title, async () => {
            const { url, stop } = await startVisit(place, project);
            try {
              const seen = await visit(browser, url);
              if (seen.found) found++;
              if (seen.problems.length) assert.fail(seen.problems.map((text) => `\n    ${text}`).join(''));
              assert.ok(seen.found >= 3, `pupils were found ${seen.found} times in ${seen.results} frames`);
              assert.match(seen.heard, /^pupil found, diameter \d/, 'the event reaches the framework');
              assert.equal(seen.capabilities?.worker, true, `in a worker: ${JSON.stringify(seen.capabilities)}`);
            } finally {
              await stop();
            }
          });
        if (found === kind.visits.length) row[1] = 'pupils found';
        else if (found) row[1] = `pupils in ${found} of ${kind.visits.length}`;
        rmSync(project, { recursive: true, force: true, maxRetries: 5 });
      } catch (error) {
        if (!(error instanceof NoRegistry)) throw error;
        row[1] = 'skipped';
        t.skip(error.message);
        return;
      } finally {
        row[2] = (Date.now() - began) / 1000;
      }
      if (faults.length) assert.fail(faults.join('\n'));
    });
  }
});
