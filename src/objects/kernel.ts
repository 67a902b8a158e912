/** A kernel that works in scratch memory: how much it needs, the function beside it tells. */
import type { WasmSide } from '../runtime/wasm-side.ts';

export function callKernel(side: WasmSide, name: string, args: readonly number[], ...sizes: readonly number[]): void {
  side.once(name, args, side.kernels.evaluate(`${name}Scratch`, ...sizes));
}
