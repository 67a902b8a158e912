/**
 * The files that are not modules: kernels, models, and the worker script. This module is used with the sources. In the
 * built package, dist/assets.js replaces it (tools/asset-files.mjs). It has one static `new URL('../file',
 * import.meta.url)` per file, because bundlers include files only in that form.
 */
export interface AssetFiles {
  /** URLs, absolute or relative to the page. */
  kernels(): string;
  /** Names of the shipped models. */
  readonly models: readonly string[];
  model(name: string): string;
  /** URL of gpu.js. '' in the sources, which already contain the GPU code. */
  gpu(): string;
  /**
   * Starts the worker script. Throws if the page's origin or policy forbids it.
   * @param trusted converts a URL to the type that the Worker constructor accepts
   */
  startWorker(trusted: (url: string) => string): Worker;
  /**
   * Whether the files exist at these URLs. Some bundlers leave them out (esbuild, rollup, Angular, Vite's development
   * server). This is known without a request, because a failed request logs an error in the console.
   */
  carried(): boolean;
  /** Hashes of the built files, by name. Empty in the sources. */
  readonly hashes: Readonly<Record<string, string>>;
  /** The same files embedded in separate modules, for bundles that left them out. Null if there are none. */
  readonly inside: AssetsInside | null;
}

export interface AssetsInside {
  kernels(): Promise<Uint8Array<ArrayBuffer>>;
  worker(): Promise<string>;
  /** Also accepts 'gpu.js'. Undefined for files that are too large to embed. */
  model(name: string): Promise<Uint8Array<ArrayBuffer>> | undefined;
}

const address = (file: string) => new URL(file, import.meta.url).href;

export const assetFiles: AssetFiles = {
  kernels: () => address('../../../dist/kernels.wasm'),
  models: [
    'eyes',
    'face-judge',
    'faces',
    'frontalface_alt',
    'frontalface_alt2',
    'frontalface_default',
    'landmarks-68',
    'landmarks-network',
    'vessel-kinds',
    'vessels',
  ],
  model: (name) => address(`../../../models/${name}.bin`),
  gpu: () => '',
  startWorker: (trusted) => new Worker(trusted(address('../../worker.ts')), { type: 'module', name: 'foveola-worker' }),
  carried: () => true,
  hashes: {},
  inside: null,
};
