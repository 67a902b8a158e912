/**
 * The GPU half of the package: shaders, passes, textures and TWGL. It is one file, gpu.js, which loads when an engine first
 * needs it. In built scripts every import of a `*.gpu.ts` file is a binding that stays undefined until then
 * (tools/gpu-part.mjs); a stage runs in WASM meanwhile. In the sources, as tests and Node's tools bundle them, the same
 * imports are direct and there is nothing to load.
 */
import * as error from './error.ts';
import * as plane from './plane.ts';
import * as scope from './scope.ts';
import * as kernelStep from './wasm/kernel-step.ts';

/** Modules that both halves must share: classes that `instanceof` asks for, and the owner of memory. */
const shared = () => ({ error, plane, scope, kernelStep });

type Part = (shared: unknown) => Record<string, unknown>;

const waiting = new Map<string, (module: unknown) => void>();
let loading: Promise<void> | null = null;

/** Called by each stand-in of a `*.gpu.ts` file: `fill` takes the real module. */
export function gpuModule(name: string, fill: (module: unknown) => void): void {
  waiting.set(name, fill);
}

/**
 * Loads the half once. A failed attempt is not remembered.
 * @param load gives the module of gpu.js
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
