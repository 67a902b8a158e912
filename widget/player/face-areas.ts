/**
 * Where heads are in a recording, in source pixels: the whole head, not only the box that a detector gives. Who is found
 * late, or lost for a while, was there before and is there after it: such an area counts for a second on either side.
 */
import type { Face } from '../../src/index.ts';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Milliseconds. */
const heldFor = 1000;
/** Of the box of a detector, which goes from brow to chin: with hair, ears and beard; more above than below. */
const [wider, above, below] = [0.35, 0.6, 0.4];

export type FoundFace = Pick<Face, 'id' | 'x' | 'y' | 'width' | 'height' | 'landmarks'>;

/** Of a turned or tilted head the points reach beyond the box. */
export function headOf({ x, y, width, height, landmarks }: FoundFace): Area {
  let [left, right] = [x - wider * width, x + (1 + wider) * width];
  let [top, bottom] = [y - above * height, y + (1 + below) * height];
  for (let i = 0; landmarks && i < landmarks.length; i += 2) {
    const [at, down] = [landmarks[i]!, landmarks[i + 1]!];
    if (at < left) left = at;
    if (at > right) right = at;
    if (down < top) top = down;
    if (down > bottom) bottom = down;
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export class FaceAreas {
  /** By time. */
  readonly #frames: { readonly mediaTime: number; readonly faces: readonly FoundFace[] }[] = [];

  /** In the order of the recording. */
  add(mediaTime: number, faces: readonly FoundFace[]): void {
    this.#frames.push({ mediaTime, faces });
  }

  /** What is to be hidden at this time: everybody once, as they were at the nearest time. */
  at(mediaTime: number): Area[] {
    const nearest = new Map<number, { readonly away: number; readonly face: FoundFace }>();
    for (let i = this.#after(mediaTime - heldFor); i < this.#frames.length; i++) {
      const frame = this.#frames[i]!;
      const away = Math.abs(frame.mediaTime - mediaTime);
      if (frame.mediaTime > mediaTime + heldFor) break;
      for (const face of frame.faces)
        if (away < (nearest.get(face.id)?.away ?? Infinity)) nearest.set(face.id, { away, face });
    }
    return [...nearest.values()].map(({ face }) => headOf(face));
  }

  /** The first frame at or after this time; by bisection. */
  #after(mediaTime: number): number {
    let [low, high] = [0, this.#frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#frames[middle]!.mediaTime < mediaTime) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
