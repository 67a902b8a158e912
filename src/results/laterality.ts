/** Assignment of eyes. Left and right always refer to the person, halves refer to the image. */
import { choice } from '../runtime/parameters.ts';
import type { Laterality } from './types.ts';

/** In the order that recordings store them. */
export const eyeSides = ['left', 'right', 'unknown'] as const satisfies readonly Laterality[];

/** What to do if an eye is requested but is not known. */
export const sideUnknown =
  "the eyes are not named. Set `view` to 'facing' (the camera points at the person) or 'mirrored', or set `eye` for one eye.";

/** Direction from which the image shows a person. */
export const view = choice({
  default: 'unknown',
  values: ['facing', 'mirrored', 'unknown'],
  effect:
    "For two eyes. 'facing': the camera points at the person, so the right eye is in the left half of the image. 'mirrored': the left half shows the left eye.",
});

/** The eye in the image. */
export const eye = choice({
  default: 'unknown',
  values: eyeSides,
  effect: "For one eye: the person's left or right eye.",
});

interface Arrangement {
  eyes: number;
  view: (typeof view.values)[number];
  eye: Laterality;
}

/** The eye of `pupils[index]`. Index 0 is the left half of the image. */
export function eyeOf(index: number, { eyes, view, eye }: Arrangement): Laterality {
  if (eyes === 1) return eye;
  if (view !== 'facing' && view !== 'mirrored') return 'unknown';
  return (index === 0) === (view === 'mirrored') ? 'left' : 'right';
}
