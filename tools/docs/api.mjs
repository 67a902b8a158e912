// The reference of the library out of the declarations that are shipped, dist/*.d.ts, with their doc comments.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';
import { html } from './html.mjs';

/** Entries of the package, by what they are imported as. */
const entries = { foveola: 'foveola', 'foveola/node': 'node', 'foveola/reports': 'reports' };
const kinds = ['Functions', 'Classes', 'Values', 'Types'];

const kindOf = ({ flags }) => {
  if (flags & ts.SymbolFlags.Function) return 'Functions';
  if (flags & ts.SymbolFlags.Class) return 'Classes';
  return flags & ts.SymbolFlags.Variable ? 'Values' : 'Types';
};
// The bundler of the declarations numbers names that several files have.
const cleaned = (text) => text.replace(/^(export )?declare /, '').replace(/\b([A-Za-z]\w*)\$\d+\b/g, '$1');

const textOf = (parts) => ts.displayPartsToString(parts);

/** Doc comment of a symbol: { text, tags: [[name, text]] }. */
const documented = (symbol, checker) => ({
  text: textOf(symbol.getDocumentationComment(checker)),
  tags: symbol.getJsDocTags(checker).map(({ name, text }) => [name, textOf(text ?? [])]),
});

/** Methods of the engine: what it says of each, and how it is called. */
function engineMethods(symbol, checker) {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return type.getProperties().map((property) => ({
    name: property.name,
    ...documented(property, checker),
    signature: checker.typeToString(checker.getTypeOfSymbol(property), undefined, ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope), // prettier-ignore
  }));
}

/** { engine: [{ name, text, tags, signature }], entries: [{ entry, names: [{ name, kind, text, tags, declaration }] }] } */
export function readApi() {
  const files = Object.values(entries).map((name) => path.join(root, `dist/${name}.d.ts`));
  const { ESNext } = ts.ScriptTarget;
  const program = ts.createProgram(files, {
    target: ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const met = new Set();
  let engine = [];
  const all = Object.entries(entries).map(([entry, name]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(root, `dist/${name}.d.ts`)));
    const names = checker.getExportsOfModule(module).flatMap((given) => {
      const symbol = given.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(given) : given;
      if (met.has(symbol)) return []; // foveola/node has everything of foveola
      met.add(symbol);
      if (given.name === 'Engine') engine = engineMethods(symbol, checker);
      const declaration = symbol.declarations.map((one) => cleaned((ts.isVariableDeclaration(one) ? one.parent.parent : one).getText())).join('\n'); // prettier-ignore
      return [{ name: given.name, kind: kindOf(symbol), declaration, ...documented(symbol, checker) }];
    });
    return { entry, names: names.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
  return { engine, entries: all };
}

const said = ({ text, tags }, markdown) =>
  html`${markdown(text.replace(/\{@link (\w+)\}/g, '`$1`'))}${tags
    .filter(([name]) => ['param', 'returns', 'throws'].includes(name))
    .map(([name, what]) => html`<p class="tag"><b>${name}</b> ${what.replace(/^\{\w+\} /, '')}</p>`)}`;

const block = (one, markdown) =>
  html`<section>
    <h2 id="${one.name}">${one.name}</h2>
    ${said(one, markdown)}
    <pre tabindex="0" aria-label="Declaration of ${one.name}"><code>${one.declaration}</code></pre>
  </section> `;

/** Pages of the reference: [{ url, title, body }]. */
export function apiPages({ engine, entries: all }, markdown, operationOf) {
  const engineBody = html`<h1>Engine</h1>
    <p>
      The engine that <code>createEngine()</code> resolves with. Every call returns a promise, except
      <code>createPupilTracker()</code>, <code>createObjectTracker()</code> and <code>chain()</code>.
    </p>
    ${engine.map((one) => {
      const page = operationOf(one.name);
      return html`<section>
        <h2 id="${one.name}"><code>${one.name}</code></h2>
        ${said(one, markdown)}
        ${page && html`<p><a href="../${page.url}">${page.title}: the idea, its parameters and figures</a></p>`}
      </section> `;
    })}`;
  const pages = [{ url: 'api/engine.html', title: 'Engine', body: engineBody }];
  for (const { entry, names } of all)
    for (const kind of kinds) {
      const own = names.filter((one) => one.kind === kind);
      if (!own.length) continue;
      const title = `${kind} of ${entry}`;
      const url = `api/${entry.replace('/', '-')}-${kind.toLowerCase()}.html`;
      pages.push({
        url,
        title,
        body: html`<h1>${title}</h1>
          ${own.map((one) => block(one, markdown))}`,
      });
    }
  return pages;
}
