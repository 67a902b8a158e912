// The types that the package ships, compiled as a user would: strict, with skipLibCheck off, and with nothing installed
// but the package, lit and one framework.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import ts from 'typescript';
import { root } from '../../tools/setup.mjs';
import { itInFull, itKept, short } from '../support/full.mjs';
import { packed, project } from '../support/package.mjs';

const require = createRequire(import.meta.url);
const fixture = (name) => readFileSync(path.join(root, 'test/types', name), 'utf8');
const page = ['frameworks', 'recipes']
  .map((name) => readFileSync(path.join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');

/** The snippets of the page whose fence begins so: { 'docs-1.tsx': text }. */
function snippets(language, extension = language) {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const found = [...page.matchAll(fence)].map(([, text], index) => [`docs-${index + 1}.${extension}`, text]);
  assert.ok(found.length, `docs/frameworks.md has no snippet of ${language}`);
  return Object.fromEntries(found);
}

const common = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};
const resolutions = [
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
];

/** What the compiler says about these files: 'file:line message' each. */
function compile(folder, files, options) {
  const { options: parsed, errors } = ts.convertCompilerOptionsFromJson({ ...common, ...options }, folder);
  assert.deepEqual(errors, []);
  const names = Object.keys(files).map((name) => path.join(folder, name));
  const program = ts.createProgram(names, { ...parsed, configFilePath: path.join(folder, 'tsconfig.json') });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const name = file ? path.relative(folder, file.fileName) : '';
    return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('the types of the package', () => {
  let pack;
  const projects = [];
  const made = (options) => {
    const one = project(pack, options);
    projects.push(one);
    return one;
  };
  before(async () => {
    pack = await packed();
  });
  after(() => {
    pack?.remove();
    for (const one of projects) one.remove();
  });

  const cases = [
    { name: 'plain', packages: [], files: () => ({ 'plain.ts': fixture('plain.ts'), ...snippets('ts') }) },
    {
      name: 'react',
      packages: ['react', '@types/react'],
      options: { jsx: 'react-jsx' },
      files: () => ({ 'react.tsx': fixture('react.tsx'), ...snippets('tsx react', 'tsx') }),
    },
    {
      name: 'preact',
      packages: ['preact'],
      options: { jsx: 'react-jsx', jsxImportSource: 'preact' },
      files: () => ({ 'preact.tsx': fixture('preact.tsx'), ...snippets('tsx preact', 'tsx') }),
    },
  ];
  for (const { name, packages, options = {}, files } of cases)
    itKept(name === 'plain')(`compile without an error, ${name}`, () => {
      const sources = files();
      const { folder } = made({ packages, files: sources });
      // The package's own map of types is the same for all; a framework's way through it is its own.
      const all = !short && (name === 'plain' || process.env.FOVEOLA_FULL);
      for (const resolution of all ? resolutions : resolutions.slice(0, 1))
        assert.deepEqual(compile(folder, sources, { ...options, ...resolution }), [], resolution.moduleResolution);
    });

  itInFull('are found by tsconfig.json under "types" alone', () => {
    const files = { 'tag.tsx': 'export const tag = <foveola-pupil eyes={2} />;' };
    const { folder } = made({ packages: ['react', '@types/react'], files });
    const options = { jsx: 'react-jsx', ...resolutions[0] };
    assert.deepEqual(compile(folder, files, { ...options, types: ['foveola/types/react'] }), []);
    assert.match(compile(folder, files, options).join(), /foveola-pupil/);
  });

  it('declare with one element only its own tag', () => {
    const files = {
      'one.ts':
        "import 'foveola/elements/pupil.js';\ndocument.createElement('foveola-pupil').eyes = 2;\n" +
        "// @ts-expect-error not imported\ndocument.createElement('foveola-filter').operation = 'canny';\n",
    };
    const { folder } = made({ files });
    assert.deepEqual(compile(folder, files, resolutions[0]), []);
  });

  itInFull('fit Vue templates under strictTemplates', () => {
    const files = { 'Good.vue': fixture('Good.vue'), 'Bad.vue': fixture('Bad.vue'), ...snippets('vue') };
    const tsconfig = {
      compilerOptions: { ...common, ...resolutions[0], jsx: 'preserve' },
      vueCompilerOptions: { strictTemplates: true },
      include: ['*.vue'],
    };
    const { folder } = made({ packages: ['vue'], files: { ...files, 'tsconfig.json': JSON.stringify(tsconfig) } });
    const { stdout } = run(
      require.resolve('vue-tsc/bin/vue-tsc.js'),
      ['--noEmit', '-p', folder, '--pretty', 'false'],
      folder,
    );
    const heard = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (.*)/gm)].map(([, file, line]) => `${file}:${line}`);
    assert.deepEqual([...new Set(heard)].sort(), lines('Bad.vue', /^ {2}</), stdout);
  });

  itInFull('fit Svelte templates', () => {
    const files = { 'Good.svelte': fixture('Good.svelte'), 'Bad.svelte': fixture('Bad.svelte'), ...snippets('svelte') };
    const tsconfig = { compilerOptions: { ...common, ...resolutions[0] }, include: ['*.svelte'] };
    const { folder } = made({ packages: ['svelte'], files: { ...files, 'tsconfig.json': JSON.stringify(tsconfig) } });
    const args = ['--workspace', folder, '--tsconfig', 'tsconfig.json', '--output', 'machine', '--threshold', 'error'];
    const { stdout } = run(require.resolve('svelte-check/bin/svelte-check'), args, folder);
    const heard = [...stdout.matchAll(/ERROR "([^"]+)" (\d+):/g)].map(([, file, line]) => `${file}:${line}`);
    assert.match(stdout, /COMPLETED/, stdout);
    assert.deepEqual([...new Set(heard)].sort(), lines('Bad.svelte', /^<foveola/), stdout);
  });
});

const run = (script, args, cwd) => spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });

/** The lines of a fixture that must be errors. */
function lines(name, pattern) {
  const found = fixture(name)
    .split('\n')
    .flatMap((text, index) => (pattern.test(text) ? [`${name}:${index + 1}`] : []));
  assert.ok(found.length > 2);
  return found.sort();
}
