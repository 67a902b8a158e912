/** The small panels: camera, export question, keys, and the settings around the parameters. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CameraAbilities } from '../camera-control.ts';
import { flipIcon } from '../../base/icons.ts';
import { button, type CameraActions, type KeyHelp } from '../../base/views.ts';
import type { Strings } from '../../strings/index.ts';
import { type RecordedFile, saveFile } from '../../base/page.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult, PanelExtra, Rendered } from '../../base/kind.ts';
import { type SettingsController, unset } from '../settings-controller.ts';
import { layoutOf } from './panel-layout.ts';
import { parameterPanel, type PanelActions } from './parameter-panel.ts';
import { setupsOf } from './setups.ts';

// Settings of an open camera: device, resolution, rate, mirroring.

const value = (event: Event) => (event.target as HTMLSelectElement).value;

export function cameraSettings(s: Strings, options: CameraAbilities, mirror: boolean, act: CameraActions) {
  const { devices, deviceId: current, sizes, rates, width, height, frameRate } = options;
  const rate = rates.find((r) => Math.abs(r - frameRate) < 1);
  return html`<div class="camera" part="camera" role="group" aria-label=${s.cameraSettings}>
    <label
      >${s.device}
      <select @change=${(e: Event) => act.device(value(e))}>
        ${devices.map(
          ({ deviceId, label }, i) =>
            html`<option value=${deviceId} ?selected=${deviceId === current}>
              ${label || s.unnamedCamera(i + 1)}
            </option>`,
        )}
      </select></label
    >
    <label
      >${s.resolution}
      <select
        @change=${(e: Event) => {
          const [w, h] = value(e).split('x').map(Number);
          act.size(w!, h!);
        }}
      >
        ${sizes.map(
          ([w, h]) => html`<option value="${w}x${h}" ?selected=${w === width && h === height}>${w} × ${h}</option>`,
        )}
      </select></label
    >
    <label
      >${s.rate}
      <select @change=${(e: Event) => act.rate(Number(value(e)))}>
        ${
          rate === undefined
            ? html`<option value="0" selected>${frameRate ? s.number(frameRate, 1) : s.automatic}</option>`
            : nothing
        }
        ${rates.map((r) => html`<option value=${r} ?selected=${r === rate}>${r}</option>`)}
      </select></label
    >
    <label class="check"
      ><input
        type="checkbox"
        .checked=${mirror}
        @change=${(e: Event) => act.mirror((e.target as HTMLInputElement).checked)}
      />
      ${s.mirror}</label
    >
    ${devices.length > 1 || options.facing ? button(flipIcon, s.flip, act.flip) : nothing}
  </div>`;
}

// Question before an export if the displayed source differs from the recorded one.

interface ExportQuestion {
  file: RecordedFile;
  /** Names of the recorded source and of the displayed one. */
  recorded: string;
  shown: string;
  /** The open image can also be exported. */
  picture: boolean;
}

interface ExportAnswers {
  save(ofPicture: boolean): void;
  cancel(): void;
}

export function exportQuestion(
  s: Strings,
  { file, recorded, shown, picture }: ExportQuestion,
  act: ExportAnswers,
): TemplateResult {
  const choice = (name: string, ofPicture: boolean) =>
    html`<button type="button" part="button" @click=${() => act.save(ofPicture)}>${s.exportOf(name)}</button>`;
  return html`<div class="ask" part="ask" role="alertdialog" aria-label=${s.askExport(recorded, shown)}>
    <p>${s.askExport(recorded, shown)}</p>
    ${choice(recorded, false)} ${file.ofPicture && picture ? choice(shown, true) : nothing}
    <button type="button" part="button" @click=${act.cancel}>${s.cancel}</button>
  </div>`;
}

// The list of keys.

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

// The settings panel of an element. Changes can be undone, and settings saved as a file.

interface Parts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly settings: SettingsController<R>;
}

/** Texts that users search for, by element. */
const searches = new WeakMap<object, string>();

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
    setup: ({ settings: of }) => of && settings.edit(of),
    search: (text) => {
      searches.set(host, text);
      host.element.requestUpdate();
    },
    save: () => saveFile(host, settings.export(), 'settings.json', 'application/json'),
    load: () => host.find<HTMLInputElement>('input.settings-file')!.click(),
    undo: () => void settings.undo(),
    redo: () => void settings.redo(),
  };
}

export function settingsPanel<R extends AnyResult>(parts: Parts<R>, extra: PanelExtra | Rendered): TemplateResult {
  const { host, settings } = parts;
  const { element, strings, shown } = host;
  const scope = element.localName.replace('foveola-', '');
  const own: PanelExtra = extra === nothing || '_$litType$' in extra ? { above: extra as Rendered } : extra;
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
        scope,
        size: shown.feed,
        given: settings.panelGiven,
        layout: layoutOf(scope),
        setups: setupsOf(scope, strings, host),
        search: searches.get(host) ?? '',
        canUndo: settings.history.canUndo,
        canRedo: settings.history.canRedo,
        problem: shown.problem,
      },
      panelActions(parts),
      own,
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
