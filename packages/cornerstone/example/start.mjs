// `npm install && npm start` in this folder serves the example. foveola and the package must be built.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { serve } from '../../../tools/serve.mjs';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Routes and folders of the page: the viewer with Cornerstone3D, and foveola, which loads its own parts. */
export async function example() {
  const { outputFiles } = await build({
    ...{ entryPoints: [at('viewer.js')], bundle: true, write: false, format: 'esm', target: 'es2022' },
    alias: { '@foveola/cornerstone': at('../dist/index.js') },
    plugins: [
      {
        name: 'foveola',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^foveola$/ }, () => ({ path: '/dist/foveola.js', external: true })),
      },
    ],
    logLevel: 'error',
  });
  return { routes: { '/viewer.js': outputFiles[0].text }, mounts: { '/example/': at('../example') } };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await serve({ ...(await example()), port: Number(process.env.PORT ?? 0) });
  console.log(`${url}/example/index.html`);
}
