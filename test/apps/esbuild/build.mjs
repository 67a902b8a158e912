// As modules with chunks, and as the one classic script that esbuild makes when no format is asked for.
import { cpSync } from 'node:fs';
import { build } from 'esbuild';

const options = { entryPoints: ['src/main.js'], bundle: true, minify: true };
await build({ ...options, format: 'esm', splitting: true, outdir: 'dist/modules' });
await build({ ...options, outdir: 'dist/script' });
for (const folder of ['dist/modules', 'dist/script']) cpSync('public', folder, { recursive: true });
