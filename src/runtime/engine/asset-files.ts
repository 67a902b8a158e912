/**
 * The files that are no modules: kernels, models, the worker's script. This module serves the sources; in the built
 * package dist/assets.js stands in its place (tools/asset-files.mjs), with one static `new URL('../file', import.meta.url)`
 * for each file, which is the only form that bundlers carry along.
 */
export interface AssetFiles {
  /** Addresses, absolute or relative to the page. */
  kernels(): string;
  /** Names of the shipped models. */
  readonly models: readonly string[];
  model(name: string): string;
  /** gpu.js; '' in the sources, which have the GPU half themselves. */
  gpu(): string;
  /**
   * Starts the worker's script. Throws where the page's origin or its policy forbids that.
   * @param trusted  an address as the Worker constructor takes it
   */
  startWorker(trusted: (url: string) => string): Worker;
  /**
   * Whether the files are at these addresses: some bundlers leave them out (esbuild, rollup, Angular, Vite's
   * development server). Known without a request, which would fail in red on the console.
   */
  carried(): boolean;
  /** Hashes of the files as they were built, by name; none in the sources. */
  readonly hashes: Readonly<Record<string, string>>;
  /** The same files inside modules of their own, for bundles that left them out; null where there are none. */
  readonly inside: AssetsInside | null;
}

export interface AssetsInside {
  kernels(): Promise<Uint8Array<ArrayBuffer>>;
  worker(): Promise<string>;
  /** Also 'gpu.js'. Undefined for those that are too large for it. */
  model(name: string): Promise<Uint8Array<ArrayBuffer>> | undefined;
}

const address = (file: string) => new URL(file, import.meta.url).href;

export const assetFiles: AssetFiles = {
  kernels: () => address('../../../dist/kernels.wasm'),
  models: [
    'face-judge',
    'frontalface_alt',
    'frontalface_alt2',
    'frontalface_default',
    'landmarks-68',
    'landmarks-68-small',
    'vessels',
  ],
  model: (name) => address(`../../../models/${name}.bin`),
  gpu: () => '',
  startWorker: (trusted) => new Worker(trusted(address('../../worker.ts')), { type: 'module', name: 'foveola-worker' }),
  carried: () => true,
  hashes: {},
  inside: null,
};
