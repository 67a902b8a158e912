// Which browser tests share a page: what a page costs by itself, a second and more, is paid once for several files. A file
// that can't share one says so: `// Own page: it replaces navigator.mediaDevices.` at the start of a line.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const filesOfPage = 8;
const isAlone = (file) =>
  file.startsWith('test/widget/') || /^\/\/ Own page: \S/m.test(readFileSync(path.join(root, file), 'utf8'));

/** Dealt out one by one, so that slow neighbors come apart. */
function dealt(files) {
  const count = Math.ceil(files.length / filesOfPage);
  return Array.from({ length: count }, (_, k) => files.filter((_, i) => i % count === k));
}

/** Files by page. Those with a page of their own come first: the longest are among them, and none of these is to start last. */
export function groupsOf(files, alone = isAlone) {
  const shared = files.filter((file) => !alone(file));
  return [...files.filter((file) => !shared.includes(file)).map((file) => [file]), ...dealt(shared)];
}

/** What web-test-runner opens for these tests: a file of each group, or the test itself. */
export function testPages(files) {
  const folder = path.join(root, 'build/test-pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groupsOf(files).map((group, k) => {
    if (group.length === 1) return group[0];
    const name = `build/test-pages/${k + 1}.js`;
    const load = "import { load } from '/test/support/page-of-tests.mjs';";
    writeFileSync(path.join(root, name), `${load}\nawait load(${JSON.stringify(group)}, '${name}');\n`);
    return name;
  });
}
