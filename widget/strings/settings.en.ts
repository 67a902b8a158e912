/** The words of the settings, in English: choices and units by what the parameter tables call them. */

/** By parameter and value; an element's own stand under its name. */
const choices = {
  'method.robust': 'Robust',
  'method.starburst': 'Starburst',
  'method.threshold': 'Threshold',
  'method.hough': 'Hough',
  'variant.default': 'Recommended',
  'variant.paper': 'As published',
  'variant.filters': 'With correlation filters',
  'variant.seamless': 'Seamless',
  'polarity.dark': 'Dark pupil',
  'polarity.bright': 'Bright pupil',
  'fit.ellipse': 'Ellipse',
  'fit.circle': 'Circle',
  'reflections.skip': 'Leave out',
  'reflections.interpolate': 'Fill in',
  'reflections.none': 'Leave as they are',
  'smoothing.gaussian': 'Gaussian',
  'smoothing.median': 'Median',
  'scaling.image': 'The image',
  'scaling.classifier': 'The detector',
  'grouping.similarity': 'Alike in place and size',
  'grouping.overlap': 'All that overlap',
  'grid.paper': 'As published',
  'grid.release': 'As in the released program',
  'norm.L1': 'Sum (L1)',
  'norm.L2': 'Root (L2)',
  'thresholds.given': 'As set',
  'thresholds.auto': 'Automatic',
  'derivative.sobel': 'Sobel',
  'derivative.gaussian': 'Gaussian',
  'hysteresis.auto': 'Automatic',
  'hysteresis.flood': 'Followed on the CPU',
  'hysteresis.passes': 'Followed on the GPU',
  'hysteresis.none': 'Left out',
  'voting.auto': 'Automatic',
  'voting.wasm': 'CPU',
  'voting.gpu': 'GPU',
  'morphology.operation.erode': 'The darkest (erosion)',
  'morphology.operation.dilate': 'The brightest (dilation)',
  'morphology.operation.topHat': 'Small bright spots (top-hat)',
} as Record<string, string>;

const units = {
  px: 'px',
  'px of the source': 'px',
  "of the image's diagonal": 'share of the diagonal',
  "of the image's short side": 'share of the short side',
  'mm/px': 'mm/px',
  'gray levels': 'gray levels',
  'gray levels over 4 px': 'gray levels over 4 px',
  'gradient magnitude': 'gradient magnitude',
  rad: '°', // angles are shown in degrees
  votes: 'votes',
  ms: 'ms',
  frames: 'frames',
  µm: 'µm',
} as Record<string, string>;

export const settings = {
  choices,
  units,
  /** A share of the picture that is open, in its pixels. */
  inPixels: (pixels: string) => `now ${pixels} px`,
  presets: {
    gaussian: (kernel: number) => `Gaussian, reflections ${kernel} px wide`,
    median: (size: number, kernel: number) => `Median of ${size} px, reflections ${kernel} px wide`,
  },
  on: 'on',
  off: 'off',
};

/** Why a button does nothing, and what changes that. */
export const why = {
  noSource: 'Open a source first.',
  loading: 'Wait until the source is open.',
  noVideo: 'A single picture does not play.',
  pageVideo: 'The page has paused its video; it goes on there.',
  analysing: 'The analysis must end first.',
  notRecording: 'Start a recording first.',
  noRows: 'Record or analyze something first.',
  noResult: 'Wait for the vessels first.',
  noUndo: 'Nothing was changed yet.',
  noRedo: 'Nothing was taken back.',
  allDefault: 'All settings have their defaults.',
  noMask: 'Paint over something first.',
};
