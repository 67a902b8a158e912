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
/** Name of the file with the kernels that a CDN script calls. */
declare module 'virtual:kernels' {
  const file: string;
  export default file;
}
/** Text of the worker's script. */
declare module 'virtual:worker' {
  const source: () => string;
  export default source;
}

/** A decoder with its WASM inside (tools/codec-plugin.mjs); each call makes a module. */
declare module 'virtual:codec/charls' {
  const make: () => Promise<unknown>;
  export default make;
}
declare module 'virtual:codec/openjpeg' {
  const make: () => Promise<unknown>;
  export default make;
}

// The package's own declarations are missing from its release.
declare module 'jpeg-lossless-decoder-js' {
  export class Decoder {
    /** Samples pixel by pixel. */
    decode(buffer: ArrayBuffer, offset: number, length: number): Uint8Array | Uint16Array | null;
    /** The row that is to be decoded next. */
    yLoc: number;
  }
}
/** The hashes of the shipped models' files, by name (only in the CDN scripts). */
declare module 'virtual:models' {
  const models: Readonly<Record<string, string>>;
  export default models;
}
/** The hashes of the files that the CDN scripts load later, by file name. */
declare module 'virtual:pins' {
  const pins: Readonly<Record<string, string>>;
  export default pins;
}
/** Patterns of files (the package has no declarations of its own). */
declare module 'picomatch' {
  interface Picomatch {
    (pattern: string): (path: string) => boolean;
    scan(pattern: string): { isGlob: boolean };
  }
  const picomatch: Picomatch;
  export default picomatch;
}
