/** The toolbar of every element: source, one primary action, export, settings, more. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import {
  cameraIcon,
  downloadIcon,
  fileIcon,
  icon,
  moreIcon,
  pauseIcon,
  playIcon,
  settingsIcon,
  type Icon,
} from './icons.ts';
import { button, titleOf } from './views.ts';

export interface MenuItem {
  readonly word: string;
  act(): void;
  readonly key?: string;
  /** Whether an option is on. Absent: the item is not an option. */
  readonly checked?: boolean;
  /** Reason why it is disabled. False if it is enabled. */
  readonly disabled?: string | false;
}

export type MenuName = 'exports' | 'more';

/** Items of the two menus. */
export type Menus = Readonly<Partial<Record<MenuName, readonly MenuItem[]>>>;

/** The next step of the user. */
export interface Primary {
  readonly word: string;
  /** Accessible name, if it says more than the word. */
  readonly label?: string;
  act(): void;
  readonly disabled?: string | false;
  readonly key?: string;
  /** `quiet`: it ends something that runs. `record`, `record on`: for the recording of a camera. */
  readonly kind?: string;
  readonly pressed?: boolean;
}

export interface ToolbarModel {
  strings: Strings;
  /** A camera is open. */
  camera: boolean;
  /** Whether it plays. Null: it cannot play, or the timeline has the button. */
  playing: boolean | null;
  /** Reason why it cannot be played. False if it can. */
  noPlay: string | false;
  primary: Primary | null;
  /** Reason why there is nothing to export. */
  noExport: string | false;
  /** Whether the settings are shown. Null without settings. */
  settings: boolean | null;
  /** The open menu. */
  menu: MenuName | null;
}

export interface ToolbarActions {
  file(): void;
  camera(): void;
  toggle(): void;
  settings(): void;
  menu(name: MenuName): void;
}

const primaryButton = ({ word, label, act, disabled, key, kind = '', pressed }: Primary): TemplateResult =>
  html`<button
    type="button"
    class="primary ${kind}"
    part="button primary"
    title=${disabled || key ? titleOf(label ?? word, { disabled, key }) : nothing}
    aria-label=${label ?? nothing}
    aria-keyshortcuts=${key ?? nothing}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    ?disabled=${!!disabled}
    @click=${act}
  >
    <span>${word}</span>
  </button>`;

/** `extra`: additional buttons of the element. */
export function toolbar(
  model: ToolbarModel,
  act: ToolbarActions,
  extra: TemplateResult | typeof nothing,
): TemplateResult {
  const { strings: s, playing, primary, settings } = model;
  const menu = (name: MenuName, sign: Icon, label: string, disabled: string | false, word?: string) =>
    html`<button
      type="button"
      part="button menu-button"
      data-menu=${name}
      title=${titleOf(label, { disabled })}
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${String(model.menu === name)}
      ?disabled=${!!disabled}
      @mousedown=${(event: Event) => event.preventDefault() /* the focus stays in the menu until the click */}
      @click=${() => act.menu(name)}
    >
      ${icon(sign)}${word ? html`<span class="word" aria-hidden="true">${word}</span>` : nothing}
    </button>`;
  return html`<div class="toolbar" part="controls" role="toolbar" dir=${s.direction} aria-label=${s.toolbar}>
    ${button(fileIcon, s.file, act.file, { word: s.file })}
    ${button(cameraIcon, model.camera ? s.stopCamera : s.startCamera, act.camera, {
      word: s.camera,
      pressed: model.camera,
    })}
    ${
      playing === null
        ? nothing
        : button(playing ? pauseIcon : playIcon, playing ? s.pause : s.play, act.toggle, {
            disabled: model.noPlay,
            key: 'Space',
          })
    }
    ${primary ? primaryButton(primary) : nothing}
    <span class="space"></span>
    ${extra} ${menu('exports', downloadIcon, s.exportMenu, model.noExport, s.exportMenu)}
    ${settings === null ? nothing : button(settingsIcon, s.settings, act.settings, { pressed: settings, key: 'O' })}
    ${menu('more', moreIcon, s.more, false)}
  </div>`;
}
