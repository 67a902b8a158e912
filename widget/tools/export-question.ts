/** Question before an export if the displayed source differs from the recorded one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RecordedFile } from '../base/page.ts';
import type { Strings } from '../strings/index.ts';

export interface ExportQuestion {
  file: RecordedFile;
  /** Names of the recorded source and of the displayed one. */
  recorded: string;
  shown: string;
  /** The open image can also be exported. */
  picture: boolean;
}

export interface ExportAnswers {
  save(ofPicture: boolean): void;
  cancel(): void;
}

export function exportQuestion(
  s: Strings,
  { file, recorded, shown, picture }: ExportQuestion,
  act: ExportAnswers,
): TemplateResult {
  const choice = (name: string, ofPicture: boolean) =>
    html`<button type="button" part="button" @click=${() => act.save(ofPicture)}>${s.exportOf(name)}</button>`;
  return html`<div class="ask" part="ask" role="alertdialog" aria-label=${s.askExport(recorded, shown)}>
    <p>${s.askExport(recorded, shown)}</p>
    ${choice(recorded, false)} ${file.ofPicture && picture ? choice(shown, true) : nothing}
    <button type="button" part="button" @click=${act.cancel}>${s.cancel}</button>
  </div>`;
}
