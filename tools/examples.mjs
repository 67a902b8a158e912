// How examples/ are served: as they stand, with `foveola/` beside a page as the folder of the package that its user puts
// there, and the React example as its bundler would give it.
import path from 'node:path';
import { root, sendFile } from './serve.mjs';

const dist = path.join(root, 'dist');
export const exampleMounts = Object.fromEntries(
  ['plain', 'twenty', 'offline', 'cameras'].map((name) => [`/examples/${name}/foveola/`, dist]),
);

/** The package's modules by their names; assets.js stays where it is, since it finds the other files by its own address. */
const packageModules = {
  name: 'package-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^foveola(\/|$)/ }, ({ path: name }) => ({
      path: path.join(dist, name === 'foveola' ? 'foveola.js' : `${name.slice('foveola/'.length)}.js`),
    }));
    onResolve({ filter: /\/assets\.js$/ }, () => ({ path: '/dist/assets.js', external: true }));
  },
};

async function bundleReact(request, response) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'examples/react/src/main.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx' } },
    plugins: [packageModules],
    logLevel: 'silent', // failures come as an exception with the same text
  });
  response.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' });
  response.end(outputFiles[0].contents);
}

export const exampleRoutes = {
  '/examples/react/src/main.tsx': bundleReact,
  '/examples/react/sample.webm': (request, response) =>
    sendFile(request, response, path.join(root, 'demo/media/sample.webm')),
};
