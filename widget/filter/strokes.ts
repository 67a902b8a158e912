/** What a brush paints: a mask of the picture's size, 255 where painted. Strokes are kept, so that they can be undone. */
import { paintStroke, type Area } from '../../src/index.ts';

export interface Stroke {
  /** x and y of each point, in pixels of the picture. */
  readonly points: readonly number[];
  readonly radius: number;
  readonly erase: boolean;
}

export class StrokeMask {
  readonly width: number;
  readonly height: number;
  data: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(width * height);
  }

  /** Painted pixels. */
  get count(): number {
    return this.data.reduce((sum, v) => sum + (v ? 1 : 0), 0);
  }

  /** Paints the stroke from its point `from` on; returns what may have changed, null where that is outside. */
  paint({ points, radius, erase }: Stroke, from = 0): Area | null {
    return paintStroke(this, points, radius, erase ? 0 : 255, from);
  }
}
