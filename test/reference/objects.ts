/** References of the stages of the object tracker. */
import type { Reference } from './image.ts';
import { objectDetection } from './objects-detection.ts';

export const references: Readonly<Record<string, Reference>> = {
  'objects/detection': objectDetection,
};
