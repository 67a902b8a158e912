/**
 * How saccades and fixations are distinguished. Engbert and Kliegl, Vision Res 43, 2003, where nothing else is said; what has
 * no source was chosen by `npm run bench -- traces series`, on its seeds for choosing.
 */
import { number, type ParameterTable } from '../runtime/parameters.ts';

export const saccadeParameters = {
  factor: number({
    default: 6,
    min: 1,
    max: 100,
    effect: 'Times the median-based deviation of velocities, in x and y, that a saccade is faster than.',
  }),
  velocityWindow: number({
    default: 50,
    min: 1,
    max: 1000,
    unit: 'ms',
    effect:
      "Velocities that find saccades are taken over so much, and over two samples at least. Engbert and Kliegl: five samples, 16 ms at 250 Hz, which small saccades in a camera's noise are lost with.",
  }),
  shortest: number({ default: 12, min: 0, max: 1000, unit: 'ms', effect: 'Shorter ones are noise.' }),
  longest: number({
    default: 200,
    min: 1,
    max: 10000,
    unit: 'ms',
    effect: 'Longer ones are no saccades; one of 80 degrees takes 200 ms.',
  }),
  pause: number({
    default: 20,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Saccades that follow each other faster are one with its overshoot.',
  }),
  gapMargin: number({
    default: 50,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Nothing is found so near to missing samples, where the lid draws the center of the pupil along.',
  }),
  smallest: number({
    default: 0,
    min: 0,
    max: 1e6,
    effect: 'Smaller ones are left out, in the unit of the gaze. 1 in degrees leaves microsaccades out.',
  }),
} satisfies ParameterTable;

export const fixationParameters = {
  ...saccadeParameters,
  shortestFixation: number({
    default: 60,
    min: 0,
    max: 60000,
    unit: 'ms',
    effect: 'Shorter rests are no fixations.',
  }),
} satisfies ParameterTable;
