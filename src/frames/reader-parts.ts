/** What the files that are loaded later need to know of the package. The CDN build replaces this module. */
import { assetFiles } from '../runtime/engine/asset-files.ts';
import { trustedScriptUrl } from '../runtime/engine/trusted-url.ts';
import type { ReaderParts } from './reader-worker.ts';

export const readerParts: ReaderParts = { carried: () => assetFiles.carried(), trusted: trustedScriptUrl };
