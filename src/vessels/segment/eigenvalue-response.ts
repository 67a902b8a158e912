/**
 * The response of `variant: 'paper'`: dark lines of one scale from the eigenvalues themselves (paper 003, section 4.4, which
 * names neither scale nor what is done before and after: those are ours, as are channel, background and level).
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { eigenvalueMaps, featureOfMaps } from '../hessian/maps.ts';

/** Of a contrast in percent, a gray level each; 0 outside of the mask. */
export function* eigenvalueResponse(scope: Scope, contrast: Plane, inside: Plane, sigma: number): Plan<Plane> {
  const { width, height } = contrast;
  const levels = Uint8ClampedArray.from(contrast.copy(), (percent) => 128 + percent);
  const gray = scope.own(scope.runtime.plane(width, height, 'u8', levels));
  const params = { sigma, derivative: 'gaussian' } as const;
  const maps = yield* scope.run(eigenvalueMaps, [gray], { ...params, order: 'magnitude' });
  const [response] = yield* scope.run(featureOfMaps, maps, { ...params, feature: 'dark-line' });
  for (const plane of [gray, ...maps]) scope.free(plane);
  yield* scope.onArena(response);
  const { u8, f32 } = scope.arena;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (!u8[inside.address + y * inside.stride + x]) f32[(response.address + y * response.stride) / 4 + x] = 0;
  return response;
}
