// Checks that tools/public-api.txt is the public interface: the exports of each entry of the package with all types, and the
// attributes, events, slots and CSS properties of the elements. They are read from the declarations in dist/ and from
// custom-elements.json. `--write` writes the text, and refuses if a line would be
// removed whose name is neither under "Unreleased" in CHANGELOG.md nor in docs/changes.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { filesBelow } from './fingerprint.mjs';
import { main, root } from './setup.mjs';

const at = (...parts) => path.join(root, ...parts);
const read = (file) => readFileSync(at(file), 'utf8');
export const reportFile = 'tools/public-api.txt';

/** Declarations. The types for React, Vue and other frameworks are made from custom-elements.json and left out. */
const isReported = (file) => /^dist\/(\w+|elements\/[\w.-]+|types\/(library|parts|elements))\.d\.ts$/.test(file) && !/^dist\/(react|vue)\./.test(file); // prettier-ignore

const parsed = (file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
const printer = ts.createPrinter({ removeComments: true });
const { version } = JSON.parse(read('package.json'));
/** Without comments, empty lines and private members, two spaces a level. */
const textOf = (node, source) =>
  printer
    .printNode(ts.EmitHint.Unspecified, node, source)
    .replace(/\n\s*(?:#private;)?(?=\n)/g, '')
    .replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))
    .replaceAll(`= "${version}"`, ': string'); // every release has another
const nameOf = (node) => node.name?.text ?? node.declarationList?.declarations[0].name.text ?? '';

/** Names in `export { a as b }`: [[exported, local]]. */
const exportedNames = (node) =>
  node.exportClause?.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]) ?? [];

/** Bundles of declarations shorten the names of shared types. `locals` are the names in the shared file. */
function exportLines(node, file, locals) {
  const from = node.moduleSpecifier && path.posix.join(path.posix.dirname(file), node.moduleSpecifier.text);
  if (!node.exportClause) return [`  * from ${from}`];
  const shared = from && locals.get(from.replace(/\.js$/, '.d.ts'));
  return exportedNames(node).map(([name, local]) => {
    const own = shared?.get(local) ?? local;
    return own.replace(/\$\d+$/, '') === name ? `  ${name}` : `  ${name} = ${own}`;
  });
}

function declarationBlocks(files) {
  const sources = files.map((file) => [file, parsed(file)]);
  const exportsOf = (source) => source.statements.filter(ts.isExportDeclaration);
  const locals = new Map(sources.map(([file, source]) => [file, new Map(exportsOf(source).filter((node) => !node.moduleSpecifier).flatMap(exportedNames))])); // prettier-ignore
  return sources.flatMap(([file, source]) => {
    const names = file.startsWith('dist/types/') ? [] : exportsOf(source).flatMap((node) => exportLines(node, file, locals)); // prettier-ignore
    const declared = source.statements
      .filter((node) => !ts.isExportDeclaration(node) && !ts.isImportDeclaration(node) && nameOf(node))
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0))
      .map((node) => textOf(node, source));
    return [...(names.length ? [[`# ${file}`, ...names.sort()].join('\n')] : []), ...declared];
  });
}

function elementBlocks() {
  const { modules } = JSON.parse(read('custom-elements.json'));
  const typed = ({ name, type }) => `${name}${type ? `: ${type.text.replace(/\s+/g, ' ')}` : ''}`;
  const kinds = { attributes: 'attribute', events: 'event', slots: 'slot', cssParts: 'part', cssProperties: 'css', cssStates: 'state' }; // prettier-ignore
  return modules
    .flatMap(({ declarations }) => declarations)
    .map((element) =>
      [
        `<${element.tagName}>`,
        ...Object.entries(kinds).flatMap(([key, kind]) => (element[key] ?? []).map((one) => `  ${kind} ${typed(one)}`)),
      ].join('\n'),
    );
}

/** The report of the files in dist/. */
export function apiReport() {
  const files = filesBelow(root, ['dist'], (file) => file.endsWith('.d.ts')).filter(isReported);
  return `${[...declarationBlocks(files), ...elementBlocks()].join('\n\n')}\n`;
}

const ownerOf = (block) => /\b(?:class|interface|type|function|const|let|enum|namespace) ([\w$]+)/.exec(block.split('\n')[0])?.[1] ?? block.split('\n')[0]; // prettier-ignore

/** Lines of each block by its name. */
function linesByOwner(report) {
  const all = new Map();
  for (const block of report.trim().split('\n\n').filter(Boolean)) {
    const owner = ownerOf(block);
    all.set(owner, [...(all.get(owner) ?? []), ...block.split('\n')]);
  }
  return all;
}

/** Lines that `after` lacks: [{ owner, line }]. A changed line is one that is removed and one that is added. */
export function removedLines(before, after) {
  const now = linesByOwner(after);
  return [...linesByOwner(before)].flatMap(([owner, lines]) => {
    const left = [...(now.get(owner) ?? [])];
    return lines.filter((line) => {
      const place = left.indexOf(line);
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    }).map((line) => ({ owner, line })); // prettier-ignore
  });
}

const memberOf = (line) => /^\s*(?:(?:attribute|event|slot|part|css|state|readonly|static|get|set|declare|protected) )*([\w$-]+)/.exec(line)?.[1]; // prettier-ignore

/** Removed lines whose names the texts do not mention. */
export function unannounced(removed, texts) {
  const words = new Set(texts.join('\n').match(/[\w$-]+/g));
  return removed.filter(({ owner, line }) => ![owner.replace(/[<>]/g, ''), memberOf(line)].some((name) => words.has(name))); // prettier-ignore
}

/** The texts that announce changes. */
export function announcements() {
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## Unreleased$/m);
  return [unreleased.split(/^## /m)[0], read('docs/changes.md')];
}

const shown = (lines, sign) => lines.slice(0, 40).map(({ owner, line }) => `${sign} ${owner}: ${line.trim()}`).join('\n'); // prettier-ignore

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(async () => {
    const { build } = await import('./build.mjs');
    await build({ bundles: false, log: () => {} });
    const [before, after] = [read(reportFile), apiReport()];
    const [removed, added] = [removedLines(before, after), removedLines(after, before)];
    const silent = unannounced(removed, announcements());
    if (process.argv.includes('--write')) {
      if (silent.length)
        throw new Error(`Name these in CHANGELOG.md under "Unreleased" or in docs/changes.md:\n${shown(silent, '-')}`);
      writeFileSync(at(reportFile), after);
    } else if (before !== after) throw new Error([shown(removed, '-'), shown(added, '+')].filter(Boolean).join('\n') || 'The order has changed.'); // prettier-ignore
  });
