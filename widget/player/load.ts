/** Timeline and whatever else belongs to a recording are loaded when one is open, after its first frame: player.js. */
import { loadPart } from '../../src/index.ts';

export const loadPlayer = () =>
  loadPart('player.js', () => import('./player.ts'), 'The timeline', 'leave out controls');
