// Builds the scalar baseline: bench/objects/scalar at -O3 without SIMD; the tracker runs on it as on its own kernels.
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { readBorder, tableOf, withTable } from '../../../tools/kernel-border.mjs';
import { root } from '../../../tools/setup.mjs';

/** Files of the package that have SIMD, and what stands in for them. */
const instead = {
  'assembly/flow/track-points-window.ts': 'bench/objects/scalar/window.ts',
  'assembly/objects/model-correlations.ts': 'bench/objects/scalar/model-correlations.ts',
};

export async function buildScalar() {
  const { default: asc } = await import('assemblyscript/asc');
  let module = null;
  const options = ['--runtime', 'stub', '--importMemory', '--noExportMemory', '--zeroFilledMemory'];
  const memory = ['--initialMemory', '1', '--maximumMemory', '65536', '--noAssert', '--disable', 'simd'];
  const { error, stderr } = await asc.main(
    ['bench/objects/scalar/index.ts', ...options, ...memory, '-O3', '--converge', '--outFile', 'scalar.wasm'],
    {
      readFile(name) {
        const file = path.isAbsolute(name) ? path.relative(root, name) : path.normalize(name);
        if (file === 'asconfig.json') return null; // that is for the package's own kernels
        try {
          return readFileSync(path.join(root, instead[file] ?? file), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile(name, contents) {
        if (name.endsWith('.wasm')) module = contents;
      },
      listFiles: () => [],
    },
  );
  if (error)
    throw new Error(`the scalar baseline does not compile: ${error.message}\n${String(stderr).slice(0, 2000)}`);
  const border = readBorder(root);
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(module)).map(({ name }) => name);
  const names = exports.filter((name) => border.kernels.has(name)).sort();
  return withTable(module, tableOf(border, names));
}
