/** Loads player.js (the timeline and other tools for recordings) after the first frame of a recording. */
import { loadPart } from '../../src/index.ts';

export const loadPlayer = () =>
  loadPart('player.js', () => import('./player.ts'), 'The timeline', 'leave out controls');
