/** Instantiates the kernels on the arena's memory and calls them by name. */
import type { Arena } from './arena.ts';
import { FoveolaError } from './error.ts';

type Kernel = (...args: number[]) => number;

export class Kernels {
  readonly names: readonly string[];
  readonly #functions: readonly Kernel[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory) {
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    const functions = Object.entries(instance.exports).filter(([, f]) => typeof f === 'function');
    functions.sort(([a], [b]) => (a < b ? -1 : 1));
    this.names = functions.map(([name]) => name);
    this.#functions = functions.map(([, f]) => f as Kernel);
    this.#index = new Map(this.names.map((name, i) => [name, i]));
  }

  /** A kernel's number, the same in every thread of one build. */
  index(name: string): number {
    const i = this.#index.get(name);
    if (i === undefined) throw new FoveolaError('internal', `There is no kernel '${name}' in this build.`);
    return i;
  }

  function(index: number): Kernel {
    return this.#functions[index]!;
  }

  /** Calls a kernel that returns a number of its own (not a status code). */
  evaluate(name: string, ...args: number[]): number {
    return this.#functions[this.index(name)]!(...args);
  }

  /** Calls a kernel; a status code other than 0 becomes an 'internal' error that names kernel and code. */
  call(name: string, ...args: number[]): void {
    const status = this.#functions[this.index(name)]!(...args);
    if (status !== 0) throw kernelError(name, status);
  }
}

export function kernelError(name: string, status: number): FoveolaError {
  return new FoveolaError('internal', `Kernel '${name}' returned status ${status}. Please report this with the input.`);
}

/** Compiles a module; a page's CSP without 'wasm-unsafe-eval' gives 'wasm-blocked'. */
export async function compileKernels(
  source: BufferSource | Promise<BufferSource | Response>,
): Promise<WebAssembly.Module> {
  try {
    const response = await source;
    if (!(response instanceof Response)) return await WebAssembly.compile(response);
    if (!response.ok) throw new FoveolaError('internal', `${response.url}: HTTP ${response.status}`);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    if (cause instanceof FoveolaError) throw wasmMissing(cause);
    if (
      cause instanceof WebAssembly.CompileError &&
      /unsafe-eval|Content Security Policy|disallowed by embedder/i.test(cause.message)
    )
      throw new FoveolaError(
        'wasm-blocked',
        "WebAssembly is blocked by this page's Content-Security-Policy. Add 'wasm-unsafe-eval' to script-src.",
        { cause },
      );
    throw wasmMissing(cause);
  }
}

const wasmMissing = (cause: unknown) =>
  new FoveolaError(
    'wasm-blocked',
    `The WASM kernels could not be loaded (${cause instanceof Error ? cause.message : String(cause)}). Serve kernels.st.wasm and kernels.mt.wasm beside the module or set assetBase, and allow it in connect-src.`,
    { cause },
  );

export type { Arena };
