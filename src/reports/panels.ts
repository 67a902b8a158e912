/** Codes of ours that stand for no number: kinds of groups and reports. */

export const panels = {
  reflex: {
    code: 'pupil-light-reflex',
    display: 'Pupil light reflex',
    definition: 'Reaction of a pupil to a flash of light, measured in a video.',
  },
  series: {
    code: 'pupil-series',
    display: 'Pupil diameter over time',
    definition: 'Summary of the diameter of a pupil during a recording.',
  },
  blinks: {
    code: 'blink-summary',
    display: 'Blinks',
    definition: 'Summary of the blinks of an eye during a recording.',
  },
  retina: {
    code: 'retinal-vessels',
    display: 'Retinal vessels',
    definition: 'Measures of the vessels in a photograph of the retina.',
  },
  pupilReport: { code: 'pupil-report', display: 'Pupillometry report', definition: 'Report of a pupil test by video.' },
  retinaReport: {
    code: 'retinal-vessel-report',
    display: 'Retinal vessel report',
    definition: 'Report of the vessels in a photograph of the retina.',
  },
  camera: { code: 'camera', display: 'Camera', definition: 'What took the recording or the photograph.' },
  researchUse: {
    code: 'research-use',
    display: 'For research use, not a medical device.',
    definition: 'What was measured by software for research, which is no medical device.',
  },
} as const;

export type PanelName = keyof typeof panels;
