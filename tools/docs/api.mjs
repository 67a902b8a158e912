// The reference of the library out of the declarations that are shipped, dist/*.d.ts, with their doc comments.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';
import { html, raw } from './html.mjs';

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

/** [{ entry, names: [{ name, kind, text, tags, declaration }] }] */
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
  return Object.entries(entries).map(([entry, name]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(root, `dist/${name}.d.ts`)));
    const names = checker.getExportsOfModule(module).flatMap((given) => {
      const symbol = given.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(given) : given;
      if (met.has(symbol)) return []; // foveola/node has everything of foveola
      met.add(symbol);
      const declaration = symbol.declarations.map((one) => cleaned((ts.isVariableDeclaration(one) ? one.parent.parent : one).getText())).join('\n'); // prettier-ignore
      return [{ name: given.name, kind: kindOf(symbol), declaration, ...documented(symbol, checker) }];
    });
    return { entry, names: names.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}

const plain = (text) => text.replace(/\{@link (\w+)\s*\}/g, '`$1`');
/** A paragraph as the text of a cell or line. */
export const unwrapped = (markup) => raw(String(markup).replace(/^<p>([^]*)<\/p>\s*$/, '$1'));

/** A doc comment: its text, and what it says of parameters, results and errors. */
export const said = ({ text, tags }, markdown) =>
  html`${markdown(plain(text))}${tags
    .filter(([name]) => ['param', 'returns', 'throws'].includes(name))
    .map(([name, what]) => html`<p class="tag"><b>${name}</b> ${unwrapped(markdown(plain(what.replace(/^\{\w+\} /, ''))))}</p>`)}`; // prettier-ignore

const block = (one, markdown) =>
  html`<section>
    <h2 id="${one.name}">${one.name}</h2>
    ${said(one, markdown)}
    <pre tabindex="0" aria-label="Declaration of ${one.name}"><code>${one.declaration}</code></pre>
  </section> `;

/** Pages of the reference: [{ url, title, body }]. */
export function apiPages(all, markdown) {
  return all.flatMap(({ entry, names }) =>
    kinds.flatMap((kind) => {
      const own = names.filter((one) => one.kind === kind);
      if (!own.length) return [];
      const title = `${kind} of ${entry}`;
      const url = `api/${entry.replace('/', '-')}-${kind.toLowerCase()}.html`;
      const body = html`<h1>${title}</h1>
        ${own.map((one) => block(one, markdown))}`;
      return { url, title, body };
    }),
  );
}
