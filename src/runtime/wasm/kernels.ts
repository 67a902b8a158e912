/** Instantiates the kernels on the arena's memory and creates the calls of plans. */
import { FoveolaError } from '../error.ts';
import type { KernelCalls } from './kernel-calls.ts';
import { KernelStep, type KernelEntry, type Rows } from './kernel-step.ts';

type Kernel = (...args: number[]) => number;

export class Kernels {
  /** Creates the steps of plans: `kernels.calls.erode({ source, target, ... }, { rows })`. */
  readonly calls: KernelCalls;
  readonly #functions: Kernel[] = [];

  constructor(module: WebAssembly.Module, memory: WebAssembly.Memory) {
    const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as Readonly<Record<string, Kernel>>;
    // The build wrote this section into the module, from the same data as the types of the calls
    // (tools/kernel-border.mjs).
    const [section] = WebAssembly.Module.customSections(module, 'kernels');
    const rows = section ? new TextDecoder().decode(section).split('\n') : [];
    const calls = rows.map((row, index) => {
      const [name, list, flags, sizes] = row.split(':') as [string, string, string, string?];
      const args = list.match(/\S+/g) ?? [];
      const places = args.flatMap((argument) =>
        argument.endsWith('/') ? [argument.slice(0, -1), `${argument.slice(0, -1)}Stride`] : [argument],
      );
      const number = index.toString(36);
      const run = (this.#functions[index] = exports[`k${number}`]!);
      const scratch = exports[`s${number}`];
      const entry: KernelEntry = {
        ...{ name, index, run, args },
        rows: flags.includes('r'),
        scratch: /[rs]/.test(flags),
        value: flags.includes('v'),
        width: places.indexOf('width'),
        scratchBytes: scratch
          ? { run: scratch, places: (sizes?.match(/\S+/g) ?? []).map((argument) => places.indexOf(argument)) }
          : null,
      };
      return [name, (given: Record<string, unknown>, over?: Rows) => new KernelStep(entry, given, over)];
    });
    this.calls = Object.fromEntries(calls) as KernelCalls;
  }

  /** Function by its number in the table. The numbers are equal in every thread of one build. */
  function(index: number): Kernel {
    return this.#functions[index]!;
  }
}

export function kernelError(name: string, status: number): FoveolaError {
  return new FoveolaError('internal', `Kernel '${name}' returned status ${status}. Please report this with the input.`);
}

/** Engine messages under a policy without 'wasm-unsafe-eval'. */
const forbidden = /unsafe-eval|Content Security Policy|disallowed by embedder|blocked by CSP/i;

/**
 * Sets the flag for shared imported memory, in place. No kernel uses atomics, so nothing else differs. The memory is
 * the module's only import: section 2 holds one entry with two names, a kind (2) and the flags.
 */
function markShared(wasm: Uint8Array): void {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (let section = wasm[at++]; section !== undefined; section = wasm[at++]) {
    const size = number();
    if (section === 2) {
      at += 1; // number of imports
      for (let names = 0; names < 2; names++) {
        const length = number();
        at += length;
      }
      if (wasm[at] === 2) wasm[at + 1]! |= 2;
      return;
    }
    at += size;
  }
}

/**
 * Compiles the kernels.
 * @param shared whether they will run on shared memory, which threads need
 * @throws {FoveolaError} (rejects) 'wasm-blocked' (the page's policy), 'asset-missing' (the bytes are not a module)
 */
export async function compileKernels(
  source: Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer> | Response>,
  shared = false,
): Promise<WebAssembly.Module> {
  const given = await source;
  try {
    const bytes = given instanceof Response ? new Uint8Array(await given.arrayBuffer()) : given;
    if (shared) markShared(bytes);
    return await WebAssembly.compile(bytes);
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
      `The kernels are damaged or of another version, or this browser has no WebAssembly SIMD (${text}). Copy kernels.wasm from the package's dist folder again.`,
      { cause },
    );
  }
}
