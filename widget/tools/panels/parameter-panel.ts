/**
 * Settings panel built from a parameter table. Each parameter has a slider with a number field, a list or a check box,
 * with its unit, its effect and a reset to the default. It does not depend on any capability. FoveolaElement holds the
 * values.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { FoveolaError, NumberParameter, Parameter, ParameterTable } from '../../../src/index.ts';
import type { Dictionary, Strings } from '../../strings/index.ts';
import { downloadIcon, fileIcon, icon, redoIcon, undoIcon } from '../../base/icons.ts';
import { problemText, button, spelledOut, titleOf } from '../../base/views.ts';
import { effects } from './effects.ts';

export interface PanelModel {
  strings: Strings;
  table: ParameterTable;
  /** Name of the element without its prefix. Some parameters have different labels in it. */
  scope: string;
  /** Size of the open image. Null if none is open. */
  size: { width: number; height: number } | null;
  /** Values that differ from the defaults. */
  given: Readonly<Record<string, unknown>>;
  /** Names that are always shown. The others are under "more". */
  first: readonly string[];
  /** Names that are never shown, because they have their own control elsewhere. */
  hidden: readonly string[];
  presets: readonly string[];
  canUndo: boolean;
  canRedo: boolean;
  /** Error of the last loaded file. */
  problem: FoveolaError | null;
}

export interface PanelActions {
  set(name: string, value: unknown): void;
  reset(name: string): void;
  resetAll(): void;
  preset(name: string): void;
  save(): void;
  load(): void;
  undo(): void;
  redo(): void;
}

export const labelOf = (strings: Dictionary, name: string, scope = ''): string =>
  strings.parameters[`${scope}.${name}`] ?? strings.parameters[name] ?? spelledOut(name);

/** Displayed value. Choices are shown by their labels. */
export const valueText = (s: Strings, name: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? s.settingsWords.on : s.settingsWords.off;
  const choice = s.settingsWords.choices[`${name}.${String(value)}`];
  if (choice !== undefined) return choice;
  return typeof value === 'number' ? s.number(value, String(value).split('.')[1]?.length ?? 0) : String(value);
};

/** Label of a preset: 'median-7-13' -> 'Median of 7 px, reflections 13 px wide'. */
export const presetText = ({ settingsWords: { presets } }: Strings, name: string): string => {
  const [kind, ...sizes] = name.split('-');
  const [first = 0, second = 0] = sizes.map(Number);
  return kind === 'median' ? presets.median(first, second) : kind === 'gaussian' ? presets.gaussian(first) : name;
};

const lengths: Record<string, (width: number, height: number) => number> = {
  "of the image's diagonal": Math.hypot,
  "of the image's short side": Math.min,
};

/** Label of a unit. A fraction of the image is also shown in pixels. */
export function unitText(s: Strings, unit: string, value: unknown, size: PanelModel['size']): string {
  const words = s.settingsWords.units[unit] ?? unit;
  const length = size && lengths[unit]?.(size.width, size.height);
  return length ? `${words}, ${s.settingsWords.inPixels(String(Math.round(Number(value) * length)))}` : words;
}

/** The effect text names choices as the list shows them. */
const effectText = (s: Strings, table: ParameterTable, name: string, effect: string): string =>
  (effects[Number(effect.slice(1))] ?? effect).replace(/'(\w+)'/g, (id, value: string) => {
    const owner = [name, ...Object.keys(table)].find((key) => {
      const p = table[key]!;
      return p.type === 'choice' && p.values.includes(value);
    });
    return owner ? `'${valueText(s, owner, value)}'` : id;
  });

/** Step that gives a slider about 200 positions: 1, 2 or 5 times a power of ten. */
export function stepOf({ min, max, integer }: Pick<NumberParameter, 'min' | 'max' | 'integer'>): number {
  const power = 10 ** Math.floor(Math.log10((max - min) / 200));
  const lead = (max - min) / 200 / power;
  const step = power * (lead < 2 ? 1 : lead < 5 ? 2 : 5);
  return integer ? Math.max(1, Math.round(step)) : step;
}

/** Angles are radians in the API and degrees on the screen. */
const perShown = (p: Parameter): number => (p.type === 'number' && p.unit === 'rad' ? Math.PI / 180 : 1);
const shown = (p: Parameter, value: number): number =>
  perShown(p) === 1 ? value : Number((value / perShown(p)).toPrecision(6));

function numberField(name: string, p: NumberParameter, value: number, label: string, act: PanelActions) {
  const take = (event: Event) => {
    const field = event.target as HTMLInputElement;
    const number = field.valueAsNumber;
    // An invalid number is marked by the browser and ignored.
    if (field.validity.valid && Number.isFinite(number)) act.set(name, number * perShown(p));
  };
  const leave = (event: Event) => {
    const field = event.target as HTMLInputElement;
    if (!field.validity.valid || field.value === '') field.value = String(shown(p, value));
  };
  const step = p.integer ? 1 : 'any';
  return html`<span class="pair">
    <input
      type="range"
      min=${shown(p, p.min)}
      max=${shown(p, p.max)}
      step=${stepOf({ ...p, min: shown(p, p.min), max: shown(p, p.max) })}
      .value=${String(shown(p, value))}
      aria-label=${label}
      @input=${take}
    />
    <input
      type="number"
      min=${shown(p, p.min)}
      max=${shown(p, p.max)}
      step=${step}
      .value=${String(shown(p, value))}
      aria-label=${label}
      @change=${take}
      @blur=${leave}
    />
  </span>`;
}

function control(
  s: Strings,
  name: string,
  p: Parameter,
  value: unknown,
  label: string,
  act: PanelActions,
): TemplateResult {
  const list = (values: readonly (string | number)[], take: (value: string) => void) =>
    html`<select id=${`p-${name}`} @change=${(event: Event) => take((event.target as HTMLSelectElement).value)}>
      ${values.map((v) => html`<option value=${v} .selected=${v === value}>${valueText(s, name, v)}</option>`)}
    </select>`;
  if (p.type === 'boolean')
    return html`<input
      type="checkbox"
      id=${`p-${name}`}
      .checked=${value as boolean}
      @change=${(event: Event) => act.set(name, (event.target as HTMLInputElement).checked)}
    />`;
  if (p.type === 'choice') return list(p.values, (v) => act.set(name, v));
  if (p.values) return list(p.values, (v) => act.set(name, Number(v)));
  return numberField(name, p, value as number, label, act);
}

function row(name: string, { strings: s, table, given, scope, size }: PanelModel, act: PanelActions): TemplateResult {
  const p = table[name]!;
  const value = given[name] ?? p.default;
  const label = labelOf(s, name, scope);
  const unit = p.type === 'number' ? p.unit : undefined;
  const slider = p.type === 'number' && !p.values;
  const caption = html`${label}${unit ? html` <small>${unitText(s, unit, value, size)}</small>` : nothing}`;
  const effect = s.effects[`${scope}.${name}`] ?? s.effects[name];
  return html`<div
    class="parameter ${p.type}"
    role=${slider ? 'group' : nothing}
    aria-label=${slider ? label : nothing}
  >
    ${slider ? html`<span class="label">${caption}</span>` : html`<label class="label" for=${`p-${name}`}>${caption}</label>`}
    ${control(s, name, p, value, label, act)}
    ${
      value === p.default
        ? nothing
        : html`<button
            type="button"
            class="default"
            part="button"
            title=${`${s.defaultOf(label)}: ${valueText(s, name, p.type === 'number' ? shown(p, p.default) : p.default)}`}
            aria-label=${s.defaultOf(label)}
            @click=${() => act.reset(name)}
          >
            ${icon(undoIcon)}
          </button>`
    }
    <p class="effect" lang=${effect ? nothing : 'en'}>${effect ?? effectText(s, table, name, p.effect)}</p>
  </div>`;
}

/** The whole panel. `extra` is between the heading and the parameters. */
export function parameterPanel(
  model: PanelModel,
  act: PanelActions,
  extra: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { strings: s, table, first, hidden, presets, given } = model;
  const names = Object.keys(table).filter((name) => !hidden.includes(name));
  const leading = first.filter((name) => names.includes(name));
  const shown = leading.length ? leading : names;
  const more = names.filter((name) => !shown.includes(name));
  const changed = Object.keys(given).length > 0;
  return html`<section class="panel" part="panel" aria-label=${s.settings}>
    <header>
      ${
        presets.length
          ? html`<label class="preset"
              >${s.preset}
              <select
                @change=${(event: Event) => {
                  const field = event.target as HTMLSelectElement;
                  if (field.value) act.preset(field.value);
                  field.value = '';
                }}
              >
                <option value="">${s.choosePreset}</option>
                ${presets.map((name) => html`<option value=${name}>${presetText(s, name)}</option>`)}
              </select></label
            >`
          : nothing
      }
      <div class="group">
        ${button(undoIcon, s.undo, act.undo, { disabled: !model.canUndo && s.why.noUndo })}
        ${button(redoIcon, s.redo, act.redo, { disabled: !model.canRedo && s.why.noRedo })}
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
    </header>
    ${model.problem ? html`<p class="problem" role="alert">${problemText(s, model.problem)}</p>` : nothing} ${extra}
    <div class="parameters">${shown.map((name) => row(name, model, act))}</div>
    ${
      more.length
        ? html`<details>
            <summary>${s.moreSettings(more.length)}</summary>
            <div class="parameters">${more.map((name) => row(name, model, act))}</div>
          </details>`
        : nothing
    }
  </section>`;
}
