/**
 * How a light reflex is measured. Windows that say no source were chosen by `npm run bench -- traces series` on its seeds
 * for choosing, at 30, 60 and 120 Hz together.
 */
import { choice, number, type ParameterTable } from '../runtime/parameters.ts';

export const reflexParameters = {
  baselineLength: number({
    default: 500,
    min: 20,
    max: 60000,
    unit: 'ms',
    effect: 'The baseline is the median of so much before the light.',
  }),
  window: number({
    default: 3000,
    min: 300,
    max: 120000,
    unit: 'ms',
    effect: 'The minimum is searched for within so much after the onset of the light.',
  }),
  shortestLatency: number({
    default: 100,
    min: 0,
    max: 1000,
    unit: 'ms',
    effect: 'Movements that begin earlier are no answer to the light (180 ms is short: Bergamin and Kardon 2003).',
  }),
  latencyMethod: choice({
    default: 'step',
    values: ['step', 'peak'],
    effect:
      "'step': the first movement, by fits of a line and a constriction after it (after Bos 1991). 'peak': the greatest acceleration (Bergamin and Kardon 2003), which is later.",
  }),
  velocityWindow: number({
    default: 200,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: 'Reach to both sides of the cubic whose slope is the velocity.',
  }),
  accelerationWindow: number({
    default: 140,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: "Reach to both sides of the cubic whose second derivative is the acceleration, for latencyMethod 'peak'.",
  }),
  diameterWindow: number({
    default: 250,
    min: 20,
    max: 2000,
    unit: 'ms',
    effect: 'Reach to both sides of the parabola that minimum and recovery are read from.',
  }),
  piprFrom: number({
    default: 5000,
    min: 0,
    max: 120000,
    unit: 'ms',
    effect: 'The response after the light is the mean from here (Park et al. 2011: about 6 s), after its end.',
  }),
  piprTo: number({ default: 7000, min: 1, max: 120000, unit: 'ms', effect: 'And up to here.' }),
} satisfies ParameterTable;
