/** The list of keys. */
import { html } from 'lit';
import type { KeyHelp } from '../base/views.ts';
import type { Strings } from '../strings/index.ts';

/** `own`: keys that only this element has. `unused`: names of common keys that it does not support. */
export function helpPanel(s: Strings, close: () => void, own: KeyHelp = [], unused: readonly string[] = []) {
  const common = {
    playPause: [s.keys.space],
    step: ['.', '→'],
    back: [',', '←'],
    record: ['R'],
    mark: ['M'],
    snapshot: ['S'],
    copy: [`${s.keys.control}+C`],
    points: ['P'],
    analyse: ['A'],
    settings: ['O'],
    undo: [`${s.keys.control}+Z`],
    redo: [`${s.keys.control}+Y`],
    help: ['?'],
  };
  const used = Object.entries(common).filter(([name]) => !unused.includes(name));
  const keys: KeyHelp = [...own, ...used.map(([name, keys]) => [keys, s.keys[name as keyof typeof common]] as const)];
  return html`<div class="help" part="help" role="dialog" aria-label=${s.help}>
    <header>
      ${s.help}
      <button type="button" part="button" aria-label=${s.close} @click=${close}>✕</button>
    </header>
    <dl>
      ${keys.map(
        ([names, text]) =>
          html`<dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>
  </div>`;
}
