/** The preprocessing of one frame, shared by the searches of all eyes, in the arena. A scope owns its buffers. */
import { number } from '../../runtime/parameters.ts';
import { defineStage } from '../../runtime/stage.ts';
import { fillPass } from './passes.gpu.ts';
import { dilate, topHat } from '../../image/morphology.ts';
import { gaussian } from '../../image/gaussian.ts';
import { median } from '../../image/median.ts';
import { threshold } from '../../image/threshold.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { type Plane, strideOf } from '../../runtime/plane.ts';
import { Scope, type Block } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { contains, grownBy, type Region } from '../search/region.ts';

// Preprocessing of whole frames (paper 000, section 2.1) by stages: reflection mask by top-hat, threshold and dilation,
// then interpolation of the reflections, then Gaussian or median. Tiles on demand produce equal bytes.

/**
 * Fills corneal reflections from their border (paper 000, section 2.1). A masked pixel becomes the mean of the nearest
 * unmasked pixels in eight directions, weighted by 1 / distance (in integers). Inputs: image, mask. (The paper's median
 * is a filter that replaces the Gaussian, image/median. It does not apply to a reflection itself.)
 *
 * On the GPU this is one pass, with 2 fetches for a pixel that is not masked. For a masked pixel, it also fetches the
 * mask in eight directions up to their first unmasked pixel, and that pixel: about 4 fetches for each pixel of a
 * reflection's width, at most 8 (reach + 1). Nothing is read back. prepare.gpu.ts draws this pass between the passes of
 * the top-hat and of the Gaussian or the median.
 */

export const fillReflections = defineStage({
  name: 'pupil/fill-reflections',
  params: {
    reach: number({
      default: 48,
      min: 1,
      max: 254,
      integer: true,
      unit: 'px',
      effect: 'Reach of a masked pixel in each direction.',
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

/** Returns 255 on corneal reflections, or null without a reflection stage. */
function* reflectionMask(scope: Scope, source: Plane, values: PupilValues): Plan<Plane | null> {
  if (values.reflections === 'none') return null;
  const [hat] = yield* scope.run(topHat, [source], { size: values.reflectionSize });
  const [spots] = yield* scope.run(threshold, [hat], { level: values.reflectionThreshold, value: 255 });
  scope.free(hat);
  if (values.reflectionDilation === 1) return spots;
  const [mask] = yield* scope.run(dilate, [spots], { size: values.reflectionDilation });
  scope.free(spots);
  return mask;
}

/**
 * Maximum distance between a filled pixel and the border that it is filled from. No single reflection is wider than
 * kernel and dilation together. The limit keeps a frame that is completely masked (noise) from costing width times as
 * much.
 */
export const reflectionReach = (values: PupilValues): number => 2 * (values.reflectionSize + values.reflectionDilation);

/** Reach of the reflection mask and the smoothing around a pixel. */
function preparedMargin(values: PupilValues): number {
  const { reflections, reflectionSize, reflectionDilation, smoothing, medianSize, gaussianSize } = values;
  const mask = reflections === 'none' ? 0 : 2 * (reflectionSize >> 1) + (reflectionDilation >> 1);
  return mask + ((smoothing === 'median' ? medianSize : gaussianSize) >> 1);
}

/** Smoothed image and mask of a whole frame, in the arena. Both belong to the scope. */
export function* prepareWholeFrame(
  scope: Scope,
  source: Plane,
  values: PupilValues,
): Plan<{ blurred: Plane; mask: Plane | null }> {
  let mask = yield* reflectionMask(scope, source, values);
  let clean = source;
  if (mask && values.reflections === 'interpolate') {
    [clean] = yield* scope.run(fillReflections, [source, mask], { reach: reflectionReach(values) });
    scope.free(mask);
    mask = null;
  }
  const [blurred] =
    values.smoothing === 'median'
      ? yield* scope.run(median, [clean], { size: values.medianSize })
      : yield* scope.run(gaussian, [clean], { size: values.gaussianSize, sigma: values.gaussianSigma });
  if (clean !== source) scope.free(clean);
  yield* scope.onArena(blurred);
  if (mask) yield* scope.onArena(mask);
  return { blurred, mask };
}

const TILE = 64;
const BLOCK = 16;
/** A box that needs more than this share of the frame is prepared with the whole frame, also for the other eye. */
const WHOLE = 0.5;

/** Whether tiles are made when a search needs them, instead of the whole frame at its start. */
export const onDemand = ({ tilesOnDemand, smoothing, reflections }: PupilValues): boolean =>
  tilesOnDemand && smoothing === 'gaussian' && reflections !== 'interpolate';

/**
 * Returns the piece of a frame that is used to fill the reflections of a box: the box plus the reach of mask and
 * smoothing. Reflections are filled only from this piece, so both backends produce the same result, independent of
 * earlier requests.
 */
export function filledBox(box: Region, { width, height }: Size, values: PupilValues): Region {
  const frame = { x0: 0, y0: 0, x1: width, y1: height };
  const piece = grownBy(box, preparedMargin(values), frame);
  const { x0, y0, x1, y1 } = piece;
  const all = (x1 - x0) * (y1 - y0) > WHOLE * width * height;
  return all || isFilledWhole(values) ? frame : piece;
}

/** Whether a frame is prepared completely at its start, with all reflections filled, so that nothing is masked. */
const isFilledWhole = (values: PupilValues): boolean => !onDemand(values) && values.reflections !== 'skip';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Filled {
  readonly box: Region;
  readonly plane: Plane;
}

/** Blurred image, reflection mask, and the state of their tiles. */
export class PreparedFrame {
  readonly width: number;
  readonly height: number;
  /** Size of the current frame. */
  #size: Size & { readonly stride: number };
  readonly #scope: Scope;
  readonly #blurred: Block;
  readonly #mask: Block;
  readonly #tiles: Block;
  readonly #blocks: Block;
  #source: Plane | null = null;
  #values: PupilValues | null = null;
  #filled: Filled[] = [];

  /** Accepts frames up to this size. */
  constructor(runtime: Runtime, width: number, height: number) {
    const scope = (this.#scope = new Scope(runtime, { backend: 'wasm' }));
    this.width = width;
    this.height = height;
    this.#size = { width, height, stride: strideOf(width, 'u8') };
    const image = this.#size.stride * height;
    try {
      this.#blurred = scope.block(image);
      this.#mask = scope.block(image);
      this.#tiles = scope.block(Math.ceil(width / TILE) * Math.ceil(height / TILE));
      this.#blocks = scope.block(4 * Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK));
    } catch (error) {
      scope.dispose(); // out of memory
      throw error;
    }
  }

  /** Fields that a search uses (assembly/pupil/search/search.ts). */
  get fields() {
    const { width, height, stride } = this.#size;
    return {
      blurred: this.#blurred.address,
      mask: this.#mask.address,
      planeStride: stride,
      tiles: this.#tiles.address,
      tilesAcross: Math.ceil(width / TILE),
      tilesDown: Math.ceil(height / TILE),
      blocks: this.#blocks.address,
      blocksAcross: Math.ceil(width / BLOCK),
    };
  }

  /** Marks every tile as missing or as computed. */
  #mark(valid: 0 | 2): void {
    const memory = this.#scope.arena.u8;
    memory.fill(valid, this.#tiles.address, this.#tiles.address + this.#tiles.bytes);
    memory.fill(0, this.#blocks.address, this.#blocks.address + this.#blocks.bytes);
  }

  /** Starts a new frame. Nothing is preprocessed yet, or everything is if tiles cannot be made on demand. */
  *begin(source: Plane, values: PupilValues): Plan<void> {
    this.#forget();
    this.#source = source;
    this.#values = values;
    const { width, height } = source;
    this.#size = { width, height, stride: strideOf(width, 'u8') };
    if (onDemand(values)) return this.#mark(0);
    const { blurred, mask } = yield* this.#prepare(source, values);
    this.#take(blurred, mask);
    if (mask) for (const plane of [blurred, mask]) this.#scope.free(plane);
    else this.#filled.push({ box: { x0: 0, y0: 0, x1: width, y1: height }, plane: blurred });
  }

  /** Whole images of a frame or of a piece of it. They belong to this frame's scope. */
  #prepare(source: Plane, values: PupilValues): Plan<{ blurred: Plane; mask: Plane | null }> {
    const own = this.#scope;
    return own.part(function* (scope) {
      const { blurred, mask } = yield* prepareWholeFrame(scope, source, values);
      for (const plane of [blurred, mask]) if (plane) own.own(scope.release(plane));
      return { blurred, mask };
    });
  }

  /**
   * Returns the smoothed image with filled reflections (paper 000, section 2.1), made at the first request. The result
   * is the address of pixel (wanted.x0, wanted.y0) and the stride. Only pixels in the box are guaranteed to be correct.
   * They are valid until the next frame. A small box costs only as much as its surroundings, and its reflections are
   * filled from these surroundings.
   */
  *filled(wanted: Region): Plan<{ address: number; stride: number }> {
    const box = filledBox(wanted, this.#size, this.#values!);
    const known = this.#filled.find((other) => contains(box, other.box) && contains(other.box, box));
    const { plane } = known ?? (yield* this.#fill(box));
    const at = (wanted.y0 - box.y0) * plane.stride + wanted.x0 - box.x0;
    return { address: plane.address + at, stride: plane.stride };
  }

  *#fill(box: Region): Plan<Filled> {
    const values = this.#values!;
    const { width, height } = this.#size;
    const reflections = values.reflections === 'none' ? 'none' : 'interpolate';
    const all = contains(box, { x0: 0, y0: 0, x1: width, y1: height });
    const piece = all ? this.#source! : cropped(this.#scope, this.#source!, box);
    try {
      const { blurred, mask } = yield* this.#prepare(piece, { ...values, reflections });
      if (mask) this.#scope.free(mask);
      const filled = { box, plane: blurred };
      this.#filled.push(filled);
      return filled;
    } finally {
      if (!all) this.#scope.free(piece);
    }
  }

  #forget(): void {
    for (const { plane } of this.#filled.splice(0)) this.#scope.free(plane);
  }

  /** Uses whole-frame images instead of tiles. */
  #take(blurred: Plane, mask: Plane | null): void {
    const memory = this.#scope.arena.u8;
    const { address } = this.#blurred;
    const bytes = this.#size.stride * this.#size.height;
    memory.copyWithin(address, blurred.address, blurred.address + bytes);
    if (mask) memory.copyWithin(this.#mask.address, mask.address, mask.address + bytes);
    else memory.fill(0, this.#mask.address, this.#mask.address + bytes);
    this.#mark(2);
  }

  dispose(): void {
    this.#forget();
    this.#scope.dispose();
  }
}

/** Copies a part of an 8-bit image. */
export function cropped(
  scope: Scope,
  source: { readonly address: number; readonly stride: number },
  { x0, y0, x1, y1 }: Region,
): Plane {
  const out = scope.plane(x1 - x0, y1 - y0, 'u8');
  const { u8 } = scope.arena;
  for (let y = y0; y < y1; y++) {
    const from = source.address + y * source.stride + x0;
    u8.copyWithin(out.address + (y - y0) * out.stride, from, from + out.width);
  }
  return out;
}
