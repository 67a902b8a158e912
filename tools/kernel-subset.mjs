// The kernels that a script calls, out of all of them: what it does not name is left out of the module.
import binaryen from 'binaryen';
import { exportOf, withTable } from './kernel-border.mjs';

/** Whether `code` may call the kernel: as a method (`kernels.erode(`). */
export const callsKernel = (code, name) => code.includes(`.${name}(`);

const rowsOf = (wasm) => {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'kernels');
  return section ? new TextDecoder().decode(section).split('\n') : [];
};

/** @returns the module with only the kernels that `code` may call, with new numbers, and their names */
export function kernelSubset(wasm, code) {
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
    const kept = rows.filter((row) => callsKernel(code, nameOf(row)));
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

/**
 * [[offset, byte]]: what turns single-thread kernels into the shared-memory ones. The builds differ only in the flags of
 * the imported memory as long as no kernel uses atomics; a test compares the two full builds.
 */
export function sharedMemoryPatch(wasm) {
  let at = 8;
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const skip = (bytes) => void (at += bytes);
  while (at < wasm.length) {
    const section = wasm[at++];
    const size = leb();
    if (section !== 2) {
      skip(size);
      continue;
    }
    for (let count = leb(); count > 0; count--) {
      skip(leb()); // module
      skip(leb()); // name
      const kind = wasm[at++];
      if (kind === 2) return [[at, wasm[at] | 2]];
      if (kind !== 0) break;
      leb();
    }
    break;
  }
  throw new Error('The kernels import no memory.');
}
