/**
 * The GPU code of the package: shaders, passes, textures and TWGL. It is one file, gpu.js, which loads when an engine
 * first needs it. In built scripts every import of a `*.gpu.ts` file is a binding that stays undefined until then
 * (tools/gpu-part.mjs). Until then, stages run in WASM. In the sources, as bundled by tests and Node tools, the same
 * imports are direct and nothing is loaded later.
 */
import * as error from './error.ts';
import * as plane from './plane.ts';
import * as scope from './scope.ts';
import * as kernelStep from './wasm/kernel-step.ts';

/** Modules that both parts must share: classes used with `instanceof`, and the owner of memory. */
const shared = () => ({ error, plane, scope, kernelStep });

type Part = (shared: unknown) => Record<string, unknown>;

const waiting = new Map<string, (module: unknown) => void>();
let loading: Promise<void> | null = null;

/** Called by each placeholder of a `*.gpu.ts` file. `fill` receives the real module. */
export function gpuModule(name: string, fill: (module: unknown) => void): void {
  waiting.set(name, fill);
}

/**
 * Loads the GPU code once. A failed attempt is not remembered.
 * @param load returns the module of gpu.js
 */
export function loadGpuPart(load: () => Promise<{ default: Part }>): Promise<void> {
  if (!waiting.size) return Promise.resolve();
  loading ??= load().then(({ default: part }) => {
    const modules = part(shared());
    for (const [name, fill] of waiting) fill(modules[name]);
    waiting.clear();
  });
  loading.catch(() => (loading = null));
  return loading;
}
