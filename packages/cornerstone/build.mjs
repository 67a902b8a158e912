// `node packages/cornerstone/build.mjs` writes dist/: a module for bundlers and its types. foveola stays outside.
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import esbuild from 'rollup-plugin-esbuild';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));

async function write(plugin, file) {
  const bundle = await rollup({ input: at('src/index.ts'), external: ['foveola'], plugins: [plugin] });
  await bundle.write({ file: at(`dist/${file}`), format: 'es' });
  await bundle.close();
}

await write(esbuild({ target: 'es2022', minify: true, tsconfig: at('../../tsconfig.json') }), 'index.js');
await write(dts({ respectExternal: false }), 'index.d.ts');
