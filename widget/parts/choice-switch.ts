/** A group of buttons with one choice. Arrow keys move through it, as in a radio group. */
import { html, type TemplateResult } from 'lit';

export interface SwitchModel<V extends string> {
  /** Accessible name of the group, and its CSS part. */
  label: string;
  part: string;
  values: readonly V[];
  words: Readonly<Record<V, string>>;
  /** If this is not one of the values, no button is selected. */
  chosen: string;
}

export function choiceSwitch<V extends string>(
  { label, part, values, words, chosen }: SwitchModel<V>,
  choose: (value: V) => void,
): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also step through frames
    const group = event.currentTarget as HTMLElement;
    const at = values.findIndex((value) => value === (event.target as HTMLElement).dataset.value);
    const next = values[(at + step + values.length) % values.length]!;
    choose(next);
    group.querySelector<HTMLElement>(`[data-value=${next}]`)?.focus();
  };
  const reached = values.find((value) => value === chosen) ?? values[0]; // with the Tab key
  return html`<div class="switch" part=${part} role="radiogroup" aria-label=${label} @keydown=${onKey}>
    ${values.map(
      (value) =>
        html`<button
          type="button"
          part="button"
          role="radio"
          aria-checked=${String(value === chosen)}
          tabindex=${value === reached ? 0 : -1}
          data-value=${value}
          @click=${() => choose(value)}
        >
          ${words[value]}
        </button>`,
    )}
  </div>`;
}
