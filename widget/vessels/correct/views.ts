/** Templates of correcting: the toolbar, and what is measured around the disc. */
import type { TemplateResult } from 'lit';
import type { RetinalMeasures } from '../../../src/index.ts';
import type { Strings } from '../../strings/index.ts';
import type { Kit } from './kit.ts';
import { tools, type Tool } from './tools.ts';

export interface ToolbarModel {
  tool: Tool;
  size: number;
  greatest: number;
  count: number;
  canUndo: boolean;
  canRedo: boolean;
}

export interface ToolbarActions {
  tool(tool: Tool): void;
  size(size: number): void;
  undo(): void;
  redo(): void;
  reset(): void;
}

export function correctToolbar(
  { html, button, choiceSwitch }: Kit,
  strings: Strings,
  model: ToolbarModel,
  act: ToolbarActions,
): TemplateResult {
  const { correct: s, pixels } = strings.vessels;
  const { tool, size, greatest, count, canUndo, canRedo } = model;
  return html`<div class="vessels" part="correct" role="group" aria-label=${s.name}>
    ${choiceSwitch({ label: s.tool, part: 'tools', values: tools, words: s.tools, chosen: tool }, act.tool)}
    <label class="slider"
      ><span
        >${s.size} <output><bdi dir="ltr">${pixels(String(size))}</bdi></output></span
      >
      <input
        type="range"
        name="brush"
        min="1"
        max=${greatest}
        .value=${String(size)}
        aria-label=${s.size}
        aria-valuetext=${pixels(String(size))}
        @input=${(event: Event) => act.size((event.target as HTMLInputElement).valueAsNumber)}
      />
    </label>
    <div class="group">
      ${button('undo', s.undo, act.undo, { disabled: !canUndo && s.none, key: 'Control+Z' })}
      ${button('redo', s.redo, act.redo, { disabled: !canRedo && s.none, key: 'Control+Shift+Z' })}
      ${button('clear', s.reset, act.reset, { disabled: !count && s.none })}
    </div>
    <p class="corrections" part="corrections">${count ? s.count(count) : s.none}</p>
  </div>`;
}

export function retinaReadout({ html, nothing }: Kit, strings: Strings, retina: RetinalMeasures): TemplateResult {
  const { correct: s } = strings.vessels;
  const { zone, tortuosity, fractal, density } = retina;
  const item = (label: string, value: number | null | undefined, digits: number, unit = '') =>
    html`<div>
      <dt>${label}</dt>
      <dd>
        <bdi dir="ltr"
          >${value === null || value === undefined ? '–' : strings.number(value, digits)}${
            value && unit ? html`<small>${unit}</small>` : nothing
          }</bdi
        >
      </dd>
    </div>`;
  const caliber = (label: string, of: { pixels: number; micrometres: number | null } | null | undefined) =>
    of?.micrometres ? item(label, of.micrometres, 0, 'µm') : item(label, of?.pixels, 1, 'px');
  const share = (name: 'superior' | 'inferior' | 'nasal' | 'temporal') => {
    const value = density.disc?.[name] ?? null;
    return item(s.density[name], value === null ? null : 100 * value, 1, '%');
  };
  return html`<div class="numbers retina" part="retina" role="group" aria-label=${s.retina}>
    <dl class="readout">
      ${caliber(s.crae, zone?.crae)} ${caliber(s.crve, zone?.crve)} ${item(s.avr, zone?.avr, 2)}
      ${item(s.tortuosity, tortuosity.arcOverChord, 3)} ${item(s.fractal, fractal?.dimension, 2)} ${share('superior')}
      ${share('inferior')} ${share('nasal')} ${share('temporal')}
    </dl>
    ${
      retina.warnings.length
        ? html`<ul lang="en" class="notes">
            ${retina.warnings.map((warning) => html`<li>${warning}</li>`)}
          </ul>`
        : nothing
    }
  </div>`;
}
