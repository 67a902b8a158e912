/** Whose eye is where. A side is always that of the person; halves are those of the picture. */
import { choice } from '../runtime/parameters.ts';
import type { Laterality } from './types.ts';

/** In the order in which recordings store them. */
export const eyeSides = ['left', 'right', 'unknown'] as const satisfies readonly Laterality[];

/** What to do where a side is asked for and nobody knows it. */
export const sideUnknown =
  "the eyes are not named. Set `view` to 'facing' (the camera points at the person) or 'mirrored', or set `eye` for one eye.";

/** Which way the picture shows a person. */
export const view = choice({
  default: 'unknown',
  values: ['facing', 'mirrored', 'unknown'],
  effect:
    "For two eyes. 'facing': the camera points at the person, so the right eye is in the left half of the image. 'mirrored': the left eye is there.",
});

/** Whose eye the picture shows. */
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

/** Whose eye `pupils[index]` is: index 0 is the left half of the picture. */
export function eyeOf(index: number, { eyes, view, eye }: Arrangement): Laterality {
  if (eyes === 1) return eye;
  if (view !== 'facing' && view !== 'mirrored') return 'unknown';
  return (index === 0) === (view === 'mirrored') ? 'left' : 'right';
}
