/** Plug-in: darkens the screen, flashes once, and measures the light reflex of the pupil. */
import type { LightReflex } from 'foveola';
import { type JsPsych, type JsPsychPlugin, ParameterType } from 'jspsych';
import { version } from '../package.json';
import { withoutDelay } from './delay.ts';
import { colorAfter, element, extensionOf, finish, fullScreen, nextFrame, simulateTrial, type Given } from './dom.ts';
import type { PupilExtension } from './extension.ts';
import type { RecordedResult } from './recorder.ts';

const float = { type: ParameterType.FLOAT } as const;
const info = {
  name: 'foveola-light-reflex',
  version,
  parameters: {
    /** Dark time before the flash, in ms. */
    before: { type: ParameterType.INT, default: 2000 },
    /** Duration of the flash, in ms. */
    flash: { type: ParameterType.INT, default: 500 },
    /** Dark time after the flash, in ms. */
    after: { type: ParameterType.INT, default: 4000 },
    /** The eye to measure, if the tracker measures two. */
    eye: { type: ParameterType.SELECT, options: ['left', 'right'], default: null },
  },
  data: {
    /** Time of the flash on the clock of performance.now(), in ms. */
    flash_onset: float,
    /**
     * Time from the light to the first movement of the pupil, in ms, with its 95 % interval. The delay from screen to
     * camera is subtracted. Null without a measured delay.
     */
    latency: float,
    latency_low: float,
    latency_high: float,
    /** As `latency`, with the delay included. */
    latency_with_delay: float,
    /** Diameters before the flash and at the minimum, and their difference, in `unit`. */
    baseline: float,
    minimum: float,
    amplitude: float,
    amplitude_percent: float,
    /** Maximum speed of constriction, in `unit` per second. */
    peak_velocity: float,
    /** Time from the minimum until 75 % of the amplitude are recovered, in ms. */
    t75: float,
    unit: { type: ParameterType.STRING },
    warnings: { type: ParameterType.STRING, array: true },
  },
} as const;

const number = (value: number): number | null => (Number.isFinite(value) ? value : null);

export class LightReflexPlugin implements JsPsychPlugin<typeof info> {
  static readonly info = info;
  readonly #jsPsych: JsPsych;

  constructor(jsPsych: JsPsych) {
    this.#jsPsych = jsPsych;
  }

  trial(display: HTMLElement, trial: Given<typeof info>, onLoad?: () => void): void {
    const extension = extensionOf(this.#jsPsych);
    const screen = fullScreen('black');
    const dot = element('div');
    Object.assign(dot.style, {
      position: 'fixed',
      inset: '50% auto auto 50%',
      width: '6px',
      height: '6px',
      background: '#700',
    });
    display.replaceChildren(screen);
    screen.append(dot);
    onLoad?.();
    const run = async () => {
      await extension.ready;
      const from = await nextFrame();
      const onset = await colorAfter(screen, trial.before, 'white');
      const offset = await colorAfter(screen, trial.flash, 'black');
      const to = await colorAfter(screen, trial.after, 'black');
      return measureReflex(extension, await extension.results(from, to), { onset, offset, eye: trial.eye });
    };
    run().then(
      (data) => finish(this.#jsPsych, display, data),
      (error: Error) => finish(this.#jsPsych, display, { warnings: [error.message] }),
    );
  }

  simulate(_trial: Given<typeof info>, _mode: string, options: { data?: object }, onLoad?: () => void): void {
    const data = {
      ...{ flash_onset: 2000, latency: 250, latency_low: 235, latency_high: 265, latency_with_delay: 330 },
      ...{ baseline: 5, minimum: 3.5, amplitude: 1.5, amplitude_percent: 30, peak_velocity: 5, t75: 1500 },
      ...{ unit: 'mm', warnings: [] },
    };
    simulateTrial(this.#jsPsych, data, options, onLoad);
  }
}

/** The data of a flash from the results around it. Times of the flash are those of the page. */
export function measureReflex(
  { library, delay }: Pick<PupilExtension, 'library' | 'delay'>,
  results: readonly RecordedResult[],
  { onset, offset, eye }: { onset: number; offset: number; eye?: 'left' | 'right' | null },
) {
  const pupils = results.flatMap(({ timestamp, pupils }) => {
    const pupil = eye ? pupils.find((one) => one.eye === eye) : pupils[0];
    return pupil ? [{ timestamp, ...pupil }] : [];
  });
  const unit = pupils.some(({ diameterMm }) => diameterMm !== null) ? 'mm' : 'px';
  const samples = pupils.map(({ timestamp, found, diameter, diameterMm, confidence, blink }) => ({
    ...{ timestamp, confidence, blink },
    diameter: found ? (unit === 'mm' ? diameterMm : diameter) : null,
  }));
  const reflex = library.lightReflex(library.cleanSeries(samples), { onset, duration: offset - onset });
  const warnings = reflex.warnings.filter((one) => !one.startsWith('pipr'));
  const measured = { delay: reflex.latency, low: reflex.latencyLow, high: reflex.latencyHigh };
  const latency = delay ? withoutDelay(measured, delay) : { delay: NaN, low: NaN, high: NaN };
  if (!delay) warnings.push('The delay from screen to camera is not known. Run the timing check first.');
  return { ...rowOf(reflex), ...latencyOf(latency), flash_onset: onset, unit, warnings };
}

const latencyOf = ({ delay, low, high }: { delay: number; low: number; high: number }) => ({
  latency: number(delay),
  latency_low: number(low),
  latency_high: number(high),
});

const rowOf = (reflex: LightReflex) => ({
  latency_with_delay: number(reflex.latency),
  baseline: number(reflex.baseline),
  minimum: number(reflex.minimum),
  amplitude: number(reflex.amplitude),
  amplitude_percent: number(reflex.amplitudePercent),
  peak_velocity: number(reflex.peakConstrictionVelocity),
  t75: number(reflex.t75),
});
