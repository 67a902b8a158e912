// The kernels that a script calls, out of all of them: what it does not name is left out of the module.
import binaryen from 'binaryen';
import { withTable } from './kernel-border.mjs';

/** Whether `code` may call the kernel: as a method (`kernels.erode(`). A kernel's scratch function comes with it. */
export function callsKernel(code, name) {
  if (name.endsWith('Scratch')) return callsKernel(code, name.slice(0, -'Scratch'.length));
  return code.includes(`.${name}(`);
}

/** @returns the module with only the exports that `code` may call, and their names */
export function kernelSubset(wasm, code) {
  const module = binaryen.readBinary(wasm);
  try {
    module.setFeatures(binaryen.Features.All);
    const names = Array.from(
      { length: module.getNumExports() },
      (_, i) => binaryen.getExportInfo(module.getExportByIndex(i)).name,
    );
    const kept = names.filter((name) => callsKernel(code, name));
    for (const name of names) if (!kept.includes(name)) module.removeExport(name);
    module.runPasses(['remove-unused-module-elements']);
    return { wasm: withTable(Buffer.from(module.emitBinary()), tableOf(wasm, kept)), names: kept };
  } finally {
    module.dispose();
  }
}

/** The table of the module with the rows of these kernels alone. */
function tableOf(wasm, names) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'kernels');
  const rows = section ? new TextDecoder().decode(section).split('\n') : [];
  return rows.filter((row) => names.includes(row.split(':')[0])).join('\n');
}

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
