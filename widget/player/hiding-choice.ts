/** The list beside the button that exports a video: what becomes of the faces in it. */
import type { html as HtmlTag } from 'lit';
import type { Rendered } from '../parts/kind.ts';
import { hidings, type Hiding } from './hide-area.ts';
import type { PlayerWords } from './player.en.ts';

/** `chosen`: undefined where the element shows no faces, which then has no list. */
export function hidingChoice(
  html: typeof HtmlTag,
  { faces: w }: PlayerWords,
  chosen: Hiding | null | undefined,
  choose: (how: Hiding | null) => void,
): Rendered {
  if (chosen === undefined) return html``;
  const onChange = ({ target }: Event) =>
    choose(hidings.find((how) => how === (target as HTMLSelectElement).value) ?? null);
  const option = (how: Hiding | null) =>
    html`<option value=${how ?? ''} .selected=${how === chosen}>${w[how ?? 'show']}</option>`;
  return html`<select part="hiding" aria-label=${w.label} title=${w.label} @change=${onChange}>
    ${[null, ...hidings].map(option)}
  </select>`;
}
