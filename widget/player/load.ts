/**
 * Timeline and whatever else belongs to a recording are loaded when one is open, after its first frame: dist/player.js, a
 * module of its own that all builds share. The CDN build
 * replaces this module by one that loads them from `data-assets`.
 */
import { loadPart } from '../../src/index.ts';
import type { ChartTools, Player } from './player.ts';

export interface PlayerModule {
  Player: typeof Player;
  ChartTools: typeof ChartTools;
}

export const loadPlayer = (): Promise<PlayerModule> =>
  loadPart(import('./player.ts'), 'The timeline', 'leave out controls');
