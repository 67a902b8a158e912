/**
 * Timeline and whatever else belongs to a recording are loaded when one is open, after its first frame: dist/player.js, a
 * module of its own that all builds share; what writes videos (dist/video-writer.js) when one is exported. The CDN build
 * replaces this module by one that loads them from `data-assets`.
 */
import { FoveolaError } from '../../src/index.ts';
import type { ChartTools, Player } from './player.ts';
import type { WriterModule } from './given.ts';

export interface PlayerModule {
  Player: typeof Player;
  ChartTools: typeof ChartTools;
}

const notThere = (cause: Error): never => {
  throw new FoveolaError(
    'asset-missing',
    `The timeline: a file of the package is not there or of another version (${cause.message}). Put all of its files of ` +
      'one version where the page has them, or leave out controls.',
    { cause },
  );
};

export const loadPlayer = (): Promise<PlayerModule> => import('./player.ts').catch(notThere);
export const loadVideoWriter = (): Promise<WriterModule> => import('./video-writer.ts');
