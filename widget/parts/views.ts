/** Common templates of all elements: buttons, toolbar, empty stage. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import { icon, type Icon } from './icons.ts';

export interface ButtonOptions {
  word?: string;
  pressed?: boolean;
  /** Reason why it is disabled, and how to enable it. False if it is enabled. Read as the button's description. */
  disabled?: string | false;
  kind?: string;
  key?: string;
}

/** Tooltip of a button. Assistive technology reads it as the description. */
export const titleOf = (label: string, { key, disabled }: Pick<ButtonOptions, 'key' | 'disabled'>): string => {
  const name = key ? `${label} (${key})` : label;
  return disabled ? `${name}. ${disabled}` : name;
};

/**
 * 'reflectionDilation' -> 'Reflection dilation', if the dictionary has no better label. For 'median.size', the last
 * part.
 */
export const spelledOut = (name: string): string => {
  const spaced = name
    .replace(/^.*\./, '')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();
  return spaced[0]!.toUpperCase() + spaced.slice(1);
};

/** A toolbar button. */
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

/** A button that acts while it is held. */
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
  /** Reason why it cannot be played. False if it can. Null: a still, and the element does not need to play it. */
  noPlay: string | false | null;
  /** Reason why it cannot be stepped, or why there is nothing to measure or save. */
  noStep: string | false;
  noMeasure: string | false;
  /** Whether the recording can be analyzed, or is being analyzed. Null if the source cannot. */
  analysing: boolean | null;
  /** Null: there is nothing to record. */
  recording: boolean | null;
  /** Null: the element has separate exports. */
  rows: number | null;
  /** Name of the source of these rows, and whether another source is displayed. */
  exported: string;
  exportsAnother: boolean;
  points: boolean | null;
  camera: boolean;
  /** Whether the settings are shown. Null if there are none. */
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

/** `more`: additional buttons of the element, created by `button`. */
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

/** Names of keys, and their actions. */
export type KeyHelp = readonly (readonly [names: readonly string[], does: string])[];
