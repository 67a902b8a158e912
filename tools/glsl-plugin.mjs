// Shaders as strings: `import source from './canny.frag'`, the same text in rollup, in the test server and in esbuild.
// A line `#include "../lib/texel.glsl"` is replaced by that file, relative to the including one; each file comes once
// per shader. Comments and idle whitespace go, lines stay (compilers report by line, and gzip does not mind).
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const shaderFile = /\.(frag|vert|glsl)$/;
const includeLine = /^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[ \t]*$/;

function expand(file, seen, top) {
  seen.add(file);
  return stripComments(readFileSync(file, 'utf8'))
    .split('\n')
    .map((line, index) => {
      if (!top && /^\s*#\s*version\b/.test(line))
        throw new Error(`${file}:${index + 1}: an included file has no #version line; the including one has it`);
      const include = includeLine.exec(line);
      if (!include) {
        if (/^\s*#\s*include\b/.test(line))
          throw new Error(`${file}:${index + 1}: write #include "relative/path.glsl"`);
        return line;
      }
      const target = path.resolve(path.dirname(file), include[1]);
      if (seen.has(target)) return '';
      try {
        return expand(target, seen, false);
      } catch (error) {
        if (error.code !== 'ENOENT' || error.path !== target) throw error;
        throw new Error(`${file}:${index + 1}: #include "${include[1]}" names no file (${target})`, { cause: error });
      }
    })
    .join('\n');
}

// Keeps the line breaks of block comments, so that the messages above name the right line.
const stripComments = (text) =>
  text.replace(/\r\n?/g, '\n').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]+/g, ' '));

/** Comments, blank lines and spaces that separate nothing are dropped. Preprocessor lines keep their spaces, which
 *  have a meaning there (`#define F (x)` is not `#define F(x)`). */
export function minifyShader(text) {
  return stripComments(text)
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/[ \t]+/g, ' '))
    .filter(Boolean)
    .map((line) =>
      line.startsWith('#')
        ? line
        : line.replace(/ ?([,;{}()[\]=*<>&|?:!]) ?/g, '$1').replace(/([\w)\].]) ([-+/]) ([\w(.])/g, '$1$2$3'),
    )
    .join('\n');
}

/** The shader as it is compiled, and every file that it was made of (for watchers and staleness). */
export function loadShader(file) {
  const seen = new Set();
  const text = minifyShader(expand(path.resolve(file), seen, true));
  return { text, files: [...seen] };
}

const moduleText = (file) => `export default ${JSON.stringify(loadShader(file).text)};`;

export const rollupGlsl = () => ({
  name: 'glsl',
  load(id) {
    if (!shaderFile.test(id)) return null;
    const { text, files } = loadShader(id);
    for (const file of files) this.addWatchFile(file);
    return { code: `export default ${JSON.stringify(text)};`, map: { mappings: '' }, moduleSideEffects: false };
  },
});

export const esbuildGlsl = () => ({
  name: 'glsl',
  setup(build) {
    build.onLoad({ filter: shaderFile }, ({ path: file }) => {
      const { text, files } = loadShader(file);
      return { contents: text, loader: 'text', watchFiles: files };
    });
  },
});

/** For @web/test-runner and web-dev-server. */
export const webGlsl = (root) => ({
  name: 'glsl',
  serve(context) {
    if (!shaderFile.test(context.path)) return undefined;
    return { body: moduleText(path.join(root, decodeURIComponent(context.path))), type: 'js' };
  },
});
