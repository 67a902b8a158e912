/** Plug-in: shows the camera and whether its data are good enough, until the person continues. */
import type { QualityFault } from 'foveola';
import { type JsPsych, type JsPsychPlugin, ParameterType } from 'jspsych';
import { version } from '../package.json';
import { button, cameraVideo, element, extensionOf, finish, simulateTrial, type Given } from './dom.ts';
import { messageOf } from './trial-data.ts';

const info = {
  name: 'foveola-camera-preview',
  version,
  parameters: {
    /** Text above the picture. */
    prompt: { type: ParameterType.STRING, default: 'Move until your eye fills the picture.' },
    button_label: { type: ParameterType.STRING, default: 'Continue' },
  },
  data: {
    /** Faults that remained, as in `pupil_faults`. */
    faults: { type: ParameterType.STRING, array: true },
    /** Share of the last 3 s with a pupil, 0 to 1. */
    found: { type: ParameterType.FLOAT },
    /** Frames per second. */
    rate: { type: ParameterType.FLOAT },
    rt: { type: ParameterType.INT },
    /** Message if the camera could not be opened. Otherwise null. */
    error: { type: ParameterType.STRING },
  },
} as const;

const advice: Record<QualityFault, string> = {
  'no-frames': 'The camera sends no pictures.',
  'eye-not-in-view': 'No pupil. Come closer, and look at the camera.',
  uncertain: 'The pupil is not clear. Add light from the side, or come closer.',
  slow: 'The camera is slow. Add light, or close other programs.',
  drops: 'The computer is too slow. Close other programs.',
  blinks: 'Keep your eyes open.',
};

export class CameraPreviewPlugin implements JsPsychPlugin<typeof info> {
  static readonly info = info;
  readonly #jsPsych: JsPsych;

  constructor(jsPsych: JsPsych) {
    this.#jsPsych = jsPsych;
  }

  trial(display: HTMLElement, trial: Given<typeof info>, onLoad?: () => void): void {
    const extension = extensionOf(this.#jsPsych);
    const start = performance.now();
    const status = element('p', { role: 'status' }, 'Opening the camera …');
    const picture = element('div');
    const next = button(trial.button_label);
    next.disabled = true;
    display.replaceChildren(element('p', {}, trial.prompt), picture, status, next);
    let [error, timer]: [string | null, ReturnType<typeof setInterval> | undefined] = [null, undefined];
    const show = () => {
      const [fault] = extension.quality().faults;
      status.textContent = fault ? advice[fault] : 'Good.';
    };
    extension.ready
      .then(
        () => {
          const video = cameraVideo(extension.stream);
          if (video) video.style.transform = 'scaleX(-1)';
          if (video) picture.append(video);
          timer = setInterval(show, 500);
        },
        (reason: unknown) => (status.textContent = error = messageOf(reason)),
      )
      .finally(() => (next.disabled = false));
    next.addEventListener('click', () => {
      clearInterval(timer);
      const { faults, found, rate } = error === null ? extension.quality() : { faults: [], found: 0, rate: 0 };
      finish(this.#jsPsych, display, { faults, found, rate, rt: Math.round(performance.now() - start), error });
    });
    onLoad?.();
  }

  simulate(_trial: Given<typeof info>, _mode: string, options: { data?: object }, onLoad?: () => void): void {
    const data = { faults: [], found: 1, rate: 30, rt: 1000, error: null };
    simulateTrial(this.#jsPsych, data, options, onLoad);
  }
}
