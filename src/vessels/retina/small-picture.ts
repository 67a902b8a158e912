/** Means of red and green over blocks of the photograph, used to search for optic disc and fovea. */
import { blockBrightness, blockBrightnessRgba } from '../segment/blocks.ts';
import { fieldOfView } from '../segment/field-of-view.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

export interface SmallPicture {
  readonly width: number;
  readonly height: number;
  readonly red: Float32Array;
  /** For a gray image, equal to red. */
  readonly green: Float32Array;
  /** 1 inside the field of view. */
  readonly inside: Uint8Array;
  /** Diameter of a circle with the area of the field, in pixels of this image. */
  readonly diameter: number;
  /** Width of a block: pixels of the photograph per pixel of this image, in each direction. */
  readonly block: number;
}

/** Number of pixels across the field of view. The disc's radius is 14 to 28 of them. */
const ACROSS = 256;
/** Number of blocks for the detection of the field of view, as in segment/working-plane.ts. */
const FIELD_BLOCKS = 192;

/** Pixels of the small image inside the field of view, whose blocks are larger. */
export function insideOf(
  { inner, columns, side }: { inner: Float32Array; columns: number; side: number },
  { width, height, block }: { width: number; height: number; block: number },
): Uint8Array {
  const rows = inner.length / columns;
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const column = Math.min(columns - 1, Math.floor((((i % width) + 0.5) * block) / side));
    const row = Math.min(rows - 1, Math.floor(((Math.floor(i / width) + 0.5) * block) / side));
    return inner[row * columns + column]!;
  });
}

/** Small image of a gray or RGBA plane in the arena. */
export function* smallPicture(scope: Scope, source: Plane): Plan<SmallPicture> {
  const side = Math.max(1, Math.round(Math.max(source.width, source.height) / FIELD_BLOCKS));
  const colors = source.format === 'rgba8';
  const [coarse] = colors
    ? yield* scope.run(blockBrightnessRgba, [source], { block: side })
    : yield* scope.run(blockBrightness, [source], { block: side });
  const field = fieldOfView(coarse.copy() as Float32Array, coarse.width, coarse.height, {
    width: source.width,
    height: source.height,
    block: side,
  });
  const across = Math.sqrt((field.area * source.width * source.height * 4) / Math.PI);
  const block = Math.max(1, Math.min(Math.round(across / ACROSS), source.width, source.height));
  const [width, height] = [Math.floor(source.width / block), Math.floor(source.height / block)];
  const channels: Float32Array[] = [];
  for (const offset of colors ? [0, 1] : [0]) {
    const target = scope.plane(width, height, 'f32');
    const channel = { address: source.address + offset, stride: source.stride };
    yield* scope.kernels.blockMean(
      { source: channel, step: colors ? 4 : 1, block, target, width },
      { rows: height, cost: width * block * block },
    );
    channels.push(target.copy() as Float32Array);
    scope.free(target);
  }
  const inside = insideOf({ inner: field.inner, columns: coarse.width, side }, { width, height, block });
  scope.free(coarse);
  const [red, green = red] = channels as [Float32Array, Float32Array?];
  return { width, height, red, green, inside, diameter: across / block, block };
}
