/** The targets and numbers below the image, updated five times per second. */
import { html, type TemplateResult } from 'lit';
import type { FrameTiming, ObjectResult } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { Rate, writeFigure } from '../base/engine.ts';
import type { TargetsController } from './targets.ts';

export class TargetListController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #targets: TargetsController;
  readonly #rate = new Rate();
  #later = 0;

  constructor(parts: ElementParts<ObjectResult>, targets: TargetsController) {
    this.#parts = parts;
    this.#targets = targets;
    parts.host.add(this);
  }

  present(_result: ObjectResult, { dropped }: FrameTiming): void {
    this.#rate.add(dropped);
    this.#later ||= window.setTimeout(() => this.#list(), this.#rate.wait);
  }

  recalled({ targets }: ObjectResult): void {
    this.#targets.list(targets);
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    if (this.#targets.listed.length) this.#targets.list([]);
    this.#write('–', 0);
  }

  forget(): void {
    this.#rate.clear();
  }

  left(): void {
    clearTimeout(this.#later);
  }

  #list(): void {
    this.#later = 0;
    this.#rate.written();
    this.#targets.list(this.#targets.last?.targets ?? []);
    this.#write(this.#rate.text, this.#rate.dropped);
  }

  #write(rate: string, dropped: number): void {
    const box = this.#parts.host.find('.readout');
    writeFigure(box, 'rate', rate);
    writeFigure(box, 'dropped', String(dropped));
  }

  render(): TemplateResult {
    const { strings: s } = this.#parts;
    const { listed, selected } = this.#targets;
    return html`<div class="readout targets" part="readout">
      ${
        listed.length
          ? html`<ul class="targets" aria-label=${s.track.targets}>
              ${listed.map(
                ({ id, box, confidence }) =>
                  html`<li>
                    <button
                      part="button"
                      aria-pressed=${id === selected}
                      @click=${() => this.#targets.select(id === selected ? null : id)}
                    >
                      <bdi>${s.track.state(id, box ? Math.round(100 * confidence) : null)}</bdi>
                    </button>
                    <button
                      part="button"
                      aria-label=${s.track.remove(id)}
                      @click=${() => this.#targets.attempt(() => this.#targets.remove(id))}
                    >
                      ×
                    </button>
                  </li>`,
              )}
            </ul>`
          : html`<p class="hint">${s.track.none}</p>`
      }
      <dl>
        <div>
          <dt>${s.frameRate}</dt>
          <dd><bdi data-value="rate">–</bdi></dd>
        </div>
        <div>
          <dt>${s.dropped}</dt>
          <dd><bdi data-value="dropped">0</bdi></dd>
        </div>
      </dl>
    </div>`;
  }
}
