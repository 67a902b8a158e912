/** The buttons that enlarge the picture, make it smaller, and fit it into the stage. */
import { html, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import { titleOf } from './views.ts';

export interface ZoomActions {
  in(): void;
  out(): void;
  fit(): void;
}

export function zoomButtons(
  { vessels: s }: Strings,
  percent: number,
  fitted: boolean,
  act: ZoomActions,
): TemplateResult {
  return html`<div class="zoom" part="zoom">
    <button
      type="button"
      part="button"
      aria-label=${s.zoomOut}
      title="${s.zoomOut} (-)"
      aria-keyshortcuts="-"
      @click=${act.out}
    >
      −
    </button>
    <output title=${s.zoomAt(percent)}><bdi dir="ltr">${s.percent(percent)}</bdi></output>
    <button
      type="button"
      part="button"
      aria-label=${s.zoomIn}
      title="${s.zoomIn} (+)"
      aria-keyshortcuts="+"
      @click=${act.in}
    >
      +
    </button>
    <button
      type="button"
      part="button"
      aria-label=${s.fitLong}
      title=${titleOf(s.fitLong, { key: '0', disabled: fitted && s.fitted })}
      aria-keyshortcuts="0"
      ?disabled=${fitted}
      @click=${act.fit}
    >
      ${s.fit}
    </button>
  </div>`;
}
