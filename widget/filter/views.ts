/** Templates of <foveola-filter>: lists of filters and of views, brush and filling. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import { spelledOut } from '../parts/parameter-panel.ts';
import { button, titleOf } from '../parts/views.ts';

/** The filters that the switch has no room for. */
export const moreSelect = (
  { filter: s, choosePreset }: Strings,
  names: readonly string[],
  chosen: string,
  set: (operation: string) => void,
): TemplateResult =>
  html`<label
    >${s.moreOperations}
    <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${names.includes(chosen) ? nothing : html`<option value="" selected>${choosePreset}</option>`}
      ${names.map(
        (name) =>
          html`<option value=${name} .selected=${name === chosen}>
            ${(s.operations as Record<string, string | undefined>)[name] ?? spelledOut(name)}
          </option>`,
      )}
    </select></label
  >`;

const flowViews = ['both', 'colors', 'arrows'] as const;
type FlowView = (typeof flowViews)[number];

/** How flow is shown. */
export const flowSelect = ({ filter: s }: Strings, shown: FlowView, set: (view: FlowView) => void): TemplateResult =>
  html`<label
    >${s.flowView}
    <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value as FlowView)}>
      ${flowViews.map((view) => html`<option value=${view} .selected=${view === shown}>${s.flowViews[view]}</option>`)}
    </select></label
  >`;

export interface BrushModel {
  radius: number;
  erase: boolean;
  painted: boolean;
  filling: boolean;
  done: number;
  patches: number;
  /** Why nothing can be painted; false where it can. */
  unready: string | false;
}

export interface BrushActions {
  radius(radius: number): void;
  erase(): void;
  clear(): void;
  mask(): void;
  fill(): void;
  cancel(): void;
}

export function brushBar(strings: Strings, model: BrushModel, act: BrushActions): TemplateResult {
  const { filter: s } = strings;
  const noMask = model.unready || (!model.painted && strings.why.noMask);
  const percent = Math.round(100 * model.done);
  if (model.filling)
    return html`<progress max="100" .value=${percent} aria-label=${s.filling}></progress>
      <span class="figures"><bdi>${s.progress(percent, model.patches)}</bdi></span>
      <button type="button" part="button" class="bordered" @click=${act.cancel}>${s.cancel}</button>`;
  return html`<label
      >${s.brushSize}
      <input
        type="range"
        min="1"
        max="100"
        .value=${String(model.radius)}
        ?disabled=${!!model.unready}
        title=${model.unready ? titleOf(s.brushSize, { disabled: model.unready }) : nothing}
        aria-valuetext=${s.pixels(2 * model.radius)}
        @input=${(event: Event) => act.radius((event.target as HTMLInputElement).valueAsNumber)}
    /></label>
    ${button('eraser', s.erase, act.erase, { pressed: model.erase, disabled: model.unready })}
    ${button('clear', s.clear, act.clear, { disabled: noMask })}
    ${button('file', s.maskFile, act.mask, { disabled: model.unready, word: s.mask })}
    <button
      type="button"
      part="button fill"
      class="primary"
      title=${titleOf(s.fill, { disabled: noMask })}
      ?disabled=${!!noMask}
      @click=${act.fill}
    >
      ${s.fill}
    </button>
    ${model.painted || model.unready ? nothing : html`<span class="figures">${s.paintHint}</span>`}`;
}
