// Modules that the build makes; see tools/glsl-plugin.mjs and rollup.config.js.
declare module '*.frag' {
  const source: string;
  export default source;
}
declare module '*.vert' {
  const source: string;
  export default source;
}
declare module '*.glsl' {
  const source: string;
  export default source;
}
/** Base64 of the deflate-raw compressed single-thread kernels (only in foveola.cdn.js). */
declare module 'virtual:kernels.st' {
  const base64: string;
  export default base64;
}
/** Base64 of the deflate-raw compressed shared-memory kernels (only in foveola.cdn.js). */
declare module 'virtual:kernels.mt' {
  const base64: string;
  export default base64;
}
/** Text of the bundled worker (only in foveola.cdn.js). */
declare module 'virtual:worker' {
  const source: string;
  export default source;
}
