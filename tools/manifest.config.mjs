// For the analyzer of custom elements; tools/manifest.mjs runs it and takes what it writes apart.
export default {
  litelement: true,
  globs: ['widget/**/*.ts'],
  exclude: ['widget/cdn/*.ts'],
  outdir: 'build/manifest',
  packagejson: false, // else it writes its own output into package.json
};
