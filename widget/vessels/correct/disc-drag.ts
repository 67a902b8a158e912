/** The optic disc under a brush: pressed inside it is moved, at its rim made larger or smaller, elsewhere put there. */
import type { DiscCorrection } from '../../../src/index.ts';
import { tenth } from './tools.ts';

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** In radii: the rim that is dragged. */
const RIM = { from: 0.75, to: 1.3 };

export class DiscDrag {
  readonly #begin: Circle;
  readonly #x: number;
  readonly #y: number;
  readonly #rim: boolean;
  /** As it would be now. */
  now: Circle;

  /** `fallback`: the radius of a disc where there is none yet. */
  constructor(disc: Circle | null, x: number, y: number, fallback: number) {
    const away = disc ? Math.hypot(x - disc.x, y - disc.y) / disc.radius : Infinity;
    this.#rim = away >= RIM.from && away <= RIM.to;
    this.#begin = this.now = disc && away <= RIM.to ? disc : { x, y, radius: disc?.radius ?? fallback };
    this.#x = x;
    this.#y = y;
  }

  move(x: number, y: number): void {
    const { x: cx, y: cy, radius } = this.#begin;
    this.now = this.#rim
      ? {
          ...this.now,
          radius: Math.max(2, radius + Math.hypot(x - cx, y - cy) - Math.hypot(this.#x - cx, this.#y - cy)),
        }
      : { x: cx + x - this.#x, y: cy + y - this.#y, radius };
  }
}

/** On a photograph of this size. */
export function discCorrection({ x, y, radius }: Circle, size: { width: number; height: number }): DiscCorrection {
  const inside = (v: number, length: number) => tenth(Math.max(0, Math.min(length - 1, v)));
  const most = Math.max(size.width, size.height) / 2;
  return {
    action: 'disc',
    x: inside(x, size.width),
    y: inside(y, size.height),
    radius: tenth(Math.max(1, Math.min(most, radius))),
  };
}
