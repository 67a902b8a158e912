/** Runs searches that are given as calls of kernels: one alone, or several side by side on the threads. */
import type { Pupil } from '../../results/types.ts';
import type { WasmSide } from '../../runtime/wasm-side.ts';
import type { KernelCall, Steps } from './method.ts';

export function alone(side: WasmSide, steps: Steps): Pupil {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    side.kernels.call(step.value.kernel, ...step.value.args);
  }
}

/** Calls of the same kernel at the same time; results in the order of the searches. Null stays null. */
export function together(side: WasmSide, searches: readonly (Steps | null)[]): (Pupil | null)[] {
  const results: (Pupil | null)[] = searches.map(() => null);
  for (;;) {
    const calls = new Map<string, KernelCall['args'][]>();
    searches.forEach((steps, i) => {
      if (!steps || results[i]) return;
      const { done, value } = steps.next();
      if (done) results[i] = value;
      else calls.set(value.kernel, [...(calls.get(value.kernel) ?? []), value.args]);
    });
    if (!calls.size) return results;
    for (const [kernel, lists] of calls) side.each(kernel, lists);
  }
}
