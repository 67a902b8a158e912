/** Which kernels a runtime calls and which fragment shaders it draws. */
import type { Runtime } from '../../src/runtime/runtime.ts';

export interface Reached {
  readonly kernels: Set<string>;
  /** Texts, as they are compiled. */
  readonly fragments: Set<string>;
}

export function watch(runtime: Runtime): Reached {
  const reached: Reached = { kernels: new Set(), fragments: new Set() };
  const calls = runtime.kernels.calls as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, call] of Object.entries(calls))
    calls[name] = (...args) => {
      reached.kernels.add(name);
      return call(...args);
    };
  const { gpu } = runtime;
  if (!gpu) return reached;
  const draw = gpu.draw.bind(gpu);
  gpu.draw = (pass, given) => {
    reached.fragments.add(pass.fragment);
    draw(pass, given);
  };
  return reached;
}

/** What the package has and no stage reaches, with the reason. At most five lines. */
export const exceptions: Readonly<Record<string, string>> = {
  filterPrepare: 'runs when a target was trusted for three frames, which the stage of two frames does not reach',
  startsAt: "the paper's search from one start; its end is open in the paper, so no reference says where it lies",
  uprightCrop: 'cuts faces out for networks, in no stage; test/node/network/landmarks.test.mjs has a plain crop',
  'glsl/faces/cascade-number.frag': 'scales the classifier in place of the image: rounding differs, compared by shares',
  'glsl/runtime/gpu/pack.frag': 'moves samples to the arena where a device cannot read their format',
};
