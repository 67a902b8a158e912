/**
 * The size at which pupils are searched. Eye cameras give 160 to 4000 pixels across, and what a method knows in pixels (the
 * width of a blur, of a reflection, of a vote) holds for one of them only: larger frames are reduced by a whole number, block
 * means that keep the place of an edge to a fraction of a pixel, and what is found is given in the frame's own pixels.
 */
import type { Pupil } from '../../results/types.ts';
import type { PupilValues } from '../parameters.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Largest factor that image/shrink knows. */
const MOST = 16;

/** By which a frame is reduced; 1 in the paper's variant, which searches the frame as it is. */
export function workingFactor({ width, height }: Size, { variant, workingDiagonal }: PupilValues): number {
  if (variant === 'paper') return 1;
  const factor = Math.round(Math.hypot(width, height) / workingDiagonal);
  return Math.min(MOST, Math.max(1, factor), width, height);
}

/** Of the frame that is searched. */
export function workingSize(size: Size, values: PupilValues): Size {
  const factor = workingFactor(size, values);
  return { width: Math.floor(size.width / factor), height: Math.floor(size.height / factor) };
}

/** The values for a frame that was reduced. */
export function workingValues(values: PupilValues, factor: number): PupilValues {
  const { roi } = values;
  if (factor === 1 || !roi) return values;
  const [x, y, width, height] = [roi.x, roi.y, roi.width, roi.height].map((v) => v / factor) as [
    number,
    number,
    number,
    number,
  ];
  return { ...values, roi: { x, y, width, height } };
}

/** What was found in a reduced frame, in pixels of the frame: pixel centers are whole numbers in both. */
export function enlarged(pupil: Pupil, factor: number): Pupil {
  if (factor === 1) return pupil;
  const { ellipse, circle, diameterMm, outline } = pupil;
  const place = (v: number) => (v + 0.5) * factor - 0.5;
  const placed = <T extends { x: number; y: number }>(at: T): T => ({ ...at, x: place(at.x), y: place(at.y) });
  return {
    ...placed(pupil),
    diameter: pupil.diameter * factor,
    diameterMm: diameterMm === null ? null : diameterMm * factor,
    ellipse: ellipse && { ...placed(ellipse), major: ellipse.major * factor, minor: ellipse.minor * factor },
    circle: { ...placed(circle), r: circle.r * factor },
    ...(outline && { outline: outline.map(place) }),
  };
}
