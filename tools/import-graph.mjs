// Who imports whom below src/, widget/, glsl/ and assembly/, shaders by their #include; types count as well.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { filesBelow } from './fingerprint.mjs';

const includes = (text) =>
  [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]+"([^"]+)"/gm)].map((match) => ({ name: match[1], typeOnly: false }));

function imports(text) {
  const tree = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push({
        name: node.moduleSpecifier.text,
        typeOnly: Boolean(node.importClause?.isTypeOnly || node.isTypeOnly),
      });
    else if (ts.isImportTypeNode(node)) found.push({ name: node.argument.literal?.text ?? '', typeOnly: true });
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push({ name: node.arguments[0]?.text ?? '', typeOnly: false });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * Each file with its imports: { name, typeOnly, to }. `to` is the file, relative to the root with slashes, whether it
 * exists or not; null for a package.
 */
export function importGraph(root, folders = ['src', 'widget', 'glsl', 'assembly']) {
  const files = filesBelow(root, folders, (file) => /\.(ts|frag|vert|glsl)$/.test(file));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const isScript = file.endsWith('.ts');
      const targetOf = (name) => {
        if (isScript && !name.startsWith('.')) return null;
        const to = path.posix.join(path.posix.dirname(file), name);
        // AssemblyScript leaves out the ending, and index.
        return [to, `${to}.ts`, `${to}/index.ts`].find((one) => known.has(one)) ?? to;
      };
      return [file, (isScript ? imports(text) : includes(text)).map((one) => ({ ...one, to: targetOf(one.name) }))];
    }),
  );
}

/** One cycle out of each group of files that reach each other, as a list that begins and ends with the same file. */
export function cycles(graph) {
  const next = (file) => graph.get(file)?.flatMap(({ to }) => (graph.has(to) ? [to] : [])) ?? [];
  const found = [];
  const left = new Set(); // all that can be reached from these was looked through
  const walk = (file, way) => {
    const at = way.indexOf(file);
    if (at >= 0) return void found.push([...way.slice(at), file]);
    if (left.has(file)) return;
    for (const to of next(file)) walk(to, [...way, file]);
    left.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
