/** What elements load when it is first needed: each a file of its own beside the library (src/runtime/engine/assets.ts). */
import { asOurs, loadPart, partPlace } from '../src/index.ts';
import type { PageParts } from './kept/keeper.ts';

/** The list of several files. */
export const loadSeveral = () =>
  loadPart('several-files.js', () => import('./several/several-files.ts'), 'Several files at once', 'open one');

/** The timeline and whatever else belongs to a recording, after its first frame. */
export const loadPlayer = () =>
  loadPart('player.js', () => import('./player/player.ts'), 'The timeline', 'leave out controls');

/** What writes videos. */
export const loadVideoWriter = () =>
  loadPart('video-writer.js', () => import('./player/video-writer.ts'), 'Exporting a video', 'export none');

/** The tools by which vessels are corrected. */
export const loadCorrecting = () =>
  loadPart(
    'vessel-corrections.js',
    () => import('./vessels/correct/correcting.ts'),
    'Correcting vessels by hand needs its own part',
    'do not correct',
  );

/** What keeps recordings on the device, with what it must know of the page. */
export async function loadKept() {
  const file = 'kept-recordings.js';
  const load = () => import('./kept/keeper.ts');
  const { Keeper } = await loadPart(file, load, 'keep-recordings', 'leave out keep-recordings');
  const { trusted, integrity } = partPlace(file);
  const parts: PageParts = { trusted, pinned: integrity !== undefined, asOurs };
  return { Keeper, ...parts };
}
