/** The numbers below the image. They are written directly into the DOM five times per second, without a render. */
import { html, nothing, type TemplateResult } from 'lit';
import { type FrameTiming, type PupilResult, qualityLimits } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { emptyFigures, Rate, writeFigure } from '../base/engine.ts';

export class ReadoutController {
  readonly #parts: ElementParts<PupilResult>;
  readonly #rate = new Rate();
  #later = 0;
  #result: PupilResult | null = null;

  constructor(parts: ElementParts<PupilResult>) {
    this.#parts = parts;
    parts.host.add(this);
  }

  forget(): void {
    this.#rate.clear();
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#result = null;
    this.#rate.hurry();
    emptyFigures(this.#parts.host.find('.readout'));
    this.#warn([]);
  }

  present(result: PupilResult, timing: FrameTiming): void {
    this.#rate.add(timing.dropped);
    this.recalled(result);
  }

  recalled(result: PupilResult): void {
    this.#result = result;
    // The rate limit holds, but the last result is always written.
    this.#later ||= window.setTimeout(() => this.#write(), this.#rate.wait);
  }

  left(): void {
    clearTimeout(this.#later);
  }

  render(unit: string): TemplateResult {
    const { strings: s } = this.#parts;
    const item = (name: string, label: string, unitText = '') =>
      html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi dir="ltr"><span data-value=${name}>–</span>${unitText ? html`<small>${unitText}</small>` : nothing}</bdi>
        </dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('diameter', s.diameter, unit)} ${item('center', s.center, 'px')} ${item('confidence', s.confidence, '%')}
        ${item('rate', s.frameRate)} ${item('dropped', s.dropped)}
      </dl>
      <p class="hint unsure" part="hint" role="status" hidden></p>`;
  }

  /** Warns that the pupil is unreliable, with the reasons. */
  #warn(texts: readonly string[]): void {
    const place = this.#parts.host.find<HTMLElement>('.unsure');
    const text = texts.join(' ');
    if (!place || place.textContent === text) return;
    place.textContent = text;
    place.hidden = !text;
  }

  #write(): void {
    const result = this.#result;
    const box = this.#parts.host.find('.readout');
    this.#rate.written();
    this.#later = 0;
    if (!box || !result) return;
    const { number, unsure, eyeLetters } = this.#parts.strings;
    const write = (name: string, text: string) => writeFigure(box, name, text);
    const { pupils, warnings = [] } = result;
    // If the comma is the decimal sign, a semicolon separates two numbers.
    const between = number(0.5, 1).includes(',') ? '; ' : ', ';
    // In screen order, with letters if it is known whose eyes they are.
    const seen = this.#parts.host.element.mirror ? [...pupils].reverse() : pupils;
    const letter = ({ eye }: (typeof pupils)[number]) => (eye === 'unknown' ? '' : `${eyeLetters[eye]} `);
    const each = (value: (pupil: (typeof pupils)[number]) => string) =>
      seen.map((pupil) => letter(pupil) + (pupil.found ? value(pupil) : '–')).join(' | ');
    write(
      'diameter',
      each((p) => (p.diameterMm === null ? number(p.diameter, 1) : number(p.diameterMm, 2))),
    );
    write(
      'center',
      each((p) => number(p.x, 1) + between + number(p.y, 1)),
    );
    write(
      'confidence',
      each((p) => number(p.confidence * 100)),
    );
    write('rate', this.#rate.text);
    write('dropped', String(this.#rate.dropped));
    const low = pupils.some(({ found, confidence }) => found && confidence < qualityLimits.confidence);
    this.#warn(low ? [unsure, ...warnings] : warnings);
  }
}
