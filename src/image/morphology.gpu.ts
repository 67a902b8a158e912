/**
 * The GPU backend of image/erode, image/dilate and image/top-hat. Windows of 1, 2, 4, ... pixels are joined from four
 * copies of the previous window, in both directions at once: 5 passes of 4 fetches for 19 x 19, independent of the
 * content.
 */
import fragment from '../../glsl/image/morphology.frag';
import type { Surface } from '../runtime/gpu/gpu-backend.ts';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

const uniforms = { before: 'int', after: 'int' } as const;
const declare = (name: string, extreme: 'min' | 'max') =>
  definePass({
    name: `image/${name}`,
    fragment,
    textures: ['source'],
    uniforms,
    outputs: ['extreme'],
    defines: { EXTREME: extreme },
  });

export const erodePass = declare('erode', 'min');
export const dilatePass = declare('dilate', 'max');
export const residuePass = definePass({
  name: 'image/top-hat',
  fragment,
  textures: ['source', 'original'],
  uniforms,
  outputs: ['extreme'],
  defines: { EXTREME: 'max', RESIDUE: 1 },
});

/** Shifts of the doubling steps. They add up to (size - 1) / 2 before and after the pixel. */
export function doublingSteps(size: number): { before: number; after: number }[] {
  const steps: { before: number; after: number }[] = [];
  let before = 0;
  for (let window = 1; window < size;) {
    const grow = Math.min(window, size - window);
    // In the first step, the odd pixel comes after the window. In the last step, if there is one, it comes before.
    const left = window + grow === size ? (size - 1) / 2 - before : grow >> 1;
    steps.push({ before: left, after: grow - left });
    before += left;
    window += grow;
  }
  return steps.length ? steps : [{ before: 0, after: 0 }];
}

/** Runs all steps. The last one draws into `target`, with the pass `last` if it is set. */
function sweep(
  scope: Scope,
  pass: typeof erodePass,
  source: Surface,
  size: number,
  target: Surface,
  original?: Surface,
): void {
  const { width, height } = source;
  const steps = doublingSteps(size);
  const pair =
    steps.length > 1
      ? [scope.texture(width, height, 'u8'), steps.length > 2 ? scope.texture(width, height, 'u8') : null]
      : [];
  let from = source;
  steps.forEach((step, i) => {
    const end = i === steps.length - 1;
    const to = end ? target : pair[i & 1]!;
    if (end && original)
      scope.draw(residuePass, { targets: [to], textures: { source: from, original }, uniforms: step });
    else scope.draw(pass, { targets: [to], textures: { source: from }, uniforms: step });
    from = to;
  });
}

export function morphologyGpu(scope: Scope, kernel: 'erode' | 'dilate' | 'topHat', source: Plane, size: number): Plane {
  const { width, height } = source;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    if (kernel !== 'topHat') sweep(inner, kernel === 'erode' ? erodePass : dilatePass, source, size, out);
    else {
      const eroded = inner.texture(width, height, 'u8');
      sweep(inner, erodePass, source, size, eroded);
      sweep(inner, dilatePass, eroded, size, out, source);
    }
    return out;
  });
}
