/**
 * One parameter of the settings panel: a slider with a number field, a list or a check box, with its unit, its effect and
 * a reset to the default. Shares of the image are shown in pixels, or in millimeters once they are calibrated.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { NumberParameter, Parameter, ParameterTable } from '../../../src/index.ts';
import type { Dictionary, Strings } from '../../strings/index.ts';
import { icon, undoIcon } from '../../base/icons.ts';
import { spelledOut } from '../../base/views.ts';
import { effects } from './effects.ts';

export interface RowModel {
  strings: Strings;
  table: ParameterTable;
  /** Name of the element without its prefix. Some parameters have different labels in it. */
  scope: string;
  /** Size of the open image. Null if none is open. */
  size: { width: number; height: number } | null;
  /** Values that differ from the defaults. */
  given: Readonly<Record<string, unknown>>;
}

export interface RowActions {
  set(name: string, value: unknown): void;
  reset(name: string): void;
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

/** Lengths of an image that parameters are shares of. */
const lengths: Record<string, (width: number, height: number) => number> = {
  "of the image's diagonal": Math.hypot,
  "of the image's short side": Math.min,
};

/** How a number is shown: as itself, in degrees, in pixels or in millimeters. */
export interface Shown {
  /** Value per displayed unit. */
  readonly per: number;
  readonly unit: string | undefined;
  /** A length: decimals of its number, and step of its slider. */
  readonly digits?: number;
  readonly step?: number;
}

/** A share of the image is a length as soon as an image is open. Angles are radians in the API. */
export function shownIn(p: NumberParameter, { size, given }: Pick<RowModel, 'size' | 'given'>): Shown {
  const pixels = size && p.unit && lengths[p.unit]?.(size.width, size.height);
  if (!pixels) return { per: p.unit === 'rad' ? Math.PI / 180 : 1, unit: p.unit };
  const scale = Number(given.millimetresPerPixel) || 0;
  return scale
    ? { per: 1 / pixels / scale, unit: 'mm', digits: 2, step: 0.05 }
    : { per: 1 / pixels, unit: 'px', digits: 1, step: 1 };
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

/** The displayed number of a value. */
export const written = (value: number, { per, digits }: Shown): number =>
  digits === undefined
    ? per === 1
      ? value
      : Number((value / per).toPrecision(6))
    : Number((value / per).toFixed(digits));

function numberField(
  name: string,
  p: NumberParameter,
  value: number,
  label: string,
  act: RowActions,
  as: Shown,
): TemplateResult {
  const shown = (number: number) => written(number, as);
  const take = (event: Event) => {
    const field = event.target as HTMLInputElement;
    const number = field.valueAsNumber;
    // An invalid number is marked by the browser and ignored.
    if (field.validity.valid && Number.isFinite(number))
      act.set(name, Math.min(p.max, Math.max(p.min, number * as.per)));
  };
  const leave = (event: Event) => {
    const field = event.target as HTMLInputElement;
    if (!field.validity.valid || field.value === '') field.value = String(shown(value));
  };
  const step = p.integer ? 1 : 'any';
  return html`<span class="pair">
    <input
      type="range"
      min=${shown(p.min)}
      max=${shown(p.max)}
      step=${as.step ?? stepOf({ ...p, min: shown(p.min), max: shown(p.max) })}
      .value=${String(shown(value))}
      aria-label=${label}
      @input=${take}
    />
    <input
      type="number"
      min=${shown(p.min)}
      max=${shown(p.max)}
      step=${step}
      .value=${String(shown(value))}
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
  act: RowActions,
  as: Shown,
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
  return numberField(name, p, value as number, label, act, as);
}

/** The effect of a parameter in the language of the element, otherwise in English. */
const effectOf = ({ strings: s, table, scope }: RowModel, name: string): readonly [text: string, own: boolean] => {
  const own = s.effects[`${scope}.${name}`] ?? s.effects[name];
  return own === undefined ? [effectText(s, table, name, table[name]!.effect), false] : [own, true];
};

/** Everything that a search for a setting should find. */
export const textOf = (model: RowModel, name: string): string =>
  `${labelOf(model.strings, name, model.scope)} ${effectOf(model, name)[0]} ${name}`.toLowerCase();

export function row(name: string, model: RowModel, act: RowActions): TemplateResult {
  const { strings: s, table, given, scope } = model;
  const p = table[name]!;
  const value = given[name] ?? p.default;
  const label = labelOf(s, name, scope);
  const as: Shown = p.type === 'number' ? shownIn(p, model) : { per: 1, unit: undefined };
  const slider = p.type === 'number' && !p.values;
  const caption = html`${label}${as.unit ? html` <small>${s.settingsWords.units[as.unit] ?? as.unit}</small>` : nothing}`;
  const [effect, own] = effectOf(model, name);
  return html`<div
    class="parameter ${p.type}"
    role=${slider ? 'group' : nothing}
    aria-label=${slider ? label : nothing}
  >
    ${slider ? html`<span class="label">${caption}</span>` : html`<label class="label" for=${`p-${name}`}>${caption}</label>`}
    ${control(s, name, p, value, label, act, as)}
    ${
      value === p.default
        ? nothing
        : html`<button
            type="button"
            class="default"
            part="button"
            title=${`${s.defaultOf(label)}: ${valueText(s, name, p.type === 'number' ? written(p.default, as) : p.default)}`}
            aria-label=${s.defaultOf(label)}
            @click=${() => act.reset(name)}
          >
            ${icon(undoIcon)}
          </button>`
    }
    <p class="effect" lang=${own ? nothing : 'en'}>${effect}</p>
  </div>`;
}
