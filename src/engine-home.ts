/** The functions that an engine needs to read sources, in its worker or on the page's thread. */
import { canvasIsNoisy } from './frames/canvas-pixels.ts';
import { planeAs, toPlane } from './frames/to-plane.ts';
import type { EngineReaders } from './runtime/engine/images.ts';

export const readers: EngineReaders = {
  readPacket: (runtime, packet, format, options) => toPlane(runtime, packet, format, options),
  planeAs,
  reasons: () =>
    canvasIsNoisy()
      ? [
          'This browser adds noise to canvas pixels against fingerprinting: images and unusual video formats are read with it. Videos in YUV formats, ImageData and { width, height, data } are exact.',
        ]
      : [],
};
