/** What the exports of <foveola-pupil> hold, as the page or the panel says. */
import { html, type TemplateResult } from 'lit';
import { oneEuroDefaults, type PupilExportOptions, type PupilFormat, pupilFormats } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';

/** The attributes of the element that say it. */
export interface ExportChoice {
  exportFormat: string | null;
  interpolate: boolean;
  smooth: boolean;
}

export function exportOptions({ interpolate, smooth, exportFormat }: ExportChoice): PupilExportOptions {
  const format = exportFormat ? { format: exportFormat as PupilFormat } : {};
  if (!interpolate && !smooth) return format;
  return {
    ...format,
    series: { interpolate: interpolate ? 'linear' : 'none', smooth: smooth ? oneEuroDefaults : null },
  };
}

export function exportFields(s: Strings, choice: ExportChoice): TemplateResult {
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
