/**
 * The readers of TIFF, DICOM and 16-bit PNG are rarely needed, so they are loaded when such a file comes: dist/
 * image-files.js, a module of its own that all builds share. The CDN build replaces this module by one that loads it from
 * `data-assets`.
 */
import { asOurs } from '../runtime/error.ts';
import type * as Reading from './image-files/read.ts';

export async function loadImageFiles(): Promise<Pick<typeof Reading, 'readImageFile'>> {
  const { readImageFile } = await import('./image-files/read.ts');
  return {
    async readImageFile(...args) {
      try {
        return await readImageFile(...args);
      } catch (error) {
        throw asOurs(error);
      }
    },
  };
}
