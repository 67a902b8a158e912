// Every block of JavaScript and TypeScript in README and docs, compiled against the types of the package. Its imports must be
// exported, and its calls must have these members and arguments. test/pages/snippets.test.mjs runs the blocks.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { root } from '../../tools/setup.mjs';
import { blocks, notRun, placeOf } from '../support/snippets.mjs';

const options = {
  allowJs: true,
  checkJs: true,
  strict: false,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
};
/** Codes of names that the text before a block explains. */
const free = [2304, 2552, 2582, 2593, 18004];
/** Plain JavaScript says less than the compiler needs: events, literals, variables of the text. */
const loose = [/on type 'Event'\.$/, /'action' are incompatible/, /glsl\/.*\.frag'/, /Argument of type 'Window'/];

/** Errors of the compiler in these blocks: 'file: heading: message' each. */
function faultsOf(list) {
  // In the folder from which their relative imports are right.
  const at = ({ text, language }, i) =>
    path.join(root, 'test', text.includes('../support/pages.mjs') ? 'pages' : 'node', `snippet-${i}.${language}`);
  const files = new Map(list.map((block, i) => [at(block, i), block]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  const textOf = (file) => `${files.get(file).text}\nexport {};\n`; // makes it a module
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => (files.has(file) ? textOf(file) : readFile(file));
  host.getSourceFile = (file, ...more) =>
    files.has(file) ? ts.createSourceFile(file, textOf(file), options.target) : getSourceFile(file, ...more);
  const elements = path.join(root, 'dist/elements.d.ts'); // the tags
  const program = ts.createProgram([...files.keys(), elements], options, host);
  return [...files].flatMap(([file, block]) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .filter(({ code }) => !free.includes(code))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
      .filter((text) => !loose.some((one) => one.test(text)))
      .map((text) => `${placeOf(block)}: ${text}`);
  });
}

const engine = "import { createEngine } from 'foveola';\nconst engine = await createEngine();\n";
const broken = {
  'a missing export': "import { missing } from 'foveola';\n",
  'a missing member': `${engine}engine.missing();\n`,
  'a wrong argument': `${engine}await engine.gaussian('x', 1, 2, 3);\n`,
  'a broken line': 'const = 1;\n',
};

describe('types of the snippets', () => {
  const own = blocks.filter((block) => ['js', 'ts'].includes(block.language) && !notRun(block));
  const wrong = Object.entries(broken).map(([heading, text]) => ({ file: 'broken', heading, language: 'js', text }));
  const faults = faultsOf([...own, ...wrong]);

  it('fit those of the package', () => {
    assert.ok(own.length > 100);
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('broken: ')),
      [],
    );
  });
  for (const name of Object.keys(broken))
    it(`tell ${name}`, () => assert.ok(faults.some((fault) => fault.startsWith(`broken: ${name}: `))));
});
