/** A kernel that works in scratch memory: how much it needs, the function beside it tells by some of the arguments. */
import type { WasmSide } from '../runtime/wasm-side.ts';

export function callKernel(side: WasmSide, name: string, args: readonly number[], ...tells: readonly number[]): void {
  side.once(name, args, side.kernels.evaluate(`${name}Scratch`, ...tells));
}
