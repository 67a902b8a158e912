// `node packages/jspsych/build.mjs` writes dist/: a module for bundlers, its types, and a classic script that sets
// `window.jsPsychFoveola`. jsPsych and foveola stay outside.
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import esbuild from 'rollup-plugin-esbuild';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
const external = ['foveola', 'jspsych'];

async function write(plugin, ...outputs) {
  const bundle = await rollup({ input: at('src/index.ts'), external, plugins: [plugin] });
  for (const output of outputs) await bundle.write({ ...output, file: at(`dist/${output.file}`) });
  await bundle.close();
}

const script = esbuild({
  ...{ target: 'es2022', minify: true, loaders: { '.json': 'json' } },
  tsconfig: at('../../tsconfig.json'),
});
await write(
  script,
  { file: 'index.js', format: 'es' },
  { file: 'index.browser.js', format: 'iife', name: 'jsPsychFoveola', globals: { jspsych: 'jsPsychModule' } },
);
await write(dts({ respectExternal: false }), { file: 'index.d.ts', format: 'es' });
