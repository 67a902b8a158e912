// node lab/train/faces/bundle.mjs OUT.mjs [ENTRY.ts]: a renderer as one file, which runs on any machine with Node.
import { build } from 'esbuild';
import path from 'node:path';
import { root } from '../../../tools/setup.mjs';

await build({
  absWorkingDir: root,
  entryPoints: [process.argv[3] ?? 'lab/train/faces/render.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  tsconfig: path.join(root, 'tsconfig.json'),
  outfile: path.resolve(process.argv[2]),
});
