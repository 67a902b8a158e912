/** English strings of `<foveola-face>`. */
export const words = {
  title: 'Face tracking',
  stage: 'Image with detected faces',
  empty: 'No image yet',
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
  untrusted: 'The landmarks are unreliable. The face is too small, turned too far or partly hidden.',
  cut: 'More faces were found than are tracked. Raise “Maximum faces”, or set it to 0 for all.',
  blur: 'Hide faces',
  loadingModel: 'Loading the landmark model',
  modelMissing: 'Boxes only. The landmark model is not loaded.',
  loadAgain: 'Load it again',
};

/** Labels of parameters that only this element has. */
export const labels = {
  detectEvery: 'Detection interval',
  maxFaces: 'Maximum faces',
  smoothLandmarks: 'Smooth landmarks',
  scaleFactor: 'Scale factor',
  minNeighbors: 'Minimum neighbors',
  minScore: 'Minimum score',
  'face.minSize': 'Minimum face size',
  maxSize: 'Maximum face size',
  scaling: 'Scaling of',
  maxSide: 'Maximum search size',
  grouping: 'Grouping',
};
