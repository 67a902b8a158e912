// `npm run check`: types, lint, format and import direction, each to its end, so that one run shows everything.
// `npm run check -- types lint` runs some of them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installModules, main, root } from './setup.mjs';

const bin = (file) => `node_modules/${file}`;
const folders = ['src', 'widget', 'test', 'tools', 'bench', 'demo', 'assembly'].filter((folder) => existsSync(folder));
const checks = {
  types: [bin('typescript/bin/tsc'), '--noEmit'],
  lint: [bin('eslint/bin/eslint.js'), '.'],
  format: [
    bin('prettier/bin/prettier.cjs'),
    '--check',
    '--log-level',
    'warn',
    '--no-error-on-unmatched-pattern',
    '*.{js,json}',
    ...folders,
  ],
  imports: ['tools/check-imports.mjs'],
};

const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => resolve({ code, output }));
  });

await main(async () => {
  installModules();
  // The typed calls of the kernels are not in the repository.
  (await import('./kernel-border.mjs')).writeBorder(root);
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !checks[word]);
  if (unknown) throw new Error(`There is no check '${unknown}'; there are: ${Object.keys(checks).join(', ')}.`);
  for (const name of words.length ? words : Object.keys(checks)) {
    const { code, output } = await run(checks[name]);
    console.log(`${name.padEnd(8)} ${code === 0 ? 'ok' : 'FAILED'}`);
    if (code !== 0) {
      console.log(output.trimEnd());
      process.exitCode = 1;
    }
  }
});
