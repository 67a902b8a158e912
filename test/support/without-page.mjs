// The globals that a unit test finds on its page, for those that run in Node (tools/tests-without-page.mjs): mocha's, and a
// fetch that knows the files of the project.
import { readFileSync, statSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileBelow, mimeType, root, sharedFolder } from '../../tools/serve.mjs';

const origin = 'http://localhost'; // never asked
let used = false;
const noting = (value) => ({ get: () => ((used = true), value) });
Object.defineProperties(globalThis, { describe: noting(describe), it: noting(it) });
Object.assign(globalThis, { before, after, beforeEach, afterEach, location: { origin } });

globalThis.fetch = async (address) => {
  const { pathname } = new URL(address, origin);
  const asked = /^\/test\/support\/(full|short)\.txt$/.exec(pathname)?.[1];
  if (asked) return new Response(process.env[`FOVEOLA_${asked.toUpperCase()}`] ?? '');
  const [, isShared, below] = /^\/(shared\/)?(.*)$/.exec(pathname);
  const file = fileBelow(isShared ? sharedFolder : root, below);
  if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) return new Response(null, { status: 404 });
  return new Response(readFileSync(file), { headers: { 'Content-Type': mimeType(file) } });
};

/** Runs the tests of these modules, by paths below the root. */
export async function load(files) {
  process.setSourceMapsEnabled(true); // stack traces name the TypeScript
  for (const file of files) {
    used = false;
    await import(new URL(`../../${file}`, import.meta.url).href);
    if (!used) it(file, () => Promise.reject(new Error('has no tests')));
  }
}
