/**
 * Plug-in: measures the delay from screen to camera. The screen switches between black and white, at most 1.5 flashes
 * per second (WCAG 2.2 allows three), while the camera sees it in a mirror.
 */
import { type JsPsych, type JsPsychPlugin, ParameterType } from 'jspsych';
import { version } from '../package.json';
import { type Brightness, type DelayEstimate, estimateDelay, LONGEST, type Switch } from './delay.ts';
import { button, colorAfter, element, extensionOf, finish, fullScreen, simulateTrial, type Given } from './dom.ts';
import type { PupilExtension } from './extension.ts';

const float = { type: ParameterType.FLOAT } as const;
const info = {
  name: 'foveola-timing-check',
  version,
  parameters: {
    prompt: {
      type: ParameterType.STRING,
      default:
        'Hold a mirror before the camera, so that the camera sees this screen. The screen will flicker slowly for 20 s.',
    },
    button_label: { type: ParameterType.STRING, default: 'Start' },
    /** Number of changes between black and white. More of them narrow the interval. */
    switches: { type: ParameterType.INT, default: 40 },
  },
  data: {
    /** Delay from screen to camera and its 95 % interval, in ms. Null if it could not be measured. */
    delay: float,
    delay_low: float,
    delay_high: float,
    /** Standard deviation of the delay of a single change, in ms. */
    jitter: float,
    /** Number of changes that the camera saw. */
    switches: { type: ParameterType.INT },
    warnings: { type: ParameterType.STRING, array: true },
  },
} as const;

/** Additional time between two changes, random up to this, so that they do not keep step with the camera, in ms. */
const SPREAD = 200;

export class TimingCheckPlugin implements JsPsychPlugin<typeof info> {
  static readonly info = info;
  readonly #jsPsych: JsPsych;

  constructor(jsPsych: JsPsych) {
    this.#jsPsych = jsPsych;
  }

  trial(display: HTMLElement, trial: Given<typeof info>, onLoad?: () => void): void {
    const extension = extensionOf(this.#jsPsych);
    const start = button(trial.button_label);
    display.replaceChildren(element('p', {}, trial.prompt), start);
    start.addEventListener('click', () => {
      const screen = fullScreen('black');
      display.replaceChildren(screen);
      measureDelay(extension, screen, trial.switches).then(
        (estimate) => finish(this.#jsPsych, display, rowOf(estimate)),
        (error: Error) => finish(this.#jsPsych, display, { delay: null, switches: 0, warnings: [error.message] }),
      );
    });
    onLoad?.();
  }

  simulate(trial: Given<typeof info>, _mode: string, options: { data?: object }, onLoad?: () => void): void {
    const { switches } = trial;
    const data = { delay: 80, delay_low: 78, delay_high: 82, jitter: 1, switches, warnings: [] };
    simulateTrial(this.#jsPsych, data, options, onLoad);
  }
}

/** Runs the check, and sets `extension.delay` if the delay could be measured. */
async function measureDelay(extension: PupilExtension, screen: HTMLElement, count: number): Promise<DelayEstimate> {
  await extension.ready;
  if (!extension.stream) throw new Error('The timing check needs a camera.');
  const frames: Brightness[] = [];
  const ending = new AbortController();
  const reading = readBrightness(extension, ending.signal, frames);
  reading.catch(() => {}); // awaited below
  const switches: Switch[] = [];
  try {
    await colorAfter(screen, 1000, 'black');
    for (let i = 0; i < count; i++) {
      const white = i % 2 === 0;
      const at = await colorAfter(screen, LONGEST + Math.random() * SPREAD, white ? 'white' : 'black');
      switches.push({ at, white });
    }
    await colorAfter(screen, LONGEST, 'black');
  } finally {
    ending.abort();
  }
  await reading;
  const estimate = estimateDelay(switches, frames);
  if (Number.isFinite(estimate.delay)) {
    const { delay, low, high } = estimate;
    extension.delay = { delay, low, high };
  }
  return estimate;
}

/** Adds the mean gray value of each frame until the signal ends it. */
async function readBrightness(
  { library, stream }: PupilExtension,
  signal: AbortSignal,
  into: Brightness[],
): Promise<void> {
  const canvas = element('canvas', { width: 16, height: 12 });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  try {
    for await (const { frame, timestamp } of library.frames(stream!, { signal })) {
      context.drawImage(frame, 0, 0, canvas.width, canvas.height);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) sum += data[i]! + data[i + 1]! + data[i + 2]!;
      into.push({ timestamp, gray: sum / ((3 * data.length) / 4) });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function rowOf({ delay, low, high, jitter, switches, warnings }: DelayEstimate) {
  const known = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    delay: known(delay),
    delay_low: known(low),
    delay_high: known(high),
    jitter: known(jitter),
    switches,
    warnings,
  };
}
