/** Whose eyes a `<foveola-pupil>` shows, and what it calls them. */
import { eyeOf, type Laterality } from '../../src/index.ts';
import type { Settings } from '../parts/kind.ts';
import type { Strings } from '../strings/index.ts';

/** Of each pupil, with these settings. */
export function eyesOf({ eyes, view, eye }: Settings): Laterality[] {
  const count = eyes === 2 ? 2 : 1;
  const how = { eyes: count, view: view as 'unknown', eye: eye as Laterality };
  return Array.from({ length: count }, (_, index) => eyeOf(index, how));
}

/**
 * The name of an eye: the person's. Where that is not known, the half of the picture that it is in, as the picture is shown:
 * `mirror` swaps the halves on the screen and nothing else.
 */
export const eyeName = (s: Strings, eye: Laterality, index: number, mirror: boolean): string =>
  eye === 'unknown' ? s.halves[mirror ? 1 - index : index]! : s.eyes[eye];
