export { Runtime } from '../src/runtime/runtime.ts';
export { findVessels } from '../src/vessels/vessels.ts';
export { vesselParameters } from '../src/vessels/parameters.ts';
export { resolveParameters } from '../src/runtime/parameters.ts';
export { Scope } from '../src/runtime/scope.ts';
export { KernelStep } from '../src/runtime/wasm/kernel-step.ts';
