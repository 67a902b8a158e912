// What the npm package has beside bundles and types: the manifest, the wrappers for React and Vue, and the commands. Built after the types.
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { writeWhole } from './fingerprint.mjs';
import { root } from './setup.mjs';
import { buildWrappers } from './build-wrappers.mjs';

const at = (...parts) => path.join(root, ...parts);

export const packageTools = [
  'tools/build-types.mjs',
  'tools/build-package.mjs',
  'tools/build-wrappers.mjs',
  'tools/framework-types.mjs',
  'tools/manifest.mjs',
  'tools/manifest.config.mjs',
  'lab/convert-model.ts',
  'src/command',
];

/** The packages among the files that a bundle was made of. */
export const packagesOf = (files) => [
  ...new Set(
    files
      .map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))?.[1])
      .filter((name) => name !== undefined),
  ),
];

const { name, bin } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

/** What the command `foveola` takes of the library is the package's own module, beside it. */
const besideLibrary = {
  name: 'beside-library',
  setup({ onResolve }) {
    onResolve({ filter: /\/node\/index\.ts$/ }, () => ({ path: '../node.js', external: true }));
  },
};
const sources = {
  [name]: {
    entryPoints: [at('src/command/main.ts')],
    plugins: [besideLibrary],
    external: ['bullmq', 'ioredis', '@bull-board/*', 'ws', 'koffi'],
  },
  [`${name}-convert-model`]: {
    stdin: {
      contents: "import { command } from './lab/convert-model.ts'; process.exitCode = command(process.argv.slice(2));",
      resolveDir: root,
    },
  },
};

/** The commands: each a single file that needs Node, the package and nothing else. */
async function buildCommand(command) {
  const file = bin[command].replace(/^\.\//, '');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    ...sources[command],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: at('tsconfig.json'),
    banner: { js: '#!/usr/bin/env node' },
    metafile: true,
    write: false,
  });
  writeWhole(at(file), outputFiles[0].text);
  chmodSync(at(file), 0o755);
  return { output: file, bundled: Object.keys(metafile.inputs) };
}

export async function buildPackage(log) {
  const { outputs, bundled } = await buildWrappers();
  const commands = await Promise.all(Object.keys(bin).map(buildCommand));
  const packages = packagesOf([...bundled, ...commands.flatMap((command) => command.bundled)]);
  writeWhole(at('dist/.bundled-wrappers.json'), JSON.stringify(packages));
  log('types, wrappers, command and custom-elements.json built');
  return [...outputs, ...commands.map(({ output }) => output), 'dist/.bundled-wrappers.json', 'custom-elements.json'];
}
