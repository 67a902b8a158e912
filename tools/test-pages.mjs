// Browser tests that share a page. A page costs a second and more, which several files then pay once. A file that can't share
// one has a line `// Own page: it loses WebGL contexts.`. Tests of elements share pages with each other only: they change focus,
// visibility and the engines of the page, and their elements go with each file (test/support/page-of-tests.mjs).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const filesOfPage = 20;
const isMarked = (file) => /^\/\/ Own page: \S/m.test(readFileSync(path.join(root, file), 'utf8'));
const isElement = (file) => file.startsWith('test/widget/');

/** Dealt out one by one, so that slow neighbors come apart. */
function dealt(files) {
  const count = Math.ceil(files.length / filesOfPage);
  return Array.from({ length: count }, (_, k) => files.filter((_, i) => i % count === k));
}

/** Files by page. The marked ones come first, since the longest are among them, then elements: two pages run at once. */
export function groupsOf(files, marked = isMarked) {
  const alone = files.filter((file) => marked(file));
  const others = files.filter((file) => !alone.includes(file));
  return [
    ...alone.map((file) => [file]),
    ...dealt(others.filter(isElement)),
    ...dealt(others.filter((file) => !isElement(file))),
  ];
}

/** What web-test-runner opens for these tests: a module for each page, which sorts after those that are to start before. */
export function testPages(files) {
  const folder = path.join(root, 'build/test-pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groupsOf(files).map((group, k) => {
    const name = `build/test-pages/${String(k + 1).padStart(3, '0')}.js`;
    const load = "import { load } from '/test/support/page-of-tests.mjs';";
    writeFileSync(path.join(root, name), `${load}\nawait load(${JSON.stringify(group)}, '${name}');\n`);
    return name;
  });
}
