// Builds the scalar baseline: lab/objects/scalar at -O3 without SIMD; the tracker runs on it as on its own kernels.
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { entryOf, readBorder, tableOf, withTable } from '../../../tools/kernel-border.mjs';
import { root } from '../../../tools/setup.mjs';

/** Files of the package that have SIMD, and what stands in for them. */
const instead = {
  'assembly/flow/track-points-window.ts': 'lab/objects/scalar/window.ts',
  'assembly/objects/model-correlations.ts': 'lab/objects/scalar/model-correlations.ts',
};

const SOURCE = 'lab/objects/scalar/index.ts';
/** Exports what SOURCE exports by the numbers under which the engine looks for kernels; there is no such file. */
const NUMBERED = 'lab/objects/scalar/numbered.ts';

/** A module of `entry`, which may be the text of NUMBERED. */
async function compile(entry, numbered, level) {
  const { default: asc } = await import('assemblyscript/asc');
  let module = null;
  const options = ['--runtime', 'stub', '--importMemory', '--noExportMemory', '--zeroFilledMemory'];
  const memory = ['--initialMemory', '1', '--maximumMemory', '65536', '--noAssert', '--disable', 'simd'];
  const { error, stderr } = await asc.main([entry, ...options, ...memory, ...level, '--outFile', 'scalar.wasm'], {
    readFile(name) {
      const file = path.isAbsolute(name) ? path.relative(root, name) : path.normalize(name);
      if (file === 'asconfig.json') return null; // that is for the package's own kernels
      if (file === NUMBERED) return numbered;
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
  });
  if (error)
    throw new Error(`the scalar baseline does not compile: ${error.message}\n${String(stderr).slice(0, 2000)}`);
  return module;
}

export async function buildScalar() {
  const border = readBorder(root);
  const named = await compile(SOURCE, '', ['-O0']);
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(named)).map(({ name }) => name);
  const names = exports.filter((name) => border.kernels.has(name)).sort();
  const numbered = entryOf(names, () => './index');
  return withTable(await compile(NUMBERED, numbered, ['-O3', '--converge']), tableOf(border, names));
}
