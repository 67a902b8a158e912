/**
 * The readers of TIFF, DICOM and 16-bit PNG are rarely needed, so they are loaded when such a file comes. The CDN build
 * replaces this module by one that loads them from `data-assets`.
 */
export const loadImageFiles = () => import('./image-files/read.ts');
