// For foveola.elements.js: of the built modules only those are bundled that import Lit, themselves or by others.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rollup/parseAst';

/** What a built module imports, at once or later. */
export function specifiers(code) {
  const now = parseAst(code).body.flatMap(({ source }) => (source ? [source.value] : []));
  const later = [...code.matchAll(/\bimport\(\s*["']([^"'\n]+)["']\s*\)/g)].map(([, specifier]) => specifier);
  return [...now, ...later];
}

/** Whether a built module needs Lit. `imports`: its specifiers by its path. */
export function needsLit(file, imports, seen = new Map()) {
  if (seen.has(file)) return seen.get(file);
  seen.set(file, false); // for cycles
  const needs = imports(file).some((specifier) =>
    specifier.startsWith('.')
      ? needsLit(path.join(path.dirname(file), specifier), imports, seen)
      : /^(lit|@lit)(\/|$)/.test(specifier),
  );
  seen.set(file, needs);
  return needs;
}

export function litInside(folder) {
  const known = new Map(); // to parse a module takes long
  const imports = (file) => {
    if (!known.has(file)) known.set(file, specifiers(readFileSync(file, 'utf8')));
    return known.get(file);
  };
  return {
    name: 'lit-inside',
    resolveId(id, importer) {
      if (!importer?.startsWith(folder) || !id.startsWith('.')) return null;
      const file = path.join(path.dirname(importer), id);
      return { id: file, external: !needsLit(file, imports) };
    },
  };
}
