/** A labelmap over a picture in a stack viewport of Cornerstone3D. */
import type { Labelmap } from './labelmap.ts';

/** The parts of `@cornerstonejs/core` and `@cornerstonejs/tools` (2 or later) that are used. */
export interface CornerstoneModules {
  readonly core: {
    readonly imageLoader: {
      createAndCacheDerivedLabelmapImage(referencedImageId: string): {
        readonly imageId: string;
        readonly rows: number;
        readonly columns: number;
        readonly voxelManager?: { getScalarData(): ArrayLike<number> } | undefined;
      };
    };
  };
  readonly tools: {
    readonly segmentation: {
      addSegmentations(list: object[]): unknown;
      addLabelmapRepresentationToViewport(viewportId: string, list: object[]): unknown;
      readonly config: {
        readonly color: {
          setSegmentIndexColor(viewportId: string, segmentationId: string, segment: number, color: number[]): unknown;
        };
      };
    };
  };
}

/** The picture and the viewport of a labelmap. */
export interface LabelmapPlace {
  /** The picture, which is loaded already. */
  imageId: string;
  viewportId: string;
  /** Default: from the id of the picture. Each result needs its own. */
  segmentationId?: string;
}

/** Red, green, blue and alpha by value: vessels green, arteries red, veins blue, disc yellow, fovea white. */
const COLORS = [
  [0, 0, 0, 0],
  [60, 200, 110, 255],
  [230, 50, 40, 255],
  [50, 110, 250, 255],
  [245, 205, 70, 255],
  [255, 255, 255, 255],
];

/** Adds a labelmap as a segmentation, and shows it. Returns the id of the segmentation. */
export function showLabelmap(
  { core, tools }: CornerstoneModules,
  { rows, columns, scalarData, segments }: Labelmap,
  { imageId, viewportId, segmentationId = `foveola:${imageId}` }: LabelmapPlace,
): string {
  const image = core.imageLoader.createAndCacheDerivedLabelmapImage(imageId);
  const values = image.voxelManager?.getScalarData();
  if (image.rows !== rows || image.columns !== columns || !(values instanceof Uint8Array))
    throw new TypeError(
      `showLabelmap: the labelmap has ${columns} x ${rows} pixels, the picture ${image.columns} x ${image.rows}.`,
    );
  values.set(scalarData);
  const entries = segments.map(({ value, label }) => [
    value,
    { segmentIndex: value, label, locked: false, active: value === 1, cachedStats: {} },
  ]);
  tools.segmentation.addSegmentations([
    {
      segmentationId,
      representation: { type: 'Labelmap', data: { imageIds: [image.imageId] } },
      config: { label: 'Retina', segments: Object.fromEntries(entries) as object },
    },
  ]);
  tools.segmentation.addLabelmapRepresentationToViewport(viewportId, [{ segmentationId, type: 'Labelmap' }]);
  for (const { value } of segments)
    tools.segmentation.config.color.setSegmentIndexColor(viewportId, segmentationId, value, COLORS[value]!);
  return segmentationId;
}
