/**
 * Preprocessing on the GPU (paper 000, sections 2.1 and 4). A piece of the frame is uploaded, four samples per texel.
 * It becomes gray values with a reflection bit, byte for byte equal to the image stages for the whole frame. Six passes
 * need about 70 fetches for four pixels: erosion across, erosion down, dilation across, then dilation down with
 * difference and threshold. Gaussian and dilation of the reflections follow together, across and down.
 */
import { gaussianTaps } from '../../image/gaussian.ts';
import { medianGpu } from '../../image/filters.gpu.ts';
import type { AnyPass } from '../../runtime/gpu/gpu-programs.ts';
import type { GpuBackend, Surface, Texture } from '../../runtime/gpu/gpu-backend.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import { reflectionReach } from './prepared-frame.ts';
import type { Region } from '../search/region.ts';
import {
  fillPass,
  joinPass,
  smoothAndGrowPass,
  smoothPass,
  spotsPass,
  unmaskedPass,
  windowPass,
  type SmoothMode,
} from './passes.gpu.ts';

/** An uploaded piece: its position in the frame, and the part with correct gray values. */
export interface Piece {
  readonly origin: readonly [number, number];
  readonly size: readonly [number, number];
  readonly window: Region;
}

/** Number of texels at which a long window is made of two passes of about its square root instead of one. */
const DOUBLE_FROM = 100_000;

/** Its parts are accessible to benchmarks that measure the effect of each part (lab/pupil/ladder). */
export class GpuPreparation {
  protected readonly values: PupilValues;
  protected readonly taps: Uint32Array;
  readonly #scope: Scope;
  /**
   * One texture for each frame in flight, so that an upload does not have to wait for the passes of the previous frame.
   */
  #sources: Texture[] = [];
  #turn = 0;

  constructor(runtime: Runtime, values: PupilValues) {
    this.#scope = new Scope(runtime);
    this.values = values;
    this.taps = new Uint32Array(8);
    this.taps.set(gaussianTaps(values.gaussianSize, values.gaussianSigma));
  }

  /** Programs of the usual path, to compile before the first frame. */
  passes(): AnyPass[] {
    const { reflections, reflectionSize, reflectionDilation, gaussianSize } = this.values;
    const packed = this.lanes === 4;
    if (reflections !== 'skip') return []; // compiled when they are drawn for the first time
    const kernel = reflectionSize >> 1;
    const [radius, grow] = [gaussianSize >> 1, reflectionDilation >> 1];
    return [
      windowPass('erode', kernel, packed),
      windowPass('erode', 0, packed),
      windowPass('dilate', kernel, packed),
      spotsPass(0, packed),
      smoothAndGrowPass('ACROSS', radius, grow, packed),
      smoothAndGrowPass('DOWN', radius, grow, packed),
    ];
  }

  /** Whether the whole region is prepared, by an image stage that does not support pieces. */
  get whole(): boolean {
    return this.values.smoothing === 'median';
  }

  /** Samples per texel. */
  protected get lanes(): 1 | 4 {
    return 4;
  }

  /** Returns the piece of a frame that is needed for correct gray values in a window. */
  piece(width: number, height: number, window: Region): Piece {
    const { reflections, reflectionSize, reflectionDilation, gaussianSize, smoothing } = this.values;
    const all = smoothing === 'median';
    const spots = reflections === 'none' ? 0 : 2 * (reflectionSize >> 1) + (reflectionDilation >> 1);
    const filled = reflections === 'interpolate' ? reflectionReach(this.values) + (gaussianSize >> 1) : 0;
    const margin = Math.max(spots + filled, gaussianSize >> 1);
    const x0 = all ? 0 : Math.max(0, window.x0 - margin) & ~3;
    const y0 = all ? 0 : Math.max(0, window.y0 - margin);
    const x1 = all ? width : Math.min(width, (window.x1 + margin + 3) & ~3);
    const y1 = all ? height : Math.min(height, window.y1 + margin);
    return { origin: [x0, y0], size: [x1 - x0, y1 - y0], window };
  }

  /** Enqueues upload and passes. The result is a texture of the scope. */
  prepare(scope: Scope, source: Plane, piece: Piece): Texture {
    const lanes = this.lanes;
    const columns = Math.ceil(piece.size[0] / lanes);
    const area = { x: 0, y: 0, width: columns, height: piece.size[1] };
    // Textures hold the largest piece, so that pieces of any size can reuse them.
    const width = Math.ceil(source.width / lanes);
    const { height } = source;
    const image = this.#upload(source, piece, width, area);
    const work: Work = {
      scope,
      area,
      size: piece.size,
      eight: () => scope.texture(width, height, lanes === 4 ? 'rgba8ui' : 'u8'),
      sixteen: () => scope.texture(width, height, lanes === 4 ? 'rgba16ui' : 'u16'),
    };
    return this.enqueue(work, source, image);
  }

  #upload(source: Plane, { origin, size }: Piece, width: number, area: { width: number; height: number }): Texture {
    const scope = this.#scope;
    const { height, stride, address } = source;
    const format = this.lanes === 4 ? 'rgba8ui' : 'u8';
    const turn = (this.#turn = (this.#turn + 1) % this.values.depth);
    let texture = this.#sources[turn];
    if (!texture || texture.lost || texture.width !== width || texture.height !== height) {
      if (texture) scope.free(texture);
      texture = this.#sources[turn] = scope.texture(width, height, format);
    }
    const first = address + origin[1] * stride + origin[0];
    const end = first + (size[1] - 1) * stride + area.width * this.lanes;
    scope.gpu.upload(texture, scope.arena.u8.subarray(first, end), stride, area);
    return texture;
  }

  /** Combines two operations in a pass if they read the same rows. */
  protected enqueue(work: Work, source: Plane, image: Texture): Texture {
    const { reflections, smoothing } = this.values;
    const spots = reflections === 'none' ? null : this.spots(work, image);
    if (!spots || smoothing === 'median' || reflections === 'interpolate')
      return this.apart(work, source, image, spots && this.grow(work, spots));
    return this.smoothAndGrow(work, image, spots);
  }

  protected smoothAndGrow(work: Work, image: Texture, spots: Texture): Texture {
    const { reflectionDilation, gaussianSize } = this.values;
    const packed = this.lanes === 4;
    const pass = (mode: SmoothMode) => smoothAndGrowPass(mode, gaussianSize >> 1, reflectionDilation >> 1, packed);
    const uniforms = { size: work.size, taps: this.taps };
    const [sums, grown, out] = [work.sixteen(), work.eight(), work.sixteen()];
    draw(work, pass('ACROSS'), [sums, grown], { source: image, spots }, uniforms);
    draw(work, pass('DOWN'), [out], { source: sums, spots: grown }, uniforms);
    return out;
  }

  /** Top-hat and threshold: 255 on reflections. */
  protected spots(work: Work, image: Texture): Texture {
    const { reflectionSize, reflectionThreshold: level } = this.values;
    const packed = this.lanes === 4;
    const radius = reflectionSize >> 1;
    const eroded = this.window(work, 'erode', image, radius);
    const out = work.eight();
    let across: Texture = work.eight();
    draw(work, windowPass('dilate', radius, packed), [across], { source: eroded }, oneRow(work));
    const down = steps(work, radius);
    if (down.length > 1) across = this.#down(work, 'dilate', across, down[0]!);
    const uniforms = { size: work.size, ...down[down.length - 1]!, level };
    draw(work, spotsPass(0, packed), [out], { source: across, original: image }, uniforms);
    return out;
  }

  /** Erosion or dilation with a square. */
  protected window(work: Work, kind: 'erode' | 'dilate', source: Texture, radius: number): Texture {
    let out = work.eight();
    draw(work, windowPass(kind, radius, this.lanes === 4), [out], { source }, oneRow(work));
    for (const rows of steps(work, radius)) out = this.#down(work, kind, out, rows);
    return out;
  }

  #down(work: Work, kind: 'erode' | 'dilate', source: Texture, rows: Rows): Texture {
    const out = work.eight();
    draw(work, windowPass(kind, 0, this.lanes === 4), [out], { source }, { size: work.size, ...rows });
    return out;
  }

  protected grow(work: Work, spots: Texture): Texture {
    return this.window(work, 'dilate', spots, this.values.reflectionDilation >> 1);
  }

  protected gaussian(work: Work, source: Texture): Texture {
    const packed = this.lanes === 4;
    const radius = this.values.gaussianSize >> 1;
    const uniforms = { size: work.size, taps: this.taps };
    const [out, sums] = [work.sixteen(), work.sixteen()];
    draw(work, smoothPass('ACROSS', radius, packed), [sums], { source }, uniforms);
    draw(work, smoothPass('DOWN', radius, packed), [out], { source: sums }, uniforms);
    return out;
  }

  /** Computes gray values and reflections in separate passes, joined at the end. */
  protected apart(work: Work, source: Plane, image: Texture, mask: Texture | null): Texture {
    const { scope, area, size } = work;
    const packed = this.lanes === 4;
    const { smoothing, reflections, medianSize } = this.values;
    const gauss = smoothing !== 'median';
    let clean = image;
    let whole = source;
    if (mask && reflections === 'interpolate') {
      const uniforms = { size, reach: reflectionReach(this.values) };
      const textures = { source: image, spots: mask };
      if (gauss) draw(work, fillPass(packed, false), [(clean = work.eight())], textures, uniforms);
      else {
        // The median uses the image stage, over the whole frame, one sample per texel.
        whole = scope.gpuPlane(source.width, source.height, 'u8');
        scope.draw(fillPass(packed, true), { targets: [whole], textures, uniforms });
      }
      mask = null;
    }
    if (gauss && !mask) return this.gaussian(work, clean);
    const levels = gauss ? this.gaussian(work, clean) : medianGpu(scope, whole, medianSize);
    const out = work.sixteen();
    const pass = { targets: [out], uniforms: {}, region: area };
    if (mask) scope.draw(joinPass(!gauss, packed), { ...pass, textures: { levels, spots: mask } });
    else scope.draw(unmaskedPass(!gauss, packed), { ...pass, textures: { levels } });
    return out;
  }

  dispose(): void {
    this.#sources = [];
    this.#scope.dispose();
  }
}

export interface Work {
  readonly scope: Scope;
  readonly area: { x: number; y: number; width: number; height: number };
  readonly size: readonly [number, number];
  readonly eight: () => Texture;
  readonly sixteen: () => Texture;
}

interface Rows {
  readonly first: number;
  readonly stride: number;
  readonly last: number;
}

const oneRow = ({ size }: Work) => ({ size, first: 0, stride: 1, last: 0 });

/** Splits the rows of a window of 2 radius + 1: in one pass, or as runs of rows and then the union of such runs. */
function steps({ area }: Work, radius: number): Rows[] {
  const window = 2 * radius + 1;
  if (area.width * area.height < DOUBLE_FROM || window < 9) return [{ first: -radius, stride: 1, last: radius }];
  const run = Math.round(Math.sqrt(window));
  return [
    { first: 0, stride: 1, last: run - 1 },
    { first: -radius, stride: run, last: radius - run + 1 },
  ];
}

type Drawn = Parameters<GpuBackend['draw']>;
export const draw = (
  { scope, area }: Work,
  pass: unknown,
  targets: readonly Texture[],
  textures: Readonly<Record<string, Surface>>,
  uniforms: Readonly<Record<string, number | ArrayLike<number>>>,
) => scope.draw(pass as Drawn[0], { targets, textures, uniforms, region: area } as Drawn[1]);
