import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import webpack from 'webpack';

const path = fileURLToPath(new URL('dist', import.meta.url));
// `performance: false`: a warning of ours must be seen, and those of how large a bundle should be are not ours.
webpack(
  { mode: 'production', entry: './src/main.js', output: { path, clean: true }, performance: false },
  (error, stats) => {
    if (error) throw error;
    console.log(stats.toString());
    if (stats.hasErrors() || stats.hasWarnings()) process.exitCode = 1;
    cpSync('public', path, { recursive: true });
  },
);
