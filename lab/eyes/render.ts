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
  paintScene(work.image, scene);
  defocus(work.image, work.spare, width, height, scene.defocus);
  return digitize(work.image, scene.noise, scene.noiseSeed);
}

/** What is painted between the parts of a scene: on the eyeball, on the lids, before the eye. */
export interface Worn {
  onEye?(image: Float32Array): void;
  onLids?(image: Float32Array): void;
  before?(image: Float32Array): void;
}

/** The scene as light, before the camera. */
export function paintScene(image: Float32Array, scene: Scene, worn: Worn = {}): void {
  const { width, height } = scene;
  paintSkin(image, scene);
  paintEyeball(image, scene);
  worn.onEye?.(image);
  worn.onLids?.(image);
  for (const stroke of scene.strokes) paintStroke(image, width, height, stroke);
  illuminate(image, scene);
  for (const spot of scene.spots) paintSpot(image, width, height, spot);
  worn.before?.(image);
}
