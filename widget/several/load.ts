/**
 * The list of several files is loaded when several are given: dist/several-files.js, a module of its own that all builds
 * share. The CDN build replaces this module by one that loads it from `data-assets`.
 */
import { loadPart } from '../../src/index.ts';
import type { SeveralFiles } from './several-files.ts';

export interface SeveralModule {
  SeveralFiles: typeof SeveralFiles;
}

export const loadSeveral = (): Promise<SeveralModule> =>
  loadPart(import('./several-files.ts'), 'Several files at once', 'open one');
