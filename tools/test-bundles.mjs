// web-test-runner would serve each module of a test by itself: 800 requests for a page with an element, and as many again
// in its workers. What a page or a worker begins with is served as one bundle instead.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, context } from 'esbuild';
import { esbuildCodecs } from './codec-plugin.mjs';
import { esbuildGlsl } from './glsl-plugin.mjs';
import { patchedModule } from './patches.mjs';
import { root } from './setup.mjs';

/** A module's own address is that of its source, so that files beside it and workers are found. */
const sources = {
  name: 'sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('node_modules')) return undefined;
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const address = JSON.stringify(`/${path.relative(root, file)}`);
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${address}, location.origin).href`),
        loader: 'ts',
        resolveDir: path.dirname(file),
      };
    });
    onLoad({ filter: /node_modules.*\.m?js$/ }, ({ path: file }) => {
      const contents = patchedModule(file, readFileSync(file, 'utf8'));
      return contents === null ? undefined : { contents, loader: 'js', resolveDir: path.dirname(file) };
    });
  },
};

/** Node's modules that packages for both worlds name: the browser never calls them. */
const noNode = {
  name: 'no-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path: name }) => ({ path: name, namespace: 'no-node' }));
    onLoad({ filter: /.*/, namespace: 'no-node' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  tsconfig: path.join(root, 'tsconfig.json'),
  plugins: [esbuildGlsl(), esbuildCodecs(), noNode, sources],
  ignoreAnnotations: true, // the package's sideEffects do not speak of tests
  conditions: ['browser', 'development'],
  // Half of the work and of the text: a run of all tests goes without, one of a few says which line failed.
  sourcemap: process.env.FOVEOLA_WHOLE ? false : 'inline',
  sourcesContent: false,
  logLevel: 'silent', // failures come as an exception with the same text
};

async function bundled(file) {
  const { outputFiles } = await build({ ...options, entryPoints: [file] });
  return outputFiles[0].text;
}

const contexts = new Map();
/** The script of a source file as it is now; from the second time on only what changed is built again. */
export async function sourceScript(file, own = {}) {
  const key = JSON.stringify([file, own]);
  if (!contexts.has(key)) contexts.set(key, context({ ...options, entryPoints: [file], ...own }));
  const { outputFiles } = await (await contexts.get(key)).rebuild();
  return outputFiles[0].text;
}

/** One bundle of all tests, which share what they import: texts and esbuild's account of them by path below the root. */
export async function bundledTogether(files, own = {}) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: files,
    splitting: true,
    metafile: true,
    outdir: path.join(root, 'out'),
    outbase: root,
    chunkNames: 'test-chunks/[hash]',
    ...own,
  });
  const below = (output) => path.relative(root, output).replaceAll(path.sep, '/');
  const bytes = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
  const texts = new Map(outputFiles.map(({ path: output, contents }) => [below(output), bytes(contents)]));
  return { texts, outputs: metafile.outputs };
}

/** The bundle by the path that a page asks for. */
async function servedTogether(files) {
  const { texts } = await bundledTogether(files);
  const addressOf = (name) => name.slice('out'.length).replace(/\.test\.js$/, '.test.ts');
  return new Map([...texts].map(([name, text]) => [addressOf(name), text]));
}

/**
 * Middleware of web-test-runner.
 * @param together the tests of a run, if there are several
 */
export function testBundles(together = []) {
  const texts = new Map();
  // What does not build is built by itself below, and fails the test that asked for it.
  const shared = together.length > 1 ? servedTogether(together).catch(() => new Map()) : new Map();
  return async (context, next) => {
    const begins = context.path.endsWith('.test.ts') || context.get('Sec-Fetch-Dest') === 'worker';
    const text = (await shared).get(context.path);
    if (!text && (!begins || !context.path.endsWith('.ts'))) return next();
    context.type = 'text/javascript';
    if (text) {
      context.body = text;
      return undefined;
    }
    if (!texts.has(context.path)) texts.set(context.path, bundled(path.join(root, context.path)));
    // With esbuild's words.
    context.body = await texts.get(context.path).catch((error) => `throw new Error(${JSON.stringify(error.message)});`);
    return undefined;
  };
}
