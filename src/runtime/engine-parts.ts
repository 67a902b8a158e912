/**
 * Parts of the engine that load on first use. gpu.js contains shaders, passes, textures and TWGL. The others belong to
 * the CDN scripts. face-search.js contains the search with cascades. vessel-search.js finds and measures vessels, the
 * optic disc and the fovea. extras.js contains landmarks and the learned networks, the pupil methods other than 'robust', and readers
 * of model files of other programs. In built scripts every import of a part's module is a binding that stays undefined until the
 * part has loaded (tools/engine-parts.mjs). Until then, stages run in WASM. In the sources, as bundled by tests and Node
 * tools, the same imports are direct and nothing is loaded later.
 */
import * as error from './error.ts';
import * as plane from './plane.ts';
import type { Runtime } from './runtime.ts';
import * as scope from './scope.ts';
import * as kernelStep from './wasm/kernel-step.ts';

export const GPU_PART = 'gpu.js';
export const EXTRAS_PART = 'extras.js';
export const FACES_PART = 'face-search.js';
export const VESSELS_PART = 'vessel-search.js';
type PartFile = typeof GPU_PART | typeof EXTRAS_PART | typeof FACES_PART | typeof VESSELS_PART;

type Fill = (module: unknown) => void;
type PartModule = { default: (shared: unknown) => Record<string, unknown> };

interface Part {
  /** Modules by their path, once loaded. */
  modules: Record<string, unknown> | null;
  /** Placeholders with the path of their module. The script and another part can wait for the same one. */
  readonly waiting: [name: string, fill: Fill][];
  loading: Promise<void> | null;
}

const parts = new Map<PartFile, Part>();

/** Registers a placeholder. `fill` receives the real module. */
export function partModule(file: PartFile, name: string, fill: Fill): void {
  let part = parts.get(file);
  if (!part) parts.set(file, (part = { modules: null, waiting: [], loading: null }));
  if (part.modules) fill(part.modules[name]);
  else part.waiting.push([name, fill]);
}

/**
 * Modules that a part and the script must share: classes used with `instanceof`, the owner of memory, this module. A part
 * also names modules of parts that its script does not have, and never calls them.
 */
const shared = () => ({
  ...{ error, plane, scope, kernelStep },
  parts: { partModule: (...given: Parameters<typeof partModule>) => parts.has(given[0]) && partModule(...given) },
});

/** Parts that are separate files in this build. */
export const engineParts = (): PartFile[] => [...parts.keys()];

/** True if the build has this part in a separate file that has not loaded. */
const lacksEnginePart = (file: PartFile): boolean => parts.has(file) && !parts.get(file)!.modules;

/**
 * Loads a part once, and returns undefined if it has loaded. A failed attempt is not remembered.
 * @throws {FoveolaError} (rejects) 'asset-missing'
 */
export function loadEnginePart(runtime: Runtime, file: PartFile): Promise<void> | undefined {
  if (!lacksEnginePart(file)) return undefined;
  const part = parts.get(file)!;
  part.loading ??= importPart(runtime, file).then(({ default: open }) => {
    const modules = (part.modules = open(shared()));
    for (const [name, fill] of part.waiting.splice(0)) fill(modules[name]);
  });
  part.loading.catch(() => (part.loading = null));
  return part.loading;
}

/** Imports a part by its URL and hash, or from its text if a bundler left the file out. */
async function importPart({ places, insideModel }: Runtime, file: PartFile): Promise<PartModule> {
  const { url, integrity } = places.models?.[file] ?? {};
  try {
    if (url !== undefined) {
      // import() accepts no hash, so the file is first fetched with its hash. import() then reads it from the cache.
      if (integrity) await fetch(url, { integrity });
      return (await import(/* @vite-ignore */ /* webpackIgnore: true */ url)) as PartModule;
    }
    const blob = URL.createObjectURL(
      new Blob([(await insideModel!(file)) as Uint8Array<ArrayBuffer>], { type: 'text/javascript' }),
    );
    return await (import(/* @vite-ignore */ /* webpackIgnore: true */ blob) as Promise<PartModule>).finally(() =>
      URL.revokeObjectURL(blob),
    );
  } catch (cause) {
    const from = url === undefined ? '' : ` from ${url}`;
    const [what, instead] =
      file === GPU_PART
        ? ['GPU part', ", or use backend 'wasm'"]
        : ['part of the engine', file === EXTRAS_PART ? ', or use the default method or variant' : ''];
    throw new error.FoveolaError(
      'asset-missing',
      `The ${what} could not be loaded${from}. Put ${file} of this version there and allow it in script-src and connect-src${instead}.`,
      { cause },
    );
  }
}
