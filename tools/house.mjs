// `npm run check -- house`: what a person looks at now and then, to judge the shape of the code. It judges nothing itself:
// which files a call and a frame pass, by following calls from function to function, and in which objects something waits on
// their way; small files with a single importer; long functions.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { importGraph } from './import-graph.mjs';
import { root } from './setup.mjs';

const SMALL = 80;
const LONG = 60;

/** Where each begins, and how its source is read. It ends where the work of the capability begins. */
const ways = {
  call: { from: 'src/runtime/engine/engine.ts EngineBase.#operation', source: 'ofSamples' },
  frame: { from: 'widget/base/session.ts Session.#send', source: 'ofVideo' },
};
const engine = 'src/runtime/engine';
/** What the types do not say: the implementation behind a member of an interface. */
const behind = {
  'TrackerHandle.process': `${engine}/tracker-proxy.ts TrackerProxy.process`,
  'EngineReaders.readPacket': 'src/frames/to-plane.ts toPlane',
  'Link.postMessage': `${engine}/port.ts Port.#receive`,
};
/** Files that are counted and not followed: planes, plans and memory, which every capability has. */
const isRuntime = (file) => file.startsWith('src/runtime/') && !file.startsWith(engine);
/** A kind of request, and the entry of the dispatch table that answers it. */
const handlerOf = (kind) => `${engine}/host.ts Host.handlers.${kind}`;

const short = (file) => path.relative(root, file).split(path.sep).join('/');

function typedProgram() {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = Object.values(ways).map(({ from }) => path.join(root, from.split(' ')[0]));
  return ts.createProgram([...files, path.join(root, 'src/index.ts'), path.join(root, 'src/worker.ts')], options);
}

/** The node that "file Class.member.entry" names. */
function find(program, place) {
  const [file, names] = place.split(' ');
  let node = program.getSourceFile(path.join(root, file));
  for (const name of names.split('.')) {
    const children = [];
    const collect = (one) => {
      if (one.name?.getText() === name && (codeOf(one) ?? one.members ?? one.initializer)) children.push(one);
      else ts.forEachChild(one, collect);
    };
    ts.forEachChild(node, collect);
    [node] = children;
    if (!node) throw new Error(`tools/house.mjs: there is no ${place}`);
  }
  return node;
}

/** What a call of it runs. */
const codeOf = (node) =>
  node.body ?? (node.initializer && ts.isFunctionLike(node.initializer) ? node.initializer : null);

/** Declarations that a node calls, reads as a getter, or makes an instance of; code that only runs after a failure is left out. */
function called(checker, from, found) {
  const take = (node, text) => {
    let symbol = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(node) ? node.name : node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    for (const declaration of symbol?.declarations ?? []) found(declaration, text);
  };
  const visit = (node) => {
    if (ts.isThrowStatement(node) || ts.isCatchClause(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const [first] = node.arguments ?? [];
      take(node.expression, first && ts.isStringLiteral(first) ? first.text : undefined);
    } else if (ts.isPropertyAccessExpression(node) && !ts.isCallExpression(node.parent)) take(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(from, visit);
}

/** Files of a way, each with the functions that are passed, and the classes that have them. */
function follow(program, { from, source }) {
  const known = { ...behind, 'Connection.readSource': `src/frames/to-packet.ts ${source}` };
  const checker = program.getTypeChecker();
  const seen = new Set();
  const files = new Map();
  const classes = new Map();
  const todo = [find(program, from)];
  const add = (node) => codeOf(node) && todo.push(node);
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const file = short(node.getSourceFile().fileName);
    if (!/^(src|widget)\//.test(file)) continue;
    const owner = ts.findAncestor(node, ts.isClassLike);
    files.set(file, (files.get(file) ?? 0) + 1);
    if (isRuntime(file)) continue;
    if (owner?.name) classes.set(owner.name.text, owner);
    called(checker, codeOf(node), (declaration, text) => {
      const parent = declaration.parent?.name?.text;
      const name = `${parent}.${declaration.name?.getText()}`;
      if (known[name]) return add(find(program, known[name]));
      if (/^(request|tell)$/.test(declaration.name?.getText() ?? '') && text) add(find(program, handlerOf(text)));
      if (ts.isClassLike(declaration))
        for (const member of declaration.members) if (ts.isConstructorDeclaration(member)) add(member);
      add(declaration);
    });
  }
  return { files, classes };
}

/** Fields in which something waits: promises, and functions that go on. */
const waits = (owner) =>
  owner.members.filter((member) => {
    const text = ts.isPropertyDeclaration(member) ? member.getText() : '';
    return /Promise<|\(\) => void\)\[\]|Pending|#waiting/.test(text);
  });

/** Functions of more than LONG lines, and files of fewer than SMALL with one importer. */
function shapes() {
  const graph = importGraph(root, ['src', 'widget']);
  const importers = new Map();
  const long = [];
  const small = [];
  for (const [file, imports] of graph)
    for (const { to } of imports) importers.set(to, (importers.get(to) ?? new Set()).add(file));
  for (const file of graph.keys()) {
    if (!file.endsWith('.ts')) continue;
    const tree = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const lineOf = (at) => tree.getLineAndCharacterOfPosition(at).line;
    const visit = (node) => {
      const lines = lineOf(node.end) - lineOf(node.getStart(tree)) + 1;
      if (ts.isFunctionLike(node) && node.body && lines > LONG)
        long.push(
          `${file}:${lineOf(node.getStart(tree)) + 1} ${node.name?.getText(tree) ?? 'a function'}, ${lines} lines`,
        );
      ts.forEachChild(node, visit);
    };
    visit(tree);
    const by = importers.get(file);
    if (lineOf(tree.end) < SMALL && by?.size === 1) small.push(`${file}, ${lineOf(tree.end)} lines, for ${[...by][0]}`);
  }
  return { long, small };
}

const program = typedProgram();
for (const [name, way] of Object.entries(ways)) {
  const { files, classes } = follow(program, way);
  const own = [...files].filter(([file]) => !isRuntime(file)).sort();
  console.log(
    `A ${name} passes ${own.length} files, from ${way.from}, and uses ${files.size - own.length} of the runtime:`,
  );
  for (const [file, functions] of own) console.log(`  ${file}, functions: ${functions}`);
  console.log('  It may wait in:');
  for (const [owner, node] of classes) {
    const fields = waits(node).map((member) => member.name.getText());
    if (fields.length) console.log(`  ${owner}: ${fields.join(', ')}`);
  }
}
const { long, small } = shapes();
console.log(`Files of fewer than ${SMALL} lines with one importer: ${small.length}`);
for (const line of small.sort()) console.log(`  ${line}`);
console.log(`Functions of more than ${LONG} lines: ${long.length}`);
for (const line of long.sort()) console.log(`  ${line}`);
