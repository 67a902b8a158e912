import { illuminate, paintEyeball, paintSkin, paintSpot } from './paint.ts';
import { paintStroke } from './strokes.ts';
import { defocus, digitize } from './sensor.ts';
import type { Scene } from './scene.ts';

let image = new Float32Array(0);
let spare = new Float32Array(0);

/** Working memory of the size of a frame, kept between frames. */
export function workspace(pixels: number): { image: Float32Array; spare: Float32Array } {
  if (image.length !== pixels) {
    image = new Float32Array(pixels);
    spare = new Float32Array(pixels);
  }
  return { image, spare };
}

/**
 * Renders a scene to 8-bit gray: skin, eyeball, hairs, light, reflections, then what the camera does: defocus, noise,
 * clipping. Light comes before the reflections because they saturate anyway.
 */
export function render(scene: Scene): Uint8Array {
  const { width, height } = scene;
  const work = workspace(width * height);
  paintSkin(work.image, scene);
  paintEyeball(work.image, scene);
  for (const stroke of scene.strokes) paintStroke(work.image, width, height, stroke);
  illuminate(work.image, scene);
  for (const spot of scene.spots) paintSpot(work.image, width, height, spot);
  defocus(work.image, work.spare, width, height, scene.defocus);
  return digitize(work.image, scene.noise, scene.noiseSeed);
}
