/** Two frames made of the photographs in test/media, and how far each pixel of the first has moved, exactly. */
import type { Texture } from './texture.ts';
import { grayOf, type Truth } from './middlebury.ts';

export interface MovedPair {
  previous: Texture;
  next: Texture;
  truth: Truth;
}

/** A place of the first frame to that of the second: turned and enlarged about a center, then shifted. */
interface Motion {
  center: readonly [number, number];
  angle: number;
  scale: number;
  shift: readonly [number, number];
}

const [WIDTH, HEIGHT] = [320, 240];
/** Samples a pixel along each axis: borders and texture are the means of what a pixel covers. */
const PARTS = 4;
/** Pixels of a photograph to one of a frame: no finer detail than a camera would leave. */
const STEP = 1.5;

const ground: Motion = { center: [160, 120], angle: 0.012, scale: 1.01, shift: [1.3, -0.8] };
const object: Motion = { center: [170, 115], angle: -0.02, scale: 0.985, shift: [-3.2, 2.1] };
const RADII = [70, 85] as const;

function moved({ center: [cx, cy], angle, scale, shift }: Motion, x: number, y: number): [number, number] {
  const [c, s] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return [cx + c * (x - cx) - s * (y - cy) + shift[0], cy + s * (x - cx) + c * (y - cy) + shift[1]];
}

/** Where a place of the second frame has been in the first. */
function origin({ center: [cx, cy], angle, scale, shift }: Motion, x: number, y: number): [number, number] {
  const [c, s] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const [u, v] = [x - cx - shift[0], y - cy - shift[1]];
  return [cx + c * u + s * v, cy - s * u + c * v];
}

const onObject = (x: number, y: number) =>
  ((x - object.center[0]) / RADII[0]) ** 2 + ((y - object.center[1]) / RADII[1]) ** 2 < 1;

function sample({ width, height, data }: Texture, x: number, y: number): number {
  const [u, v] = [Math.min(width - 2, Math.max(0, x)), Math.min(height - 2, Math.max(0, y))];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const at = j * width + i;
  const top = data[at]! + (u - i) * (data[at + 1]! - data[at]!);
  const low = data[at + width]! + (u - i) * (data[at + width + 1]! - data[at + width]!);
  return top + (v - j) * (low - top);
}

/** An ellipse cut from the photographer's picture before the portrait, each with its own turn, zoom and shift. */
export async function movedPhotographs(): Promise<MovedPair> {
  const read = async (name: string) =>
    grayOf(
      await createImageBitmap(await (await fetch(`/test/media/${name}`)).blob(), { colorSpaceConversion: 'none' }),
    );
  const [far, near] = [await read('portrait.png'), await read('photographer.png')];
  const frame = (back: (motion: Motion, x: number, y: number) => [number, number]): Texture => {
    const data = new Uint8Array(WIDTH * HEIGHT);
    for (let y = 0, k = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++, k++) {
        let sum = 0;
        for (let part = 0; part < PARTS * PARTS; part++) {
          const px = x + ((part % PARTS) + 0.5) / PARTS - 0.5;
          const py = y + (Math.floor(part / PARTS) + 0.5) / PARTS - 0.5;
          const [ox, oy] = back(object, px, py);
          const [gx, gy] = back(ground, px, py);
          // Where the photographs have the most texture: grass and buildings about (250, 330), a face about (222, 130).
          sum += onObject(ox, oy)
            ? sample(near, 250 + STEP * (ox - object.center[0]), 330 + STEP * (oy - object.center[1]))
            : sample(far, 256 + STEP * (gx - 160), 200 + STEP * (gy - 120));
        }
        data[k] = Math.round(sum / PARTS ** 2);
      }
    return { width: WIDTH, height: HEIGHT, data };
  };
  const truth = new Float32Array(2 * WIDTH * HEIGHT);
  for (let y = 0, k = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, k += 2) {
      const [u, v] = moved(onObject(x, y) ? object : ground, x, y);
      truth.set([u - x, v - y], k);
    }
  return { previous: frame((_, x, y) => [x, y]), next: frame(origin), truth };
}
