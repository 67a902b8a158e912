/** Boxes of detections that the border of the frame cuts off. */
import type { Box } from '../results/types.ts';

/** Detections are square (except for rounding), unless the border of the frame cuts them off. */
export const isCut = ({ width, height }: Box): boolean => Math.abs(width - height) > 0.03 * Math.max(width, height);

/**
 * Restores the original size of a box that was cut off at the border of the frame, because the whole face is compared
 * and followed.
 */
export function wholeBox(box: Box): Box {
  if (!isCut(box)) return box;
  const { x, y, width, height } = box;
  const side = Math.max(width, height);
  return { x: x > 0 ? x : x + width - side, y: y > 0 ? y : y + height - side, width: side, height: side };
}
