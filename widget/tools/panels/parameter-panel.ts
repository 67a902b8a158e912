/**
 * The settings panel: set-ups, the settings that matter, and the others in groups that a search narrows. It is built from
 * a parameter table and does not depend on any capability. FoveolaElement holds the values.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { FoveolaError } from '../../../src/index.ts';
import { downloadIcon, fileIcon, redoIcon, undoIcon } from '../../base/icons.ts';
import type { PanelExtra } from '../../base/kind.ts';
import { problemText, button, titleOf } from '../../base/views.ts';
import { arranged, type Arranged, type PanelLayout } from './panel-layout.ts';
import { row, type RowActions, type RowModel, textOf } from './parameter-row.ts';
import type { SetUp } from './setups.ts';

export interface PanelModel extends RowModel {
  layout: PanelLayout;
  setups: readonly { readonly label: string; readonly list: readonly SetUp[] }[];
  /** Text that the user searches for. */
  search: string;
  canUndo: boolean;
  canRedo: boolean;
  /** Error of the last loaded file. */
  problem: FoveolaError | null;
}

export interface PanelActions extends RowActions {
  resetAll(): void;
  setup(of: SetUp): void;
  search(text: string): void;
  save(): void;
  load(): void;
  undo(): void;
  redo(): void;
}

function setupList({ strings: s, setups }: PanelModel, act: PanelActions): TemplateResult {
  const all = setups.flatMap(({ list }) => list);
  const option = ({ name, word, settings }: SetUp) =>
    html`<option value=${name} ?disabled=${!settings}>${word}</option>`;
  return html`<label class="preset"
    >${s.preset}
    <select
      @change=${(event: Event) => {
        const field = event.target as HTMLSelectElement;
        const chosen = all.find(({ name }) => name === field.value);
        if (chosen) act.setup(chosen);
        field.value = '';
      }}
    >
      <option value="">${s.choosePreset}</option>
      ${setups.map(({ label, list }) => html`<optgroup label=${label}>${list.map(option)}</optgroup>`)}
    </select></label
  >`;
}

function header(model: PanelModel, act: PanelActions): TemplateResult {
  const { strings: s, given, canUndo, canRedo, setups } = model;
  const changed = Object.keys(given).length > 0;
  return html`<header>
    ${setups.length ? setupList(model, act) : nothing}
    <div class="group">
      ${button(undoIcon, s.undo, act.undo, { disabled: !canUndo && s.why.noUndo })}
      ${button(redoIcon, s.redo, act.redo, { disabled: !canRedo && s.why.noRedo })}
    </div>
    <div class="group">
      ${button(downloadIcon, s.saveSettings, act.save)} ${button(fileIcon, s.loadSettings, act.load)}
      <button
        type="button"
        part="button"
        title=${titleOf(s.defaults, { disabled: !changed && s.why.allDefault })}
        ?disabled=${!changed}
        @click=${act.resetAll}
      >
        ${s.defaults}
      </button>
    </div>
  </header>`;
}

/** The settings that do not matter to most users: searched by label, effect and name. */
function others(rest: Arranged['rest'], model: PanelModel, act: PanelActions): TemplateResult {
  const { strings: s, search } = model;
  const wanted = search.trim().toLowerCase();
  const found = rest
    .map(([group, names]) => [group, names.filter((name) => textOf(model, name).includes(wanted))] as const)
    .filter(([, names]) => names.length);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !search) return;
    event.stopPropagation(); // clears the search, and leaves the panel open
    act.search('');
  };
  const count = rest.reduce((sum, [, names]) => sum + names.length, 0);
  return html`<details>
    <summary>${s.moreSettings(count)}</summary>
    <input
      type="search"
      class="search"
      .value=${search}
      placeholder=${s.searchSettings}
      aria-label=${s.searchSettings}
      @input=${(event: Event) => act.search((event.target as HTMLInputElement).value)}
      @keydown=${onKey}
    />
    ${found.map(
      ([group, names]) =>
        html`<div role="group" aria-label=${group ? s.settingsWords.groups[group] : s.settings}>
          ${group ? html`<p class="kind" aria-hidden="true">${s.settingsWords.groups[group]}</p>` : nothing}
          <div class="parameters">${names.map((name) => row(name, model, act))}</div>
        </div>`,
    )}
    ${found.length ? nothing : html`<p class="effect">${s.noSetting(search)}</p>`}
  </details>`;
}

export function parameterPanel(model: PanelModel, act: PanelActions, extra: PanelExtra = {}): TemplateResult {
  const { strings: s, table, layout, problem } = model;
  const { first, rest } = arranged(Object.keys(table), layout);
  return html`<section class="panel" part="panel" aria-label=${s.settings}>
    ${header(model, act)} ${problem ? html`<p class="problem" role="alert">${problemText(s, problem)}</p>` : nothing}
    ${extra.above ?? nothing}
    <div class="parameters first">${first.map((name) => row(name, model, act))} ${extra.first ?? nothing}</div>
    ${extra.more ?? nothing} ${rest.length ? others(rest, model, act) : nothing}
  </section>`;
}
