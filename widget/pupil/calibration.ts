/** Calibrates millimeters with a disc of known size: the circle over the image, and its fields in the panel. */
import { html, nothing, type TemplateResult } from 'lit';
import { type FoveolaError, millimetresPerPixel, asFoveolaError } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import type { View } from '../base/overlay.ts';
import { problemText, titleOf } from '../base/views.ts';
import { type Box, discAbout, ShapeTool } from '../tools/shape.ts';
import type { PanelParts } from './region.ts';

/** Initial circle in the middle of the image. */
function discIn(width: number, height: number): Box {
  const size = Math.min(width, height) / 3;
  return { x: (width - size) / 2, y: (height - size) / 2, width: size, height: size };
}

const describeDisc = (s: Strings, box: Box): string => `${s.discAt(s.number(box.width, 1))}. ${s.shapeKeys}`;

interface CalibrationModel {
  strings: Strings;
  /** Millimeters per pixel. Null: no calibration. */
  scale: number | null;
  /** The disc being marked. Null: none. */
  disc: Box | null;
  /** Diameter of the disc as typed. */
  millimetres: number;
  problem: FoveolaError | null;
  open: boolean;
}

interface CalibrationActions {
  mark(): void;
  resize(pixels: number): void;
  millimetres(value: number): void;
  apply(): void;
  cancel(): void;
  scale(value: number | undefined): void;
}

const value = (event: Event) => (event.target as HTMLInputElement).valueAsNumber;

function calibrationFields(model: CalibrationModel, act: CalibrationActions): TemplateResult {
  const { strings: s, scale, disc, millimetres, problem, open } = model;
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    act.millimetres(value(event));
    act.apply();
  };
  return html`<fieldset class="fields">
    <legend>${s.calibration}</legend>
    ${
      disc
        ? html`<p>${s.discHint}</p>
            <label
              >${s.discPixels}
              <input
                type="number"
                min="4"
                step="any"
                .value=${disc.width.toFixed(1)}
                @change=${(event: Event) => act.resize(value(event))}
            /></label>
            <label
              >${s.discMillimetres}
              <input
                class="millimetres"
                type="number"
                min="0"
                step="any"
                .value=${String(millimetres)}
                @change=${(event: Event) => act.millimetres(value(event))}
                @keydown=${enter}
            /></label>
            <button type="button" part="button" @click=${act.apply}>${s.apply}</button>
            <button type="button" part="button" @click=${act.cancel}>${s.cancel}</button>
            ${problem ? html`<p class="problem" role="alert">${problemText(s, problem)}</p>` : nothing}`
        : html`<label
              >mm/px
              <input
                type="number"
                min="0.000001"
                max="10"
                step="any"
                placeholder="–"
                .value=${scale === null ? '' : String(Number(scale.toPrecision(6)))}
                @change=${(event: Event) => {
                  const input = event.target as HTMLInputElement;
                  if (input.value === '') act.scale(undefined);
                  else if (input.validity.valid) act.scale(input.valueAsNumber);
                }}
            /></label>
            <button
              type="button"
              part="button"
              title=${titleOf(s.markDisc, { disabled: !open && s.why.noSource })}
              ?disabled=${!open}
              @click=${act.mark}
            >
              ${s.markDisc}
            </button>
            ${
              scale === null
                ? html`<p>${s.notCalibrated}</p>`
                : html`<button type="button" part="button" @click=${() => act.scale(undefined)}>
                    ${s.removeCalibration}
                  </button>`
            }`
    }
  </fieldset>`;
}

/** Marks the disc. Escape cancels without a trace. Applying the calibration can be undone. */
export class CalibrationController {
  readonly #tool: ShapeTool;
  readonly #parts: PanelParts;
  readonly #own: { readonly millimetresPerPixel: number | null };
  #disc: Box | null = null;
  #millimetres = 10;
  #problem: FoveolaError | null = null;

  constructor(parts: PanelParts, own: { readonly millimetresPerPixel: number | null }) {
    this.#parts = parts;
    this.#own = own;
    this.#tool = new ShapeTool(
      'disc',
      {
        changed: (box) => this.#mark(box),
        describe: (box) => describeDisc(parts.strings, box),
        leave: () => this.cancel(),
        remove: () => this.cancel(),
        done: () => this.apply(),
      },
      { smallest: 4, step: 0.5 },
    );
    parts.host.add(this);
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#tool.element;
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#tool.look(view, overlay);
  }

  closing(): void {
    this.cancel();
  }

  left(): void {
    this.#problem = null;
  }

  start(): void {
    const { feed } = this.#parts;
    if (!feed) return;
    this.#mark(discIn(feed.width, feed.height));
    this.#tool.focus();
  }

  /** Cancels without a trace. */
  cancel(): void {
    if (!this.#disc) return;
    this.#mark(null);
    this.#parts.host.focusStage();
  }

  apply(): void {
    try {
      const scale = millimetresPerPixel(this.#disc?.width ?? 0, this.#millimetres);
      this.#mark(null);
      this.#parts.settings.edit({ millimetresPerPixel: scale });
      this.#parts.state.announce(this.#parts.strings.calibrated);
      this.#parts.host.focusStage();
    } catch (error) {
      this.#problem = asFoveolaError(error, 'The calibration');
      this.#parts.host.element.requestUpdate();
    }
  }

  #mark(box: Box | null): void {
    const { feed } = this.#parts;
    this.#disc = box;
    this.#problem = null;
    this.#tool.show(box, feed?.width ?? 0, feed?.height ?? 0);
    this.#tool.armed = box !== null;
    this.#parts.host.element.requestUpdate();
  }

  render(): TemplateResult {
    const { strings, feed, settings } = this.#parts;
    return calibrationFields(
      {
        strings,
        scale: this.#own.millimetresPerPixel,
        disc: this.#disc,
        millimetres: this.#millimetres,
        problem: this.#problem,
        open: feed !== null,
      },
      {
        mark: () => this.start(),
        resize: (pixels) => {
          if (this.#disc && feed && pixels > 0)
            this.#mark(discAbout(this.#disc, pixels / 2, { ...feed, smallest: 4, disc: true }));
        },
        millimetres: (value) => (this.#millimetres = value),
        apply: () => this.apply(),
        cancel: () => this.cancel(),
        scale: (value) => settings.edit({ millimetresPerPixel: value }),
      },
    );
  }
}
