import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namedBy, testsOf } from '../../tools/changed-tests.mjs';
import { root } from '../../tools/setup.mjs';
import { countSessions, exitCode, judged, summary } from '../../tools/test-summary.mjs';
import { groupsOf } from '../../tools/test-pages.mjs';
import { testsWithoutPage } from '../../tools/tests-without-page.mjs';

describe('the closing line', () => {
  it('names skipped tests only when there are some', () => {
    assert.equal(summary({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
    assert.equal(summary({ passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
  });

  it('is no success when nothing ran', () => {
    assert.equal(exitCode({ passed: 1, failed: 0, skipped: 0 }), 0);
    assert.equal(exitCode({ passed: 0, failed: 0, skipped: 5 }), 1);
    assert.equal(exitCode({ passed: 5, failed: 1, skipped: 0 }), 1);
  });

  it('takes a ring without a result, or with an unexplained exit code, for a failure', () => {
    assert.equal(judged(null, 0).failed, 1);
    assert.equal(judged({ passed: 3, failed: 0, skipped: 0 }, 1).failed, 1);
    assert.equal(judged({ passed: 3, failed: 2, skipped: 0 }, 1).failed, 2);
    assert.equal(judged({ passed: 3, failed: 0, skipped: 0 }, 0).failed, 0);
  });
});

describe('browser results', () => {
  const suite = (tests, suites = []) => ({ tests, suites });
  it('are counted in nested suites', () => {
    const testResults = suite([{ passed: true }], [suite([{ passed: false }, { skipped: true, passed: true }])]);
    assert.deepEqual(countSessions([{ passed: false, testResults }]), { passed: 1, failed: 1, skipped: 1 });
  });

  it('count a file that did not load, that failed in a hook and that has no tests', () => {
    assert.equal(countSessions([{ passed: false }]).failed, 1);
    assert.equal(countSessions([{ passed: false, testResults: suite([{ passed: true }]) }]).failed, 1);
    assert.equal(countSessions([{ passed: true, testResults: suite([]) }]).failed, 1);
    assert.equal(countSessions([{ passed: true, testResults: suite([{ skipped: true }]) }]).failed, 0);
  });
});

describe('tests of what changed', () => {
  const users = namedBy(root);
  const reached = (...files) => testsOf(root, files, users);
  it('are those that import it, also by way of others', () => {
    const tests = reached('widget/track/truth.ts');
    assert.deepEqual(
      [tests.includes('test/widget/truth.test.ts'), tests.includes('test/image/median.test.ts')],
      [true, false],
    );
    assert.ok(reached('src/image/median.ts').includes('test/image/median.test.ts'));
  });
  it('are those of the same name for kernels, and a test itself', () => {
    assert.ok(reached('assembly/inpaint/x.ts').some((file) => file.startsWith('test/inpaint/')));
    assert.deepEqual(reached('test/pages/face.test.mjs'), ['test/pages/face.test.mjs']);
  });
});

describe('Node results', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const head = "import { after, before, describe, it } from 'node:test';\n";
  const cases = {
    'passing, skipped and to-do tests': [
      "describe('a', () => { it('b', () => {}); it('c', { skip: true }, () => {}); it.todo('d'); });",
      { passed: 1, failed: 0, skipped: 2 },
    ],
    'a skipped suite': [
      "describe('a', { skip: true }, () => { it('b', () => {}); it('c', () => {}); }); it('d', () => {});",
      { passed: 1, failed: 0, skipped: 1 },
    ],
    'a failing test': [
      "describe('a', () => { it('b', () => {}); it('c', () => { throw 1; }); });",
      { passed: 1, failed: 1, skipped: 0 },
    ],
    'a failing hook': [
      "describe('a', () => { before(() => { throw new Error('x'); }); it('b', () => {}); });",
      { passed: 0, failed: 1, skipped: 0 },
      'atLeast',
    ],
    'a failing last hook': [
      "describe('a', () => { after(() => { throw new Error('x'); }); it('b', () => {}); });",
      { passed: 1, failed: 1, skipped: 0 },
    ],
    'a file that does not load': ["import './not-there.mjs';", { passed: 0, failed: 1, skipped: 0 }],
    'a file without tests': ['', { passed: 0, failed: 1, skipped: 0 }],
    'a crash after the tests': [
      "it('b', () => {}); setTimeout(() => process.exit(3), 50);",
      { passed: 0, failed: 1, skipped: 0 },
      'atLeast',
    ],
    'a rejection that nobody handles': [
      "it('b', () => {}); Promise.reject(new Error('x'));",
      { passed: 0, failed: 1, skipped: 0 },
      'atLeast',
    ],
  };
  const module = new URL('../../tools/node-tests.mjs', import.meta.url).href;

  for (const [name, [text, expected, atLeast]] of Object.entries(cases))
    it(`count ${name}`, () => {
      const file = path.join(folder, 'x.test.mjs');
      writeFileSync(file, head + text);
      const script = path.join(folder, 'run.mjs'); // not --eval, which node would repeat in its children
      writeFileSync(
        script,
        `import { runNodeTests } from ${JSON.stringify(module)};
        const counts = await runNodeTests([${JSON.stringify(file)}], { print() {} });
        console.log(JSON.stringify(counts));`,
      );
      const env = { ...process.env };
      delete env.NODE_TEST_CONTEXT; // node refuses to run tests within tests
      const { stdout, stderr } = spawnSync(process.execPath, [script], {
        env,
        encoding: 'utf8',
      });
      const counts = JSON.parse(stdout || `"${stderr}"`);
      if (atLeast) assert.ok(counts.failed >= 1, JSON.stringify(counts));
      else assert.deepEqual(counts, expected);
    });
});

describe('unit tests', () => {
  it('run in Node where nothing that they reach needs a page', async () => {
    const files = ['test/series/low-pass.test.ts', 'test/widget/strings.test.ts', 'test/frames/camera.test.ts'];
    const { files: chosen, entries } = await testsWithoutPage(files, { name: 'tests-without-page-tried' });
    assert.deepEqual(chosen, ['test/series/low-pass.test.ts']);
    assert.equal(entries.length, 1);
  });

  it('share pages, but for those that need one for themselves', () => {
    const files = Array.from({ length: 40 }, (_, i) => `test/x/${i}.test.ts`);
    const elements = ['test/widget/x.test.ts', 'test/widget/y.test.ts'];
    const groups = groupsOf([...files, ...elements], (file) => file === files[13]);
    assert.deepEqual([groups[0], groups[1]], [[files[13]], elements]);
    assert.deepEqual(groups.flat().sort(), [...files, ...elements].sort());
    assert.deepEqual(
      groups.slice(2).map((group) => group.length),
      [20, 19],
    );
  });
});
