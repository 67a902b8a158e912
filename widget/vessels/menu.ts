/** A button with a menu above it. Arrow keys move through it. Escape and a press elsewhere close it. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, type Icon, titleOf } from '../base/views.ts';
import { saveFile } from '../base/page.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { VesselFrame } from './tracker.ts';

interface MenuItem {
  readonly name: string;
  readonly word: string;
  act(): void;
  /** Reason why it is disabled. False if it is enabled. */
  readonly disabled?: string | false;
}

class Menu {
  #open = false;
  #button: HTMLElement | null = null;
  readonly #update: () => Promise<unknown>;

  /** `update` renders again. */
  constructor(update: () => Promise<unknown>) {
    this.#update = update;
  }

  template(name: Icon, label: string, word: string, items: readonly MenuItem[]): TemplateResult {
    const disabled = items.every((item) => item.disabled) && (items[0]?.disabled ?? false);
    return html`<div class="menu" @keydown=${this.#onKey} @focusout=${this.#onLeave}>
      <button
        type="button"
        class="file"
        part="button menu-button"
        aria-label=${label}
        title=${titleOf(label, { disabled })}
        aria-haspopup="menu"
        aria-expanded=${String(this.#open)}
        ?disabled=${!!disabled}
        @click=${this.#toggle}
      >
        ${icon(name)}<span class="word file" aria-hidden="true">${word}</span>
      </button>
      ${
        this.#open
          ? html`<div class="items" part="menu" role="menu" aria-label=${label}>
              ${items.map(
                (item) =>
                  html`<button
                    type="button"
                    part="button"
                    role="menuitem"
                    tabindex="-1"
                    data-item=${item.name}
                    title=${item.disabled ? titleOf(item.word, item) : nothing}
                    ?disabled=${!!item.disabled}
                    @click=${() => {
                      void this.#set(false, true);
                      item.act();
                    }}
                  >
                    ${item.word}
                  </button>`,
              )}
            </div>`
          : nothing
      }
    </div>`;
  }

  async #set(open: boolean, focus: boolean): Promise<void> {
    if (open === this.#open) return;
    this.#open = open;
    await this.#update();
    if (!focus) return;
    if (open) this.#items()[0]?.focus();
    else this.#button?.focus();
  }

  #items(): HTMLElement[] {
    return [...(this.#button?.parentElement?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])];
  }

  readonly #toggle = (event: Event) => {
    this.#button = event.currentTarget as HTMLElement;
    void this.#set(!this.#open, true);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (!this.#open) return;
    const items = this.#items();
    const at = items.findIndex((item) => item === event.composedPath()[0]);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === 'Escape') void this.#set(false, true);
    else if (event.key === 'Tab') {
      void this.#set(false, false);
      return;
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.stopPropagation(); // presses the item
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #onLeave = (event: FocusEvent) => {
    const menu = event.currentTarget as HTMLElement;
    if (this.#open && !menu.contains(event.relatedTarget as Node | null)) void this.#set(false, false);
  };
}

// The save menu of a result.

/** The exports of the element. */
interface VesselExports {
  exportMask(): Promise<Blob>;
  snapshot(): Promise<Blob>;
  exportCsv(options?: { recording?: boolean }): Promise<string>;
  exportJson(): Promise<string>;
  exportReport(): Promise<string>;
}

export class SaveMenu {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #exports: VesselExports;
  readonly #menu: Menu;

  constructor(parts: ElementParts<VesselFrame>, exports: VesselExports) {
    this.#parts = parts;
    this.#exports = exports;
    const { element } = parts.host;
    this.#menu = new Menu(() => (element.requestUpdate(), element.updateComplete));
  }

  /** `disabled`: reason why no result can be saved. */
  render(disabled: string | false): TemplateResult {
    const { strings, recorder } = this.#parts;
    const { vessels: s } = strings;
    const of = this.#exports;
    const items: MenuItem[] = [
      { name: 'mask', word: s.maskPng, act: () => this.#save('mask', 'png', () => of.exportMask()) },
      { name: 'overlay', word: s.overlayPng, act: () => this.#save('overlay', 'png', () => of.snapshot()) },
      {
        name: 'csv',
        word: s.segmentsCsv,
        act: () => this.#save('segments', 'csv', () => of.exportCsv(), 'text/csv'),
      },
      {
        name: 'json',
        word: s.allJson,
        act: () => this.#save('vessels', 'json', () => of.exportJson(), 'application/json'),
      },
      {
        name: 'report',
        word: s.correct.report,
        act: () => this.#save('report', 'html', () => of.exportReport(), 'text/html'),
      },
    ].map((item) => ({ ...item, disabled }));
    if (recorder.recording?.length)
      items.push({
        name: 'recording',
        word: `${s.recordingCsv} (${recorder.exportedName})`,
        act: () =>
          this.#parts.exports.start({
            ...{ what: 'recording', extension: 'csv', type: 'text/csv' },
            make: () => of.exportCsv({ recording: true }),
          }),
      });
    return this.#menu.template('download', s.saveLong, s.save, items);
  }

  #save(what: string, extension: string, make: () => Promise<string | Blob>, type?: string): void {
    const { actions, host } = this.#parts;
    actions.attempt('The export', async () => saveFile(host, await make(), extension, type, what));
  }
}
