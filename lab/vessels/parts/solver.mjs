// Builds lab/vessels/solver, and keeps planes for it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/setup.mjs';

const SOURCE = 'lab/vessels/solver/solve.ts';
const PAGE = 65536;
/** Room of the solvers before the planes. */
const WORK = 4096;

async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  let module = null;
  const options = ['--runtime', 'stub', '-O3', '--converge', '--noAssert', '--enable', 'simd', '--initialMemory', '1'];
  const { error, stderr } = await asc.main([SOURCE, ...options, '--outFile', 'solver.wasm'], {
    readFile(name) {
      const file = path.isAbsolute(name) ? path.relative(root, name) : path.normalize(name);
      if (file === 'asconfig.json') return null;
      try {
        return readFileSync(path.join(root, file), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile(name, contents) {
      if (name.endsWith('.wasm')) module = contents;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the solvers do not compile: ${error.message}\n${String(stderr).slice(0, 2000)}`);
  return module;
}

/** Names of the solvers of whole planes, in the order of their tables. */
export const SOLVERS = ['twice', 'once', 'four', 'byJacobi', 'byQl'];

/** { exports, hold({ across, down, diagonal }) -> { run(name), low(), high() } } */
export async function openSolver() {
  const { instance } = await WebAssembly.instantiate(await compile(), { env: { abort: () => {} } });
  const { memory, ...exports } = instance.exports;
  const reserve = (bytes) => {
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(missing);
  };
  const hold = ({ across, down, diagonal }) => {
    const count = across.length;
    const bytes = 16 * Math.ceil(count / 4);
    const at = [0, 1, 2, 3, 4].map((k) => WORK + k * bytes);
    reserve(WORK + 5 * bytes);
    [across, down, diagonal].forEach((plane, k) => new Float32Array(memory.buffer, at[k], count).set(plane));
    const plane = (k) => new Float32Array(memory.buffer, at[k], count).slice();
    return { run: (name) => exports[name](...at, count, 1024), low: () => plane(3), high: () => plane(4) };
  };
  /** Eigenvalues and vectors of one matrix of n rows: by QL, or by Jacobi's method. */
  const solve = (rows, how = 'ql') => {
    const n = rows.length;
    reserve(2 * PAGE);
    const Numbers = how === 'ql' ? Float64Array : Float32Array;
    const view = (byte, length) => new Numbers(memory.buffer, byte, length);
    view(PAGE, n * n).set(rows.flat());
    if (how === 'ql') exports.solveOne(n, PAGE, 1024, 2048);
    else exports.solveOneByJacobi(n, PAGE, 1024, PAGE + 8192, 2048);
    const vectors = Array.from(view(how === 'ql' ? PAGE : PAGE + 8192, n * n));
    const vector = (k) => Array.from({ length: n }, (_, i) => vectors[how === 'ql' ? i * n + k : k * n + i]);
    return Array.from(view(1024, n), (value, k) => ({ value, vector: vector(k) }));
  };
  return { hold, solve };
}
