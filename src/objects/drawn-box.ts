/** A box that was drawn on a target: what it must be, and what is taken of it. */
import type { Box } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import { insideFrame } from './boxes.ts';
import type { ObjectValues } from './parameters.ts';

/** Least side of a target, pixels: what is smaller looks like anything. */
const LEAST_SIDE = 8;

/** The part of the box inside the frame. @throws {FoveolaError} 'invalid-argument', in the name of the method */
export function drawnBox(
  method: 'start' | 'add' | 'correct',
  box: Box,
  { width, height }: { width: number; height: number },
  { minSize, variant }: ObjectValues,
): Box {
  const bad = (text: string) => new FoveolaError('invalid-argument', `${method}: ${text}`);
  const sides = [box?.x, box?.y, box?.width, box?.height];
  if (!sides.every((v) => typeof v === 'number' && Number.isFinite(v)))
    throw bad('box must be { x, y, width, height } in pixels of the frame.');
  const inside = insideFrame(box, width, height);
  if (!inside) throw bad(`the box lies outside the frame of ${width}x${height} pixels; draw it on the target.`);
  // As published there are no windows under minSize: a narrower target is followed, and found again where it looks larger.
  const published = variant === 'paper' && method !== 'correct';
  const least = published ? Math.ceil(minSize / 2) : LEAST_SIDE;
  if (Math.min(inside.width, inside.height) < least)
    throw bad(
      `the box is ${Math.floor(inside.width)}x${Math.floor(inside.height)} pixels inside the frame; its sides must be at least ${least}. Draw a larger box or ${published ? 'lower minSize' : 'give a larger picture'}.`,
    );
  return inside;
}
