// Renders faces with known points: npm run lab -- render-faces FOLDER [--count N] [--seed N] [--jobs N] [--model FILE] [--sheet FILE]
// The command is lab/faces/render, bundled into build/render-faces.mjs, which runs on any machine with Node (with --model ict-face.bin).
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';
import { sharedFolder } from '../tools/serve.mjs';
import { root } from '../tools/setup.mjs';

async function bundleRenderer() {
  const outfile = path.join(root, 'build/render-faces.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['lab/faces/render/command.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: path.join(root, 'tsconfig.json'),
    logLevel: 'warning',
    outfile,
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--model')) process.argv.push('--model', path.join(sharedFolder, 'data/ict/ict-face.bin'));
  await import(pathToFileURL(await bundleRenderer()).href);
}
