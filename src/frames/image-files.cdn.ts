/** For the CDN scripts: the readers of TIFF, DICOM and 16-bit PNG are not inside but loaded when such a file comes. */
import type * as Reading from './image-files/read.ts';
import { asOurs } from '../runtime/error.ts';
import { loadChunk } from '../runtime/engine/load-chunk.cdn.ts';

export async function loadImageFiles(): Promise<Pick<typeof Reading, 'readImageFile'>> {
  const { readImageFile } = await loadChunk<typeof Reading>(
    'image-files.js',
    'TIFF, DICOM and 16-bit PNG need their readers',
    'save the image as 8-bit PNG',
  );
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
