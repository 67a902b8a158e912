/** The preprocessing of one frame, shared by the searches of all eyes. */
import { strideOf, type Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { allocateAll } from './memory.ts';
import type { PupilValues } from './parameters.ts';
import { prepareWholeFrame } from './prepare.ts';

const TILE = 64;
const BLOCK = 16;

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
    if (values.tilesOnDemand && values.smoothing === 'gaussian' && values.reflections !== 'interpolate') this.mark(0);
    else {
      const { blurred, mask } = prepareWholeFrame(this.#runtime.wasm, source, values);
      this.take(blurred, mask);
      blurred.dispose();
      mask?.dispose();
    }
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
    for (const address of [this.blurred, this.mask, this.tiles, this.blocks]) this.#runtime.arena.free(address);
  }
}
