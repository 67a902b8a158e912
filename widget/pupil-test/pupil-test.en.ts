/** English strings of `<foveola-pupil-test>`. */
import type { QualityFault } from '../../src/index.ts';

export const words = {
  title: (test: string) => `Pupil test: ${test}`,
  start: 'Start the test',
  startAnyway: 'Start anyway',
  next: 'Continue',
  stop: 'Stop',
  stages: {
    camera: 'Camera',
    quality: 'Image quality',
    start: 'Start',
  },
  opened: 'Images arrive.',
  tracked: (seconds: string) => `The pupil must be tracked for two seconds (${seconds} so far).`,
  untracked: 'No pupil is tracked. Move the eye into the image, and check light and focus.',
  bothUntracked: 'Both pupils must be tracked. Move both eyes into the image, and check light and focus.',
  partly: (share: string, seconds: string) => `The pupil was found in ${share} of the last ${seconds} seconds.`,
  warning:
    'Photosensitivity warning: this test shows bright flashes. Do not run it with people who have had seizures or who react badly to flashing light.',
  research: 'For research use, not a medical device.',
  keys: 'Space or Enter: continue. P: pause. Escape: end.',
  good: 'The eye is clearly visible.',
  sources: {
    paused: 'The recording is paused. Play it.',
    finished: 'The recording has ended. Play it again, or open a camera.',
    error: 'No images arrive. Open the camera or a recording again.',
  },
  waiting: 'Open a camera or a recording to begin.',
  faults: {
    'no-frames': 'No image yet.',
    'eye-not-in-view': 'The eye is not visible, or the image is too dark.',
    uncertain: 'The pupil is not clear. Use more light or sharpen the image.',
    slow: 'The frame rate is too low. Close other programs or choose a faster camera.',
    drops: 'Frames are dropped. Close other programs.',
    blinks: 'The eye is closed too often.',
  } satisfies Record<QualityFault, string>,
  bothEyes: 'This test needs both eyes in the image.',
  whichView: 'How does the image show the person?',
  whichEye: 'Which eye is in the image?',
  sideless: 'If you do not choose, the results do not name the eye.',
  sides: {
    facing: 'The camera points at the person',
    mirrored: 'It is a mirror image',
    left: 'The left eye',
    right: 'The right eye',
    unknown: 'Not known',
  },
  steps: {
    text: 'Text',
    adapt: 'Adaptation',
    flash: 'Flash',
    pause: 'Pause',
    show: 'Text',
    ask: 'Task',
    wait: 'Waiting for a marker',
  },
  seconds: (seconds: string) => `${seconds} seconds`,
  running: 'The test is running.',
  paused: 'The test is paused. The interrupted step will restart.',
  finished: 'The test is finished.',
  aborted: 'The test ended early. Its measurements are kept.',
};

export type TestWords = typeof words;
