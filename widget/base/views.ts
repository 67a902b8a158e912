/** Common templates of all elements: errors, buttons, empty stage. */
import { html, type TemplateResult, nothing } from 'lit';
import type { FoveolaError, Laterality } from '../../src/index.ts';
import type { Strings } from '../strings/index.ts';
import { cameraIcon, eyeIcon, type Icon, icon, warningIcon } from './icons.ts';

/**
 * Name of an eye: the person's left or right. If that is not known, the name is its half of the image on the screen.
 * `mirror` only swaps these halves on the screen.
 */
export const eyeName = (s: Strings, eye: Laterality, index: number, mirror: boolean): string =>
  eye === 'unknown' ? s.halves[mirror ? 1 - index : index]! : s.eyes[eye];

// Shows an error in the language of the page. The library's message with the exact details is below.

/** The library's messages are in English. */
const own = (error: FoveolaError) => html`<span lang="en" dir="ltr">${error.message}</span>`;

/** On one line, next to the control that caused it. */
export const problemText = (s: Strings, error: FoveolaError): TemplateResult =>
  html`${s.errors[error.code]}. ${own(error)}`;

/** `advice`: how to fix the error. Absent until these strings have loaded. `file`, `camera`: the next step. */
export const errorPanel = (
  s: Strings,
  error: FoveolaError,
  advice: string | undefined,
  file: () => void,
  camera: () => void,
): TemplateResult =>
  html`<div class="error" part="error" role="alert" dir=${s.direction}>
    ${icon(warningIcon)}
    <div>
      <p class="title">${s.errors[error.code]}</p>
      ${advice ? html`<p>${advice}</p>` : nothing}
      <p class="detail">${own(error)}</p>
    </div>
    ${
      /^(camera-(denied|missing)|source-unsupported|decode-failed|image-too-large)$/.test(error.code)
        ? html`<button type="button" part="button" @click=${error.code[0] === 'c' ? camera : file}>
            ${error.code[0] === 'c' ? s.startCamera : s.chooseFile}
          </button>`
        : nothing
    }
  </div>`;

// Common templates of all elements: buttons, empty stage.

interface ButtonOptions {
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
export const button = (sign: Icon, label: string, act: () => void, options: ButtonOptions = {}): TemplateResult =>
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
    ${icon(sign)}${options.word ? html`<span class="word ${options.kind ?? ''}" aria-hidden="true">${options.word}</span>` : nothing}
  </button>`;

export interface CameraActions {
  device(id: string): void;
  size(width: number, height: number): void;
  rate(rate: number): void;
  mirror(on: boolean): void;
  flip(): void;
}

export const emptyStage = (s: Strings, withCamera: boolean, file: () => void, camera: () => void) =>
  html`<div class="empty">
    ${icon(withCamera ? cameraIcon : eyeIcon)}
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
