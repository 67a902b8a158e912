// The kernels that a script calls, out of all of them: what it does not name is left out of the module.
import binaryen from 'binaryen';
import { exportOf, withTable } from './kernel-border.mjs';

/** Whether `code` may call the kernel: as a method (`kernels.erode(`). */
export const callsKernel = (code, name) => code.includes(`.${name}(`);

const rowsOf = (wasm) => {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'kernels');
  return section ? new TextDecoder().decode(section).split('\n') : [];
};

/** @returns the module with only the kernels that `code` may call, with new numbers, and their names; none `without` names */
export function kernelSubset(wasm, code, without = []) {
  const module = binaryen.readBinary(wasm);
  try {
    module.setFeatures(binaryen.Features.All);
    const functions = new Map();
    for (let i = module.getNumExports() - 1; i >= 0; i--) {
      const { name, value } = binaryen.getExportInfo(module.getExportByIndex(i));
      functions.set(name, value);
    }
    for (const name of functions.keys()) module.removeExport(name);
    const rows = rowsOf(wasm);
    const kept = rows.filter((row) => callsKernel(code, nameOf(row)) && !without.includes(nameOf(row)));
    kept.forEach((row, i) => {
      for (const scratch of [false, true]) {
        const made = functions.get(exportOf(rows.indexOf(row), scratch));
        if (made) module.addFunctionExport(made, exportOf(i, scratch));
      }
    });
    module.runPasses(['remove-unused-module-elements']);
    return { wasm: withTable(Buffer.from(module.emitBinary()), kept.join('\n')), names: kept.map(nameOf) };
  } finally {
    module.dispose();
  }
}

const nameOf = (row) => row.split(':')[0];
