// Makes shipped scripts small. esbuild gives private names again in every class and SWC gives one to each: together, names
// repeat more often, and compress better.
import { minify as swc } from '@swc/core';
import { transform } from 'esbuild';

/** Only ASCII: a page that is not UTF-8 reads a script in its own encoding. In strings and templates an escape is the letter. */
const escaped = (code) => code.replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Bundlers leave an address alone that is known only in the page. Minifiers drop the comments that tell them. */
export const markImports = (code) =>
  code.replace(/\bimport\((?!["'])/g, 'import(/* @vite-ignore *//* webpackIgnore: true */');

/** @param module  no other script uses the names at the top */
export async function minify(code, { module = false } = {}) {
  const named = await transform(code, {
    minifyIdentifiers: true,
    minifySyntax: true,
    target: 'es2022',
    legalComments: 'none',
  });
  const { code: small } = await swc(named.code, {
    module,
    ecma: 2022,
    compress: { passes: 0, toplevel: module }, // until nothing changes
    mangle: { toplevel: module },
    format: { comments: false, asciiOnly: true },
  });
  return escaped(small);
}
