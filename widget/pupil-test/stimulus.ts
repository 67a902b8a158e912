/** What a step looks like: an even screen, its halves, a cross to look at, words. Changes the elements at once, within a frame. */
import { type PlannedStep, screenColor } from '../../src/index.ts';

/** Of words on an even screen: seen, and no more light than needed. */
const wordsColor = (luminance: number): string => (luminance < 0.18 ? 'rgb(160 160 160)' : 'rgb(20 20 20)');

export interface StimulusPlaces {
  readonly screen: HTMLElement;
  readonly left: HTMLElement;
  readonly right: HTMLElement;
  readonly cross: HTMLElement;
  readonly words: HTMLElement;
}

/** `even`: luminance between the steps; `text`: of the step, in the person's language. */
export function showStimulus(places: StimulusPlaces, planned: PlannedStep | null, even: number, text: string): void {
  const { screen, left, right, cross, words } = places;
  const step = planned?.step;
  const flash = step?.type === 'flash' ? step : null;
  const luminance = planned && !flash ? planned.luminance : even;
  const eye = flash?.eye ?? 'both';
  const light = flash ? screenColor(planned!.luminance, flash.color) : '';
  const seen = (half: 'left' | 'right') => (flash && (eye === 'both' || eye === half) ? light : 'transparent');
  screen.style.background = screenColor(luminance);
  left.style.background = seen('left');
  right.style.background = seen('right');
  words.textContent = text;
  words.hidden = !text;
  cross.hidden = !!text;
  const dark = flash && eye === 'both' ? planned!.luminance : luminance;
  screen.style.color = wordsColor(dark);
}
