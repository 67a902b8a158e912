/**
 * Converts a photograph to the working plane for vessel detection. The plane contains means of the green channel over
 * whole blocks, as large as the scales allow. The values are the contrast relative to the background in percent (see
 * contrast.ts). Large images are never in memory more than once.
 */
import { defineStage } from '../../runtime/stage.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { ImageFileNotes, ImageScale } from '../../results/types.ts';
import { number } from '../../runtime/parameters.ts';
import { blockBrightness, blockBrightnessRgba, blockMeans, blockMeansRgba } from './blocks.ts';
import type { Size } from '../row-bands.ts';
import { cellOf, contrast } from './contrast.ts';
import { fieldOfView, type FieldOfView } from './field-of-view.ts';

// The channel for vessel detection, in the size of the photograph: a gray image itself, otherwise its green channel.

export const green = defineStage({
  name: 'vessels/green',
  params: {},
  inputs: ['rgba8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'One read of each byte: bringing the photograph to a GPU takes longer than this.',
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.greenRows({ source, target, width }, { rows: height });
    return [target];
  },
});

export function* contrastChannel(scope: Scope, source: Plane): Plan<Plane> {
  if (source.format !== 'rgba8') return source;
  const [plane] = yield* scope.run(green, [source]);
  return plane;
}

// Micrometers per pixel: the value of the caller, otherwise the pixel spacing in the file of the photograph.

/** Limits for photographs of the eye. Other values are not the spacing of one. */
const LEAST = 0.05;
const LARGEST = 1000;

export function scaleOf(
  given: number,
  file: ImageFileNotes | undefined,
): { scale: ImageScale | null; warnings: string[] } {
  const warnings = [...(file?.notes ?? [])];
  if (given > 0) return { scale: { micrometresPerPixel: given, from: 'option' }, warnings };
  if (!file?.spacing) return { scale: null, warnings };
  const { x, y, attribute } = file.spacing;
  const micrometresPerPixel = Math.sqrt(x * y);
  if (!(Math.min(x, y) >= LEAST && Math.max(x, y) <= LARGEST)) {
    warnings.push(`The file's ${attribute} (${x} x ${y} µm) does not fit a photograph of the eye and was not used.`);
    return { scale: null, warnings };
  }
  if (Math.abs(x / y - 1) > 0.01)
    warnings.push(
      `The file's pixels are not square (${x} x ${y} µm). Lengths in µm use the mean of ${micrometresPerPixel}.`,
    );
  return { scale: { micrometresPerPixel, from: 'file' }, warnings };
}

// Grids, ceiling and offset had the best results of about 130 configurations on the fifteen photographs of `npm run
// bench -- accuracy vessels`. HALVED was chosen for speed, with `-- speed vessels`, and changed the results by less
// than 0.003.

/** Blocks across the image for the detection of the field of view. */
const FIELD_BLOCKS = 192;

export interface WorkingPlane {
  readonly width: number;
  readonly height: number;
  /** Width of a working pixel in pixels of the source. */
  readonly block: number;
  /** Contrast in percent, extended outside `inside`. f32. */
  readonly contrast: Plane;
  /** 255 where vessels are searched. u8. */
  readonly inside: Plane;
  readonly field: FieldOfView;
  /** Size of the field in blocks, and block size. */
  readonly fieldSize: { width: number; height: number; block: number };
  /** Diameter of a circle with the area of the field, in working pixels. */
  readonly diameter: number;
}

/** Minimum ratio to the target width for combining two pixels. The cost per pixel is highest there. */
const HALVED = 1.27;

const blockOf = (ratio: number) => (ratio < HALVED ? 1 : Math.max(2, Math.round(ratio)));

/** Diameter of a circle with the area of the field, in pixels of the photograph. */
const acrossOf = ({ width, height }: Size, { area }: FieldOfView) => Math.sqrt((area * width * height * 4) / Math.PI);

/** Width of a field of view of DRIVE, in pixels. Lengths are defined at this scale. */
export const REFERENCE = 540;
/** Pixels of the photograph per pixel at DRIVE's scale. */
export const unitOf = (source: Size, field: FieldOfView): number => acrossOf(source, field) / REFERENCE;

/** Field of view of a gray or RGBA plane in the arena. */
export function* findField(
  scope: Scope,
  source: Plane,
): Plan<{ field: FieldOfView; fieldSize: WorkingPlane['fieldSize'] }> {
  const block = Math.max(1, Math.round(Math.max(source.width, source.height) / FIELD_BLOCKS));
  const [means] =
    source.format === 'rgba8'
      ? yield* scope.run(blockBrightnessRgba, [source], { block })
      : yield* scope.run(blockBrightness, [source], { block });
  const { width, height } = means;
  const field = fieldOfView(means.copy() as Float32Array, width, height, {
    width: source.width,
    height: source.height,
    block,
  });
  scope.free(means);
  return { field, fieldSize: { width, height, block } };
}

/** Inputs: a mask of 0 and 1, and a plane of the target size. Output: 255 where the enlarged mask is above one half. */
export const fieldMask = defineStage({
  name: 'vessels/field-mask',
  params: { ratio: number({ default: 1, min: 1e-3, max: 16, effect: 'Samples of the mask for one of the plane.' }) },
  inputs: ['f32', 'f32'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'Its two neighbor stages, the working plane and the background means, run in WASM.',
  *wasm(scope, [coarse, { width, height }], { ratio }) {
    const target = scope.plane(width, height, 'u8');
    const { width: columns, height: rows } = coarse;
    yield* scope.kernels.enlargeMask({ coarse, columns, rows, ratio, target, width, level: 0.5 }, { rows: height });
    return [target];
  },
});

/** Contrast of one channel of an RGBA plane, in the size of a working plane. */
export function* contrastOf(
  scope: Scope,
  source: Plane,
  { block, inside, diameter }: Pick<WorkingPlane, 'block' | 'inside' | 'diameter'>,
  channel: 'red' | 'green',
): Plan<Plane> {
  const [means] = yield* scope.run(blockMeansRgba, [source], { block, channel });
  const [percent] = yield* scope.run(contrast, [means, inside], { cell: cellOf(diameter) });
  scope.free(means);
  return percent;
}

/**
 * Working plane of a gray or RGBA plane in the arena. `wanted`: approximate target width of the field of view in
 * working pixels.
 */
export function* workingPlane(scope: Scope, source: Plane, wanted: number): Plan<WorkingPlane> {
  const { field, fieldSize } = yield* findField(scope, source);
  const across = acrossOf(source, field);
  const block = Math.min(blockOf(across / wanted), source.width, source.height);
  const diameter = across / block;
  const [gray] =
    source.format === 'rgba8'
      ? yield* scope.run(blockMeansRgba, [source], { block })
      : yield* scope.run(blockMeans, [source], { block });
  const { width, height } = gray;
  const inner = scope.own(scope.runtime.plane(fieldSize.width, fieldSize.height, 'f32', field.inner));
  const [inside] = yield* scope.run(fieldMask, [inner, gray], { ratio: block / fieldSize.block });
  scope.free(inner);
  const [percent] = yield* scope.run(contrast, [gray, inside], { cell: cellOf(diameter) });
  scope.free(gray);
  return { width, height, block, contrast: percent, inside, field, fieldSize, diameter };
}

/** Mean red, green and blue of a sample of pixels inside the field. Null for a gray image. */
export function meanColor(
  scope: Scope,
  source: Plane,
  { inside, block, width, height }: WorkingPlane,
): [number, number, number] | null {
  if (source.format !== 'rgba8') return null;
  const { u8 } = scope.arena;
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 16384)));
  let [red, green, blue, count] = [0, 0, 0, 0];
  let colorful = false;
  for (let y = 0; y < height; y += step) {
    const row = source.address + y * block * source.stride;
    const mask = inside.address + y * inside.stride;
    for (let x = 0; x < width; x += step) {
      if (!u8[mask + x]) continue;
      const p = row + 4 * x * block;
      const [r, g, b] = [u8[p]!, u8[p + 1]!, u8[p + 2]!];
      red += r;
      green += g;
      blue += b;
      if (r !== g || g !== b) colorful = true;
      count++;
    }
  }
  return count && colorful ? [red / count, green / count, blue / count] : null;
}
