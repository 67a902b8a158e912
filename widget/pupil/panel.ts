/** Settings of `<foveola-pupil>` other than its parameters: region, calibration and exports. */
import { html, type TemplateResult } from 'lit';
import { pupilFormats } from '../../src/index.ts';
import type { Box } from '../tools/shape.ts';
import type { Strings } from '../strings/index.ts';
import { CalibrationController } from './calibration.ts';
import { type PanelParts, RegionController } from './region.ts';

/** Attributes of the element that control exports. */
export interface ExportChoice {
  exportFormat: string | null;
  interpolate: boolean;
  smooth: boolean;
}

function exportFields(s: Strings, choice: ExportChoice): TemplateResult {
  const check = (name: 'interpolate' | 'smooth', label: string) =>
    html`<label
      ><input
        type="checkbox"
        .checked=${choice[name]}
        @change=${(event: Event) => (choice[name] = (event.target as HTMLInputElement).checked)}
      />
      ${label}</label
    >`;
  return html`<fieldset class="fields">
    <legend>${s.exports}</legend>
    <label
      >${s.exportFormat}
      <select
        name="export-format"
        @change=${(event: Event) => (choice.exportFormat = (event.target as HTMLSelectElement).value)}
      >
        ${pupilFormats.map(
          (format) =>
            html`<option value=${format} .selected=${format === (choice.exportFormat ?? pupilFormats[0])}>
              ${s.exportFormats[format]}
            </option>`,
        )}
      </select></label
    >
    ${check('interpolate', s.interpolate)} ${check('smooth', s.smooth)}
    <p>${s.exportsHint}</p>
  </fieldset>`;
}

/** Attributes of the element that this file reads and changes. */
interface Own extends ExportChoice {
  readonly roi: Box | null;
  readonly millimetresPerPixel: number | null;
}

export class PupilPanel {
  readonly region: RegionController;
  readonly #calibration: CalibrationController;
  readonly #parts: PanelParts;
  readonly #own: Own;

  constructor(parts: PanelParts, own: Own) {
    this.#parts = parts;
    this.#own = own;
    this.region = new RegionController(parts, own);
    this.#calibration = new CalibrationController(parts, own);
    parts.picture.moved(); // reports the position of the image to both
  }

  /** Layers over the image. */
  get layers(): TemplateResult {
    return html`${this.region.layer}${this.#calibration.layer}`;
  }

  render(): TemplateResult {
    return html`<div class="extras">
      ${this.region.render()} ${this.#calibration.render()} ${exportFields(this.#parts.strings, this.#own)}
    </div>`;
  }
}
