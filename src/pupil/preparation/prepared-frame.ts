/** The preprocessing of one frame, shared by the searches of all eyes. */
import { strideOf, type Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { allocateAll } from '../search/memory.ts';
import type { PupilValues } from '../parameters.ts';
import { preparedMargin, prepareWholeFrame } from './whole-frame.ts';
import type { Region } from '../search/region.ts';

const TILE = 64;
const BLOCK = 16;
/** A box that needs more than this share of the frame is prepared with all of it, for the other eye as well. */
const WHOLE = 0.5;

/** Whether tiles are made where a search goes, rather than the whole frame at its start. */
export const onDemand = ({ tilesOnDemand, smoothing, reflections }: PupilValues): boolean =>
  tilesOnDemand && smoothing === 'gaussian' && reflections !== 'interpolate';

/** Blurred image, reflection mask and which of their tiles are valid. */
export class PreparedFrame {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly blurred: number;
  readonly mask: number;
  readonly tiles: number;
  readonly tilesAcross: number;
  readonly tilesDown: number;
  readonly blocks: number;
  readonly blocksAcross: number;
  readonly #blockBytes: number;
  readonly #runtime: Runtime;
  #source: Plane | null = null;
  #values: PupilValues | null = null;
  #filled: { box: Region; plane: Plane }[] = [];

  constructor(runtime: Runtime, width: number, height: number) {
    this.#runtime = runtime;
    this.width = width;
    this.height = height;
    this.stride = strideOf(width, 'u8');
    this.tilesAcross = Math.ceil(width / TILE);
    this.tilesDown = Math.ceil(height / TILE);
    this.blocksAcross = Math.ceil(width / BLOCK);
    this.#blockBytes = 4 * this.blocksAcross * Math.ceil(height / BLOCK);
    const image = this.stride * height;
    const bytes = [image, image, this.tilesAcross * this.tilesDown, this.#blockBytes];
    [this.blurred, this.mask, this.tiles, this.blocks] = allocateAll(runtime, bytes) as [
      number,
      number,
      number,
      number,
    ];
  }

  /** Marks every tile as to be computed, or as computed. */
  mark(valid: 0 | 2): void {
    const memory = this.#runtime.arena.u8;
    memory.fill(valid, this.tiles, this.tiles + this.tilesAcross * this.tilesDown);
    memory.fill(0, this.blocks, this.blocks + this.#blockBytes);
  }

  /** A new frame of this size: nothing is preprocessed yet, or all of it where tiles cannot be made on demand. */
  begin(source: Plane, values: PupilValues): void {
    this.#forget();
    this.#source = source;
    this.#values = values;
    if (onDemand(values)) this.mark(0);
    else {
      const { blurred, mask } = prepareWholeFrame(this.#runtime.wasm, source, values);
      this.take(blurred, mask);
      mask?.dispose();
      if (mask) blurred.dispose();
      else this.#filled.push({ box: { x0: 0, y0: 0, x1: this.width, y1: this.height }, plane: blurred });
    }
  }

  /**
   * The smoothed image with its reflections filled (paper 000, section 2.1), made when it is first asked for: where its
   * pixel (box.x0, box.y0) lies, and its stride; right at least within the box, and there until the next frame. A small
   * box costs no more than its surroundings; its reflections are filled from what lies there.
   */
  filled(box: Region): { address: number; stride: number } {
    let known = this.#filled.find(({ box: b }) => b.x0 <= box.x0 && b.y0 <= box.y0 && b.x1 >= box.x1 && b.y1 >= box.y1);
    if (!known) this.#filled.push((known = this.#fill(box)));
    const { plane } = known;
    const at = (box.y0 - known.box.y0) * plane.stride + box.x0 - known.box.x0;
    return { address: plane.address + at, stride: plane.stride };
  }

  #fill(wanted: Region): { box: Region; plane: Plane } {
    const side = this.#runtime.wasm;
    const values = this.#values!;
    const { width, height } = this;
    const reflections = values.reflections === 'none' ? 'none' : 'interpolate';
    const margin = preparedMargin(values);
    const x0 = Math.max(0, wanted.x0 - margin);
    const y0 = Math.max(0, wanted.y0 - margin);
    const x1 = Math.min(width, wanted.x1 + margin);
    const y1 = Math.min(height, wanted.y1 + margin);
    const all = (x1 - x0) * (y1 - y0) > WHOLE * width * height;
    const box = all ? { x0: 0, y0: 0, x1: width, y1: height } : { x0, y0, x1, y1 };
    return side.guarded(() => {
      const piece = all ? this.#source! : side.crop(this.#source!, box);
      const { blurred } = prepareWholeFrame(side, piece, { ...values, reflections });
      if (!all) piece.dispose();
      return { box, plane: blurred };
    });
  }

  #forget(): void {
    for (const { plane } of this.#filled.splice(0)) plane.dispose();
  }

  /** Takes over whole-frame images instead of tiles. */
  take(blurred: Plane, mask: Plane | null): void {
    const memory = this.#runtime.arena.u8;
    const bytes = this.stride * this.height;
    memory.copyWithin(this.blurred, blurred.address, blurred.address + bytes);
    if (mask) memory.copyWithin(this.mask, mask.address, mask.address + bytes);
    else memory.fill(0, this.mask, this.mask + bytes);
    this.mark(2);
  }

  dispose(): void {
    this.#forget();
    for (const address of [this.blurred, this.mask, this.tiles, this.blocks]) this.#runtime.arena.free(address);
  }
}
