/** Boxes of detections that the border of the frame cuts. */
import type { Box } from '../results/types.ts';

/** Detections are square, to within the rounding of sizes, but where the border of the frame cuts them. */
export const isCut = ({ width, height }: Box): boolean => Math.abs(width - height) > 0.03 * Math.max(width, height);

/** A box that was cut at the border of the frame, as large as it was found: what is compared and followed is the whole face. */
export function wholeBox(box: Box): Box {
  if (!isCut(box)) return box;
  const { x, y, width, height } = box;
  const side = Math.max(width, height);
  return { x: x > 0 ? x : x + width - side, y: y > 0 ? y : y + height - side, width: side, height: side };
}
