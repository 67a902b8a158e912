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

/** What the engines say of a policy without 'wasm-unsafe-eval'. */
const forbidden = /unsafe-eval|Content Security Policy|disallowed by embedder|blocked by CSP/i;

/**
 * Compiles a module.
 * @throws {FoveolaError} (rejects) 'wasm-blocked' (the page's policy), 'asset-missing' (the bytes are no module)
 */
export async function compileKernels(
  source: BufferSource | Promise<BufferSource | Response>,
): Promise<WebAssembly.Module> {
  const given = await source;
  try {
    return await WebAssembly.compile(given instanceof Response ? await given.arrayBuffer() : given);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    if (forbidden.test(text))
      throw new FoveolaError(
        'wasm-blocked',
        "WebAssembly is blocked by this page's Content-Security-Policy. Add 'wasm-unsafe-eval' to script-src.",
        { cause },
      );
    throw new FoveolaError(
      'asset-missing',
      `The kernels are damaged or of another version, or this browser has no WebAssembly SIMD (${text}). Copy kernels.st.wasm and kernels.mt.wasm of the package's dist folder to where they are loaded from.`,
      { cause },
    );
  }
}

export type { Arena };
