/** Vessels of fundus photographs in Cornerstone3D and OHIF. */
export { labelmapOf, segmentNames, type Labelmap } from './labelmap.ts';
export { showLabelmap, type CornerstoneModules } from './cornerstone.ts';
export { foveolaExtension, type ExtensionOptions, type OhifInstance, type OhifParams } from './ohif.ts';
export { vesselSegmentation, type SegmentationOptions, type VesselSegmentation } from './segmentation.ts';
