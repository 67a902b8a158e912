/** The numbers below the picture: written straight into their places five times a second, without a render. */
import type { FrameTiming, PupilResult } from '../../src/index.ts';
import { numberFormat, type NumberFormat } from '../strings/numbers.ts';
import { Rate } from '../parts/rate.ts';

const every = 200;

export class Readout {
  #writtenAt = -Infinity;
  readonly #rate = new Rate();
  #later = 0;
  #result: PupilResult | null = null;
  #box: HTMLElement | null = null;
  #number: NumberFormat = numberFormat('en');

  clear(): void {
    this.forget();
    this.#rate.clear();
  }

  /** Nothing is known of the picture that is shown. */
  forget(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#result = null;
    this.#writtenAt = -Infinity;
    for (const place of this.#box?.querySelectorAll('[data-value]') ?? []) place.textContent = '–';
  }

  /** `number` writes numbers in the language of the page. */
  show(result: PupilResult, timing: FrameTiming, box: HTMLElement | null, number: NumberFormat): void {
    const now = performance.now();
    this.#rate.add(timing.dropped);
    this.#result = result;
    this.#box = box;
    this.#number = number;
    // Never more often than that, and the last one also when nothing follows it.
    this.#later ||= window.setTimeout(() => this.#write(), Math.max(0, this.#writtenAt + every - now));
  }

  #write(): void {
    const [result, box] = [this.#result, this.#box];
    this.#writtenAt = performance.now();
    this.#later = 0;
    if (!box || !result) return;
    const write = (name: string, text: string) => {
      const place = box.querySelector(`[data-value=${name}]`);
      if (place && place.textContent !== text) place.textContent = text;
    };
    const { pupils } = result;
    const number = this.#number;
    // Where the comma is the decimal sign it does not stand between two numbers.
    const between = number(0.5, 1).includes(',') ? '; ' : ', ';
    const each = (value: (pupil: (typeof pupils)[number]) => string) =>
      pupils.map((pupil) => (pupil.found ? value(pupil) : '–')).join(' | ');
    write(
      'diameter',
      each((p) => (p.diameterMm === null ? number(p.diameter, 1) : number(p.diameterMm, 2))),
    );
    write(
      'centre',
      each((p) => number(p.x, 1) + between + number(p.y, 1)),
    );
    write(
      'confidence',
      each((p) => number(p.confidence * 100)),
    );
    write('rate', String(this.#rate.perSecond ?? '–'));
    write('dropped', String(this.#rate.dropped));
  }
}
