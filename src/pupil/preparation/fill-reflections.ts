/**
 * Corneal reflections filled from their border (paper 000, section 2.1): a masked pixel becomes the mean of the nearest
 * unmasked pixels in eight directions, weighted by 1 / distance (in whole numbers). Inputs: image, mask. (The paper's median is a filter in
 * place of the Gaussian, image/median; a reflection itself has none.)
 *
 * On the GPU one pass: 2 fetches for a pixel that is not masked; a masked one also fetches the mask along eight ways until
 * their first unmasked pixel, and that pixel: about 4 fetches for each pixel of a reflection's width, at most 8 (reach + 1).
 * Nothing is read back. prepare.gpu.ts draws the same pass between the top-hat's and those of the Gaussian or the median.
 */
import { number } from '../../runtime/parameters.ts';
import { defineStage } from '../../runtime/stage.ts';
import { fillPass } from './passes.gpu.ts';

export const fillReflections = defineStage({
  name: 'pupil/fill-reflections',
  params: {
    reach: number({
      default: 48,
      min: 1,
      max: 254,
      integer: true,
      unit: 'px',
      effect: 'How far a masked pixel looks in each direction.',
    }),
  },
  inputs: ['u8', 'u8'],
  outputs: ['u8'],
  tolerance: 0,
  fits: (gpu, [{ width, height }]) => gpu.fits(width, height),
  *gpu(scope, [source, mask], { reach }) {
    const { width, height } = source;
    const filled = scope.gpuPlane(width, height, 'u8');
    scope.draw(fillPass(false, false), {
      targets: [filled],
      textures: { source, spots: mask },
      uniforms: { size: [width, height], reach },
    });
    return [filled];
  },
  *wasm(scope, [source, mask], { reach }) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.fillReflections(
      { source, mask, target, width, height, reach },
      { rows: height, minimumBand: 64 },
    );
    return [target];
  },
});
