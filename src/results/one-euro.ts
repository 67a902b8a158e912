/**
 * The 1 euro filter (Casiez, Roussel, Vogel: 1 € Filter, CHI 2012): a first-order low-pass filter whose cutoff rises
 * with the speed of the signal. A constant signal does not jitter, and a moving one does not lag. Times are in
 * milliseconds. The steps between them may differ.
 */
import { FoveolaError } from '../runtime/error.ts';

export interface OneEuroOptions {
  /** Cutoff at rest, Hz. A lower value reduces jitter. */
  minCutoff: number;
  /** Hz per unit per second of speed. A higher value reduces lag in motion. */
  beta: number;
  /** Cutoff for the speed itself, Hz. */
  derivativeCutoff: number;
}

/**
 * `derivativeCutoff` is the value in the paper. The others suit a pupil diameter in pixels, whose waves stay below
 * about 4 Hz.
 */
export const oneEuroDefaults: OneEuroOptions = { minCutoff: 2, beta: 0.05, derivativeCutoff: 1 };

/** Weight of the new value for a step of `seconds`. */
const weight = (cutoff: number, seconds: number) => 1 / (1 + 1 / (2 * Math.PI * cutoff * seconds));

export class OneEuroFilter {
  readonly #options: OneEuroOptions;
  #time = NaN;
  #value = NaN;
  #speed = 0;

  /** Throws 'invalid-argument' if a cutoff is not above 0 or beta is below 0. */
  constructor(options: Partial<OneEuroOptions> = {}) {
    this.#options = { ...oneEuroDefaults, ...options };
    const { minCutoff, beta, derivativeCutoff } = this.#options;
    const bad = (name: string, value: number, range: string) =>
      new FoveolaError('invalid-argument', `OneEuroFilter: ${name} must be ${range}, not ${String(value)}.`);
    if (!(minCutoff > 0 && minCutoff < Infinity)) throw bad('minCutoff', minCutoff, 'above 0 Hz');
    if (!(derivativeCutoff > 0 && derivativeCutoff < Infinity))
      throw bad('derivativeCutoff', derivativeCutoff, 'above 0 Hz');
    if (!(beta >= 0 && beta < Infinity)) throw bad('beta', beta, '0 or more');
  }

  /** Returns the smoothed value. NaN, or a time that does not increase, restarts the filter. */
  filter(value: number, timestamp: number): number {
    const seconds = (timestamp - this.#time) / 1000;
    this.#time = timestamp;
    if (!(seconds > 0) || Number.isNaN(this.#value) || Number.isNaN(value)) {
      this.#speed = 0;
      return (this.#value = value);
    }
    const { minCutoff, beta, derivativeCutoff } = this.#options;
    const speed = (value - this.#value) / seconds;
    this.#speed += weight(derivativeCutoff, seconds) * (speed - this.#speed);
    return (this.#value += weight(minCutoff + beta * Math.abs(this.#speed), seconds) * (value - this.#value));
  }

  reset(): void {
    this.#time = this.#value = NaN;
    this.#speed = 0;
  }
}
