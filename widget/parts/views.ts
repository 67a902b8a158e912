/** Templates that all elements share: toolbar, camera settings, empty stage, error, help. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import type { CameraAbilities } from './camera-control.ts';
import { icon, type Icon } from './icons.ts';

export interface ButtonOptions {
  word?: string;
  pressed?: boolean;
  /** Why it does nothing now, and what changes that; false where it does. Read as the button's description. */
  disabled?: string | false;
  kind?: string;
  key?: string;
}

/** Tooltip of a button, which assistive technology reads as its description. */
export const titleOf = (label: string, { key, disabled }: Pick<ButtonOptions, 'key' | 'disabled'>): string => {
  const name = key ? `${label} (${key})` : label;
  return disabled ? `${name}. ${disabled}` : name;
};

/** A button of the toolbar. */
export const button = (name: Icon, label: string, act: () => void, options: ButtonOptions = {}): TemplateResult =>
  html`<button
    type="button"
    class=${options.kind ?? nothing}
    part="button"
    title=${titleOf(label, options)}
    aria-label=${label}
    aria-pressed=${options.pressed === undefined ? nothing : String(options.pressed)}
    aria-keyshortcuts=${options.key ?? nothing}
    ?disabled=${!!options.disabled}
    @click=${act}
  >
    ${icon(name)}${options.word ? html`<span class="word ${options.kind ?? ''}" aria-hidden="true">${options.word}</span>` : nothing}
  </button>`;

/** A button that does something while it is held. */
export const holdButton = (name: Icon, label: string, held: (on: boolean) => void, options: ButtonOptions = {}) => {
  const key = (on: boolean) => (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    held(on);
  };
  return html`<button
    type="button"
    part="button"
    title=${titleOf(label, options)}
    aria-label=${label}
    aria-keyshortcuts=${options.key ?? nothing}
    ?disabled=${!!options.disabled}
    @pointerdown=${() => held(true)}
    @pointerup=${() => held(false)}
    @pointerleave=${() => held(false)}
    @pointercancel=${() => held(false)}
    @keydown=${key(true)}
    @keyup=${key(false)}
    @blur=${() => held(false)}
  >
    ${icon(name)}
  </button>`;
};

export interface ToolbarModel {
  strings: Strings;
  playing: boolean;
  /** Why it cannot be played; false where it can. Null: it does not move, and the element has no use for playing it. */
  noPlay: string | false | null;
  /** Why it cannot be stepped, why there is nothing to be measured or saved. */
  noStep: string | false;
  noMeasure: string | false;
  /** Whether the recording can be analysed, or is being; null where the source is none. */
  analysing: boolean | null;
  /** Null: there is nothing to record. */
  recording: boolean | null;
  /** Null: the element has exports of its own. */
  rows: number | null;
  /** Name of the source of these rows, and whether another one is shown. */
  exported: string;
  exportsAnother: boolean;
  points: boolean | null;
  camera: boolean;
  /** Whether the settings are shown; null where there are none. */
  settings: boolean | null;
  help: boolean;
}

export interface ToolbarActions {
  toggle(): void;
  step(): void;
  analyse(): void;
  record(): void;
  mark(): void;
  snapshot(): void;
  copy(): void;
  csv(): void;
  json(): void;
  points(): void;
  file(): void;
  camera(): void;
  settings(): void;
  help(): void;
}

/** `more`: buttons of the element's own, made by `button`. */
export function toolbar(
  model: ToolbarModel,
  act: ToolbarActions,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const s = model.strings;
  const record = model.recording ? s.stopRecording : s.record;
  const play = () =>
    html`${button(model.playing ? 'pause' : 'play', model.playing ? s.pause : s.play, act.toggle, {
      disabled: model.noPlay ?? false,
      key: 'Space',
    })}
    ${button('step', s.step, act.step, { disabled: model.noStep, key: '.' })}`;
  const analyse = (on: boolean) =>
    button(on ? 'stop' : 'frames', on ? s.cancelAnalysis : s.analyse, act.analyse, { pressed: on, key: 'A' });
  const playback =
    model.noPlay === null && model.analysing === null
      ? nothing
      : html`<div class="group">
          ${model.noPlay === null ? nothing : play()} ${model.analysing === null ? nothing : analyse(model.analysing)}
        </div>`;
  const recording =
    model.recording === null
      ? nothing
      : html`${button(model.recording ? 'stop' : 'record', record, act.record, {
          disabled: model.noMeasure,
          kind: model.recording ? 'record on' : 'record',
          key: 'R',
          word: model.recording ? s.stop : s.record,
        })}
        ${button('mark', s.mark, act.mark, { disabled: !model.recording && s.why.notRecording, key: 'M' })}`;
  return html`<div class="toolbar" part="controls" role="group" dir=${s.direction} aria-label=${s.toolbar}>
    ${playback}
    <div class="group">
      ${recording} ${button('snapshot', s.snapshot, act.snapshot, { disabled: model.noMeasure, key: 'S' })}
      ${button('copy', s.copy, act.copy, { disabled: model.noMeasure, key: 'Control+C' })}
      ${model.points === null ? nothing : button('points', s.points, act.points, { pressed: model.points, disabled: model.noMeasure, key: 'P' })}
    </div>
    ${more}
    ${
      model.rows === null
        ? nothing
        : html`<div class="group">
            ${button('download', s.csv, act.csv, { disabled: !model.rows && s.why.noRows, word: 'CSV', kind: 'file' })}
            ${button('download', s.json, act.json, { disabled: !model.rows && s.why.noRows, word: 'JSON', kind: 'file' })}
            ${
              model.rows
                ? html`<span
                    class=${model.exportsAnother ? 'exported another' : 'exported'}
                    part="exported"
                    title=${model.exported}
                    >${model.exported}</span
                  >`
                : nothing
            }
          </div>`
    }
    <div class="group source">
      ${button('file', s.file, act.file, { word: s.file })}
      ${button('camera', model.camera ? s.stopCamera : s.startCamera, act.camera, {
        word: s.camera,
        pressed: model.camera,
      })}
      ${model.settings === null ? nothing : button('settings', s.settings, act.settings, { pressed: model.settings, key: 'O' })}
      ${button('help', s.help, act.help, { pressed: model.help, key: '?' })}
    </div>
  </div>`;
}

export interface CameraActions {
  device(id: string): void;
  size(width: number, height: number): void;
  rate(rate: number): void;
  mirror(on: boolean): void;
  flip(): void;
}

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
    ${devices.length > 1 || options.facing ? button('flip', s.flip, act.flip) : nothing}
  </div>`;
}

export const emptyStage = (s: Strings, withCamera: boolean, file: () => void, camera: () => void) =>
  html`<div class="empty">
    ${icon(withCamera ? 'camera' : 'eye')}
    <p class="title">${s.empty}</p>
    <p>${s.emptyHint}</p>
    <div class="choices">
      <button type="button" class=${withCamera ? 'primary' : ''} part="button start-camera" @click=${camera}>
        ${s.startCamera}
      </button>
      <button type="button" class=${withCamera ? '' : 'primary'} part="button choose-file" @click=${file}>
        ${s.chooseFile}
      </button>
    </div>
  </div>`;

/** Names of keys, and what they do. */
export type KeyHelp = readonly (readonly [names: readonly string[], does: string])[];

/** `own`: keys that only this element has; `unused`: names of those that it has not. */
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
