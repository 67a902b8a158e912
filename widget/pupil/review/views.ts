/** The review panel: its strings, style and template. */
import { html, nothing, type TemplateResult } from 'lit';

const english = {
  title: 'Review',
  at: (frame: number, frames: number) => `Frame ${frame} of ${frames}`,
  open: (count: number) => (count === 1 ? '1 frame to check' : `${count} frames to check`),
  none: 'Nothing left to check',
  count: (count: number) => (count === 1 ? '1 correction' : `${count} corrections`),
  previous: 'Previous',
  next: 'Next',
  outline: 'Outline',
  exclude: 'Exclude from here',
  excludeTo: 'Exclude up to here',
  blink: 'Blink from here',
  blinkTo: 'Blink up to here',
  noBlink: 'Remove blink',
  eye: 'Other eye',
  undo: 'Undo',
  redo: 'Redo',
  close: 'Close',
  hint: 'Drag the outline or its handles, or draw a new one on the image. Arrow keys move it, with Shift they resize it. The Page keys turn it, and Delete removes it.',
  span: 'Go to the last frame of the span, then press the button or its key again. Escape cancels.',
  done: { outline: 'Outline corrected', exclude: 'Frames excluded', blink: 'Blink marked', open: 'Blink removed' },
  shape: (x: string, y: string, major: string, minor: string) =>
    `Outline at ${x}, ${y}: ${major} by ${minor} pixels. Arrow keys move it, with Shift they resize it, Page keys turn it`,
  corrected: 'corrected by hand',
  another: 'The corrections in these settings are of another recording and were not used.',
};

export type ReviewWords = typeof english;

const german: ReviewWords = {
  title: 'Durchsehen',
  at: (frame, frames) => `Bild ${frame} von ${frames}`,
  open: (count) => (count === 1 ? '1 Bild zu prüfen' : `${count} Bilder zu prüfen`),
  none: 'Nichts mehr zu prüfen',
  count: (count) => (count === 1 ? '1 Korrektur' : `${count} Korrekturen`),
  previous: 'Voriges',
  next: 'Nächstes',
  outline: 'Umriss',
  exclude: 'Ab hier ausschließen',
  excludeTo: 'Bis hier ausschließen',
  blink: 'Lidschlag ab hier',
  blinkTo: 'Lidschlag bis hier',
  noBlink: 'Lidschlag entfernen',
  eye: 'Anderes Auge',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  close: 'Schließen',
  hint: 'Den Umriss oder seine Griffe ziehen, oder auf dem Bild einen neuen zeichnen. Pfeiltasten bewegen ihn, mit der Umschalttaste ändern sie die Größe. Bild auf und Bild ab drehen ihn, Entf entfernt ihn.',
  span: 'Zum letzten Bild der Spanne gehen, dann die Schaltfläche oder ihre Taste noch einmal drücken. Esc bricht ab.',
  done: {
    outline: 'Umriss korrigiert',
    exclude: 'Bilder ausgeschlossen',
    blink: 'Lidschlag markiert',
    open: 'Lidschlag entfernt',
  },
  shape: (x, y, major, minor) =>
    `Umriss bei ${x}, ${y}: ${major} mal ${minor} Pixel. Pfeiltasten bewegen ihn, mit der Umschalttaste ändern sie die Größe, Bild auf und Bild ab drehen ihn`,
  corrected: 'von Hand korrigiert',
  another: 'Die Korrekturen in diesen Einstellungen gehören zu einer anderen Aufnahme und wurden nicht verwendet.',
};

export const reviewWords = { en: english, de: german };

export const reviewStyle = `
  .review {
    display: grid;
    gap: 6px;
    padding: 8px 14px 10px;
    border-block: 1px solid var(--_border);
  }
  .review header,
  .review .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
  }
  .review header strong {
    font-weight: 650;
  }
  .review header span {
    color: var(--_muted);
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  .review header button {
    margin-inline-start: auto;
  }
  .review .row {
    gap: 6px;
  }
  .review .row button {
    gap: 8px;
    padding-inline: 10px;
    border-color: var(--_border);
    font-size: 14px;
  }
  .review .row button[aria-pressed='true'] {
    border-color: var(--_accent);
    color: var(--_accent);
  }
  .review kbd {
    border: 0;
    background: none;
    color: var(--_muted);
  }
  @container (max-width: 620px) {
    .review kbd {
      display: none;
    }
  }
  .review p {
    margin: 0;
    color: var(--_muted);
    font-size: 12.5px;
    line-height: 1.4;
  }
`;

export interface ReviewButton {
  readonly word: string;
  readonly key: string;
  act(): void;
  readonly off?: boolean;
  readonly pressed?: boolean;
}

export interface ReviewModel {
  words: ReviewWords;
  direction: string;
  /** Position, questions and corrections as texts. */
  status: readonly string[];
  hint: string;
  buttons: readonly ReviewButton[];
  close(): void;
}

const shortcut = (key: string) => key.replace('⇧', 'Shift+').replace('Strg', 'Control').replace('Ctrl', 'Control');

export function reviewPanel(model: ReviewModel): TemplateResult {
  const { words: w, status, hint, buttons, direction } = model;
  return html`<section class="review" part="review" aria-label=${w.title}>
    <header>
      <strong>${w.title}</strong>
      ${status.map((text) => html`<span><bdi>${text}</bdi></span>`)}
      <button type="button" part="button" aria-label=${w.close} title=${w.close} @click=${model.close}>✕</button>
    </header>
    <div class="row" role="toolbar" dir=${direction} aria-label=${w.title}>
      ${buttons.map(
        ({ word, key, act, off = false, pressed }) =>
          html`<button
            type="button"
            part="button"
            aria-keyshortcuts=${shortcut(key)}
            aria-pressed=${pressed === undefined ? nothing : String(pressed)}
            ?disabled=${off}
            @click=${act}
          >
            ${word} <kbd aria-hidden="true">${key}</kbd>
          </button>`,
      )}
    </div>
    <p>${hint}</p>
  </section>`;
}
