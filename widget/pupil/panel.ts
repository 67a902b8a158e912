/** Settings of `<foveola-pupil>` other than its parameters: region, calibration and exports. And the items of its menus. */
import { html, type TemplateResult } from 'lit';
import { type CalibrationNote, type CsvFormat, csvFormats } from '../../src/index.ts';
import type { Menus } from '../base/toolbar.ts';
import type { Strings } from '../strings/index.ts';
import type { PanelExtra } from '../base/kind.ts';
import type { Box } from '../tools/shape.ts';
import { CalibrationController } from './calibration.ts';
import { type PanelParts, RegionController } from './region.ts';
import { SizeLimits } from './size-limits.ts';

/** Attributes of the element that control exports. */
export interface ExportChoice {
  exportFormat: CsvFormat | null;
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
        @change=${(event: Event) => (choice.exportFormat = (event.target as HTMLSelectElement).value as CsvFormat)}
      >
        ${csvFormats.map(
          (format) =>
            html`<option value=${format} .selected=${format === (choice.exportFormat ?? csvFormats[0])}>
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

interface Toggled {
  readonly open: boolean;
  toggle(): void;
}

/** The review, with its markers. */
interface Opened extends Toggled {
  readonly markers: Toggled;
}

/** The review of the element, with its items in the menu. */
interface ReviewParts {
  readonly loaded: Opened | null;
  readonly possible: boolean;
  run(work: (review: Opened) => unknown): void;
}

export class PupilPanel {
  readonly region: RegionController;
  readonly #limits: SizeLimits;
  readonly #calibration: CalibrationController;
  readonly #parts: PanelParts;
  readonly #own: Own;

  constructor(parts: PanelParts, own: Own) {
    this.#parts = parts;
    this.#own = own;
    this.region = new RegionController(parts, own);
    this.#calibration = new CalibrationController(parts, own);
    this.#limits = new SizeLimits(parts, () => !this.#calibration.marking);
    parts.picture.moved(); // reports the position of the image to all of them
  }

  /** Origin of the scale, for exports. */
  get calibration(): CalibrationNote | null {
    return this.#calibration.note;
  }

  /** Layers over the image. */
  get layers(): TemplateResult {
    return html`${this.region.layer}${this.#limits.element}${this.#calibration.layer}`;
  }

  render(): PanelExtra {
    return {
      first: this.region.render(),
      more: html`<div class="extras">
        ${this.#calibration.render()} ${exportFields(this.#parts.strings, this.#own)}
      </div>`,
    };
  }

  /** Items in the menus of the toolbar. */
  menus(review: ReviewParts): Menus {
    const { strings: s, feed, unready, recorder } = this.#parts;
    const { roi } = this.#own;
    const rows = recorder.recording?.length ?? 0;
    return {
      more: [
        {
          ...{
            word: s.review,
            key: 'V',
            checked: review.loaded?.open ?? false,
            disabled: !review.possible && s.notAnalysed,
          },
          act: () => review.run((one) => one.toggle()),
        },
        {
          ...{ word: s.markers, checked: review.loaded?.markers.open ?? false, disabled: !rows && s.why.noRows },
          act: () => review.run((one) => one.markers.toggle()),
        },
        {
          ...{ word: s.region, checked: roi !== null, disabled: !feed && !roi && unready },
          act: () => this.region.toggle(),
        },
      ],
    };
  }
}
