/** Instantiates the kernels on the arena's memory and makes the calls of plans. */
import { FoveolaError } from './error.ts';
import type { KernelCalls } from './kernel-calls.ts';
import { KernelStep, type KernelEntry, type Rows } from './kernel-step.ts';

type Kernel = (...args: number[]) => number;

export class Kernels {
  /** Makes the steps of plans: `kernels.calls.erode({ source, target, ... }, { rows })`. */
  readonly calls: KernelCalls;
  readonly #functions: readonly Kernel[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory) {
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    const functions = Object.entries(instance.exports).filter(([, f]) => typeof f === 'function');
    functions.sort(([a], [b]) => (a < b ? -1 : 1));
    this.#functions = functions.map(([, f]) => f as Kernel);
    this.#index = new Map(functions.map(([name], i) => [name, i]));
    this.calls = this.#callsOf(module);
  }

  /** From the table that the build put into the module. */
  #callsOf(module: WebAssembly.Module): KernelCalls {
    const [section] = WebAssembly.Module.customSections(module, 'kernels');
    const rows = new Map<string, { args: string[]; flags: string }>();
    for (const line of section ? new TextDecoder().decode(section).split('\n') : []) {
      const [name, args, flags] = line.split(':') as [string, string, string];
      rows.set(name, { args: args ? args.split(' ') : [], flags });
    }
    // What the build wrote into the module; it wrote their types from the same description.
    const calls: object = {};
    for (const [name, { args, flags }] of rows) {
      const places = args.flatMap((argument) =>
        argument.endsWith('/') ? [argument.slice(0, -1), `${argument.slice(0, -1)}Stride`] : [argument],
      );
      const scratch = rows.get(`${name}Scratch`);
      const index = this.#indexOf(name);
      const entry: KernelEntry = {
        name,
        index,
        run: this.#functions[index]!,
        args,
        rows: flags.includes('r'),
        scratch: /[rs]/.test(flags),
        value: flags.includes('v'),
        width: places.indexOf('width'),
        scratchBytes: scratch
          ? {
              run: this.#functions[this.#indexOf(`${name}Scratch`)]!,
              places: scratch.args.map((argument) => places.indexOf(argument)),
            }
          : null,
      };
      if (entry.scratchBytes?.places.includes(-1))
        throw new FoveolaError('internal', `${name}Scratch reads an argument that '${name}' does not have.`);
      const call = (given: Record<string, unknown>, over?: Rows) => new KernelStep(entry, given, over);
      Object.assign(calls, { [name]: call });
    }
    return calls as KernelCalls;
  }

  /** A kernel's number, the same in every thread of one build. */
  #indexOf(name: string): number {
    const i = this.#index.get(name);
    if (i === undefined) throw new FoveolaError('internal', `There is no kernel '${name}' in this build.`);
    return i;
  }

  function(index: number): Kernel {
    return this.#functions[index]!;
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
