/** The settings panel of an element. Changes can be undone, and settings saved as a file. */
import { html, nothing, type TemplateResult } from 'lit';
import { saveFile } from '../base/page.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult } from '../base/kind.ts';
import { type SettingsController, unset } from '../parts/settings-controller.ts';
import { parameterPanel, type PanelActions } from './parameter-panel.ts';

interface Parts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly settings: SettingsController<R>;
}

function panelActions<R extends AnyResult>({ host, settings }: Parts<R>): PanelActions {
  const { kind } = host;
  const change = (changes: object, key?: string) => {
    const made = kind.panelChange?.({ ...changes }) ?? { ...changes };
    settings.edit(made, key && `${key} ${Object.keys(made)[0]}`); // two settings may both have a number
  };
  return {
    set: (name, value) => change({ [name]: value === settings.defaultOf(name) ? undefined : value }, name),
    reset: (name) => change({ [name]: undefined }),
    resetAll: () => change(unset(settings.panelGiven)),
    preset: (name) => settings.edit({ ...kind.presets?.[name] }),
    save: () => saveFile(host, settings.export(), 'settings.json', 'application/json'),
    load: () => host.find<HTMLInputElement>('input.settings-file')!.click(),
    undo: () => void settings.undo(),
    redo: () => void settings.redo(),
  };
}

export function settingsPanel<R extends AnyResult>(
  parts: Parts<R>,
  extra: TemplateResult | typeof nothing,
): TemplateResult {
  const { host, settings } = parts;
  const { element, kind, strings, shown } = host;
  const onFile = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (file) await settings.load(file);
  };
  return html`${parameterPanel(
      {
        strings,
        table: settings.table!,
        scope: element.localName.replace('foveola-', ''),
        size: shown.feed,
        given: settings.panelGiven,
        first: kind.panelFirst ?? [],
        hidden: kind.panelHidden ?? [],
        presets: Object.keys(kind.presets ?? {}),
        canUndo: settings.history.canUndo,
        canRedo: settings.history.canRedo,
        problem: shown.problem,
      },
      panelActions(parts),
      extra,
    )}<input
      class="settings-file"
      type="file"
      accept=".json,application/json"
      hidden
      tabindex="-1"
      aria-label=${strings.loadSettings}
      @change=${onFile}
    />`;
}
