/** The words of <foveola-face>, in English. */
export const words = {
  title: 'Face tracking',
  stage: 'Picture with the faces found',
  empty: 'No picture yet',
  emptyHint: 'Drop a video or an image with faces here, or choose a source. Nothing leaves this page.',
  points: 'Show landmarks as points',
  found: 'Face found',
  pointsKey: 'Show or hide landmarks as points',
  lost: 'No face',
  faces: 'Faces',
  pose: 'Yaw | pitch | roll',
  eyes: 'Eyes open',
  blink: 'Blink',
  shut: 'yes',
  open: 'no',
  gaze: 'Gaze, yaw | pitch',
  untrusted: 'The points of the face are not to be trusted: it is too small, turned too far, or hidden in part.',
  cut: 'More faces were found than are followed. Raise "Most faces", or set 0 for all.',
  blur: 'Hide faces',
  loadingModel: 'Loading the landmark model',
  modelMissing: 'Boxes only: the landmark model is not loaded.',
  loadAgain: 'Load it again',
};

/** Of parameters that only its settings have. */
export const labels = {
  detectEvery: 'Detection every',
  maxFaces: 'Most faces',
  smoothLandmarks: 'Steady landmarks',
  scaleFactor: 'Size step',
  minNeighbors: 'Neighboring windows',
  minScore: 'Least certainty',
  'face.minSize': 'Smallest face',
  maxSize: 'Largest face',
  scaling: 'What is scaled',
  maxSide: 'Search at most',
  grouping: 'Grouping',
};
