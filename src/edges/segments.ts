/**
 * The piece of a line that edges lie on. A line is walked through the image, a step a pixel along its longer direction;
 * a pixel supports it when it votes for the line's bin. Supports closer than `gap` make one piece; the one with most
 * supports is returned, its ends as points of the line.
 */
import type { Plane } from '../runtime/plane.ts';
import type { Line } from './lines.ts';

export interface Segment {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** Half the width of a bin, and a little for the rounding of its tables. */
const halfBin = (rho: number) => rho / 2 + 1e-3;

/**
 * The longest supported piece of a line, or null where no edge lies on it. `samples`: the
 * linear memory, where the edges lie; `rho`: the accumulator's step.
 */
export function segmentOf(
  samples: Uint8Array,
  edges: Plane,
  line: Pick<Line, 'rho' | 'theta'>,
  { rho, gap }: { rho: number; gap: number },
): Segment | null {
  const { width, height, stride, address } = edges;
  const [cosine, sine] = [Math.cos(line.theta), Math.sin(line.theta)];
  const flat = Math.abs(sine) >= Math.abs(cosine); // walked along x
  const [main, across] = flat ? [cosine, sine] : [sine, cosine];
  const [steps, limit] = flat ? [width, height] : [height, width];
  const reach = halfBin(rho) / Math.abs(across);
  // Consecutive steps are this far apart along the line.
  const length = 1 / Math.abs(across);

  let best: { from: number; to: number; supports: number } | null = null;
  let piece: { from: number; to: number; supports: number } | null = null;
  for (let s = 0; s < steps; s++) {
    const middle = (line.rho - s * main) / across;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(limit - 1, Math.floor(middle + reach));
    let supports = 0;
    for (let t = first; t <= last; t++) {
      const [x, y] = flat ? [s, t] : [t, s];
      if (samples[address + y * stride + x]) supports++;
    }
    if (!supports) continue;
    if (piece && (s - piece.to - 1) * length <= gap) {
      piece.to = s;
      piece.supports += supports;
    } else piece = { from: s, to: s, supports };
    if (!best || piece.supports > best.supports) best = piece;
  }
  if (!best) return null;
  const point = (s: number): [number, number] => {
    const t = (line.rho - s * main) / across;
    return flat ? [s, t] : [t, s];
  };
  const [x1, y1] = point(best.from);
  const [x2, y2] = point(best.to);
  return { x1, y1, x2, y2 };
}
